//! The commands that are no searches.

use kisolo::rules::Profile;

use super::driver::{PROMPT, Process, SOON};
use crate::vectors::positions;

#[test]
fn every_option_is_announced() {
    let mut engine = Process::start();
    engine.send("uci");
    let lines = engine.until("uciok");
    let highest = kisolo::levels::built_in(Profile::Kisolo).highest();
    let options: Vec<&str> = lines.iter().filter_map(|l| l.strip_prefix("option name ")).collect();
    assert_eq!(
        options,
        [
            "UCI_Variant type combo default kisolo var kisolo var kisolo-free var kisolo-full \
             var isolo",
            "Search type combo default alphabeta var alphabeta var mcts var uct",
            "Evaluation type combo default net var net var seeds",
            "EvalFile type string default <empty>",
            "Hash type spin default 64 min 1 max 65536",
            "Threads type spin default 1 min 1 max 512",
            "Clear Hash type button",
            "Ponder type check default false",
            "MultiPV type spin default 1 min 1 max 16",
            "Move Overhead type spin default 10 min 0 max 5000",
            "Turn Limit type spin default 0 min 0 max 1000000",
            "UCI_AnalyseMode type check default false",
            "UCI_ShowWDL type check default false",
            "UCI_LimitStrength type check default false",
            &format!("UCI_Elo type spin default 1200 min 400 max {highest}"),
            "Skill Level type spin default 20 min 0 max 20",
            "Seed type spin default 0 min 0 max 4294967295",
            "OwnBook type check default false",
            "BookFile type string default <empty>",
            "Book Variety type spin default 0 min 0 max 1000",
        ]
    );
}

#[test]
fn another_profile_starts_its_game() {
    let mut engine = Process::start();
    for profile in Profile::ALL.into_iter().rev() {
        engine.send(&format!("setoption name UCI_Variant value {profile}"));
        let start = profile.position_text(&profile.start_position());
        assert_eq!(engine.position(), start);
    }
    // The same profile again is no change.
    engine.send("position startpos moves a1\nsetoption name UCI_Variant value kisolo");
    assert_ne!(engine.position(), Profile::Kisolo.position_text(&Profile::Kisolo.start_position()));
    // Nor does a new game move anything; that is for `position` to say.
    let before = engine.position();
    engine.send("ucinewgame");
    assert_eq!(engine.position(), before);
    engine.refused("setoption name UCI_Variant value isolo-full");
    assert_eq!(engine.position(), before);
}

#[test]
fn queries_answer_by_the_rules() {
    for profile in Profile::ALL {
        let mut engine = Process::with_profile(profile);
        for position in positions(profile).into_iter().step_by(200) {
            let text = profile.position_text(&position);
            engine.send(&format!("position fen {text}"));
            assert_eq!(engine.ask("query fen"), [format!("response {text}")]);
            let south = position.side == kisolo::board::Side::South;
            assert_eq!(engine.ask("query p1turn"), [format!("response {south}")]);
            for mv in ["a1", "b2", "c3", "d4", "h1", "zz", "@", "(none)"] {
                let legal = profile.parse_move(&position, mv).is_ok();
                let answer = engine.ask(&format!("query islegal {mv}"));
                assert_eq!(answer, [format!("response {legal}")]);
            }
        }
    }
    let mut engine = Process::start();
    for line in ["query", "query islegal", "query islegal a1 b1", "query fen x", "query Result"] {
        engine.refused(line);
    }
}

#[test]
fn set_ups_are_moves_that_are_not_listed() {
    let mut engine = Process::with_profile("kisolo-free");
    let south = "@3,3,3,3,3,3,0,0,0,0,1,1,1,0";
    let north = "@21,0,0,0,0,0,0,0,0,0,0,0,0,0";
    assert!(engine.ask("moves")[0].starts_with("info string a set-up is due: "));
    engine.refused("perft 1");
    assert_eq!(
        engine.ask("perft 0"),
        ["info string error: a set-up is due: its 927983760 \
                                        arrangements are not enumerated"]
    );
    assert_eq!(engine.ask(&format!("query islegal {south}")), ["response true"]);
    for bad in ["@21", "@3,3,3,3,3,3,3,0,0,0,0,0,0,1", "@3,3,3,3,3,3,3,0,0,0,0,0,0,-0", "a1", "@"] {
        assert_eq!(engine.ask(&format!("query islegal {bad}")), ["response false"]);
        engine.refused(&format!("position startpos moves {bad}"));
    }
    engine.send(&format!("position startpos moves {south} {north}"));
    let want = "0,0,0,0,0,0,21/0,0,0,0,0,0,0/0,1,1,1,0,0,0/3,3,3,3,3,3,0 S -";
    assert_eq!(engine.position(), want);
    assert!(engine.ask("moves")[0].starts_with("a1 "));
    assert!(engine.ask("eval").last().unwrap().ends_with(" cp for South"));
    engine.refused(&format!("position startpos moves {south} {north} {south}"));
}

#[test]
fn counts_are_those_of_the_rules() {
    for (profile, name) in [
        (Profile::Kisolo, "startpos"),
        (Profile::KisoloFree, "startpos1"),
        (Profile::KisoloFull, "startpos"),
        (Profile::Isolo, "startpos"),
    ] {
        let mut engine = Process::with_profile(profile);
        engine.send(&format!("position {name}\nperft 4"));
        let lines = engine.until("nodes");
        let (last, parts) = lines.split_last().unwrap();
        let total = profile.perft(&profile.start(name).unwrap(), 4);
        assert_eq!(*last, format!("nodes {total}"));
        let count = |line: &String| line.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
        assert_eq!(parts.iter().map(count).sum::<u64>(), total);
        let names: Vec<&str> = parts.iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(engine.ask("moves"), [names.join(" ")]);
    }
    let mut engine = Process::start();
    engine.send("perft 0");
    assert_eq!(engine.line(), "nodes 1");
    for line in ["perft", "perft x", "perft -1", "perft 101", "perft 99999999999", "perft 3 3"] {
        engine.refused(line);
    }
}

#[test]
fn a_count_holds_later_lines_back_but_not_stop_and_isready() {
    let mut engine = Process::start();
    for count in ["perft 100", "bench"] {
        engine.send(count);
        // What waits in between does not make the engine deaf.
        engine.send("query fen\nisready");
        let lines = engine.until_within("readyok", PROMPT);
        assert!(!lines.iter().any(|line| line.starts_with("response")), "{lines:?}");
        engine.send("stop");
        let lines = engine.until_within("response", SOON);
        assert!(lines.contains(&"info string stopped".to_owned()), "{lines:?}");
    }
    // This stop is meant for the search that waits.
    engine.send("perft 5\ngo infinite\nstop");
    engine.until("nodes");
    engine.until("bestmove");
    engine.assert_silent();
    // So is the end of the input.
    engine.send("perft 5");
    engine.close_input();
    let lines = engine.assert_exit(SOON);
    assert!(lines[lines.len() - 1].starts_with("nodes "), "{lines:?}");
}

#[test]
fn the_benchmark_has_its_signature() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/signature.txt");
    let signature = std::fs::read_to_string(file).unwrap();
    let mut engine = Process::start();
    engine.send("setoption name UCI_Variant value isolo\nsetoption name MultiPV value 3\nbench");
    let mut lines = Vec::new();
    while lines.len() < 5 {
        lines.push(engine.line());
    }
    let words: Vec<&str> = lines[4].split(' ').collect();
    assert!(words.len() == 4 && words[1] == "nodes" && words[3] == "nps", "{lines:?}");
    assert_eq!(words[0], signature.trim());
    assert!(lines.iter().zip(Profile::ALL).all(|(line, p)| line.starts_with(&format!("{p} "))));
}

#[test]
fn unknown_commands_are_named() {
    let mut engine = Process::start();
    for line in ["help", "UCI", "go2", "xyzzy 1 2", "debug", "debug maybe"] {
        let error = engine.refused(line);
        assert!(error.contains("known: ") || error.contains("on or off"), "{error}");
    }
}

#[test]
fn what_only_looks_is_answered_during_a_search() {
    let mut engine = Process::start();
    engine.send("go infinite\nuci\nd\nmoves\neval\nquery p1turn\ndebug on\ndebug off");
    engine.until("uciok");
    engine.until("position ");
    engine.until("a1 b1");
    engine.until("eval total");
    engine.until("response true");
    engine.assert_searching();
}

#[test]
fn networks_are_read_and_foreign_files_refused() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/isolo.net");
    let bytes = std::fs::read(net).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let mut engine = Process::with_profile(Profile::Isolo);
    let built_in = engine.ask("eval");
    engine.send("setoption name Evaluation value seeds");
    let seeds = engine.ask("eval");
    assert_ne!(seeds, built_in);
    assert_eq!(seeds.len(), 3);
    engine.send("setoption name Evaluation value net");

    let mut other = bytes.clone();
    let end = other.len();
    other[end - 4..].copy_from_slice(&[0, 0, 1, 0]);
    for (name, bytes, why) in [
        ("damaged", &other[..], "checksum"),
        ("cut", &bytes[..end - 1], "bytes of weights"),
        ("foreign", b"no net\n", "first line"),
        ("empty", b"", "first line"),
    ] {
        std::fs::write(path(name), bytes).unwrap();
        let error = engine.refused(&format!("setoption name EvalFile value {}", path(name)));
        assert!(error.contains(why), "{error}");
        assert_eq!(engine.ask("eval"), built_in);
    }
    for name in ["nothing", "."] {
        engine.refused(&format!("setoption name EvalFile value {}", path(name)));
    }
    engine.send(&format!("setoption name EvalFile value {net}"));
    assert_eq!(engine.ask("eval"), built_in);
    // It judges its own profile alone.
    engine.send("setoption name UCI_Variant value kisolo");
    let kisolo = engine.ask("eval");
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(engine.ask("eval"), kisolo);
}

#[test]
fn scores_come_with_chances_when_asked_for() {
    let mut engine = Process::start();
    engine.send("position startpos\ngo depth 5");
    assert!(engine.until("bestmove ").iter().all(|line| !line.contains(" wdl ")));
    engine.send("setoption name UCI_ShowWDL value true\ngo depth 5");
    for line in engine.until("bestmove ").iter().filter(|line| line.contains(" score ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").unwrap();
        let chances = words[at + 1..at + 4].iter().map(|word| word.parse::<u32>().unwrap());
        assert_eq!(chances.sum::<u32>(), 1000);
    }
}
