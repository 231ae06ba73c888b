//! The transcripts of `PROTOCOL.md`, replayed with the real binary.
//!
//! In a block marked `transcript`, `> ` is a line sent and `< ` a line that
//! has to come in answer. `<name>` in an answer stands for any word, `...` at its
//! end for any words or none, and a line `< ...` for any number of lines.

use super::driver::Process;

/// The transcripts, line by line, each with the number of its first line.
fn transcripts() -> Vec<(usize, Vec<String>)> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/PROTOCOL.md");
    let text = std::fs::read_to_string(file).unwrap();
    let mut found: Vec<(usize, Vec<String>)> = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        match line {
            "```transcript" => {
                inside = true;
                found.push((number + 1, Vec::new()));
            }
            "```" => inside = false,
            _ if inside => found.last_mut().unwrap().1.push(line.to_owned()),
            _ => {}
        }
    }
    found
}

/// Whether a line is one that the transcript shows.
fn matches(shown: &str, line: &str) -> bool {
    let placeholder = |word: &str| word.starts_with('<') && word.ends_with('>');
    let (mut shown, mut words): (Vec<&str>, Vec<&str>) =
        (shown.split(' ').collect(), line.split(' ').collect());
    if shown.last() == Some(&"...") {
        shown.pop();
        words.truncate(shown.len());
    }
    shown.len() == words.len()
        && shown.iter().zip(&words).all(|(shown, word)| shown == word || placeholder(shown))
}

/// The line of an answer as a transcript shows it.
fn answer(line: &str) -> Option<&str> {
    line.strip_prefix("< ").or_else(|| (line == "<").then_some(""))
}

#[test]
fn the_transcripts_of_the_protocol_hold() {
    let transcripts = transcripts();
    assert!(transcripts.len() >= 8, "only {} transcripts", transcripts.len());
    for (start, lines) in transcripts {
        let mut engine = Process::start();
        let mut any = false;
        for (number, text) in (start..).zip(&lines) {
            let place = format!("PROTOCOL.md:{number}: {text}");
            if let Some(command) = text.strip_prefix("> ") {
                assert!(!any, "{place}: '< ...' needs a line behind it");
                engine.send(command);
                continue;
            }
            match answer(text).unwrap_or_else(|| panic!("{place}: neither '> ' nor '< '")) {
                "..." => any = true,
                shown => {
                    let mut line = engine.line();
                    while any && !matches(shown, &line) {
                        line = engine.line();
                    }
                    any = false;
                    assert!(matches(shown, &line), "{place}\nbut it was: {line}");
                }
            }
        }
        if !lines.iter().any(|line| line == "> quit") {
            engine.assert_silent();
        }
    }
}
