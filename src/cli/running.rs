//! What commands share that run for a while.

use std::io::IsTerminal;
use std::sync::Arc;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};

use crate::search::Signals;

/// The cores of the machine, as far as they are known.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Signals that Ctrl-C tells to stop.
///
/// # Errors
/// When the system does not let it be caught.
pub fn until_interrupted() -> anyhow::Result<Arc<Signals>> {
    let signals = Arc::new(Signals::default());
    let stop = Arc::clone(&signals);
    ctrlc::set_handler(move || stop.stop()).context("signals")?;
    Ok(signals)
}

/// A bar on a terminal that counts `what`, nothing elsewhere.
pub fn progress(total: u64, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!(
        "{{wide_bar}} {{pos}}/{{len}} {what}, {{elapsed}} so far, {{eta}} to go"
    ));
    // The template is fixed; a wrong one would show in any run.
    ProgressBar::new(total).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
