//! Input that no manager should send.

use kisolo::rules::Profile;
use rand::RngExt;

use super::driver::{PROMPT, Process};
use super::games::rng;

#[test]
fn long_lines_are_read() {
    let mut engine = Process::start();
    let before = engine.position();
    for start in
        ["", "position ", "position startpos moves ", "position fen ", "setoption name ", "go "]
    {
        engine.refused(&format!("{start}{}", "x".repeat(1 << 20)));
        engine.refused(&format!("{start}{}", "x ".repeat(1 << 19)));
        assert_eq!(engine.position(), before);
    }
    assert_eq!(engine.ask(&" ".repeat(1 << 20)), [""; 0]);
    assert_eq!(engine.ask(&format!("position startpos moves a1{}", " ".repeat(1 << 20))), [""; 0]);
    assert_ne!(engine.position(), before);
}

#[test]
fn lines_over_the_limit_are_refused_whole() {
    let mut engine = Process::start();
    let line = format!("position startpos moves{}", " a1".repeat(2 << 20));
    let error = engine.refused(&line);
    assert!(error.contains("longer than 4194304 bytes"), "{error}");
    assert_eq!(engine.ask("moves"), ["a1 b1 c1 d1 e1 f1 g1"]);
}

#[test]
fn any_bytes_are_survived() {
    let mut engine = Process::start();
    let before = engine.position();
    for bytes in [
        &b"\xff\xfe\n"[..],
        b"position \xc3\x28\n",
        b"uci\0\n",
        b"\0\n",
        b"\0\0\0isready\n",
        b"position fen \0 S -\n",
        b"setoption name Hash value 1\0\n",
        b"go depth 1\0\n",
        b"position startpos moves a1\0\n",
        b"query \x1b[31m\n",
        "perft \u{202e}3\n".as_bytes(),
        "d\u{a0}d\n".as_bytes(),
        "go depth ３\n".as_bytes(),
    ] {
        engine.send_bytes(bytes);
        let answer = engine.sync();
        assert!(answer.len() == 1 && answer[0].starts_with("info string error: "), "{answer:?}");
        assert!(!answer[0].contains(|c: char| c.is_control()), "{answer:?}");
    }
    assert_eq!(engine.position(), before);
}

#[test]
fn a_flood_is_answered() {
    let mut engine = Process::start();
    engine.send("go infinite");
    engine.send(&"isready\n".repeat(2_000));
    for _ in 0..2_000 {
        engine.until("readyok");
    }
    engine.assert_searching();
    engine.send("stop");
    engine.until_within("bestmove", PROMPT);
    for _ in 0..50 {
        engine.send("go nodes 1\nstop\ngo infinite\nstop\ngo ponder\nponderhit\nstop");
    }
    let mut best = 0;
    for line in engine.sync() {
        best += u32::from(line.starts_with("bestmove"));
    }
    // The last ones may still be on their way.
    while best < 150 {
        engine.until("bestmove");
        best += 1;
    }
    engine.assert_silent();
}

/// Words that commands are made of, and words that they are not.
const WORDS: [&str; 66] = [
    "uci",
    "ugi",
    "isready",
    "debug",
    "on",
    "off",
    "setoption",
    "name",
    "value",
    "Hash",
    "1",
    "2",
    "Threads",
    "MultiPV",
    "3",
    "Clear",
    "UCI_Variant",
    "kisolo",
    "kisolo-free",
    "kisolo-full",
    "isolo",
    "Turn",
    "Limit",
    "ucinewgame",
    "uginewgame",
    "position",
    "startpos",
    "startpos1",
    "startpos2",
    "fen",
    "moves",
    "a1",
    "g4",
    "e2",
    "h1",
    "@3,3,3,3,3,3,3,0,0,0,0,0,0,0",
    "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3",
    "S",
    "N",
    "-",
    "SN",
    "go",
    "depth",
    "nodes",
    "100",
    "movetime",
    "5",
    "wtime",
    "btime",
    "winc",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "stop",
    "ponderhit",
    "query",
    "p1turn",
    "gameover",
    "result",
    "islegal",
    "d",
    "eval",
    "perft",
    "-1",
    "\u{1F980}",
];

#[test]
fn random_commands_are_survived() {
    for seed in 0..12 {
        let mut rng = rng(seed);
        let mut engine = Process::start();
        engine.send("setoption name Hash value 1");
        for _ in 0..150 {
            let mut line = String::new();
            // Half of the lines begin like a command.
            if rng.random_range(0..2) == 0 {
                line +=
                    ["go ", "position startpos moves ", "setoption name ", "stop", "position fen "]
                        [rng.random_range(0..5)];
            }
            for _ in 0..rng.random_range(0..8) {
                line += WORDS[rng.random_range(0..WORDS.len())];
                line += [" ", "  ", "\t", ""][rng.random_range(0..4)];
            }
            engine.send(&line);
            if rng.random_range(0..10) == 0 {
                let bytes: Vec<u8> = (0..rng.random_range(0..60)).map(|_| rng.random()).collect();
                engine.send_bytes(&bytes);
                engine.send("");
            }
            if rng.random_range(0..4) == 0 {
                engine.send("isready");
                engine.until_within("readyok", PROMPT);
            }
        }
        // Whatever is going on can be stopped, and then it plays.
        engine.send("stop");
        engine.sync();
        engine.send("stop\nsetoption name UCI_Variant value kisolo\nposition startpos\ngo depth 2");
        engine.until("bestmove");
        engine.send("isready");
        engine.until_within("readyok", PROMPT);
    }
}

#[test]
fn every_prefix_of_a_command_is_survived() {
    let mut engine = Process::with_profile(Profile::Isolo);
    for command in [
        "position fen 17,2,0,2,0,2,0,2/0,1,2,0,2,0,2,0/0,2,0,2,0,2,1,0/2,0,2,0,2,0,2,17 S SN moves a1",
        "setoption name Move Overhead value 20",
        "go depth 2 searchmoves a1 nodes 50 wtime 10 btime 10 movestogo 3",
    ] {
        for end in 0..command.len() {
            engine.send(&command[..end]);
            engine.send("stop");
            engine.sync();
        }
    }
}
