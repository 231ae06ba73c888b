//! `kisolo rate`: ratings of all players in files of records.

use std::fmt::Write;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::records::{self, Count, RecordArguments, printable};
use crate::rating::{Anchor, Crosstable, RatingOptions, Ratings};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Table,
    Csv,
    Json,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Ratings are those of maximum likelihood in a Bradley–Terry model with draws (R. Davidson), with
South's advantage of moving first; ± is half the 95% interval. Their mean is 0 unless a player is
the anchor.

Examples:
  kisolo rate games.jsonl
  kisolo rate shard-*.jsonl --anchor old=2000 --matrix
  kisolo rate games.jsonl --format csv > ratings.csv")]
pub struct Arguments {
    #[command(flatten)]
    records: RecordArguments,
    /// Fix the rating of a player
    #[arg(long, value_parser = records::anchor, value_name = "NAME=RATING")]
    anchor: Option<Anchor>,
    /// The form of the output
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Add the likelihood of superiority of each player over each other
    #[arg(long)]
    matrix: bool,
    /// Go without the prior of one drawn game a player, which keeps ratings
    /// finite
    #[arg(long)]
    no_prior: bool,
    /// Fit no advantage of moving first
    #[arg(long)]
    no_advantage: bool,
}

/// Runs the command.
///
/// # Errors
/// Names the file that cannot be read, or says why there are no ratings.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut table = Crosstable::new();
    let count = arguments.records.read(|record| {
        table.add(&record.south.name, &record.north.name, records::outcome(&record));
    })?;
    let options = RatingOptions {
        anchor: arguments.anchor.clone(),
        prior: if arguments.no_prior { 0.0 } else { RatingOptions::default().prior },
        advantage: !arguments.no_advantage,
    };
    let ratings = Ratings::of(&table, &options)?;
    for warning in records::warnings(&ratings.connectivity) {
        super::warn(&printable(&warning));
    }
    let los = arguments.matrix.then(|| ratings.los_matrix());
    let text = match arguments.format {
        Format::Table => as_table(&ratings, &table, &count, &options, los.as_deref()),
        Format::Csv => as_csv(&ratings, los.as_deref()),
        Format::Json => as_json(&ratings, &table, &count, los.as_deref())?,
    };
    io::stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn as_table(
    ratings: &Ratings,
    table: &Crosstable,
    count: &Count,
    options: &RatingOptions,
    los: Option<&[Vec<f64>]>,
) -> String {
    let names: Vec<String> = ratings.players.iter().map(|player| printable(&player.name)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut text = format!(
        "rank {:width$} {:>8} {:>7} {:>8} {:>7} {:>7}\n",
        "player", "rating", "±", "games", "score", "drawn"
    );
    for (rank, (player, name)) in (1..).zip(ratings.players.iter().zip(&names)) {
        let _ = writeln!(
            text,
            "{rank:>4} {name:width$} {:>8.1} {:>7.1} {:>8} {:>6.1}% {:>6.1}%",
            player.rating,
            player.error,
            player.games,
            100.0 * player.score,
            100.0 * player.draws as f64 / player.games.max(1) as f64
        );
    }
    let _ = write!(text, "{} games of {} players", table.games(), ratings.players.len());
    if count.bad > 0 {
        let _ = write!(text, ", {} bad lines passed over", count.bad);
    }
    let _ = match &options.anchor {
        Some(anchor) => {
            write!(text, "; ± is against {} at {}", printable(&anchor.name), anchor.rating)
        }
        None => write!(text, "; ± is against the mean of all"),
    };
    let (advantage, draws) = (ratings.advantage, ratings.draw_rate);
    let _ = match options.advantage {
        true => write!(
            text,
            "\nSouth's advantage {:+.1} ± {:.1} Elo; ",
            advantage.value, advantage.error
        ),
        false => write!(text, "\nno advantage of South's fitted; "),
    };
    let _ = writeln!(
        text,
        "draws between equals {:.1}% ± {:.1}%",
        100.0 * draws.value,
        100.0 * draws.error
    );
    if let Some(los) = los {
        matrix(&mut text, los, &names, width);
    }
    text
}

/// The likelihoods of superiority, with the players of the columns by rank.
fn matrix(text: &mut String, los: &[Vec<f64>], names: &[String], width: usize) {
    let _ = write!(text, "\nlikelihood of superiority over the player of that rank, in %\n");
    let _ = write!(text, "rank {:width$}", "player");
    for rank in 1..=names.len() {
        let _ = write!(text, " {rank:>5}");
    }
    text.push('\n');
    for (row, (name, chances)) in names.iter().zip(los).enumerate() {
        let _ = write!(text, "{:>4} {name:width$}", row + 1);
        for (column, chance) in chances.iter().enumerate() {
            let _ = match row == column {
                true => write!(text, " {:>5}", "-"),
                false => write!(text, " {:>5.1}", 100.0 * chance),
            };
        }
        text.push('\n');
    }
}

fn as_csv(ratings: &Ratings, los: Option<&[Vec<f64>]>) -> String {
    let mut text = "rank,player,rating,error,low,high,games,score,draws".to_owned();
    if los.is_some() {
        for player in &ratings.players {
            let _ = write!(text, ",{}", csv_field(&format!("los {}", player.name)));
        }
    }
    text.push('\n');
    for (row, player) in ratings.players.iter().enumerate() {
        let _ = write!(
            text,
            "{},{},{:.2},{:.2},{:.2},{:.2},{},{:.6},{}",
            row + 1,
            csv_field(&player.name),
            player.rating,
            player.error,
            player.rating - player.error,
            player.rating + player.error,
            player.games,
            player.score,
            player.draws
        );
        for chance in los.map_or(&[][..], |los| &los[row]) {
            let _ = write!(text, ",{chance:.6}");
        }
        text.push('\n');
    }
    text
}

/// A field of a table in the form of RFC 4180.
fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn as_json(
    ratings: &Ratings,
    table: &Crosstable,
    count: &Count,
    los: Option<&[Vec<f64>]>,
) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Output<'a> {
        games: u64,
        bad_lines: u64,
        #[serde(flatten)]
        ratings: &'a Ratings,
        /// Rows and columns in the order of `players`.
        #[serde(skip_serializing_if = "Option::is_none")]
        los: Option<&'a [Vec<f64>]>,
    }
    let output = Output { games: table.games(), bad_lines: count.bad, ratings, los };
    Ok(serde_json::to_string_pretty(&output)? + "\n")
}
