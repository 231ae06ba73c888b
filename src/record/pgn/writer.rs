//! Records as text.

use std::fmt::{self, Write};

use super::comment::comment;
use super::result_word;
use crate::record::{GameRecord, Player};

/// The columns of a line of moves.
const COLUMNS: usize = 80;

/// Writes a game, with an empty line behind it.
///
/// # Errors
/// When the output takes no more.
pub fn write(record: &GameRecord, output: &mut impl Write) -> fmt::Result {
    for (name, value) in tags(record) {
        writeln!(output, "[{name} \"{}\"]", escaped(&value))?;
    }
    writeln!(output)?;
    let mut column = 0;
    for word in words(record) {
        if column > 0 && column + 1 + word.len() > COLUMNS {
            writeln!(output)?;
            column = 0;
        }
        if column > 0 {
            write!(output, " ")?;
            column += 1;
        }
        write!(output, "{word}")?;
        column += word.len();
    }
    write!(output, "\n\n")
}

fn tags(record: &GameRecord) -> Vec<(String, String)> {
    let (date, time) = split_date(&record.date);
    let result = result_word(record).to_owned();
    let fields = [
        ("Event", Some(record.event.clone())),
        ("Site", Some("?".to_owned())),
        ("Date", Some(date)),
        ("Round", Some(record.game.to_string())),
        ("White", Some(record.south.name.clone())),
        ("Black", Some(record.north.name.clone())),
        ("Result", Some(result)),
        ("UTCTime", time),
        ("South", Some(record.south.name.clone())),
        ("North", Some(record.north.name.clone())),
        ("Variant", Some(record.profile.clone())),
        ("SetUp", Some("1".to_owned())),
        ("FEN", Some(record.start.clone())),
        ("Opening", Some(record.opening.to_string())),
        ("Seed", Some(record.seed.to_string())),
        ("Termination", Some(record.reason.word().to_owned())),
        ("Note", record.note.clone()),
    ];
    let mut tags: Vec<(String, String)> =
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    let same = record.south.limit == record.north.limit;
    if same && !record.south.limit.is_empty() {
        tags.push(("TimeControl".to_owned(), record.south.limit.clone()));
    }
    for (color, player) in [("White", &record.south), ("Black", &record.north)] {
        if !same && !player.limit.is_empty() {
            tags.push((format!("{color}TimeControl"), player.limit.clone()));
        }
        if let Some(engine) = &player.engine {
            tags.push((format!("{color}Engine"), engine.clone()));
        }
        if !player.options.is_empty() {
            tags.push((format!("{color}Options"), options(player)));
        }
    }
    tags
}

/// `Hash=64 'Some Name'='some value'`, quoted as a shell has it.
fn options(player: &Player) -> String {
    let quoted = |text: &str| {
        let text = printable(text);
        // Only a NUL cannot be quoted, and there is none left.
        shlex::try_quote(&text).map(|quoted| quoted.into_owned()).unwrap_or_default()
    };
    let words: Vec<String> = player
        .options
        .iter()
        .map(|(name, value)| format!("{}={}", quoted(name), quoted(value)))
        .collect();
    words.join(" ")
}

/// `2026-01-02T03:04:05Z` as the date and the time of PGN; any other date
/// stays whole.
fn split_date(date: &str) -> (String, Option<String>) {
    let split = || {
        let (day, time) = date.strip_suffix('Z')?.split_once('T')?;
        let digits = |text: &str, at: [usize; 2], mark: u8, length: usize| {
            text.len() == length
                && text.bytes().enumerate().all(|(i, byte)| {
                    if at.contains(&i) { byte == mark } else { byte.is_ascii_digit() }
                })
        };
        let plain = digits(day, [4, 7], b'-', 10) && digits(time, [2, 5], b':', 8);
        plain.then(|| (day.replace('-', "."), Some(time.to_owned())))
    };
    match split() {
        Some(split) => split,
        None if date.is_empty() => ("????.??.??".to_owned(), None),
        None => (date.to_owned(), None),
    }
}

/// Moves with their numbers and comments, and the result.
fn words(record: &GameRecord) -> Vec<String> {
    let mut words = Vec::new();
    let from = usize::from(record.moves_from_north());
    for (ply, mv) in (from..).zip(&record.moves) {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        } else if ply == from {
            words.push(format!("{}...", ply / 2 + 1));
        }
        words.push(mv.text.clone());
        let comment = comment(mv);
        if !comment.is_empty() {
            words.extend(format!("{{{comment}}}").split(' ').map(str::to_owned));
        }
    }
    words.push(result_word(record).to_owned());
    words
}

fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn escaped(text: &str) -> String {
    printable(text).replace('\\', "\\\\").replace('"', "\\\"")
}
