//! The `go` command.

use std::slice::Iter;
use std::str::FromStr;
use std::time::Duration;

use crate::board::{PitSet, Side, quoted};
use crate::engine::{Clock, Limits};
use crate::rules::{Game, Move};

/// The words that `go` knows.
const WORDS: &str = "depth nodes movetime wtime btime winc binc p1time p2time p1inc p2inc \
                     movestogo mate infinite ponder searchmoves";

/// Reads the words behind `go` for the game on the board. After `ugi`,
/// `plies` is true: `mate` then counts plies, in UCI own turns.
///
/// # Errors
/// Says what is wrong and what is accepted.
pub fn parse(game: &Game, words: &[&str], plies: bool) -> Result<Limits, String> {
    let mut limits = Limits::default();
    // South and North: time left, increment.
    let mut left = [None; 2];
    let mut increment = [Duration::ZERO; 2];
    let mut turns_to_go = None;
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "depth" => limits.depth = Some(number(word, &mut words, 1)?),
            "nodes" => limits.nodes = Some(number(word, &mut words, 1)?),
            "movetime" => limits.move_time = Some(time(word, &mut words)?),
            "mate" => {
                let mate: u32 = number(word, &mut words, 1)?;
                limits.mate_plies = Some(if plies { mate } else { mate.saturating_mul(2) - 1 });
            }
            "wtime" | "p1time" => left[0] = Some(time(word, &mut words)?),
            "btime" | "p2time" => left[1] = Some(time(word, &mut words)?),
            "winc" | "p1inc" => increment[0] = time(word, &mut words)?,
            "binc" | "p2inc" => increment[1] = time(word, &mut words)?,
            "movestogo" => turns_to_go = Some(number(word, &mut words, 0)?).filter(|&n| n > 0),
            "searchmoves" => limits.search_moves = Some(moves(game, &mut words)?),
            _ => return Err(format!("go: '{}' is unknown; known: {WORDS}", quoted(word))),
        }
    }
    let mover = match game.position().side {
        Side::South => 0,
        Side::North => 1,
    };
    limits.clock = left[mover].map(|left| Clock { left, increment: increment[mover], turns_to_go });
    Ok(limits)
}

/// The whole number behind `word`, at least `min`.
fn number<T: FromStr + PartialOrd + From<u8>>(
    word: &str,
    words: &mut Iter<'_, &str>,
    min: u8,
) -> Result<T, String> {
    let text = words.next().ok_or_else(|| format!("go: a number is missing behind {word}"))?;
    text.parse().ok().filter(|number| *number >= T::from(min)).ok_or_else(|| {
        format!("go: {word} takes a whole number from {min}, not '{}'", quoted(text))
    })
}

/// The milliseconds behind `word`. A clock that has run out may be negative.
fn time(word: &str, words: &mut Iter<'_, &str>) -> Result<Duration, String> {
    let text = words.next().ok_or_else(|| format!("go: a number is missing behind {word}"))?;
    text.parse::<i64>()
        .map(|ms| Duration::from_millis(ms.max(0) as u64))
        .map_err(|_| format!("go: {word} takes milliseconds, not '{}'", quoted(text)))
}

/// The turns behind `searchmoves`: all words that are no keywords.
fn moves(game: &Game, words: &mut Iter<'_, &str>) -> Result<PitSet, String> {
    let mut pits = PitSet::EMPTY;
    while let Some(&text) = words.as_slice().first() {
        if WORDS.split_ascii_whitespace().any(|word| word == text) {
            break;
        }
        words.next();
        let mv = game
            .profile()
            .parse_move(game.position(), text)
            .map_err(|error| format!("go: searchmoves: {error}"))?;
        match mv {
            Move::Sow(pit) => pits.0 |= 1 << pit.0,
            Move::SetUp(_) => return Err("go: searchmoves takes no set-ups".to_owned()),
        }
    }
    if pits.is_empty() {
        return Err("go: searchmoves takes one move or more".to_owned());
    }
    Ok(pits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    fn limits(line: &str, plies: bool) -> Result<Limits, String> {
        let profile = Profile::Kisolo;
        let game = Game::new(profile, profile.start_position());
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        parse(&game, &words, plies)
    }

    #[test]
    fn limits_can_be_mixed() {
        let got = limits("wtime 1000 btime 2 winc 10 depth 4 searchmoves a1 c1 nodes 9", false);
        let want = Limits {
            depth: Some(4),
            nodes: Some(9),
            clock: Some(Clock {
                left: Duration::from_secs(1),
                increment: Duration::from_millis(10),
                turns_to_go: None,
            }),
            search_moves: Some(PitSet(0b101)),
            ..Limits::default()
        };
        assert_eq!(got, Ok(want));
        assert_eq!(limits("mate 3", false).unwrap().mate_plies, Some(5));
        assert_eq!(limits("mate 3", true).unwrap().mate_plies, Some(3));
        assert_eq!(limits("wtime -20", false).unwrap().clock.unwrap().left, Duration::ZERO);
        assert_eq!(limits("p2time 20", true).unwrap().clock, None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, part) in [
            ("depth", "missing behind depth"),
            ("depth x", "depth takes a whole number from 1, not 'x'"),
            ("nodes 0", "nodes takes a whole number from 1"),
            ("movetime soon", "milliseconds"),
            ("fast", "'fast' is unknown"),
            ("searchmoves a2", "a2 is not legal"),
            ("searchmoves depth 3", "one move or more"),
        ] {
            let error = limits(line, false).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
