//! The processes of the tests: the driver with its browsers, and the server.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use fantoccini::ClientBuilder;
use fantoccini::wd::Capabilities;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;

use crate::page::Page;

/// How long anything may take before a test fails. Engines think, and machines
/// are busy: this is far more than is needed.
pub const PATIENCE: Duration = Duration::from_secs(60);
pub const POLL: Duration = Duration::from_millis(50);

/// A window: wide as on a desk, or narrow as a small telephone, where less
/// motion is preferred as well.
#[derive(Clone, Copy, PartialEq)]
pub enum Size {
    Wide,
    Narrow,
}

impl Size {
    pub fn pixels(self) -> (u32, u32) {
        match self {
            Self::Wide => (1280, 900),
            Self::Narrow => (360, 740),
        }
    }
}

/// A child process that ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `chromedriver`, which starts the browsers.
pub struct Driver {
    process: Process,
    address: String,
}

impl Drop for Driver {
    /// Ends the browsers that a failed scenario has left, which the end of the
    /// driver alone does not.
    fn drop(&mut self) {
        let host = self.address.trim_start_matches("http://").to_owned();
        let asked = TcpStream::connect(&host)
            .and_then(|mut line| {
                write!(line, "GET /shutdown HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
                    .map(|()| line)
            })
            .and_then(|mut line| line.read_to_end(&mut Vec::new()));
        if asked.is_ok() {
            let _ = self.process.0.wait();
        }
    }
}

impl Driver {
    pub fn start() -> Result<Self> {
        let program =
            env::var("CHROMEDRIVER").context("CHROMEDRIVER names no driver; use ./run")?;
        let mut child = Command::new(program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("chromedriver does not start")?;
        let output = BufReader::new(child.stdout.take().context("no output of chromedriver")?);
        let process = Process(child);
        for line in output.lines() {
            let line = line?;
            if let Some(port) = line
                .trim()
                .trim_end_matches('.')
                .strip_prefix("ChromeDriver was started successfully on port ")
            {
                return Ok(Self { process, address: format!("http://127.0.0.1:{port}") });
            }
        }
        bail!("chromedriver ended before it told its port")
    }

    /// A browser of its own, with nothing kept from others.
    pub async fn browser(&self, size: Size) -> Result<Page> {
        let (width, height) = size.pixels();
        let mut arguments = vec![
            "--headless=new".to_owned(),
            "--disable-gpu".to_owned(),
            "--no-sandbox".to_owned(),
        ];
        arguments.push(format!("--window-size={width},{height}"));
        let mut options = json!({ "binary": env::var("CHROMIUM")? });
        if size == Size::Narrow {
            arguments.push("--force-prefers-reduced-motion".to_owned());
            options["mobileEmulation"] = json!({ "deviceMetrics": { "width": width, "height": height, "pixelRatio": 2.0, "touch": false } });
        }
        options["args"] = json!(arguments);
        let mut capabilities = Capabilities::new();
        capabilities.insert("goog:chromeOptions".to_owned(), options);
        capabilities.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&self.address)
            .await
            .context("the browser does not start")?;
        Ok(Page { client, size })
    }
}

/// `kisolo table` with a directory of its own.
pub struct Server {
    process: Option<Process>,
    directory: tempfile::TempDir,
    port: u16,
}

impl Server {
    pub fn start() -> Result<Self> {
        // Told by number, so that the same address is there after a restart.
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut server = Self { process: None, directory: tempfile::tempdir()?, port };
        server.restart()?;
        Ok(server)
    }

    pub fn stop(&mut self) {
        self.process = None;
    }

    pub fn restart(&mut self) -> Result<()> {
        self.stop();
        let child = Command::new(env::var("KISOLO").context("KISOLO names no binary; use ./run")?)
            .args(["table", "--port", &self.port.to_string(), "--store"])
            .arg(self.directory.path().join("tables.sqlite"))
            .arg("--records")
            .arg(self.directory.path().join("games.jsonl"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .context("kisolo table does not start")?;
        self.process = Some(Process(child));
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            ensure!(begin.elapsed() < PATIENCE, "kisolo table does not listen");
            std::thread::sleep(POLL);
        }
        Ok(())
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}
