//! `kisolo train table`.

use std::cmp::Reverse;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::{chart, load, part, read_net};
use crate::board::{Pit, Side, pit_name};
use crate::cli::output;
use crate::eval::{BUCKETS, CENTIPAWNS, Inputs, Net, built_in};
use crate::rules::{Profile, with_rules};
use crate::train::{Data, Linear, Sample, blind_loss};

#[derive(Debug, Args)]
#[command(after_help = "\
The table is the best sum of numbers, one for each count of each pit, to forecast results and scores;
what it prints is what a count is worth against the empty pit, in centipawns for the side to move.
Pits are named as South's, who is to move. The network sees the same inputs, and what they mean
together besides: --positions prints where the two differ most.")]
pub struct Arguments {
    /// Files of samples, or folders of them, all of one profile
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// The part of the target that is the result of the game
    #[arg(long, default_value_t = 0.5, value_parser = part)]
    blend: f32,
    /// The seed of the order of the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The picture, an SVG to write
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The network to compare with [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Positions to print in which table and network differ most
    #[arg(long, default_value_t = 0)]
    positions: usize,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (profile, samples) = load(&arguments.samples)?;
    let net = net(arguments, profile)?;
    let data = Data::new(profile, &samples, arguments.blend);
    if data.sizes().1 == 0 {
        bail!("too few games: one in twenty is held out");
    }
    let table = Linear::fit(&data, arguments.seed);
    let mut out = crate::cli::output();
    writeln!(
        out,
        "loss on held-out games: nothing known {:.5}, table {:.5}, network {:.5}, least possible \
         {:.5}",
        blind_loss(&data),
        table.held_out_loss(&data),
        data.held_out_loss(|inputs| net.log_odds(inputs)),
        data.floor
    )?;
    let rows = rows(profile, &table);
    for (name, values) in &rows {
        let values: Vec<String> = values.iter().map(|value| format!("{value:>+5.0}")).collect();
        writeln!(out, "{name:>8} {}", values.join(" "))?;
    }
    differences(&mut out, profile, &samples, (&table, &net), arguments.positions)?;
    if let Some(path) = &arguments.svg {
        let title = format!("{profile}: the worth of 1, 2, ... seeds in a pit, South to move (cp)");
        let svg = chart::table(&title, &rows)?;
        output::write(Some(path), |out| Ok(out.write_all(svg.as_bytes())?))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn net(arguments: &Arguments, profile: Profile) -> anyhow::Result<Net> {
    match &arguments.net {
        Some(path) => read_net(path, profile),
        None => built_in(profile).cloned().context("no network is built in"),
    }
}

/// A row for each pit, North's first as on the board, with the worth of 1, 2,
/// ... seeds.
fn rows(profile: Profile, table: &Linear) -> Vec<(String, Vec<f32>)> {
    let geometry = profile.geometry();
    let pits = geometry.pits();
    let row = |side: Side, pit: usize| {
        let base = if side == Side::South { 0 } else { pits };
        let worth = |count| table.worth(base + pit, count) * f32::from(CENTIPAWNS);
        (pit_name(geometry, side, Pit(pit as u8)), (1..BUCKETS).map(worth).collect())
    };
    let side = |side| (0..pits).map(move |pit| row(side, pit));
    let mut rows: Vec<(String, Vec<f32>)> = side(Side::North).chain(side(Side::South)).collect();
    // By row of the board, the uppermost first, then from a on.
    rows.sort_by_key(|(name, _)| {
        let mut letters = name.chars();
        let column = letters.next();
        (Reverse(letters.as_str().to_owned()), column)
    });
    rows
}

/// The positions in which table and network differ most.
fn differences(
    out: &mut impl Write,
    profile: Profile,
    samples: &[Sample],
    (table, net): (&Linear, &Net),
    count: usize,
) -> std::io::Result<()> {
    let judge = |sample: &Sample| {
        let inputs = with_rules!(profile, R => Inputs::new::<R>(&sample.position()));
        [table.log_odds(&inputs), net.log_odds(&inputs)]
    };
    let mut order: Vec<(f64, usize)> = Vec::new();
    if count > 0 {
        let difference = |sample| {
            let [table, net] = judge(sample);
            (table - net).abs()
        };
        order = samples.iter().map(difference).zip(0..).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
    }
    for &(_, index) in order.iter().take(count) {
        let sample = &samples[index];
        let [table, net] = judge(sample).map(|odds| odds * f64::from(CENTIPAWNS));
        let position = profile.position_text(&sample.position());
        let result = ["lost", "drawn", "won"][usize::from(sample.result().min(2))];
        writeln!(
            out,
            "  {position}  table {table:+.0}, network {net:+.0}, search {:+} cp, {result}",
            sample.score()
        )?;
    }
    Ok(())
}
