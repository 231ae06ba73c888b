//! A strict manager of UGI engines, as there are some: a `bestmove` is a line
//! of two words or none at all, moves go to both engines unseen, and the
//! engines are believed when they say how the game stands.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use super::KISOLO;

/// The answer of an engine may take that long on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

struct Engine {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start(options: &[&str]) -> Self {
        let mut child = Command::new(KISOLO)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine");
        let input = child.stdin.take().expect("an input");
        let output = BufReader::new(child.stdout.take().expect("an output"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|l| sender.send(l))
        });
        let mut engine = Self { child, input, lines };
        engine.say("ugi");
        engine.expect(|line| (line == "ugiok").then_some(()));
        for option in options {
            engine.say(&format!("setoption name {option}"));
        }
        engine.say("isready");
        engine.expect(|line| (line == "readyok").then_some(()));
        engine
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("an engine that listens");
    }

    fn expect<T>(&self, wanted: impl Fn(&str) -> Option<T>) -> T {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("an answer in time");
            if let Some(found) = wanted(&line) {
                return found;
            }
        }
    }

    fn query(&mut self, what: &str) -> String {
        self.say(&format!("query {what}"));
        self.expect(|line| line.strip_prefix("response ").map(str::to_owned))
    }

    /// A line of more or less than two words is no answer to `go`.
    fn best_move(&self) -> String {
        self.expect(|line| match line.split(' ').collect::<Vec<&str>>().as_slice() {
            ["bestmove", mv] => Some((*mv).to_owned()),
            _ => None,
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What both engines answer; they must agree.
fn both(engines: &mut [Engine; 2], what: &str) -> String {
    let [a, b] = engines;
    let (a, b) = (a.query(what), b.query(what));
    assert_eq!(a, b, "query {what}");
    a
}

/// Plays a game to its end by what the engines say; `foul` is the number of a
/// move that is replaced by an illegal one. Returns the result and the moves.
fn play(options: &[&str], foul: Option<usize>) -> (String, Vec<String>) {
    let mut engines = [Engine::start(options), Engine::start(options)];
    for engine in &mut engines {
        // No isready behind it.
        engine.say("uginewgame");
        engine.say("position startpos moves");
    }
    let mut moves: Vec<String> = Vec::new();
    while both(&mut engines, "gameover") == "false" {
        assert_eq!(both(&mut engines, "result"), "none");
        let first = both(&mut engines, "p1turn") == "true";
        let engine = &mut engines[usize::from(!first)];
        engine.say("go p1time 60000 p2time 60000 p1inc 100 p2inc 100 nodes 300");
        let mv = engine.best_move();
        moves.push(if foul == Some(moves.len()) { "z9".to_owned() } else { mv });
        let line = format!("position startpos moves {}", moves.join(" "));
        engines.iter_mut().for_each(|engine| engine.say(&line));
    }
    (both(&mut engines, "result"), moves)
}

fn plays_to_a_result(profile: &str) {
    let variant = format!("UCI_Variant value {profile}");
    // The manager has no limit of its own, so the engines have.
    let options = [variant.as_str(), "Hash value 1", "Turn Limit value 400"];
    let (result, moves) = play(&options, None);
    assert!(["p1win", "p2win", "draw"].contains(&result.as_str()), "{result}");
    assert!(moves.len() > 4 && moves.len() <= 400);
    assert!(result != "draw" || moves.len() == 400);
}

#[test]
fn kisolo_is_played() {
    plays_to_a_result("kisolo");
}

#[test]
fn kisolo_free_is_played() {
    plays_to_a_result("kisolo-free");
}

#[test]
fn kisolo_full_is_played() {
    plays_to_a_result("kisolo-full");
}

#[test]
fn isolo_is_played() {
    plays_to_a_result("isolo");
}

#[test]
fn who_makes_an_illegal_move_has_lost() {
    let (result, moves) = play(&["Hash value 1"], Some(4));
    assert_eq!((result.as_str(), moves.len()), ("p2win", 5));
    let (result, moves) = play(&["Hash value 1"], Some(5));
    assert_eq!((result.as_str(), moves.len()), ("p1win", 6));
}

#[test]
fn a_limit_of_turns_ends_the_game() {
    let (result, moves) = play(&["Hash value 1", "Turn Limit value 6"], None);
    assert_eq!((result.as_str(), moves.len()), ("draw", 6));
}
