//! The board as people draw it.

use std::fmt::Write;

use super::pit::Geometry;
use super::position::Position;
use super::text::pit_at;

/// Draws a position as the rules do: the view never turns, row 4 on top,
/// each row with its owner and the direction in which it is sown.
pub fn diagram(geometry: Geometry, position: &Position) -> String {
    const ROWS: [(usize, &str); 4] = [
        (4, "North outer   sown  <-"),
        (3, "North inner   sown  ->"),
        (2, "South inner   sown  <-"),
        (1, "South outer   sown  ->"),
    ];
    let mut text = " ".repeat(4);
    for column in 0..geometry.columns {
        let _ = write!(text, "{:>4}", (b'a' + column as u8) as char);
    }
    for (row, label) in ROWS {
        let _ = write!(text, "\n{row:>4}");
        for column in 0..geometry.columns {
            let (side, pit) = pit_at(geometry, row, column);
            let _ = write!(text, "{:>4}", position.lanes(side).get(pit));
        }
        let _ = write!(text, "    {label}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::parse_position;

    #[test]
    fn rows_are_drawn_from_the_north() {
        let text = "17,0,0,0,0,0,0,2/0,0,2,0,0,0,2,0/1,4,2,5,0,3,1,0/2,0,2,0,2,0,2,17 N SN";
        let position = parse_position(Geometry::EIGHT, text).unwrap();
        let want = "       a   b   c   d   e   f   g   h
   4  17   0   0   0   0   0   0   2    North outer   sown  <-
   3   0   0   2   0   0   0   2   0    North inner   sown  ->
   2   1   4   2   5   0   3   1   0    South inner   sown  <-
   1   2   0   2   0   2   0   2  17    South outer   sown  ->";
        assert_eq!(diagram(Geometry::EIGHT, &position), want);
    }
}
