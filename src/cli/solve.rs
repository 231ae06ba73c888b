//! `kisolo solve`: proofs of wins, losses and draws.

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{anyhow, bail, ensure};
use clap::Args;
use serde::Serialize;

use super::position::PositionArgs;
use super::running::until_interrupted;
use super::values::seconds;
use crate::board::Side;
use crate::engine::MAX_HASH_MIB;
use crate::rules::{Game, GameResult, Move, SET_UPS};
use crate::search::Limits;
use crate::solve::{Attack, INFINITE, Known, Request, Verdict, solve_profile};

/// Prove that the side to move wins, has lost, or that neither side can win
///
/// A win is a win that can be forced, whatever the opponent does; a draw is a
/// position in which neither side can force one: repeating positions for ever
/// and endless turns count as no win for anybody. Every proof is checked by
/// the rules before it is printed.
///
/// The line has the winner's turns and the longest resistance within the
/// proof, down to the end of the game; it need not be the shortest win. The
/// proof is counted twice: in distinct positions, and written out as a tree.
///
/// Without a limit it goes on until the position is solved; Ctrl-C stops it,
/// and what is known by then is printed. The proof number of a side is the
/// least number of positions that have to be decided to prove that it wins,
/// the disproof number the same for the contrary; 0 is done, - out of reach.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    position: PositionArgs,
    /// Stop after so many nodes: positions whose turns were made
    #[arg(long, short, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Stop after so many seconds
    #[arg(long, short, allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    /// Size of the tables in MiB; checking a proof may take as much again
    #[arg(long, default_value_t = 256, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=MAX_HASH_MIB as i64))]
    hash: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    profile: &'static str,
    position: String,
    side: char,
    result: &'static str,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<&'static str>,
    /// The turns to the end of the game, if there is a win to show.
    line: Option<Vec<String>>,
    proof: Option<Size>,
    nodes: u64,
    seconds: f64,
    sides: Vec<SideReport>,
}

/// The size of a proof.
#[derive(Serialize)]
struct Size {
    positions: usize,
    tree: u64,
}

/// What is known of a side's winning.
#[derive(Serialize)]
struct SideReport {
    side: char,
    /// `wins`, `cannot win` or `open`.
    known: &'static str,
    /// Proof and disproof number; none when out of reach.
    proof: Option<u32>,
    disproof: Option<u32>,
    /// Positions of what shows that it cannot win.
    #[serde(skip_serializing_if = "Option::is_none")]
    trap: Option<usize>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.position.game()?;
    if game.profile().set_up_due(game.position()) {
        bail!(
            "a set-up is due, and set-ups are not enumerated ({SET_UPS} a side): give startpos1, a \
             position after both set-ups, or both with --moves '@… @…'"
        );
    }
    let report =
        if game.result() == GameResult::Ongoing { solve(arguments, &game)? } else { over(&game) };
    let mut out = super::output();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        write!(out, "{}", game.describe())?;
        print(&report, &mut out)?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn solve(arguments: &Arguments, game: &Game) -> anyhow::Result<Report> {
    let signals = until_interrupted()?;
    let limits = Limits { nodes: arguments.nodes, move_time: arguments.time, ..Limits::default() };
    let hash_mib = arguments.hash as usize;
    let request = Request { position: *game.position(), limits, hash_mib };
    let solution = solve_profile(game.profile(), &request, &signals)?;
    let line = solution.proof().map(|proof| {
        replay(game, solution.verdict, proof.line_of(game.profile()).into_iter().map(Move::Sow))
    });
    Ok(Report {
        stopped: solution.stop.map(|stop| stop.word()),
        line: line.transpose()?,
        proof: solution
            .proof()
            .map(|proof| Size { positions: proof.positions(), tree: proof.tree() }),
        nodes: solution.nodes,
        seconds: solution.time.as_secs_f64(),
        sides: solution.attacks.iter().map(side_report).collect(),
        ..known(game, solution.verdict)
    })
}

/// The names of the turns of a line, which has to be playable and to end the
/// game with the win or loss that was claimed.
fn replay(
    game: &Game,
    verdict: Verdict,
    line: impl Iterator<Item = Move>,
) -> anyhow::Result<Vec<String>> {
    let mut replayed = game.clone();
    let mut names = Vec::new();
    for mv in line {
        names.push(game.profile().move_text(replayed.position(), mv));
        let played = replayed.play(mv);
        played.map_err(|error| anyhow!("a proof has failed its check: {error}"))?;
    }
    let mover = game.position().side;
    let winner = if verdict == Verdict::Win { mover } else { mover.other() };
    let result = replayed.result();
    ensure!(
        result == GameResult::won_by(winner),
        "a proof has failed its check: its line {} ends with {}",
        names.join(" "),
        result.word()
    );
    Ok(names)
}

/// The report on a game that has ended.
fn over(game: &Game) -> Report {
    let verdict = match game.result() {
        GameResult::Ongoing => Verdict::Unknown,
        GameResult::Draw => Verdict::Draw,
        result if result == GameResult::won_by(game.position().side) => Verdict::Win,
        _ => Verdict::Loss,
    };
    let line = (verdict != Verdict::Draw).then(Vec::new);
    Report { line, ..known(game, verdict) }
}

/// A report without details.
fn known(game: &Game, verdict: Verdict) -> Report {
    Report {
        profile: game.profile().name(),
        position: game.profile().position_text(game.position()),
        side: game.position().side.letter(),
        result: verdict.word(),
        stopped: None,
        line: None,
        proof: None,
        nodes: 0,
        seconds: 0.0,
        sides: Vec::new(),
    }
}

fn side_report(attack: &Attack) -> SideReport {
    let reach = |number| (number < INFINITE).then_some(number);
    let (known, trap) = match &attack.known {
        Known::Wins(_) => ("wins", None),
        Known::Trapped(trap) => ("cannot win", Some(trap.positions())),
        Known::Loses => ("cannot win", None),
        Known::Open => ("open", None),
    };
    let (proof, disproof) = (reach(attack.proof), reach(attack.disproof));
    SideReport { side: attack.side.letter(), known, proof, disproof, trap }
}

/// Prints a report for people.
fn print(report: &Report, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out)?;
    for side in &report.sides {
        let name = if side.side == Side::South.letter() { Side::South } else { Side::North };
        let number = |number: Option<u32>| number.map_or("-".to_owned(), |n| n.to_string());
        let (proof, disproof) = (number(side.proof), number(side.disproof));
        write!(out, "{name} {}: proof number {proof}, disproof number {disproof}", side.known)?;
        match side.trap {
            Some(positions) => writeln!(out, ", held in {positions} positions")?,
            None => writeln!(out)?,
        }
    }
    if let Some(size) = &report.proof {
        writeln!(out, "proof of {} positions, {} as a tree", size.positions, size.tree)?;
    }
    if report.nodes > 0 {
        writeln!(out, "{} nodes, {:.3} s", report.nodes, report.seconds)?;
    }
    match &report.line {
        Some(line) if line.is_empty() => {}
        Some(line) => {
            writeln!(out, "line {}", line.join(" "))?;
            writeln!(out, "length {}", line.len())?;
        }
        None if report.result == "win" || report.result == "loss" => {
            writeln!(out, "line lost: the tables were too small for it, try a larger --hash")?;
        }
        None => {}
    }
    if let Some(stopped) = report.stopped {
        writeln!(out, "stopped by {stopped}")?;
    }
    Ok(writeln!(out, "result {}", report.result)?)
}
