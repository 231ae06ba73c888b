use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::record::{FORMAT, GameRecord, MoveRecord, Player, Reason};
use crate::rules::{Game, GameResult, Move, Profile};

fn text(records: &[GameRecord]) -> String {
    let mut text = String::new();
    for record in records {
        write(record, &mut text).unwrap();
    }
    text
}

fn games(text: &str) -> Vec<Result<GameRecord, PgnError>> {
    read(text).collect()
}

fn game(text: &str) -> GameRecord {
    games(text).remove(0).unwrap()
}

fn error(text: &str) -> String {
    games(text).remove(0).unwrap_err().to_string()
}

/// Plays the moves that the numbers choose, as far as the game goes on.
fn play(
    profile: Profile,
    start: usize,
    choices: &[(u8, MoveRecord)],
) -> (String, Game, Vec<MoveRecord>) {
    let names = profile.start_names();
    let start = profile.start(names[start % names.len()]).unwrap();
    let mut game = Game::new(profile, start);
    let mut moves = Vec::new();
    for (choice, told) in choices {
        if game.result() != GameResult::Ongoing {
            break;
        }
        let text = if profile.set_up_due(game.position()) {
            "@3,3,3,3,3,3,3,0,0,0,0,0,0,0".to_owned()
        } else {
            let legal = profile.legal(game.position());
            let pit = legal.into_iter().nth(usize::from(*choice) % legal.len()).unwrap();
            profile.move_text(game.position(), Move::Sow(pit))
        };
        game.play(profile.parse_move(game.position(), &text).unwrap()).unwrap();
        moves.push(MoveRecord { text, ..told.clone() });
    }
    (profile.position_text(&start), game, moves)
}

fn told() -> impl Strategy<Value = MoveRecord> {
    let mate = prop::option::weighted(0.2, any::<i32>());
    let rest =
        (any::<Option<i32>>(), any::<Option<u32>>(), any::<Option<u64>>(), any::<Option<u64>>());
    (any::<bool>(), mate, rest).prop_map(|(book, mate, (cp, depth, nodes, ms))| {
        let cp = cp.filter(|_| mate.is_none());
        MoveRecord { text: String::new(), book, cp, mate, depth, nodes, ms }
    })
}

fn words() -> impl Strategy<Value = String> {
    r#"[ -~äß世\\"'\]]{0,12}"#
}

fn player() -> impl Strategy<Value = Player> {
    let options = prop::collection::btree_map(r#"[ -<>-~]{1,8}"#, words(), 0..3);
    (words(), prop::option::of(words()), options, words())
        .prop_map(|(name, engine, options, limit)| Player { name, engine, options, limit })
}

prop_compose! {
    fn record()(
        profile in 0..4_usize,
        start in 0..3_usize,
        choices in prop::collection::vec((any::<u8>(), told()), 0..40),
        (event, note) in (words(), prop::option::of(words())),
        numbers in any::<[u64; 3]>(),
        date in prop::sample::select(vec!["", "2026-01-02T03:04:05Z", "some day", "2026-01-02"]),
        (south, north) in (player(), player()),
        south_wins in any::<bool>(),
        fault in prop::sample::select(vec![Reason::Time, Reason::Crash, Reason::ResignByScore]),
    ) -> GameRecord {
        let profile = Profile::ALL[profile];
        let (start, game, moves) = play(profile, start, &choices);
        let decided = RecordedResult::of(game.result());
        let by_rules = |result| match result {
            RecordedResult::Draw => Reason::EndlessTurn,
            _ => Reason::Rules,
        };
        let undecided = if south_wins { RecordedResult::South } else { RecordedResult::North };
        GameRecord {
            format: FORMAT,
            event,
            game: numbers[0],
            opening: numbers[1],
            seed: numbers[2],
            date: date.to_owned(),
            profile: profile.name().to_owned(),
            start,
            south,
            north,
            moves,
            result: decided.unwrap_or(undecided),
            reason: decided.map_or(fault, by_rules),
            note,
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(records in prop::collection::vec(record(), 1..4)) {
        let text = text(&records);
        let moves = |line: &&str| !line.starts_with('[');
        prop_assert!(text.lines().filter(moves).all(|line| line.chars().count() <= 80));
        let crlf = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        for text in [text, crlf] {
            let read: Vec<GameRecord> = read(&text).map(Result::unwrap).collect();
            prop_assert_eq!(&read, &records);
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in r#"([ -~\n]|\[|\]|"|\{|\}|\(|\)|;|a1 |1-0|\$|\\){0,200}"#) {
        let _ = read(&text).count();
    }
}

#[test]
fn a_game_is_written_like_this() {
    let player = |name: &str| Player {
        name: name.to_owned(),
        engine: Some("kisolo 1".to_owned()),
        options: BTreeMap::from([("Hash".to_owned(), "64".to_owned())]),
        limit: "tc=1+0.01".to_owned(),
    };
    let book =
        |text: &str| MoveRecord { text: text.to_owned(), book: true, ..MoveRecord::default() };
    let told = |text: &str, cp, mate| MoveRecord {
        text: text.to_owned(),
        cp,
        mate,
        depth: Some(9),
        nodes: Some(1234),
        ms: Some(50),
        ..MoveRecord::default()
    };
    let record = GameRecord {
        format: FORMAT,
        event: "test".to_owned(),
        game: 3,
        opening: 2,
        seed: 7,
        date: "2026-01-02T03:04:05Z".to_owned(),
        profile: "kisolo".to_owned(),
        start: "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 N -".to_owned(),
        south: player("a"),
        north: player("b \"the second\""),
        moves: vec![book("g4"), told("a1", Some(-5), None), told("g4", None, Some(-2))],
        result: RecordedResult::South,
        reason: Reason::Time,
        note: None,
    };
    let want = r#"[Event "test"]
[Site "?"]
[Date "2026.01.02"]
[Round "3"]
[White "a"]
[Black "b \"the second\""]
[Result "1-0"]
[UTCTime "03:04:05"]
[South "a"]
[North "b \"the second\""]
[Variant "kisolo"]
[SetUp "1"]
[FEN "3,3,3,3,3,3,3/0,0,0,0,0,0,0/0,0,0,0,0,0,0/3,3,3,3,3,3,3 N -"]
[Opening "2"]
[Seed "7"]
[Termination "time"]
[TimeControl "tc=1+0.01"]
[WhiteEngine "kisolo 1"]
[WhiteOptions "Hash=64"]
[BlackEngine "kisolo 1"]
[BlackOptions "Hash=64"]

1... g4 {book} 2. a1 {-0.05/9 1234n 0.050s} g4 {-M2/9 1234n 0.050s} 1-0

"#;
    assert_eq!(text(&[record]), want);
}

#[test]
fn foreign_texts_are_understood() {
    let text = "\u{feff}% a generator's line\r\n[White \"x\"]\r\n[Black \"y\"]\r\n[Strange \"?\"]\r\n\
                \r\n{before {nested} all} 1.a1! $14 (1. b1 (1. c1 {no}) e4) g4?! ; the rest\r\n\
                2 b1 {+0.35/12 0.5s} {and words} 0-1 {after}\r\n";
    let record = game(text);
    let moves: Vec<&str> = record.moves.iter().map(|mv| mv.text.as_str()).collect();
    assert_eq!(moves, ["a1", "g4", "b1"]);
    assert_eq!((record.moves[2].cp, record.moves[2].ms), (Some(35), Some(500)));
    assert_eq!((record.south.name.as_str(), record.north.name.as_str()), ("x", "y"));
    assert_eq!((record.reason, record.game), (Reason::ResignByScore, 1));
    assert_eq!(games(text).len(), 1);
    assert_eq!(
        game("[FEN \"startpos2\"]\n[Termination \"time forfeit\"]\n1-0").reason,
        Reason::Time
    );
}

#[test]
fn what_is_wrong_is_named_with_game_and_line() {
    let cases = [
        ("1. a1\n*", "game 1, line 2: the game has no result, '*'"),
        ("1. a1\ng4 a2 1-0", "game 1, line 2: move 3 'a2'"),
        ("[White x]\n1-0", "game 1, line 1: a tag is"),
        ("[Result \"1-0\"]\n\n1. a1 0-1", "game 1, line 1: the tag Result and"),
        ("[Result \"?\"]\n\n1. a1", "game 1, line 1: '?' is no result"),
        ("1. a1", "game 1, line 1: the game has no result"),
        ("\n{a\n{b} 1-0", "game 1, line 2: a comment without its end"),
        ("\n\n[Variant \"chess\"] \n1-0", "game 1, line 3: 'chess' is no profile"),
        ("[FEN \"8/8 w\"]\n1-0", "game 1, line 1: a position has three fields"),
        ("a1 ) 1-0", "game 1, line 1: a variation ends"),
        ("[Termination \"rules\"]\na1\n1-0", "game 1, line 2: the record says South by rules, but"),
        ("[WhiteOptions \"'a\"]\n1-0", "game 1, line 1: WhiteOptions"),
    ];
    for (text, want) in cases {
        let error = error(text);
        assert!(error.starts_with(want), "{text}: {error}");
    }
    let text =
        "[White \"x\"]\na1 z9 1-0\n[White \"x\"]\n*\n[White \"x\"]\na1 1-0\n[White \"x\"]\nb1 0-1";
    let read = games(text);
    assert_eq!(read.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, false, true, true]);
    assert_eq!(read[1].as_ref().unwrap_err().game, 2);
}
