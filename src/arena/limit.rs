//! What a player may use: clocks, times, nodes and depths.

use std::fmt;
use std::time::Duration;

use thiserror::Error;

/// A clock: `moves/base+increment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockLimit {
    /// The time at the start, and again after every `moves` moves.
    pub base: Duration,
    /// The time added after each move.
    pub increment: Duration,
    /// Moves until the base time is added again.
    pub moves: Option<u32>,
}

/// The limits of a player; any of them may be combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// A clock for the whole game.
    pub clock: Option<ClockLimit>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth of each search, in plies.
    pub depth: Option<u32>,
}

/// A limit that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{key}={value}: {wanted}")]
pub struct LimitError {
    key: String,
    value: String,
    wanted: &'static str,
}

impl Limit {
    /// Whether `key` is one of the keys that [`Limit::set`] takes.
    pub fn knows(key: &str) -> bool {
        matches!(key, "tc" | "st" | "nodes" | "depth")
    }

    /// Sets one limit: `tc` (`60+0.6`, `40/60`, seconds), `st` (seconds a
    /// move), `nodes` or `depth`.
    ///
    /// # Errors
    /// Says what the key takes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), LimitError> {
        let error = |wanted| LimitError { key: key.to_owned(), value: value.to_owned(), wanted };
        match key {
            "tc" => {
                let clock = parse_clock(value);
                let wanted = "a clock is [MOVES/]SECONDS[+SECONDS], such as 60+0.6 or 40/60";
                self.clock = Some(clock.ok_or_else(|| error(wanted))?);
            }
            "st" => {
                let wanted = "the time for a move is a number of seconds above 0";
                let time = seconds(value).filter(|time| !time.is_zero());
                self.move_time = Some(time.ok_or_else(|| error(wanted))?);
            }
            "nodes" => {
                let nodes = value.parse().ok().filter(|&nodes| nodes > 0);
                self.nodes = Some(nodes.ok_or_else(|| error("nodes are a number above 0"))?);
            }
            "depth" => {
                let depth = value.parse().ok().filter(|&depth| depth > 0);
                self.depth = Some(depth.ok_or_else(|| error("a depth is a number above 0"))?);
            }
            _ => return Err(error("limits are tc, st, nodes and depth")),
        }
        Ok(())
    }

    /// Whether nothing limits the player.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The form that [`Limit::set`] takes, parted by blanks.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(clock) = self.clock {
            let moves = clock.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
            let (base, increment) = (clock.base.as_secs_f64(), clock.increment.as_secs_f64());
            let plus = if increment > 0.0 { format!("+{increment}") } else { String::new() };
            parts.push(format!("tc={moves}{base}{plus}"));
        }
        if let Some(time) = self.move_time {
            parts.push(format!("st={}", time.as_secs_f64()));
        }
        if let Some(nodes) = self.nodes {
            parts.push(format!("nodes={nodes}"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth={depth}"));
        }
        f.write_str(&parts.join(" "))
    }
}

fn parse_clock(text: &str) -> Option<ClockLimit> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
        None => (None, text),
    };
    let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
    let clock = ClockLimit { base: seconds(base)?, increment: seconds(increment)?, moves };
    (clock.base + clock.increment > Duration::ZERO).then_some(clock)
}

/// A non-negative number of seconds, at most a year.
fn seconds(text: &str) -> Option<Duration> {
    const YEAR: f64 = 365.0 * 86_400.0;
    let seconds: f64 = text.parse().ok()?;
    (0.0..=YEAR).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// The clock of one player in one game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limit: Limit,
    left: Duration,
    moves_to_go: Option<u32>,
}

impl Clock {
    /// The clock at the start of a game.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            left: limit.clock.map_or(Duration::ZERO, |clock| clock.base),
            moves_to_go: limit.clock.and_then(|clock| clock.moves),
        }
    }

    /// A clock on which this time is left.
    pub fn with_left(limit: Limit, left: Duration) -> Self {
        Self { left, ..Self::new(limit) }
    }

    /// The limits behind it.
    pub const fn limit(&self) -> &Limit {
        &self.limit
    }

    /// Time left, for players with a clock.
    pub fn left(&self) -> Option<Duration> {
        self.limit.clock.map(|_| self.left)
    }

    /// Moves until the next time control.
    pub const fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// The time after which the player has lost, if time limits it at all.
    pub fn allowed(&self) -> Option<Duration> {
        match (self.left(), self.limit.move_time) {
            (Some(left), Some(time)) => Some(left.min(time)),
            (left, time) => left.or(time),
        }
    }

    /// Books a move that took `used`.
    pub fn spend(&mut self, used: Duration) {
        let Some(clock) = self.limit.clock else { return };
        self.left = self.left.saturating_sub(used) + clock.increment;
        if let (Some(moves), Some(period)) = (&mut self.moves_to_go, clock.moves) {
            *moves -= 1;
            if *moves == 0 {
                *moves = period;
                self.left += clock.base;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(settings: &[(&str, &str)]) -> Result<Limit, LimitError> {
        let mut limit = Limit::default();
        for (key, value) in settings {
            limit.set(key, value)?;
        }
        Ok(limit)
    }

    #[test]
    fn limits_survive_the_way_through_text() {
        for settings in [
            vec![("tc", "60+0.6")],
            vec![("tc", "40/60")],
            vec![("tc", "40/60.5+1"), ("nodes", "7")],
            vec![("st", "0.1"), ("depth", "9")],
        ] {
            let text = limit(&settings).unwrap().to_string();
            let want: Vec<String> = settings.iter().map(|(k, v)| format!("{k}={v}")).collect();
            assert_eq!(text, want.join(" "));
        }
    }

    #[test]
    fn bad_limits_are_refused() {
        for (key, value) in [
            ("tc", ""),
            ("tc", "0"),
            ("tc", "-1"),
            ("tc", "0/60"),
            ("tc", "1+x"),
            ("tc", "inf"),
            ("tc", "NaN"),
            ("st", "0"),
            ("nodes", "0"),
            ("depth", "-3"),
            ("speed", "1"),
        ] {
            assert!(limit(&[(key, value)]).is_err(), "{key}={value}");
        }
    }

    #[test]
    fn clocks_run_down_and_are_wound_up() {
        let mut clock = Clock::new(limit(&[("tc", "2/1+0.5")]).unwrap());
        clock.spend(Duration::from_millis(700));
        assert_eq!(clock.allowed(), Some(Duration::from_millis(800)));
        assert_eq!(clock.moves_to_go(), Some(1));
        clock.spend(Duration::from_millis(800));
        assert_eq!(clock.left(), Some(Duration::from_millis(1500)));
        assert_eq!(clock.moves_to_go(), Some(2));
    }
}
