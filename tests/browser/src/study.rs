//! Watching, replaying, analysing and learning.

use anyhow::{Result, ensure};
use serde_json::json;

use crate::harness::{Driver, Server, Size};
use crate::page::Page;

/// A game with scores, one of them a great mistake.
const GAME: &str = include_str!("../game.jsonl");
/// The worked example of the rules of `kisolo-free`.
const EXAMPLE: &str = "1,0,4,2,0,1,3/1,0,6,0,2,0,1/0,1,2,1,3,1,0/3,0,2,3,1,2,2 S -";

async fn hover(page: &Page, pit: &str) -> Result<()> {
    page.js("document.querySelector(`[data-pit=${arguments[0]}]`).dispatchEvent(new PointerEvent('pointerenter'))", &[json!(pit)]).await?;
    Ok(())
}

/// Two engines against each other, with scores and lines.
pub async fn watching(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let page = driver.browser(size).await?;
    page.open(&server.url("/#watch")).await?;
    page.until("the form", "document.querySelector('form')").await?;
    page.check("watch").await?;
    page.choose("Time a turn", "500").await?;
    page.press("Start and watch").await?;
    page.until("thoughts", "document.querySelector('.thoughts .line')?.textContent").await?;
    page.until("six moves", "document.querySelectorAll('.moves button').length >= 6").await?;
    page.until("the curve of the scores", "document.querySelector('.graph .curve')").await?;
    page.check("engines").await?;
    page.close().await
}

/// A record that is pasted, stepped through, and has its mistake marked.
pub async fn replay(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let page = driver.browser(size).await?;
    page.open(&server.url("/#watch")).await?;
    page.until("the form", "document.querySelector('form')").await?;
    page.js("document.querySelector('textarea').value = arguments[0]", &[json!(GAME)]).await?;
    page.press("Show the games").await?;
    page.until("the game", "document.querySelector('.replay')").await?;
    ensure!(page.seeds("a1").await? == 3, "the start is not shown");
    page.until("the mark of a mistake", "document.querySelector('.moves .wrong')").await?;
    page.until(
        "the mark in the graph",
        "document.querySelector('.graph .mistake, .graph .blunder')",
    )
    .await?;
    page.click("[aria-label='Next turn']").await?;
    page.status("South played a1").await?;
    page.until("the end of the turn", "document.querySelector('[data-pit=a1] .count').textContent === '0' && document.querySelector('.animation button').disabled").await?;
    page.click("[aria-label='To the end']").await?;
    page.until(
        "the last move",
        "[...document.querySelectorAll('.moves button')].at(-1).classList.contains('here')",
    )
    .await?;
    page.js("document.querySelector('.replay').scrollIntoView()", &[]).await?;
    page.check("replay").await?;
    page.click("[aria-label='To the start']").await?;
    page.status("The start").await?;
    ensure!(page.seeds("a1").await? == 3, "the start is not shown again");

    // The engine's own judgement in place of the scores of the file.
    page.press("Find mistakes").await?;
    page.until(
        "the judgement",
        "[...document.querySelectorAll('button')].some((b) => b.textContent === 'Judged')",
    )
    .await?;
    ensure!(page.count(".graph .curve").await? == 1, "the judgement has no curve");

    page.fill("textarea", "no record").await?;
    page.press("Show the games").await?;
    page.until("the complaint", "document.body.textContent.includes('no game') || !document.querySelector('#notice').hidden").await?;
    page.close().await
}

/// A position that is pasted, analysed, played on and edited.
pub async fn analysis(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let page = driver.browser(size).await?;
    page.open(&server.url("/#analyse")).await?;
    page.until("the board", "document.querySelector('.pit.legal')").await?;
    page.choose("Rules", "kisolo-free").await?;
    page.status("to set up").await?;
    page.fill(".side .wide", &format!("{EXAMPLE}\u{e007}")).await?;
    page.status("South to move, 2 turns").await?;
    hover(&page, "e2").await?;
    let preview = page.text(".preview").await?;
    ensure!(preview == "e2: 2 packets, takes 12, ends at g1", "the preview says '{preview}'");
    page.press("Analyse").await?;
    page.until("two lines", "document.querySelectorAll('.lines li').length === 2").await?;
    page.until("the arrow", "document.querySelector('.arrow.best')").await?;
    ensure!(page.text(".lines").await?.contains('%'), "a line has no chances");
    page.check("analysis").await?;
    page.click("[data-pit=e2] .hole").await?;
    page.status("North to move").await?;
    ensure!(page.seeds("c3").await? == 0, "the captured seeds are still there");
    page.press("Back").await?;
    page.status("South to move, 2 turns").await?;

    page.press("Edit").await?;
    page.until("the editor", "document.querySelector('.arranger')").await?;
    page.js("document.querySelector('[data-pit=a1]').focus()", &[]).await?;
    page.keys("1").await?;
    ensure!(
        page.text(".hand").await?.starts_with("2 "),
        "the hand has {}",
        page.text(".hand").await?
    );
    page.press("Use this position").await?;
    page.until("the complaint about the seeds", "!document.querySelector('#notice').hidden")
        .await?;
    page.check("editor").await?;
    page.close().await
}

/// Every lesson is known to the server, and can be stepped through.
pub async fn lessons(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let page = driver.browser(size).await?;
    page.open(&server.url("/learn")).await?;
    page.until("all lessons", "[...document.querySelectorAll('.lesson')].every((l) => [...l.querySelectorAll('button.main')].some((b) => !b.disabled))").await?;
    let lesson = ".lesson[data-profile=kisolo-free]";
    page.js("document.querySelector(arguments[0]).scrollIntoView()", &[json!(lesson)]).await?;
    for _ in 0..3 {
        page.click(&format!("{lesson} button.main")).await?;
    }
    let text = page.text(&format!("{lesson} .status")).await?;
    ensure!(text.contains("c2 captures 10 seeds from c3 and c4"), "the third step says '{text}'");
    page.check("lessons").await?;
    page.close().await
}
