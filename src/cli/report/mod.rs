//! `kisolo report`: one page on all games in files of records.
//!
//! The page holds all it needs: no network, and no script but that of the
//! replay. Everything foreign is escaped by the templates (`maud`).

pub mod charts;
mod data;
pub mod games;
pub mod page;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use super::output;
use super::records::{self, RecordArguments, printable};
use crate::rating::{Anchor, RatingOptions, Ratings};
use data::Data;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  kisolo report games.jsonl -o report.html
  kisolo report shard-*.jsonl -o report.html --title 'New against old' --sprt elo0=0 elo1=5")]
pub struct Arguments {
    #[command(flatten)]
    records: RecordArguments,
    /// The page to write; - is standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The title of the page
    #[arg(long, default_value = "Kisolo match report")]
    title: String,
    /// Fix the rating of a player
    #[arg(long, value_parser = records::anchor, value_name = "NAME=RATING")]
    anchor: Option<Anchor>,
    /// How many of the last games to hold for the replay
    #[arg(long, default_value_t = 50, value_name = "N")]
    games: usize,
    /// Show a sequential test of the first of two players by name against the
    /// other, as elo0=0 elo1=5 [alpha=0.05 beta=0.05
    /// model=normalized|logistic]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// Names the file that cannot be read or written.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    // The words of --sprt have no end of their own: files may follow them.
    let (test, files) =
        arguments.sprt.iter().cloned().partition::<Vec<String>, _>(|word| is_setting(word));
    let test = super::values::sprt(&test)?;
    let mut records = arguments.records.clone();
    records.files.extend(files.into_iter().map(PathBuf::from));
    let mut data = Data::new(arguments.games);
    let count = records.read(|record| data.add(record))?;
    let options = RatingOptions { anchor: arguments.anchor.clone(), ..RatingOptions::default() };
    let ratings = Ratings::of(&data.table, &options)?;
    if test.is_some() && data.tally.meetings.len() != 1 {
        anyhow::bail!("--sprt is for games of two players");
    }
    let warnings = records::warnings(&ratings.connectivity);
    for warning in &warnings {
        crate::cli::warn(&printable(warning));
    }
    let page = page::Page {
        title: &arguments.title,
        data: &data,
        ratings: &ratings,
        anchor: arguments.anchor.as_ref(),
        warnings: &warnings,
        bad: count.bad,
        test: test.as_ref(),
    };
    output::write(Some(&arguments.output), |output| {
        Ok(output.write_all(page.html().into_string().as_bytes())?)
    })
    .context("report")?;
    Ok(ExitCode::SUCCESS)
}

/// Whether a word is KEY=VALUE rather than the name of a file.
fn is_setting(word: &str) -> bool {
    word.split_once('=').is_some_and(|(key, _)| key.chars().all(|c| c.is_ascii_alphanumeric()))
}
