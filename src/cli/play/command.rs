//! What a person types.

use std::path::PathBuf;

/// The commands as `help` lists them: name, what follows it, what it does.
pub const COMMANDS: [(&str, &str, &str); 12] = [
    ("board", "", "draw the board"),
    ("moves", "", "list the moves that are legal now, and what each would do"),
    ("hint", "", "what the engine would play"),
    ("eval", "", "what the engine thinks of the position"),
    ("undo", "", "take back your last turn"),
    ("redo", "", "make it again"),
    ("resign", "", "give up the game"),
    ("new", "", "begin a new game"),
    ("save", "FILE", "keep the game in a file of records; `kisolo games` reads it"),
    ("load", "FILE", "go on with the last game of such a file"),
    ("help", "", "this list"),
    ("quit", "", "leave; the end of the input does the same"),
];

/// A line that was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Draw the board.
    Board,
    /// List the legal moves.
    Moves,
    /// Tell the engine's move.
    Hint,
    /// Tell what the engine thinks.
    Eval,
    /// Take a turn back.
    Undo,
    /// Make it again.
    Redo,
    /// Give up.
    Resign,
    /// Begin anew.
    New,
    /// Keep the game.
    Save(PathBuf),
    /// Take up a game.
    Load(PathBuf),
    /// List the commands.
    Help,
    /// Leave.
    Quit,
    /// Anything else is taken for a move.
    Move(String),
}

/// Reads a line; `None` if it is empty.
///
/// # Errors
/// Says what a command takes.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
    let alone = |command: Command| {
        if rest.is_empty() { Ok(Some(command)) } else { Err(format!("{word} takes nothing more")) }
    };
    let with_file = |command: fn(PathBuf) -> Command| {
        if rest.is_empty() {
            Err(format!("{word} takes the name of a file: {word} FILE"))
        } else {
            Ok(Some(command(PathBuf::from(rest))))
        }
    };
    match word.as_str() {
        "" => Ok(None),
        "board" => alone(Command::Board),
        "moves" => alone(Command::Moves),
        "hint" => alone(Command::Hint),
        "eval" => alone(Command::Eval),
        "undo" => alone(Command::Undo),
        "redo" => alone(Command::Redo),
        "resign" => alone(Command::Resign),
        "new" => alone(Command::New),
        "save" => with_file(Command::Save),
        "load" => with_file(Command::Load),
        "help" | "?" => alone(Command::Help),
        "quit" | "exit" => alone(Command::Quit),
        _ => Ok(Some(Command::Move(move_text(line)))),
    }
}

/// A move as the rules read it: a set-up may have blanks anywhere, and a pit
/// may be written large.
fn move_text(line: &str) -> String {
    let Some(counts) = line.strip_prefix('@') else { return line.to_ascii_lowercase() };
    let blank = |c: char| c == ',' || c.is_whitespace();
    let counts: Vec<&str> = counts.split(blank).filter(|count| !count.is_empty()).collect();
    format!("@{}", counts.join(","))
}

/// The names of the commands on one line.
pub fn names() -> String {
    COMMANDS.map(|(name, ..)| name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let mv = |text: &str| Ok(Some(Command::Move(text.to_owned())));
        assert_eq!(parse("  "), Ok(None));
        assert_eq!(parse(" E2\r"), mv("e2"));
        assert_eq!(parse("@ 3,3, 3 0"), mv("@3,3,3,0"));
        assert_eq!(parse("@3 3"), mv("@3,3"));
        assert_eq!(parse("Quit"), Ok(Some(Command::Quit)));
        assert_eq!(parse("save my games.jsonl"), Ok(Some(Command::Save("my games.jsonl".into()))));
        assert_eq!(parse("e2 f2"), mv("e2 f2"));
    }

    #[test]
    fn every_command_of_the_list_is_one() {
        for (name, what, _) in COMMANDS {
            let line = format!("{name} {what}");
            assert!(!matches!(parse(&line), Ok(Some(Command::Move(_))) | Err(_)), "{line}");
        }
        assert!(parse("undo 3").unwrap_err().contains("undo"));
        assert!(parse("save").unwrap_err().contains("save FILE"));
    }
}
