//! Which texts are valid positions, and the set-up moves, from the rules' own words.

use super::{Board, Flags};

/// Reads a count: one to three digits, as no profile has a thousand seeds.
fn count(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits && (1..=3).contains(&text.len()) { text.parse().ok() } else { None }
}

/// Reads counts parted by commas, if there are `wanted` of them.
fn counts(text: &str, wanted: usize) -> Option<Vec<u32>> {
    let all: Vec<u32> = text.split(',').map(count).collect::<Option<_>>()?;
    (all.len() == wanted).then_some(all)
}

/// Whether a text, its fields parted by blanks, is a valid position of a profile.
pub fn is_valid(flags: Flags, text: &str) -> bool {
    valid(flags, text).unwrap_or(false)
}

fn valid(flags: Flags, text: &str) -> Option<bool> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let &[board, side, first] = fields.as_slice() else { return None };
    let rows: Vec<Vec<u32>> =
        board.split('/').map(|row| counts(row, flags.columns)).collect::<Option<_>>()?;
    let [row4, row3, row2, row1] = rows.as_slice() else { return None };
    let sum = |row: &Vec<u32>| row.iter().sum::<u32>();
    let (south, north) = (sum(row1) + sum(row2), sum(row3) + sum(row4));
    let south_moves = match side {
        "S" => true,
        "N" => false,
        _ => return None,
    };
    if !["SN", "S", "N", "-"].contains(&first) {
        return None;
    }
    let all_on_board = south + north == flags.seeds;
    Some(if flags.set_up {
        match (first, south_moves) {
            ("SN", true) => south == 0 && north == 0,
            ("N", false) => south == flags.seeds / 2 && north == 0,
            ("-", _) => all_on_board,
            _ => false,
        }
    } else if flags.initial_phase {
        // The corners h1 and a4 are index 7 of South and North.
        let south_fits = !first.contains('S') || row1[flags.columns - 1] > 0;
        let north_fits = !first.contains('N') || row4[0] > 0;
        all_on_board && south_fits && north_fits
    } else {
        all_on_board && first == "-"
    })
}

impl Board {
    /// The position after a set-up move, if that is legal.
    pub fn set_up(&self, mv: &str) -> Option<String> {
        let mover = usize::from(self.north_moves);
        if !self.flags.set_up || !self.first[mover] {
            return None;
        }
        let ring = self.ring(self.north_moves);
        let seeds = counts(mv.strip_prefix('@')?, ring.len())?;
        if seeds.iter().sum::<u32>() != self.flags.seeds / 2 {
            return None;
        }
        let mut after = self.clone();
        for ((row, column), seeds) in ring.into_iter().zip(seeds) {
            after.rows[row][column] = seeds;
        }
        after.first[mover] = false;
        after.north_moves = !self.north_moves;
        Some(after.text())
    }
}
