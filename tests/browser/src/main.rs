//! Games, set-ups, replays and analyses in a real browser, wide and narrow.
//! Started by `tests/browser/run`, which says how.

mod harness;
mod page;
mod play;
mod study;

use std::pin::Pin;
use std::process::ExitCode;

use anyhow::Result;

use harness::{Driver, Server, Size};

type Scenario =
    for<'a> fn(&'a Driver, &'a mut Server, Size) -> Pin<Box<dyn Future<Output = Result<()>> + 'a>>;

/// Each is run in a wide and in a narrow window.
const SCENARIOS: [(&str, Scenario); 8] = [
    ("keyboard game", |driver, server, size| Box::pin(play::keyboard_game(driver, server, size))),
    ("two browsers", |driver, server, size| Box::pin(play::two_browsers(driver, server, size))),
    ("one screen", |driver, server, size| Box::pin(play::one_screen(driver, server, size))),
    ("set-up", |driver, server, size| Box::pin(play::set_up(driver, server, size))),
    ("watching engines", |driver, server, size| Box::pin(study::watching(driver, server, size))),
    ("replay", |driver, server, size| Box::pin(study::replay(driver, server, size))),
    ("analysis", |driver, server, size| Box::pin(study::analysis(driver, server, size))),
    ("lessons", |driver, server, size| Box::pin(study::lessons(driver, server, size))),
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let driver = Driver::start()?;
    let mut failed = 0;
    for (name, scenario) in SCENARIOS {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        for size in [Size::Wide, Size::Narrow] {
            let width = size.pixels().0;
            // A server of its own, so that no scenario hangs on another.
            let mut server = Server::start()?;
            match scenario(&driver, &mut server, size).await {
                Ok(()) => println!("ok      {name}, {width} px"),
                Err(error) => {
                    failed += 1;
                    println!("FAILED  {name}, {width} px: {error:#}");
                }
            }
        }
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
