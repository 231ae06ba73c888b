//! `kisolo train`: samples of self-play, and networks fitted to them.

mod chart;
mod fit;
mod generate;
mod inspect;

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use crate::rules::Profile;
use crate::train::{self, Header, Sample};

/// How the name of a file of samples ends.
const EXTENSION: &str = "samples";

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play games of the engine against itself and keep their positions
    Generate(generate::Arguments),
    /// Print what files of samples hold
    Inspect(inspect::Arguments),
    /// Fit a network to samples
    Fit(fit::Arguments),
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments),
        Command::Inspect(arguments) => inspect::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
    }
}

/// The files of samples that are named, those of named folders included, in
/// the order of their names.
fn shards(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut shards = Vec::new();
    for path in paths {
        if !path.is_dir() {
            shards.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in path.read_dir().with_context(|| format!("{}", path.display()))? {
            let file = entry.with_context(|| format!("{}", path.display()))?.path();
            if file.extension().is_some_and(|end| end == EXTENSION) {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            bail!("{}: no file in it ends in .{EXTENSION}", path.display());
        }
        inside.sort();
        shards.append(&mut inside);
    }
    Ok(shards)
}

/// Reads one file of samples.
fn read(path: &Path) -> anyhow::Result<(Header, Profile, Vec<Sample>)> {
    let open = || format!("{}", path.display());
    let file = File::open(path).with_context(open)?;
    train::read(BufReader::new(file)).with_context(open)
}
