//! `kisolo train fit`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;

use super::{load, part};
use crate::cli::output;
use crate::cli::running::{cores, until_interrupted};
use crate::eval::CENTIPAWNS;
use crate::rules::Profile;
use crate::train::{Data, Fit, Recipe};

#[derive(Debug, Args)]
#[command(after_help = "\
The samples of one game in twenty are held out; the network that is written is the one with the
least loss on these. With --checkpoint the state is written after every epoch, and a fit that was
stopped (Ctrl-C) goes on from it by the same command. The same samples and settings give the same
network, with any number of threads.")]
pub struct Arguments {
    /// Files of samples, or folders of them, all of one profile
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// The network to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Passes through all samples
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Epochs without a better loss on the held-out games after which it ends
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    patience: u32,
    /// Samples of a batch
    #[arg(long, default_value_t = 2048, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    batch: u32,
    /// The first learning rate; it falls along half a cosine
    #[arg(long, default_value_t = 0.003, value_parser = part)]
    rate: f32,
    /// The part of the target that is the result of the game; the rest is the
    /// score of the search
    #[arg(long, default_value_t = 0.5, value_parser = part)]
    blend: f32,
    /// The seed of the first weights and of the order of the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Centipawns for each unit of the logarithm of the odds: the scale of the
    /// network's scores
    #[arg(long, default_value_t = CENTIPAWNS, value_name = "CP", value_parser = clap::value_parser!(u16).range(50..=5000))]
    scale: u16,
    /// Threads [default: cores]
    #[arg(long, short)]
    threads: Option<usize>,
    /// The state, JSON, to go on from
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// The losses of all epochs, an SVG to write
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (profile, samples) = load(&arguments.samples)?;
    let data = Data::new(profile, &samples, arguments.blend);
    drop(samples);
    let (train, held_out) = data.sizes();
    let mut out = crate::cli::output();
    writeln!(
        out,
        "{profile}: {train} samples and {held_out} held out; a search's {:.0} cp are odds of e to \
         1; the least loss there can be is {:.5}",
        data.scale, data.floor
    )?;
    if train == 0 || held_out == 0 {
        bail!("too few games: one in twenty is held out");
    }
    let mut fit = begin(arguments, profile)?;
    let signals = until_interrupted()?;
    let threads = arguments.threads.unwrap_or_else(cores);
    while !fit.finished() && !signals.stopped() {
        let begun = Instant::now();
        fit.epoch(&data, threads);
        let [loss, held_out] = fit.losses[fit.losses.len() - 1];
        let (epoch, seconds) = (fit.losses.len(), begun.elapsed().as_secs_f64());
        writeln!(out, "epoch {epoch:>3}  loss {loss:.5}  held out {held_out:.5}  {seconds:.1} s")?;
        out.flush()?;
        if let Some(path) = &arguments.checkpoint {
            output::write(Some(path), |out| Ok(serde_json::to_writer(out, &fit)?))?;
        }
    }
    let net = fit.best().quantised(profile).with_scale(arguments.scale);
    output::write(Some(&arguments.output), |out| Ok(out.write_all(&net.to_bytes())?))?;
    if let Some(path) = &arguments.chart {
        let chart = super::chart::losses(&fit.losses, data.floor)?;
        output::write(Some(path), |out| Ok(out.write_all(chart.as_bytes())?))?;
    }
    let state = if fit.finished() { "" } else { "stopped early; " };
    let written = arguments.output.display();
    let quantised = data.held_out_loss(|inputs| net.log_odds(inputs));
    writeln!(out, "{state}{written}: {}, held out {quantised:.5} as quantised", net.name())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The state in the checkpoint, or a new one.
fn begin(arguments: &Arguments, profile: Profile) -> anyhow::Result<Fit> {
    let recipe = Recipe {
        profile: profile.to_string(),
        epochs: arguments.epochs,
        patience: arguments.patience,
        batch: arguments.batch as usize,
        rate: arguments.rate,
        blend: arguments.blend,
        seed: arguments.seed,
    };
    match &arguments.checkpoint {
        Some(path) if path.exists() => resume(path, recipe),
        _ => Ok(Fit::new(recipe, profile)),
    }
}

fn resume(path: &Path, recipe: Recipe) -> anyhow::Result<Fit> {
    let name = path.display();
    let text = fs::read_to_string(path).with_context(|| format!("{name}"))?;
    let fit: Fit =
        serde_json::from_str(&text).with_context(|| format!("{name}: no state of a fit"))?;
    if fit.recipe != recipe || !fit.is_whole() {
        bail!("{name}: the state of a fit with other settings");
    }
    Ok(fit)
}
