//! Pits and positions as text.

use thiserror::Error;

use super::lanes::{LANES, Lanes};
use super::pit::{Geometry, Pit};
use super::position::{FirstPhase, Position, Side};
use super::sow::MAX_SEEDS;

/// Why a text is no position of a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionTextError {
    /// Not three fields.
    #[error("a position has three fields, ROWS SIDE FIRST, not {0}")]
    Fields(usize),
    /// Not four rows.
    #[error("a position has four rows parted by '/', not {0}")]
    Rows(usize),
    /// A row of the wrong length.
    #[error("row {row} has {found} counts instead of {columns}")]
    RowLength {
        /// The row, 1 to 4.
        row: usize,
        /// Counts that were given.
        found: usize,
        /// Columns of the board.
        columns: usize,
    },
    /// A count that is no number, or larger than any profile allows.
    #[error("'{count}' in row {row} is not a count from 0 to {max}", max = MAX_SEEDS)]
    Count {
        /// The row, 1 to 4.
        row: usize,
        /// What was given, shortened.
        count: String,
    },
    /// A side to move other than `S` and `N`.
    #[error("the side to move is S or N, not '{0}'")]
    Side(String),
    /// A first-phase field other than the four known ones.
    #[error("the first-phase field is SN, S, N or -, not '{0}'")]
    First(String),
}

/// The start of `text`, short enough to be quoted in a message, with
/// anything that is not printable replaced.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut short: String = text
        .chars()
        .take(LONGEST)
        .map(|c| if c.is_control() || c == char::REPLACEMENT_CHARACTER { '?' } else { c })
        .collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

/// Column (0 = west) and row (1..=4) of a pit.
const fn place(geometry: Geometry, side: Side, pit: usize) -> (usize, usize) {
    let columns = geometry.columns;
    let outer = pit < columns;
    let along = if outer { pit } else { 2 * columns - 1 - pit };
    match side {
        Side::South => (along, if outer { 1 } else { 2 }),
        Side::North => (columns - 1 - along, if outer { 4 } else { 3 }),
    }
}

/// The name of a pit of `side`, such as `e2`. A pit that the board does not
/// have is named by its index, for messages.
pub fn pit_name(geometry: Geometry, side: Side, pit: Pit) -> String {
    if usize::from(pit.0) >= geometry.pits() {
        return format!("pit {}", pit.0);
    }
    let (column, row) = place(geometry, side, pit.index());
    format!("{}{row}", (b'a' + column as u8) as char)
}

/// The owner and index of the pit with this name, or `None` if the board has
/// no such pit.
pub fn parse_pit(geometry: Geometry, name: &str) -> Option<(Side, Pit)> {
    let &[column, row] = name.as_bytes() else { return None };
    let column = usize::from(column.checked_sub(b'a')?);
    if column >= geometry.columns || !(b'1'..=b'4').contains(&row) {
        return None;
    }
    let (side, pit) = pit_at(geometry, usize::from(row - b'0'), column);
    Some((side, Pit(pit as u8)))
}

/// The pit of `side` at a column (0 = west) of the row (1..=4) that it owns.
pub(super) const fn pit_at(geometry: Geometry, row: usize, column: usize) -> (Side, usize) {
    let columns = geometry.columns;
    match row {
        1 => (Side::South, column),
        2 => (Side::South, 2 * columns - 1 - column),
        3 => (Side::North, columns + column),
        _ => (Side::North, columns - 1 - column),
    }
}

/// The first-phase field of a position: `SN`, `S`, `N` or `-`.
pub(crate) const fn first_text(first: FirstPhase) -> &'static str {
    match (first.contains(Side::South), first.contains(Side::North)) {
        (true, true) => "SN",
        (true, false) => "S",
        (false, true) => "N",
        (false, false) => "-",
    }
}

/// The position as one line: `ROW4/ROW3/ROW2/ROW1 SIDE FIRST`.
pub fn position_text(geometry: Geometry, position: &Position) -> String {
    let row = |row: usize| {
        let counts: Vec<String> = (0..geometry.columns)
            .map(|column| {
                let (side, pit) = pit_at(geometry, row, column);
                position.lanes(side).get(pit).to_string()
            })
            .collect();
        counts.join(",")
    };
    let first = first_text(position.first);
    format!("{}/{}/{}/{} {} {first}", row(4), row(3), row(2), row(1), position.side.letter())
}

/// Reads a position of a board with this geometry. Whether it fits a profile
/// is not looked at.
///
/// # Errors
/// Names the field, row or count that is wrong and what is accepted.
pub fn parse_position(geometry: Geometry, text: &str) -> Result<Position, PositionTextError> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let &[rows, side, first] = fields.as_slice() else {
        return Err(PositionTextError::Fields(fields.len()));
    };
    let found = rows.split('/').count();
    if found != 4 {
        return Err(PositionTextError::Rows(found));
    }
    let mut counts = [[0u8; LANES]; 2];
    for (row, line) in (1..=4).rev().zip(rows.split('/')) {
        let found = line.split(',').count();
        if found != geometry.columns {
            return Err(PositionTextError::RowLength { row, found, columns: geometry.columns });
        }
        for (column, count) in line.split(',').enumerate() {
            let (owner, pit) = pit_at(geometry, row, column);
            counts[owner as usize][pit] = parse_count(count)
                .ok_or_else(|| PositionTextError::Count { row, count: quoted(count) })?;
        }
    }
    let side = match side {
        "S" => Side::South,
        "N" => Side::North,
        _ => return Err(PositionTextError::Side(quoted(side))),
    };
    let first = match first {
        "SN" => FirstPhase::BOTH,
        "S" => FirstPhase::only(Side::South),
        "N" => FirstPhase::only(Side::North),
        "-" => FirstPhase::NONE,
        _ => return Err(PositionTextError::First(quoted(first))),
    };
    let [south, north] = counts.map(Lanes::new);
    Ok(Position::new(south, north, side, first))
}

/// A count of seeds in plain digits, at most [`MAX_SEEDS`].
pub(crate) fn parse_count(text: &str) -> Option<u8> {
    let plain = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    let count: usize = plain.then(|| text.parse().ok())??;
    (count <= MAX_SEEDS).then_some(count as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pits_are_named_along_the_sowing() {
        let names = |geometry: Geometry, side| {
            let all: Vec<String> =
                (0..geometry.pits()).map(|p| pit_name(geometry, side, Pit(p as u8))).collect();
            all.join(" ")
        };
        assert_eq!(
            names(Geometry::SEVEN, Side::South),
            "a1 b1 c1 d1 e1 f1 g1 g2 f2 e2 d2 c2 b2 a2"
        );
        assert_eq!(
            names(Geometry::SEVEN, Side::North),
            "g4 f4 e4 d4 c4 b4 a4 a3 b3 c3 d3 e3 f3 g3"
        );
        for geometry in [Geometry::SEVEN, Geometry::EIGHT] {
            for side in Side::BOTH {
                for pit in (0..geometry.pits() as u8).map(Pit) {
                    let name = pit_name(geometry, side, pit);
                    assert_eq!(parse_pit(geometry, &name), Some((side, pit)));
                }
            }
        }
        for bad in ["", "a", "a0", "a5", "h1", "A1", "a11", "1a", "é1"] {
            assert_eq!(parse_pit(Geometry::SEVEN, bad), None, "{bad}");
        }
    }

    #[test]
    fn a_pit_off_the_board_is_named_by_its_index() {
        for (geometry, pit) in [(Geometry::SEVEN, 14), (Geometry::SEVEN, 15), (Geometry::EIGHT, 16)]
        {
            for side in Side::BOTH {
                assert_eq!(pit_name(geometry, side, Pit(pit)), format!("pit {pit}"));
            }
        }
    }

    #[test]
    fn positions_survive_the_way_through_text() {
        let text = "0,1,2,3,4,5,6/7,0,0,0,0,0,1/0,0,3,0,0,0,0/9,0,0,0,0,0,1 N -";
        let position = parse_position(Geometry::SEVEN, text).unwrap();
        assert_eq!(position_text(Geometry::SEVEN, &position), text);
        assert_eq!(position.own.get(0), 6);
        assert_eq!(position.enemy.get(0), 9);
    }

    #[test]
    fn bad_positions_are_refused_by_name() {
        let cases = [
            ("", "three fields"),
            ("1,2/3 S -", "four rows"),
            ("1,1/0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0 S -", "row 4 has 2 counts"),
            ("0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,-1/0,0,0,0,0,0,0 S -", "'-1' in row 2"),
            ("0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,85/0,0,0,0,0,0,0 S -", "'85' in row 2"),
            ("0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0 w -", "S or N"),
            ("0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0/0,0,0,0,0,0,0 S x", "SN, S, N or -"),
        ];
        for (text, part) in cases {
            let error = parse_position(Geometry::SEVEN, text).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
