//! The line of positions that leads to a node, for repetitions.

/// Slots of the filter; a power of two. A line seldom has more positions.
const FILTER: usize = 1024;

/// The hashes of all positions of the game and of the line being searched.
///
/// A filter that counts hashes by their low bits answers nearly every
/// question with one look, however long the game was.
#[derive(Debug)]
pub struct Line {
    hashes: Vec<u64>,
    filter: Box<[u16; FILTER]>,
}

const fn slot(hash: u64) -> usize {
    hash as usize & (FILTER - 1)
}

impl Line {
    /// The line of a game, oldest position first, with room for `room` more.
    pub fn new(game: &[u64], room: usize) -> Self {
        let mut line =
            Self { hashes: Vec::with_capacity(game.len() + room), filter: Box::new([0; FILTER]) };
        for &hash in game {
            line.push(hash);
        }
        line
    }

    /// Goes on to a position.
    #[inline]
    pub fn push(&mut self, hash: u64) {
        self.hashes.push(hash);
        // In an absurdly long game a count stays at its end and its slot
        // says nothing any more.
        let count = &mut self.filter[slot(hash)];
        *count = count.saturating_add(1);
    }

    /// Goes back to the position before.
    #[inline]
    pub fn pop(&mut self) {
        if let Some(hash) = self.hashes.pop() {
            let count = &mut self.filter[slot(hash)];
            if *count != u16::MAX {
                *count -= 1;
            }
        }
    }

    /// Whether the position occurred before.
    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        self.filter[slot(hash)] != 0 && self.hashes.contains(&hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_known_as_long_as_they_are_on_the_line() {
        let mut line = Line::new(&[1, 2], 4);
        let alias = 2 + FILTER as u64;
        assert!(line.contains(1) && line.contains(2) && !line.contains(alias));
        line.push(alias);
        line.push(2);
        line.pop();
        assert!(line.contains(2) && line.contains(alias));
        line.pop();
        line.pop();
        assert!(!line.contains(2) && !line.contains(alias) && line.contains(1));
    }
}
