//! The board as a picture in plain text.

use std::fmt::Write;

use super::pit::Geometry;
use super::position::Position;
use super::text::pit_at;

/// What stands beside each row, from row 4 down to row 1.
const LEGENDS: [&str; 4] = [
    "North outer   sown  <-",
    "North inner   sown  ->",
    "South inner   sown  <-",
    "South outer   sown  ->",
];

/// The board in five lines, each ended by a newline: the column letters, then
/// rows 4 to 1 with the seeds in each pit, a dot for none. The letter of a
/// column stands over the last digit of its counts.
pub fn diagram(geometry: Geometry, position: &Position) -> String {
    let mut text = " ".repeat(5);
    for letter in ('a'..).take(geometry.columns) {
        let _ = write!(text, "{letter:>4}");
    }
    text.push('\n');
    for (row, legend) in (1..=4).rev().zip(LEGENDS) {
        let _ = write!(text, "   {row} ");
        for column in 0..geometry.columns {
            let (side, pit) = pit_at(geometry, row, column);
            match position.lanes(side).get(pit) {
                0 => text.push_str("   ."),
                count => {
                    let _ = write!(text, "{count:>4}");
                }
            }
        }
        let _ = writeln!(text, "    {legend}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{FirstPhase, Lanes, Side, parse_position};

    #[test]
    fn an_empty_board_of_seven_columns() {
        let empty = Position::new(Lanes::EMPTY, Lanes::EMPTY, Side::South, FirstPhase::NONE);
        let want = "        a   b   c   d   e   f   g
   4    .   .   .   .   .   .   .    North outer   sown  <-
   3    .   .   .   .   .   .   .    North inner   sown  ->
   2    .   .   .   .   .   .   .    South inner   sown  <-
   1    .   .   .   .   .   .   .    South outer   sown  ->
";
        assert_eq!(diagram(Geometry::SEVEN, &empty), want);
    }

    #[test]
    fn counts_of_two_digits_on_eight_columns() {
        let text = "17,2,0,2,0,2,0,2/0,1,2,0,2,0,2,0/0,2,0,2,0,2,1,0/2,0,2,0,2,0,2,17 N SN";
        let position = parse_position(Geometry::EIGHT, text).unwrap();
        let want = "        a   b   c   d   e   f   g   h
   4   17   2   .   2   .   2   .   2    North outer   sown  <-
   3    .   1   2   .   2   .   2   .    North inner   sown  ->
   2    .   2   .   2   .   2   1   .    South inner   sown  <-
   1    2   .   2   .   2   .   2  17    South outer   sown  ->
";
        assert_eq!(diagram(Geometry::EIGHT, &position), want);
    }
}
