//! What clients must not do.

use kisolo::record::GameRecord;
use serde_json::{Value, json};
use tungstenite::Message;

use super::{Client, ENGINE, FRIEND, Server, YOU, key, table};

#[test]
fn only_legal_moves_of_the_mover_count() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, FRIEND));
    let mut south = server.join(&opened, "token");
    for (mv, part) in [
        ("a2", "not legal"),
        ("a4", "not a pit of South"),
        ("z9", "no move"),
        ("", "no move"),
        ("<script>", "no move"),
        ("@3,3,3,3,3,3,3,0,0,0,0,0,0,0", "set-up is not legal"),
    ] {
        south.refused(&json!({"t": "move", "ply": 0, "move": mv}), part);
    }
    south.refused(&json!({"t": "move", "ply": 1, "move": "a1"}), "ply 1 has passed");
    south.make("a1");
    south.until_state(|state| state["ply"] == 1);
    south.refused(&json!({"t": "move", "ply": 0, "move": "a1"}), "ply 0 has passed");
    south.refused(&json!({"t": "move", "ply": 1, "move": "g4"}), "it is North's turn");
    south.refused(&json!({"t": "undo", "ply": 0}), "has passed");
    south.refused(&json!({"t": "undo", "ply": 1, "answer": "accept"}), "nobody asks");
    let mut stranger = server.connect();
    stranger.refused(&json!({"t": "move", "ply": 1, "move": "g4"}), "join a table first");
    assert_eq!(south.state["ply"], 1);
}

#[test]
fn keys_are_for_what_they_are_for() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, FRIEND));
    let [token, invite, watch] = ["token", "invite", "watch"].map(|kind| key(&opened, kind));
    let other = server.open(table("kisolo", YOU, ENGINE));
    let mut client = server.connect();
    let mut refused = |fields: Value, part: &str| {
        let mut message = json!({"t": "join", "table": opened["table"]});
        message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        client.refused(&message, part);
    };
    let wrong = "no such table, or the link is not right";
    refused(json!({"token": watch}), wrong);
    refused(json!({"token": invite}), wrong);
    refused(json!({"token": key(&other, "token")}), wrong);
    refused(json!({"token": token[..31]}), wrong);
    refused(json!({"token": ""}), wrong);
    refused(json!({"watch": token}), wrong);
    refused(json!({"invite": watch}), "does not count");
    refused(json!({"table": "nowhere", "token": token}), wrong);
    refused(json!({}), "one of token, invite and watch");
    refused(json!({"token": token, "watch": watch}), "one of token, invite and watch");
    refused(json!({"invite": invite, "name": "x".repeat(41)}), "at most 40");
    // None of this has used up the invitation.
    let north = server.join(&opened, "invite");
    assert_eq!(north.seat["side"], "north");
}

#[test]
fn spectators_look_on() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, ENGINE));
    let mut watchers: Vec<Client> = (0..12).map(|_| server.join(&opened, "watch")).collect();
    let mut last = server.connect();
    let join = json!({"t": "join", "table": opened["table"], "watch": key(&opened, "watch")});
    last.refused(&join, "12 spectators");
    let watcher = &mut watchers[0];
    for message in [
        json!({"t": "move", "ply": 0, "move": "a1"}),
        json!({"t": "undo", "ply": 0}),
        json!({"t": "resign"}),
        json!({"t": "draw", "answer": "offer"}),
        json!({"t": "rematch"}),
    ] {
        watcher.refused(&message, "spectators look on");
    }
    watcher.refused(&json!({"t": "hint"}), "for the side to move");
}

#[test]
fn floods_long_frames_and_binary_end_the_connection() {
    let server = Server::start(&[]);
    let mut flood = server.connect();
    let look = Message::text(r#"{"t":"stop"}"#);
    for _ in 0..400 {
        if flood.send_frame(look.clone()).is_err() {
            break;
        }
    }
    let end = loop {
        if let Err(end) = flood.read() {
            break end;
        }
    };
    // The word may be lost when the client goes on writing.
    assert!(end.contains("1008") || end.to_lowercase().contains("reset"), "{end}");
    let mut long = server.connect();
    let _ = long.send_frame(Message::text("x".repeat(1 << 20)));
    assert!(long.read().is_err());
    let mut binary = server.connect();
    binary.send_frame(Message::binary(vec![0; 10])).unwrap();
    assert_eq!(binary.read(), Err("closed 1003".to_owned()));
    // What is no request is refused in words.
    let mut client = server.connect();
    for text in ["", "{", "[]", r#"{"t":"fly"}"#, &"[".repeat(16_000)] {
        client.send_frame(Message::text(text)).unwrap();
        assert!(client.until("error")["message"].is_string());
    }
}

#[test]
fn other_pages_and_names_are_refused() {
    let server = Server::start(&[]);
    assert!(Client::connect(&server.address, "https://evil.example").is_err());
    assert!(Client::connect(&server.address, "null").is_err());
    assert!(Client::connect(&server.address, "").is_err());
    let (status, _, _) = server.request("GET /", &["Host: evil.example"], b"");
    assert_eq!(status, 421);
    let origin = ["Origin: https://evil.example"];
    let (status, _, _) = server.request("POST /api/tables", &origin, b"{}");
    assert_eq!(status, 403);
}

#[test]
fn every_answer_has_a_strict_policy() {
    let server = Server::start(&[]);
    for path in ["/", "/learn", "/style.css", "/app/app.js", "/api/choices", "/nothing"] {
        let (status, head, body) = server.request(&format!("GET {path}"), &[], b"");
        assert_eq!(status, if path == "/nothing" { 404 } else { 200 }, "{path}");
        let head = head.to_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"));
        assert!(head.contains("x-content-type-options: nosniff"));
        assert!(!body.is_empty());
        if status == 200 && head.contains("text/html") {
            assert!(!body.contains(" style=") && !body.contains(" onclick="), "{path}");
        }
    }
    assert_eq!(server.request("GET /../Cargo.toml", &[], b"").0, 404);
    assert_eq!(server.request("POST /", &[], b"").0, 405);
}

#[test]
fn bad_tables_are_refused_in_words() {
    let server = Server::start(&[]);
    let with = |field: &str, value: Value| {
        let mut asked = table("kisolo", YOU, ENGINE);
        asked[field] = value;
        asked
    };
    for (asked, part) in [
        (with("profile", json!("chess")), "no profile"),
        (with("start", json!("nowhere")), "three fields"),
        (with("clock", json!({"base_ms": 1})), "base_ms is"),
        (with("clock", json!({"base_ms": 5000, "increment_ms": 9_999_999})), "increment_ms is"),
        (with("north", json!({"kind": "engine", "engine": "rm -rf /"})), "no such engine"),
        (with("north", json!({"kind": "engine", "engine": "kisolo", "level": 450})), "steps of"),
        (with("north", json!({"kind": "engine", "engine": "kisolo", "level": 9900})), "level of"),
        (with("north", json!({"kind": "engine", "engine": "kisolo", "move_ms": 1})), "move_ms"),
        (with("north", json!({"kind": "engine", "engine": "kisolo", "cmd": "sh"})), "cmd"),
        (with("north", json!({"kind": "you", "name": "a\nb"})), "one line"),
        (with("south", json!({"kind": "friend"})), "needs you"),
        (with("extra", json!(1)), "extra"),
        (json!([]), "invalid"),
    ] {
        let (status, answer) = server.post("/api/tables", &asked);
        assert_eq!(status, 400, "{asked}");
        let message = answer["message"].as_str().unwrap();
        assert!(message.contains(part), "{asked}: {message}");
    }
    assert_eq!(server.post("/api/tables", &json!("x".repeat(20_000))).0, 413);
}

#[test]
fn records_are_replayed_or_refused() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, ENGINE));
    let mut client = server.join(&opened, "token");
    client.make("a1");
    client.until_state(|state| state["ply"] == 2);
    client.send(&json!({"t": "resign"}));
    client.until_state(|state| !state["result"].is_null());
    let text = std::fs::read_to_string(server.records()).unwrap();
    let mut record: GameRecord = serde_json::from_str(text.trim()).unwrap();
    record.moves[1].text = "a1".to_owned();
    let body = format!("{text}{}\nrubbish\n", serde_json::to_string(&record).unwrap());
    let (status, _, answer) = server.request("POST /api/records", &[], body.as_bytes());
    assert_eq!(status, 200);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["games"][0]["moves"].as_array().unwrap().len(), 2);
    assert_eq!(answer["games"][0]["error"], Value::Null);
    assert_eq!(answer["games"][1]["moves"].as_array().unwrap().len(), 1);
    assert!(answer["games"][1]["error"].as_str().unwrap().contains("move 2"));
    assert!(answer["errors"][0].as_str().unwrap().contains("line 3"));
    let (status, _, _) = server.request("POST /api/records", &[], &vec![b'x'; 9 << 20]);
    assert!(matches!(status, 413 | 0), "{status}");
}
