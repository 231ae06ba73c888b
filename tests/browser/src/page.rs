//! A page with the few gestures that the tests need.

use std::env;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::harness::{PATIENCE, POLL, Size};

/// What the browser has written to its console.
#[derive(Debug)]
struct ConsoleLog;

impl WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}

/// One browser window.
pub struct Page {
    pub client: Client,
    pub size: Size,
}

impl Page {
    pub async fn open(&self, url: &str) -> Result<()> {
        // From elsewhere, so that another fragment is another visit.
        self.client.goto("about:blank").await?;
        self.client.goto(url).await?;
        Ok(())
    }

    /// What `script` returns, with `arguments`.
    pub async fn js(&self, script: &str, arguments: &[Value]) -> Result<Value> {
        Ok(self.client.execute(script, arguments.to_vec()).await?)
    }

    /// The text of the first element that fits, or an empty one.
    pub async fn text(&self, selector: &str) -> Result<String> {
        let text = self
            .js(
                "return document.querySelector(arguments[0])?.textContent ?? ''",
                &[json!(selector)],
            )
            .await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    pub async fn value(&self, selector: &str) -> Result<String> {
        let text = self
            .js("return document.querySelector(arguments[0])?.value ?? ''", &[json!(selector)])
            .await?;
        Ok(text.as_str().unwrap_or_default().to_owned())
    }

    pub async fn count(&self, selector: &str) -> Result<u64> {
        let n = self
            .js("return document.querySelectorAll(arguments[0]).length", &[json!(selector)])
            .await?;
        Ok(n.as_u64().unwrap_or(0))
    }

    /// Waits until `condition`, an expression, holds; `what` names it.
    pub async fn until(&self, what: &str, condition: &str) -> Result<()> {
        let script = format!("return Boolean({condition})");
        let begin = Instant::now();
        while self.js(&script, &[]).await? != json!(true) {
            if begin.elapsed() > PATIENCE {
                self.shot("failed").await?;
                let status = self.text(".status").await?;
                let notice = self.text("#notice").await?;
                bail!("waited in vain for {what}; status '{status}', notice '{notice}'");
            }
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Waits until the status line has `words`.
    pub async fn status(&self, words: &str) -> Result<()> {
        let condition =
            format!("document.querySelector('.status')?.textContent.includes({})", json!(words));
        self.until(&format!("'{words}'"), &condition).await
    }

    pub async fn click(&self, selector: &str) -> Result<()> {
        let element = self
            .client
            .find(Locator::Css(selector))
            .await
            .with_context(|| format!("no {selector}"))?;
        element.click().await.with_context(|| format!("{selector} cannot be clicked"))
    }

    /// Clicks the button, or link, that shows `label`.
    pub async fn press(&self, label: &str) -> Result<()> {
        let path = format!(
            "//main//*[self::button or self::a][normalize-space(.)='{label}' and not(@disabled)]"
        );
        self.until(
            &format!("the button '{label}'"),
            &format!(
                "document.evaluate({}, document, null, XPathResult.BOOLEAN_TYPE).booleanValue",
                json!(path)
            ),
        )
        .await?;
        self.client
            .find(Locator::XPath(&path))
            .await?
            .click()
            .await
            .with_context(|| format!("'{label}' cannot be pressed"))
    }

    /// Chooses `value` in the field with this label.
    pub async fn choose(&self, label: &str, value: &str) -> Result<()> {
        let path =
            format!("//label[contains(@class,'field')][span[normalize-space(.)='{label}']]/select");
        let list = self
            .client
            .find(Locator::XPath(&path))
            .await
            .with_context(|| format!("no field '{label}'"))?;
        Ok(list.select_by_value(value).await?)
    }

    pub async fn fill(&self, selector: &str, text: &str) -> Result<()> {
        let field = self
            .client
            .find(Locator::Css(selector))
            .await
            .with_context(|| format!("no {selector}"))?;
        field.clear().await?;
        Ok(field.send_keys(text).await?)
    }

    /// Types keys to whatever has the focus.
    pub async fn keys(&self, keys: &str) -> Result<()> {
        Ok(self.client.active_element().await?.send_keys(keys).await?)
    }

    /// Moves the focus by the tabulator until `condition` holds of the
    /// focused element, `it`.
    pub async fn tab_to(&self, what: &str, condition: &str) -> Result<()> {
        const MOST: usize = 60;
        let script = format!("const it = document.activeElement; return Boolean({condition})");
        for _ in 0..MOST {
            if self.js(&script, &[]).await? == json!(true) {
                return Ok(());
            }
            self.keys(&char::from(fantoccini::key::Key::Tab).to_string()).await?;
        }
        bail!("{what} is not reached by the tabulator")
    }

    /// Drags from the middle of one element to that of another.
    pub async fn drag(&self, from: &str, to: &str) -> Result<()> {
        let from = self.middle(from).await?;
        let to = self.middle(to).await?;
        let at = |(x, y): (f64, f64)| PointerAction::MoveTo {
            duration: Some(Duration::from_millis(80)),
            x,
            y,
        };
        let mouse = MouseActions::new("mouse".to_owned())
            .then(at(from))
            .then(PointerAction::Down { button: 0 })
            .then(at(((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0)))
            .then(at(to))
            .then(PointerAction::Up { button: 0 });
        self.client.perform_actions(mouse).await?;
        Ok(self.client.release_actions().await?)
    }

    async fn middle(&self, selector: &str) -> Result<(f64, f64)> {
        let script = "const b = document.querySelector(arguments[0]).getBoundingClientRect(); \
                      return [Math.round(b.left + b.width / 2), Math.round(b.top + b.height / 2)]";
        let point = self.js(script, &[json!(selector)]).await?;
        Ok((point[0].as_f64().context("no place")?, point[1].as_f64().context("no place")?))
    }

    /// The seeds of a pit as they are shown.
    pub async fn seeds(&self, pit: &str) -> Result<u64> {
        let text = self.text(&format!("[data-pit={pit}] .count")).await?;
        text.parse().with_context(|| format!("{pit} shows '{text}'"))
    }

    /// The pits with a ring.
    pub async fn ringed(&self) -> Result<Vec<String>> {
        let script =
            "return [...document.querySelectorAll('.pit.legal')].map((pit) => pit.dataset.pit)";
        Ok(serde_json::from_value(self.js(script, &[]).await?)?)
    }

    /// Keeps a picture, and checks what holds of every view: nothing is wider
    /// than the window, nothing failed or was blocked, every pit has a name.
    pub async fn check(&self, name: &str) -> Result<()> {
        self.shot(name).await?;
        let width = self
            .js("return document.documentElement.scrollWidth", &[])
            .await?
            .as_u64()
            .unwrap_or(0);
        ensure!(
            width <= u64::from(self.size.pixels().0),
            "{name}: the page is {width} pixels wide"
        );
        let script = "return [...document.querySelectorAll('.pit')].filter((pit) => !/seed/.test(pit.getAttribute('aria-label'))).length";
        ensure!(self.js(script, &[]).await? == json!(0), "{name}: a pit has no name");
        let log = self.client.issue_cmd(ConsoleLog).await?;
        let bad: Vec<String> = log
            .as_array()
            .into_iter()
            .flatten()
            .filter(|entry| entry["level"] == "SEVERE")
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            // A server that is stopped on purpose is no fault of the page.
            .filter(|message| !message.contains("ERR_CONNECTION_REFUSED"))
            .collect();
        ensure!(bad.is_empty(), "{name}: the browser complains: {bad:?}");
        Ok(())
    }

    pub async fn shot(&self, name: &str) -> Result<()> {
        let directory = env::var("SHOTS").unwrap_or_else(|_| ".".to_owned());
        let picture = self.client.screenshot().await?;
        fs::write(
            Path::new(&directory).join(format!("{name}-{}.png", self.size.pixels().0)),
            picture,
        )?;
        Ok(())
    }

    pub async fn close(self) -> Result<()> {
        Ok(self.client.close().await?)
    }
}
