//! The rules as a plain byte-loop program: the baseline that our boards are
//! measured against, and written with care for that reason.
//!
//! It has no tables, no bit tricks and no batches: sixteen bytes a side, in
//! the side's own sowing order, seeds dropped one by one.

/// How a turn ends for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Ongoing,
    Win,
    Loss,
    Draw,
}

/// A position, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    pub own: [u8; 16],
    pub enemy: [u8; 16],
    /// In isolo's initial phase.
    pub own_initial: bool,
    pub enemy_initial: bool,
}

const GUARD: u32 = 4096;

impl Board {
    fn flip(&mut self) {
        std::mem::swap(&mut self.own, &mut self.enemy);
        std::mem::swap(&mut self.own_initial, &mut self.enemy_initial);
    }
}

/// A profile of the baseline.
pub trait Plain {
    /// Puts the legal pits into `pits`; returns their number.
    fn legal(board: &Board, pits: &mut [usize; 16]) -> usize;

    /// Makes a legal turn and changes sides.
    fn play(board: &mut Board, pit: usize) -> End;
}

/// Drops `hand` seeds around a loop of `PITS`, the first into `at`; returns
/// the pit after the last.
#[inline(always)]
fn drop_seeds<const PITS: usize>(side: &mut [u8; 16], mut at: usize, hand: u8) -> usize {
    for _ in 0..hand {
        side[at] += 1;
        at += 1;
        if at == PITS {
            at = 0;
        }
    }
    at
}

#[inline(always)]
fn list(pits: &mut [usize; 16], range: std::ops::Range<usize>, f: impl Fn(usize) -> bool) -> usize {
    let mut count = 0;
    for pit in range {
        if f(pit) {
            pits[count] = pit;
            count += 1;
        }
    }
    count
}

pub struct Kisolo;

/// Captures at own inner pit `at`, if there is something to capture: the
/// seeds go into the pit behind it.
#[inline(always)]
fn capture(board: &mut Board, at: usize) {
    let facing = 20 - at;
    if board.own[at] != 0 && board.enemy[facing] != 0 {
        board.own[13 - at] += board.enemy[facing] + board.enemy[at - 7];
        board.enemy[facing] = 0;
        board.enemy[at - 7] = 0;
    }
}

#[inline(always)]
fn outer_is_empty(side: &[u8; 16]) -> bool {
    side[..7].iter().all(|&count| count == 0)
}

impl Plain for Kisolo {
    #[inline(always)]
    fn legal(board: &Board, pits: &mut [usize; 16]) -> usize {
        // An outer pit may be filled by the captures that come first.
        let captures =
            |pit: usize| pit < 7 && board.own[13 - pit] != 0 && board.enemy[7 + pit] != 0;
        list(pits, 0..14, |pit| board.own[pit] != 0 || captures(pit))
    }

    #[inline(always)]
    fn play(board: &mut Board, pit: usize) -> End {
        for inner in 7..14 {
            capture(board, inner);
        }
        let mut at = pit;
        let mut packets = 0;
        let end = loop {
            let hand = std::mem::take(&mut board.own[at]);
            at = drop_seeds::<14>(&mut board.own, if at == 13 { 0 } else { at + 1 }, hand);
            packets += 1;
            if at >= 7 {
                capture(board, at);
            }
            if outer_is_empty(&board.enemy) {
                break End::Win;
            }
            if outer_is_empty(&board.own) {
                break End::Loss;
            }
            if board.own[at] == 0 {
                break End::Ongoing;
            }
            if packets == GUARD {
                break End::Draw;
            }
        };
        board.flip();
        end
    }
}

/// `kisolo-free`, and with `FULL` `kisolo-full`.
pub struct Resow<const FULL: bool>;

impl<const FULL: bool> Plain for Resow<FULL> {
    #[inline(always)]
    fn legal(board: &Board, pits: &mut [usize; 16]) -> usize {
        let captures = list(pits, 7..14, |pit| board.own[pit] != 0 && board.enemy[20 - pit] != 0);
        if captures > 0 {
            return captures;
        }
        list(pits, 0..14, |pit| board.own[pit] != 0)
    }

    #[inline(always)]
    fn play(board: &mut Board, pit: usize) -> End {
        let mut at = pit;
        let mut captures = at >= 7 && board.enemy[20 - at] != 0;
        let mut packets = 0;
        let end = loop {
            let (hand, first) = if captures {
                let hand = board.enemy[20 - at] + board.enemy[at - 7];
                board.enemy[20 - at] = 0;
                board.enemy[at - 7] = 0;
                (hand, at)
            } else {
                (std::mem::take(&mut board.own[at]), if at == 13 { 0 } else { at + 1 })
            };
            let next = drop_seeds::<14>(&mut board.own, first, hand);
            packets += 1;
            if captures && board.enemy[7..14].iter().all(|&count| count == 0) {
                break End::Win;
            }
            let last = if next == 0 { 13 } else { next - 1 };
            let was_empty = board.own[last] == 1;
            if board.own[next] == 0 || (!FULL && was_empty) {
                let enemy_left = board.enemy.iter().any(|&count| count != 0);
                break if enemy_left { End::Ongoing } else { End::Win };
            }
            if packets == GUARD {
                break End::Draw;
            }
            captures = !was_empty && next >= 7 && board.enemy[20 - next] != 0;
            at = next;
        };
        board.flip();
        end
    }
}

pub struct Isolo;

/// Whether a pit is in play.
#[inline(always)]
fn in_play(pit: usize, initial: bool) -> bool {
    !(initial && (pit == 7 || pit == 8))
}

#[inline(always)]
fn after(pit: usize, initial: bool) -> usize {
    match pit {
        6 if initial => 9,
        15 => 0,
        _ => pit + 1,
    }
}

impl Plain for Isolo {
    #[inline(always)]
    fn legal(board: &Board, pits: &mut [usize; 16]) -> usize {
        list(pits, 0..16, |pit| board.own[pit] != 0 && !(board.own_initial && pit == 8))
    }

    #[inline(always)]
    fn play(board: &mut Board, pit: usize) -> End {
        if pit == 7 {
            board.own_initial = false;
        }
        let initial = board.own_initial;
        let mut origin = pit;
        let mut hand = std::mem::take(&mut board.own[origin]);
        // 7 is passed over from 8 on as well.
        let mut at = if initial && origin == 7 { 9 } else { after(origin, initial) };
        let mut packets = 0;
        let mut won = false;
        let end = loop {
            let mut last = at;
            for _ in 0..hand {
                board.own[at] += 1;
                last = at;
                at = after(at, initial);
            }
            packets += 1;
            if won {
                break End::Win;
            }
            let here = board.own[last];
            let enemy_left = board.enemy.iter().any(|&count| count != 0);
            if here == 1 {
                break if enemy_left { End::Ongoing } else { End::Win };
            }
            if packets == GUARD {
                break End::Draw;
            }
            if last >= 8 {
                let (near, far) = (23 - last, last - 8);
                if in_play(near, board.enemy_initial) {
                    let taken = board.enemy[near] + board.enemy[far];
                    if taken != 0 {
                        board.enemy[near] = 0;
                        board.enemy[far] = 0;
                        won = board.enemy.iter().all(|&count| count == 0);
                        hand = taken;
                        at = origin;
                        continue;
                    }
                }
            }
            origin = last;
            hand = std::mem::take(&mut board.own[last]);
            at = after(last, initial);
        };
        board.flip();
        end
    }
}

/// Counts turn sequences; every turn is made.
pub fn perft<P: Plain>(board: &Board, depth: u32) -> u64 {
    let mut pits = [0; 16];
    let count = P::legal(board, &mut pits);
    let mut sequences = 0;
    for &pit in &pits[..count] {
        let mut next = *board;
        let end = P::play(&mut next, pit);
        if depth == 1 {
            // Looked at, so that the turn is really made.
            sequences += std::hint::black_box(u64::from(end != End::Draw) | 1);
        } else if end == End::Ongoing {
            sequences += perft::<P>(&next, depth - 1);
        }
    }
    sequences
}

/// Plays a game at random; whether the side to move has won.
pub fn playout<P: Plain>(start: &Board, mut random: impl FnMut() -> u64) -> bool {
    let mut board = *start;
    let mut own = true;
    for _ in 0..500 {
        let mut pits = [0; 16];
        let count = P::legal(&board, &mut pits) as u64;
        let choice = ((random() >> 32) * count) >> 32;
        match P::play(&mut board, pits[choice as usize]) {
            End::Win => return own,
            End::Loss => return !own,
            End::Draw => return false,
            End::Ongoing => own = !own,
        }
    }
    false
}
