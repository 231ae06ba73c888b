//! `kisolo train`: samples of self-play, and networks fitted to them.

mod chart;
mod fit;
mod generate;
mod inspect;
mod table;

use std::collections::HashSet;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use crate::eval::Net;
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
    /// Fit a table of what each count of each pit is worth, and draw it
    Table(table::Arguments),
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Generate(arguments) => generate::run(arguments),
        Command::Inspect(arguments) => inspect::run(arguments),
        Command::Fit(arguments) => fit::run(arguments),
        Command::Table(arguments) => table::run(arguments),
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

/// Reads a network of a profile.
fn read_net(path: &Path, profile: Profile) -> anyhow::Result<Net> {
    let net = Net::read(path).with_context(|| format!("{}", path.display()))?;
    if net.profile() != profile {
        bail!("{}: a network of {}, not of {profile}", path.display(), net.profile());
    }
    Ok(net)
}

/// All samples of files and folders, each position once.
fn load(paths: &[PathBuf]) -> anyhow::Result<(Profile, Vec<Sample>)> {
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    let mut known = None;
    let mut games = 0;
    for path in &shards(paths)? {
        let (header, profile, mut samples) = read(path)?;
        let first = *known.get_or_insert(profile);
        if profile != first {
            bail!("{}: samples of {profile}, the others are of {first}", path.display());
        }
        // Files of several runs number their games alike.
        let base = samples.iter().map(Sample::game).min().unwrap_or(0);
        samples.retain(|sample| seen.insert(sample.position().hash()));
        for sample in &mut samples {
            sample.set_game(sample.game() - base + games);
        }
        games += header.games;
        all.append(&mut samples);
    }
    let profile = known.context("no samples")?;
    Ok((profile, all))
}

/// A number from 0 to 1.
fn part(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is needed".to_owned())
}
