//! Games at the table.

use anyhow::{Context, Result, ensure};
use serde_json::json;

use crate::harness::{Driver, Server, Size};
use crate::page::Page;

const ENTER: &str = "\u{e007}";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";
const END: &str = "\u{e010}";

/// More turns than a game against the lowest level has.
const MOST_TURNS: usize = 400;

/// No time for moving pictures, in this browser, from the next page on.
async fn at_once(page: &Page) -> Result<()> {
    page.js("localStorage.setItem('kisolo.pace', '8')", &[]).await?;
    Ok(())
}

/// Goes to `pit` by arrows from the pit that has the focus.
async fn walk(page: &Page, pit: &str) -> Result<()> {
    let at = page.js("return document.activeElement.dataset.pit", &[]).await?;
    let at = at.as_str().context("the focus is not on the board")?.as_bytes().to_vec();
    let goal = pit.as_bytes();
    let mut keys = String::new();
    for _ in 0..at[0].abs_diff(goal[0]) {
        keys += if at[0] < goal[0] { RIGHT } else { LEFT };
    }
    for _ in 0..at[1].abs_diff(goal[1]) {
        keys += if at[1] < goal[1] { UP } else { DOWN };
    }
    if !keys.is_empty() {
        page.keys(&keys).await?;
    }
    let now = page.js("return document.activeElement.dataset.pit", &[]).await?;
    ensure!(now == json!(pit), "the arrows led to {now}, not to {pit}");
    Ok(())
}

const MY_TURN: &str = "document.querySelector('.pit.legal')";
const OVER: &str = "/has won|A draw/.test(document.querySelector('.status').textContent)";

/// A whole game against the lowest level, without a mouse from the first key
/// on.
pub async fn keyboard_game(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let page = driver.browser(size).await?;
    page.open(&server.url("/")).await?;
    page.until("the form", "document.querySelector('form')").await?;
    page.check("new-game").await?;
    page.tab_to(
        "the level",
        "it.matches('select') && it.closest('label').textContent.startsWith('Level')",
    )
    .await?;
    page.keys("400").await?;
    page.tab_to("the button", "it.matches('form button')").await?;
    page.keys(ENTER).await?;
    page.status("Your turn").await?;
    page.check("game").await?;
    page.tab_to("the slider of the speed", "it.matches('.pace')").await?;
    page.keys(END).await?;
    // Round to the board again, from the beginning.
    page.js("document.activeElement.blur()", &[]).await?;
    page.tab_to("the board", "it.dataset.pit").await?;
    for turn in 0..MOST_TURNS {
        page.until("the own turn or the end", &format!("{MY_TURN} || {OVER}")).await?;
        if page.js(&format!("return {OVER}"), &[]).await? == json!(true) {
            break;
        }
        let legal = page.ringed().await?;
        let before = page.count(".moves button").await?;
        let pit = &legal[turn % legal.len()];
        walk(&page, pit).await?;
        let preview = page.text(".preview").await?;
        ensure!(preview.starts_with(pit.as_str()), "the preview of {pit} says '{preview}'");
        if turn == 2 {
            page.check("preview").await?;
        }
        page.keys(if turn % 2 == 0 { ENTER } else { " " }).await?;
        page.until(
            "the move",
            &format!("document.querySelectorAll('.moves button').length > {before}"),
        )
        .await?;
    }
    page.until("the result", OVER).await?;
    page.until(
        "the offer of a rematch",
        "[...document.querySelectorAll('button')].some((b) => b.textContent.startsWith('Rematch'))",
    )
    .await?;
    let said = page.text("#live").await?;
    ensure!(
        said.contains("has won") || said.contains("A draw"),
        "the result was not announced: '{said}'"
    );
    page.check("game-over").await?;
    page.press("Rematch, sides changed").await?;
    page.until(
        "the other side",
        "document.querySelector('.seat.north').textContent.includes('(you)')",
    )
    .await?;
    page.until("the own turn", MY_TURN).await?;
    ensure!(
        page.ringed().await?.iter().all(|pit| pit.ends_with(['3', '4'])),
        "the rings are not North's"
    );
    page.press("Resign").await?;
    page.press("Really resign?").await?;
    page.status("South has won").await?;
    page.close().await
}

/// Clicks a pit that may be played, and waits until it was.
async fn move_once(page: &Page) -> Result<String> {
    page.until("the own turn", MY_TURN).await?;
    let pit = page.ringed().await?[0].clone();
    let before = page.count(".moves button").await?;
    page.click(&format!("[data-pit={pit}] .hole")).await?;
    page.until(
        "the move",
        &format!("document.querySelectorAll('.moves button').length > {before}"),
    )
    .await?;
    Ok(pit)
}

async fn moves_shown(page: &Page, n: usize) -> Result<()> {
    page.until(
        &format!("{n} moves"),
        &format!("document.querySelectorAll('.moves button').length === {n}"),
    )
    .await
}

/// Two people in two browsers, a third who watches, one who has no key; a
/// refresh, a lost connection, a seat that is left.
pub async fn two_browsers(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let south = driver.browser(size).await?;
    let north = driver.browser(size).await?;
    let watcher = driver.browser(size).await?;
    for page in [&south, &north, &watcher] {
        page.open(&server.url("/")).await?;
        at_once(page).await?;
    }
    south.until("the form", "document.querySelector('form')").await?;
    south.click("input[value=friend]").await?;
    // A name that would be an element, if it were taken for more than text.
    south.fill("input[autocomplete=nickname]", "<b id=x>Ann</b>").await?;
    south.press("Start the game").await?;
    south.status("Waiting for the friend").await?;
    south.check("invitation").await?;
    let invitation = south.value(".link input[aria-label^=Invitation]").await?;
    let spectators = south.value(".link input[aria-label*=spectators]").await?;

    north.open(&invitation).await?;
    north.status("South is to move").await?;
    watcher.open(&spectators).await?;
    watcher.status("South is to move").await?;
    south.until("the watcher", "document.body.textContent.includes('1 spectator')").await?;

    ensure!(
        north.text(".seat.south .who").await? == "<b id=x>Ann</b>",
        "the name is '{}'",
        north.text(".seat.south .who").await?
    );
    ensure!(north.count("#x").await? == 0, "a name became an element");

    move_once(&south).await?;
    moves_shown(&north, 1).await?;
    moves_shown(&watcher, 1).await?;
    north.check("friend").await?;
    watcher.status("North is to move").await?;
    watcher.check("spectator").await?;
    ensure!(watcher.ringed().await?.is_empty(), "a spectator is offered turns");
    ensure!(!watcher.text("main").await?.contains("Resign"), "a spectator is offered to resign");

    // The invitation is used up for others, and still good for its taker.
    watcher.open(&invitation).await?;
    watcher.until("the refusal", "document.querySelector('.status a')").await?;
    watcher.open(&spectators).await?;
    north.client.refresh().await?;
    move_once(&north).await?;
    north.open(&invitation).await?;
    moves_shown(&north, 2).await?;

    server.stop();
    south
        .until("the notice of the lost connection", "!document.querySelector('.banner').hidden")
        .await?;
    south.check("connection-lost").await?;
    server.restart()?;
    for page in [&south, &north, &watcher] {
        page.until("the connection", "document.querySelector('.banner').hidden").await?;
    }
    move_once(&south).await?;
    moves_shown(&north, 3).await?;
    moves_shown(&watcher, 3).await?;

    north.client.goto("about:blank").await?;
    south
        .until("the notice that North is away", "document.querySelector('.seat.north.away')")
        .await?;
    south.status("is away").await?;
    south.check("away").await?;
    north.open(&invitation).await?;
    south.until("North's return", "!document.querySelector('.seat.north.away')").await?;
    north.press("Offer a draw").await?;
    south.press("Accept").await?;
    for page in [&south, &north, &watcher] {
        page.status("A draw").await?;
    }
    south.close().await?;
    north.close().await?;
    watcher.close().await
}

/// The set-up of `kisolo-free`: by drag, keyboard and text.
pub async fn set_up(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let page = driver.browser(size).await?;
    page.open(&server.url("/")).await?;
    at_once(&page).await?;
    page.until("the form", "document.querySelector('form')").await?;
    page.choose("Rules", "kisolo-free").await?;
    page.choose("Level", "400").await?;
    page.press("Start the game").await?;
    page.status("set-up").await?;
    page.until("the set-up", "document.querySelector('.setup')").await?;

    page.js("document.querySelector('.board').scrollIntoView()", &[]).await?;
    page.drag(".hand", "[data-pit=c1]").await?;
    ensure!(page.seeds("c1").await? == 1, "the drag left {} in c1", page.seeds("c1").await?);
    page.drag("[data-pit=c1]", "[data-pit=d2]").await?;
    ensure!(
        (page.seeds("c1").await?, page.seeds("d2").await?) == (0, 1),
        "the seed did not go on to d2"
    );
    page.click("[data-pit=d2] .hole").await?;
    ensure!(page.seeds("d2").await? == 2, "the click added none");

    page.js("document.querySelector('[data-pit=d2]').focus()", &[]).await?;
    page.keys("-").await?;
    ensure!(page.seeds("d2").await? == 1, "the minus took none");
    walk(&page, "b1").await?;
    page.keys("12").await?;
    ensure!(page.seeds("b1").await? == 12, "b1 has {}, not 12", page.seeds("b1").await?);
    page.keys("+").await?;
    ensure!(
        page.text(".hand").await?.starts_with("7 "),
        "the hand has {}",
        page.text(".hand").await?
    );
    walk(&page, "b3").await?;
    page.keys("5").await?;
    ensure!(page.seeds("b3").await? == 0, "seeds were put on North's side");
    page.check("set-up").await?;

    page.fill(".setup input[type=text]", "3,3,3,3,3,3,0,0,0,0,1,1,1,0\u{e007}").await?;
    ensure!((page.seeds("a1").await?, page.seeds("c2").await?) == (3, 1), "the text was not read");
    page.press("Done: begin with this set-up").await?;
    page.status("Your turn").await?;
    ensure!(page.count(".moves button").await? == 2, "both sides should have set up");
    ensure!(page.count(".setup").await? == 0, "the set-up is still shown");
    move_once(&page).await?;
    page.until("the own turn or the end", &format!("{MY_TURN} || {OVER}")).await?;
    page.press("Undo").await?;
    moves_shown(&page, 2).await?;
    page.close().await
}

/// Two people at one screen: both sides move, a turn is taken back, a table is
/// found again by the list of tables.
pub async fn one_screen(driver: &Driver, server: &mut Server, size: Size) -> Result<()> {
    let page = driver.browser(size).await?;
    page.open(&server.url("/")).await?;
    at_once(&page).await?;
    page.until("the form", "document.querySelector('form')").await?;
    page.click("input[value=you]").await?;
    page.choose("Rules", "isolo").await?;
    page.choose("Clock", "300+0").await?;
    page.press("Start the game").await?;
    page.status("South: your turn").await?;
    ensure!(
        page.count(".pit").await? == 32,
        "the board of isolo has {} pits",
        page.count(".pit").await?
    );
    move_once(&page).await?;
    page.status("North: your turn").await?;
    move_once(&page).await?;
    page.status("South: your turn").await?;
    page.press("Hint").await?;
    page.until("the hint", "document.querySelector('.preview').textContent.startsWith('Hint')")
        .await?;
    page.check("one-screen").await?;
    page.press("Undo").await?;
    page.until("fewer moves", "document.querySelectorAll('.moves button').length < 2").await?;
    page.open(&server.url("/")).await?;
    page.until("the list of tables", "document.querySelector('.recent a')").await?;
    page.check("tables").await?;
    page.click(".recent a").await?;
    page.status("your turn").await?;
    page.close().await
}
