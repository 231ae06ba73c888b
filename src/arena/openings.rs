//! Where the games of a match begin.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::board::Position;
use crate::rules::{Game, MoveError, Profile};

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The start position.
    pub start: Position,
    /// Moves made from it before the players choose.
    pub moves: Vec<String>,
}

impl Opening {
    /// The game that begins with it.
    ///
    /// # Errors
    /// When a move is not legal.
    pub fn game(&self, profile: Profile) -> Result<Game, MoveError> {
        let mut game = Game::new(profile, self.start);
        for text in &self.moves {
            let mv = profile.parse_move(game.position(), text)?;
            game.play(mv)?;
        }
        Ok(game)
    }
}

/// The openings of a match. They are made one after the other as games need
/// them, so that a long match begins at once; which they are does not depend
/// on when they are needed.
pub struct Openings {
    count: u64,
    state: Mutex<State>,
}

struct State {
    /// One or more.
    made: Vec<Opening>,
    /// `None` when there are no more.
    source: Option<Box<dyn Iterator<Item = Opening> + Send>>,
}

impl Openings {
    /// The first `count` openings of a source, or as many as it has; `None` if
    /// that is none.
    pub fn new(
        count: u64,
        mut source: impl Iterator<Item = Opening> + Send + 'static,
    ) -> Option<Self> {
        let made = vec![source.next()?];
        let state = State { made, source: Some(Box::new(source)) };
        Some(Self { count: count.max(1), state: Mutex::new(state) })
    }

    /// The opening of a number, from 1; behind the last they begin anew. `None`
    /// if the match was called off while it was made.
    pub fn get(&self, number: u64, stop: &AtomicBool) -> Option<Opening> {
        let index = (number.saturating_sub(1) % self.count) as usize;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { made, source } = &mut *state;
        while made.len() <= index
            && let Some(more) = source
        {
            if stop.load(Relaxed) {
                return None;
            }
            match more.next() {
                Some(opening) => made.push(opening),
                None => *source = None,
            }
        }
        made.get(index % made.len()).cloned()
    }
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Openings").field("count", &self.count).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    /// Openings whose moves are their numbers.
    fn openings(count: u64, source: u64) -> Option<Openings> {
        let start = Profile::default().start_position();
        let opening = move |number: u64| Opening { start, moves: vec![number.to_string()] };
        Openings::new(count, (1..=source).map(opening))
    }

    #[test]
    fn openings_are_the_same_in_any_order_and_begin_anew() {
        let stop = AtomicBool::new(false);
        for (count, source, period) in [(5, 9, 5), (5, 5, 5), (9, 4, 4), (1, 1, 1)] {
            for numbers in [vec![1, 2, 3, 4, 5, 6, 7, 8, 9], vec![8, 3, 9, 1, 7, 5, 2, 6, 4]] {
                let openings = openings(count, source).unwrap();
                for number in numbers {
                    let opening = openings.get(number, &stop).unwrap();
                    let want = (number - 1) % count % period + 1;
                    assert_eq!(opening.moves, [want.to_string()], "{number} of {count}, {source}");
                }
            }
        }
        assert!(openings(5, 0).is_none());
    }

    #[test]
    fn only_what_is_needed_is_made() {
        let openings = openings(u64::MAX, u64::MAX).unwrap();
        assert!(openings.get(1, &AtomicBool::new(true)).is_some());
        assert!(openings.get(2, &AtomicBool::new(true)).is_none(), "the match was called off");
        assert!(openings.get(2, &AtomicBool::new(false)).is_some());
        assert_eq!(openings.state.lock().unwrap().made.len(), 2);
    }
}
