//! What is said to engines and what their answers mean.

use std::fmt::Write;
use std::time::Duration;

use super::limit::Clock;
use super::player::Dialect;
use crate::board::{Position, Side};
use crate::record::MoveRecord;
use crate::rules::Profile;

/// The `position` line of a start, by name where it has one, without moves.
pub fn position_line(profile: Profile, start: &Position) -> String {
    let mut names = profile.start_names().iter();
    match names.find(|name| profile.start(name).as_ref() == Some(start)) {
        Some(name) => format!("position {name}"),
        None => format!("position fen {}", profile.position_text(start)),
    }
}

/// The `go` line for the side to move.
pub fn go_line(dialect: Dialect, side: Side, clocks: &[Clock; 2]) -> String {
    let own = &clocks[side as usize];
    let limit = own.limit();
    let mut line = "go".to_owned();
    if let Some(left) = own.left() {
        let [names, increments] = match dialect {
            Dialect::Uci => [["wtime", "btime"], ["winc", "binc"]],
            Dialect::Ugi => [["p1time", "p2time"], ["p1inc", "p2inc"]],
        };
        for (index, clock) in clocks.iter().enumerate() {
            // An opponent without a clock is shown the own one.
            let left = clock.left().unwrap_or(left).as_millis();
            let _ = write!(line, " {} {left}", names[index]);
        }
        for (index, clock) in clocks.iter().enumerate() {
            let increment = clock.limit().clock.map_or(Duration::ZERO, |clock| clock.increment);
            if !increment.is_zero() {
                let _ = write!(line, " {} {}", increments[index], increment.as_millis());
            }
        }
        if let Some(moves) = own.moves_to_go() {
            let _ = write!(line, " movestogo {moves}");
        }
    }
    if let Some(time) = limit.move_time {
        let _ = write!(line, " movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = limit.nodes {
        let _ = write!(line, " nodes {nodes}");
    }
    if let Some(depth) = limit.depth {
        let _ = write!(line, " depth {depth}");
    }
    line
}

/// What an `info` line says of the move behind it.
pub fn parse_info(line: &str) -> MoveRecord {
    let mut record = MoveRecord::default();
    let mut words = line.split_ascii_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => record.depth = words.next().and_then(|text| text.parse().ok()),
            "nodes" => record.nodes = words.next().and_then(|text| text.parse().ok()),
            "cp" => record.cp = words.next().and_then(|text| text.parse().ok()),
            "mate" => record.mate = words.next().and_then(|text| text.parse().ok()),
            "pv" | "string" => break,
            _ => {}
        }
    }
    record
}

#[cfg(test)]
mod tests {
    use super::super::limit::Limit;
    use super::*;

    fn clock(key: &str, value: &str) -> Clock {
        let mut limit = Limit::default();
        limit.set(key, value).unwrap();
        Clock::new(limit)
    }

    #[test]
    fn go_lines_tell_the_limits() {
        let clocks = [clock("tc", "40/60+0.5"), clock("tc", "1")];
        assert_eq!(
            go_line(Dialect::Uci, Side::South, &clocks),
            "go wtime 60000 btime 1000 winc 500 movestogo 40"
        );
        assert_eq!(
            go_line(Dialect::Ugi, Side::North, &clocks),
            "go p1time 60000 p2time 1000 p1inc 500"
        );
        let clocks = [clock("nodes", "9"), clock("st", "0.05")];
        assert_eq!(go_line(Dialect::Uci, Side::South, &clocks), "go nodes 9");
        assert_eq!(go_line(Dialect::Ugi, Side::North, &clocks), "go movetime 50");
    }

    #[test]
    fn info_lines_are_understood() {
        let record =
            parse_info("info depth 9 seldepth 12 score mate -3 nodes 77 time 4 pv a1 depth");
        assert_eq!((record.depth, record.mate, record.nodes), (Some(9), Some(-3), Some(77)));
        assert_eq!(parse_info("info depth x score cp - nodes").depth, None);
    }
}
