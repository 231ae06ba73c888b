//! The rules once more, as a plain loop over bytes: what the benchmarks
//! measure the library against. It shares no code with it but the names of
//! outcomes, and a test holds the two to each other.

use kisolo::board::{Position, Side};
use kisolo::rules::{MAX_PACKETS, Outcome};

/// Both sides in their own sowing order, the side to move first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// The pits of the side to move.
    pub own: [u8; 16],
    /// The pits of its opponent.
    pub enemy: [u8; 16],
    /// Whether the side to move is in isolo's initial phase.
    pub own_first: bool,
    /// Whether its opponent is.
    pub enemy_first: bool,
}

impl Board {
    /// The board of a position of the library.
    pub fn new(position: &Position) -> Self {
        Self {
            own: position.own.counts(),
            enemy: position.enemy.counts(),
            own_first: position.first.contains(position.side),
            enemy_first: position.first.contains(position.side.other()),
        }
    }

    /// Whether this is the board of `position`, `side` to move.
    pub fn is(&self, position: &Position, side: Side) -> bool {
        position.side == side && *self == Self::new(position)
    }

    fn flip(&mut self) {
        std::mem::swap(&mut self.own, &mut self.enemy);
        std::mem::swap(&mut self.own_first, &mut self.enemy_first);
    }
}

/// The legal turns of a board: `pits[..len]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turns {
    pits: [u8; 16],
    len: usize,
}

impl Turns {
    fn push(&mut self, pit: usize) {
        self.pits[self.len] = pit as u8;
        self.len += 1;
    }

    /// The pits.
    pub fn pits(&self) -> &[u8] {
        &self.pits[..self.len]
    }
}

/// The rules of one profile.
pub trait Plain {
    /// The legal turns; none when the game is over.
    fn legal(board: &Board) -> Turns;
    /// Makes a turn and gives the move to the other side. Returns the outcome
    /// for the mover and the packets sown.
    fn play(board: &mut Board, pit: usize) -> (Outcome, u16);
    /// What a board without legal turns means for the side to move.
    fn outcome_without_turns(_board: &Board) -> Outcome {
        Outcome::Loss
    }
}

fn empty(pits: &[u8]) -> bool {
    pits.iter().all(|&count| count == 0)
}

/// Sows `hand` seeds from the pit after `at` on a loop of fourteen pits;
/// returns where the last one fell.
fn sow14(own: &mut [u8; 16], mut at: usize, hand: u8) -> usize {
    for _ in 0..hand {
        at += 1;
        if at == 14 {
            at = 0;
        }
        own[at] += 1;
    }
    at
}

fn after14(at: usize) -> usize {
    if at == 13 { 0 } else { at + 1 }
}

/// `kisolo`.
pub struct Kisolo;

impl Kisolo {
    fn captures(board: &Board, inner: usize) -> bool {
        board.own[inner] != 0 && board.enemy[20 - inner] != 0
    }

    fn capture(board: &mut Board, inner: usize) {
        let taken = board.enemy[20 - inner] + board.enemy[inner - 7];
        board.own[13 - inner] += taken;
        board.enemy[20 - inner] = 0;
        board.enemy[inner - 7] = 0;
    }

    fn relay(board: &mut Board, mut at: usize) -> (Outcome, u16) {
        for packets in 1..=MAX_PACKETS {
            let hand = std::mem::take(&mut board.own[at]);
            at = after14(sow14(&mut board.own, at, hand));
            let next = board.own[at];
            if at >= 7 && Self::captures(board, at) {
                Self::capture(board, at);
            }
            if empty(&board.enemy[..7]) {
                return (Outcome::Win, packets);
            }
            if empty(&board.own[..7]) {
                return (Outcome::Loss, packets);
            }
            if next == 0 {
                return (Outcome::Ongoing, packets);
            }
        }
        (Outcome::Draw, MAX_PACKETS)
    }
}

impl Plain for Kisolo {
    fn legal(board: &Board) -> Turns {
        let mut turns = Turns::default();
        if empty(&board.own[..7]) || empty(&board.enemy[..7]) {
            return turns;
        }
        for pit in 0..14 {
            // An outer pit may be empty yet and filled by a start capture.
            if board.own[pit] != 0 || (pit < 7 && Self::captures(board, 13 - pit)) {
                turns.push(pit);
            }
        }
        turns
    }

    fn play(board: &mut Board, pit: usize) -> (Outcome, u16) {
        for inner in 7..14 {
            if Self::captures(board, inner) {
                Self::capture(board, inner);
            }
        }
        let made = Self::relay(board, pit);
        board.flip();
        made
    }

    fn outcome_without_turns(board: &Board) -> Outcome {
        if empty(&board.own[..7]) { Outcome::Loss } else { Outcome::Win }
    }
}

/// `kisolo-free` and, when `FULL`, `kisolo-full`.
pub struct Resow<const FULL: bool>;

impl<const FULL: bool> Resow<FULL> {
    fn captures(board: &Board, inner: usize) -> bool {
        board.own[inner] != 0 && board.enemy[20 - inner] != 0
    }

    fn relay(board: &mut Board, mut at: usize) -> (Outcome, u16) {
        let mut capturing = (7..14).any(|inner| Self::captures(board, inner));
        for packets in 1..=MAX_PACKETS {
            let last;
            if capturing {
                let taken = std::mem::take(&mut board.enemy[20 - at])
                    + std::mem::take(&mut board.enemy[at - 7]);
                board.own[at] += 1;
                last = sow14(&mut board.own, at, taken - 1);
                if empty(&board.enemy[7..14]) {
                    return (Outcome::Win, packets);
                }
            } else {
                let hand = std::mem::take(&mut board.own[at]);
                last = sow14(&mut board.own, at, hand);
            }
            let was_empty = board.own[last] == 1;
            at = after14(last);
            if board.own[at] == 0 || (!FULL && was_empty) {
                let won = empty(&board.enemy[..14]);
                return (if won { Outcome::Win } else { Outcome::Ongoing }, packets);
            }
            capturing = !was_empty && at >= 7 && board.enemy[20 - at] != 0;
        }
        (Outcome::Draw, MAX_PACKETS)
    }
}

impl<const FULL: bool> Plain for Resow<FULL> {
    fn legal(board: &Board) -> Turns {
        let mut turns = Turns::default();
        for pit in (7..14).filter(|&inner| Self::captures(board, inner)) {
            turns.push(pit);
        }
        if turns.len == 0 {
            for pit in (0..14).filter(|&pit| board.own[pit] != 0) {
                turns.push(pit);
            }
        }
        turns
    }

    fn play(board: &mut Board, pit: usize) -> (Outcome, u16) {
        let made = Self::relay(board, pit);
        board.flip();
        made
    }
}

/// `isolo`.
pub struct Isolo;

impl Isolo {
    fn after(at: usize, first: bool) -> usize {
        if first && (at == 6 || at == 7) { 9 } else { (at + 1) % 16 }
    }

    /// Sows `hand` seeds, the first into `at`; returns where the last fell.
    fn sow(own: &mut [u8; 16], mut at: usize, hand: u8, first: bool) -> usize {
        own[at] += 1;
        for _ in 1..hand {
            at = Self::after(at, first);
            own[at] += 1;
        }
        at
    }

    fn relay(board: &mut Board, pit: usize) -> (Outcome, u16) {
        let first = board.own_first;
        // The enemy's pits 7 and 8 are not captured from in its first phase.
        let held = |pit: usize| board.enemy_first && (pit == 7 || pit == 8);
        let mut origin = pit;
        let mut hand = std::mem::take(&mut board.own[pit]);
        let mut start = Self::after(pit, first);
        let mut won = false;
        for packets in 1..=MAX_PACKETS {
            let last = Self::sow(&mut board.own, start, hand, first);
            if won {
                return (Outcome::Win, packets);
            }
            if board.own[last] == 1 {
                let won = empty(&board.enemy);
                return (if won { Outcome::Win } else { Outcome::Ongoing }, packets);
            }
            if last >= 8 {
                let mut taken = 0;
                for pit in [23 - last, last - 8] {
                    if !held(pit) {
                        taken += std::mem::take(&mut board.enemy[pit]);
                    }
                }
                // A draw leaves no position, so the guard may come after this.
                if taken != 0 {
                    won = empty(&board.enemy);
                    hand = taken;
                    start = origin;
                    continue;
                }
            }
            origin = last;
            hand = std::mem::take(&mut board.own[last]);
            start = Self::after(last, first);
        }
        (Outcome::Draw, MAX_PACKETS)
    }
}

impl Plain for Isolo {
    fn legal(board: &Board) -> Turns {
        let mut turns = Turns::default();
        for pit in 0..16 {
            if board.own[pit] != 0 && !(pit == 8 && board.own_first) {
                turns.push(pit);
            }
        }
        turns
    }

    fn play(board: &mut Board, pit: usize) -> (Outcome, u16) {
        board.own_first &= pit != 7;
        let made = Self::relay(board, pit);
        board.flip();
        made
    }
}

/// The number of sequences of exactly `depth` turns; every turn is made.
pub fn perft<P: Plain>(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut sequences = 0;
    for &pit in P::legal(board).pits() {
        let mut after = *board;
        let (outcome, _) = P::play(&mut after, pit as usize);
        if depth == 1 {
            sequences += 1;
        } else if outcome == Outcome::Ongoing {
            sequences += perft::<P>(&after, depth - 1);
        }
    }
    sequences
}

/// Plays random turns to the end of the game, at most `cap` of them; `pick(n)`
/// is a random number below n. Returns the outcome for the side to move at
/// first, [`Outcome::Ongoing`] at the cap.
pub fn playout<P: Plain>(board: &Board, cap: u32, mut pick: impl FnMut(usize) -> usize) -> Outcome {
    let mut board = *board;
    let mut outcome = Outcome::Ongoing;
    let mut mover_is_first = true;
    for _ in 0..cap {
        let turns = P::legal(&board);
        if turns.pits().is_empty() {
            outcome = P::outcome_without_turns(&board);
            break;
        }
        let pit = turns.pits()[pick(turns.pits().len())];
        outcome = P::play(&mut board, pit as usize).0;
        if outcome != Outcome::Ongoing {
            break;
        }
        mover_is_first = !mover_is_first;
    }
    match outcome {
        Outcome::Win if !mover_is_first => Outcome::Loss,
        Outcome::Loss if !mover_is_first => Outcome::Win,
        other => other,
    }
}
