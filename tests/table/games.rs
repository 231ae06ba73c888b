//! Games with engines: whole ones, and what may happen on the way.

use kisolo::record::{Reason, RecordReader};
use serde_json::json;

use super::{ENGINE, Server, YOU, table};

#[test]
fn a_whole_game_against_an_engine() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, ENGINE));
    let mut client = server.join(&opened, "token");
    assert_eq!(client.seat["side"], "south");
    assert_eq!(client.seat["token"], opened["token"]);
    assert_eq!(client.state["seats"]["north"]["level"], 400);
    client.play_out("south");
    let moves = client.state["moves"].as_array().unwrap().clone();
    // Each turn begins where the one before ended.
    for (number, pair) in moves.windows(2).enumerate() {
        assert_ne!(pair[0]["side"], pair[1]["side"], "move {number}");
    }
    assert_eq!(moves.last().unwrap()["trace"]["after"], client.state["position"]);
    let (_, record) = RecordReader::open(&server.records()).unwrap().next().unwrap();
    let record = record.unwrap();
    record.verify().unwrap();
    assert_eq!(record.moves.len(), moves.len());
    assert_eq!(record.north.name, "kisolo 400");
    assert_eq!(record.north.limit, "st=0.1");
    assert!(record.north.engine.unwrap().starts_with("kisolo "));
    assert_eq!(client.state["result"]["reason"], record.reason.word());
}

#[test]
fn two_engines_play_while_somebody_watches() {
    let server = Server::start(&[]);
    for profile in ["kisolo-full", "isolo"] {
        let opened = server.open(table(profile, ENGINE, ENGINE));
        assert!(opened["token"].is_null() && opened["invite"].is_null());
        let mut watcher = server.join(&opened, "watch");
        assert_eq!(watcher.seat["side"], "watch");
        let thought = watcher.until("thinking");
        assert!(thought["pv"][0].is_string() && !thought["score"].is_null(), "{thought}");
        watcher.until_state(|state| state["ply"].as_u64() > Some(6));
    }
}

#[test]
fn a_foreign_engine_plays_and_its_faults_lose() {
    let mock = crate::arena::mock();
    let engine = format!("cmd='{}' mode=illegal at=2", mock.display());
    let server =
        Server::start(&["--engine", "name=mock", &engine, "--engine", "name=ugi", "proto=ugi"]);
    let (_, _, choices) = server.request("GET /api/choices", &[], b"");
    assert!(choices.contains(r#""engines":["kisolo","mock","ugi"]"#), "{choices}");
    let mock = r#"{"kind":"engine","engine":"mock"}"#;
    let opened = server.open(table("kisolo", YOU, mock));
    let mut client = server.join(&opened, "token");
    client.play_out("south");
    assert_eq!(client.state["result"]["winner"], "south");
    assert_eq!(client.state["result"]["reason"], Reason::IllegalMove.word());
    let ugi = r#"{"kind":"engine","engine":"ugi","move_ms":50}"#;
    let opened = server.open(table("kisolo", ugi, YOU));
    let mut client = server.join(&opened, "token");
    client.until_state(|state| state["turn"] == "north");
}

#[test]
fn moves_are_taken_back() {
    let server = Server::start(&[]);
    let mut asked = table("kisolo", YOU, ENGINE);
    let opened = server.open(asked.clone());
    let mut client = server.join(&opened, "token");
    client.refused(&json!({"t": "undo", "ply": 0}), "no move to take back");
    client.make("c1");
    client.until_state(|state| state["ply"] == 2);
    client.send(&json!({"t": "undo", "ply": 2}));
    client.until_state(|state| state["ply"] == 0);
    assert_eq!(client.state["position"], client.state["start"]);
    // While the engine thinks, too: its answer is not wanted any more.
    client.make("a1");
    client.until_state(|state| state["ply"] == 1);
    client.send(&json!({"t": "undo", "ply": 1}));
    client.until("state");
    client.make("b1");
    client.until_state(|state| state["ply"] == 2);
    asked["casual"] = false.into();
    let mut client = server.join(&server.open(asked), "token");
    client.make("c1");
    client.until_state(|state| state["ply"] == 2);
    client.refused(&json!({"t": "undo", "ply": 2}), "casual tables only");
    client.refused(&json!({"t": "hint"}), "casual tables only");
    let look = json!({"t": "analyse", "profile": "kisolo", "position": "startpos", "lines": 1});
    client.refused(&look, "until the game is over");
}

#[test]
fn a_set_up_by_text_and_then_a_game() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo-free", YOU, ENGINE));
    let mut client = server.join(&opened, "token");
    assert_eq!(client.state["set_up_due"], true);
    assert_eq!(client.state["set_up_seeds"], 21);
    client.refused(&json!({"t": "move", "ply": 0, "move": "@21"}), "14 counts");
    client.refused(&json!({"t": "move", "ply": 0, "move": "a1"}), "a set-up is due");
    client.make("@3,3,3,3,3,3,0,0,0,0,1,1,1,0");
    client.until_state(|state| state["ply"] == 2);
    assert!(client.state["moves"][1]["move"].as_str().unwrap().starts_with('@'));
    assert_eq!(client.state["set_up_due"], false);
    let mv = client.some_move();
    client.make(&mv);
    client.until_state(|state| state["ply"] == 4 || !state["result"].is_null());
}

#[test]
fn draws_resignations_and_rematches() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, ENGINE));
    let mut client = server.join(&opened, "token");
    // The engine has not looked yet, so it does not agree.
    client.refused(&json!({"t": "draw", "answer": "offer"}), "declines");
    client.refused(&json!({"t": "draw", "answer": "accept"}), "nobody offers");
    client.refused(&json!({"t": "rematch"}), "goes on");
    client.send(&json!({"t": "resign"}));
    client.until_state(|state| !state["result"].is_null());
    assert_eq!(client.state["result"]["winner"], "north");
    assert_eq!(client.state["result"]["reason"], "resignation");
    client.refused(&json!({"t": "move", "ply": 0, "move": "a1"}), "over");
    client.send(&json!({"t": "rematch"}));
    client.until_state(|state| state["game"] == 2);
    assert_eq!(client.seat["side"], "north");
    assert_eq!(client.seat["token"], opened["token"]);
    client.until_state(|state| state["ply"] == 1);
    assert_eq!(client.turn(), "north");
}

#[test]
fn one_person_at_both_seats() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, YOU));
    let mut client = server.join(&opened, "token");
    assert_eq!(client.seat["side"], "both");
    client.make("a1");
    client.until_state(|state| state["ply"] == 1);
    client.send(&json!({"t": "undo", "ply": 1}));
    client.until_state(|state| state["ply"] == 0);
    client.play_out("both");
    assert_eq!(RecordReader::open(&server.records()).unwrap().count(), 1);
}

#[test]
fn hints_looks_and_analyses() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, ENGINE));
    let mut client = server.join(&opened, "token");
    client.send(&json!({"t": "hint", "id": 5}));
    let hint = client.until("hint");
    assert_eq!(hint["id"], 5);
    assert!(client.state["legal"][hint["move"].as_str().unwrap()].is_object());
    client.send(&json!({"t": "look", "profile": "isolo", "position": "startpos", "id": 6}));
    let looked = client.until("looked");
    assert_eq!((&looked["id"], &looked["columns"]), (&json!(6), &json!(8)));
    assert!(looked["legal"]["a1"]["steps"][0]["path"][0].is_string(), "{looked}");
    client.send(&json!({"t": "look", "profile": "kisolo", "position": "<b>"}));
    assert!(client.until("looked")["error"].is_string());
    let analyse = |lines: u32, id: u32| json!({"t": "analyse", "profile": "kisolo", "position": "startpos", "lines": lines, "id": id});
    client.refused(&analyse(9, 7), "1 to 5");
    client.send(&analyse(3, 8));
    let mut analysis = client.until("analysis");
    while analysis["lines"].as_array().unwrap().len() < 3 {
        analysis = client.until("analysis");
    }
    let line = &analysis["lines"][0];
    assert_eq!(line["pv"].as_array().unwrap().len(), line["after"].as_array().unwrap().len());
    client.send(&json!({"t": "stop"}));
    while analysis["done"] != true {
        analysis = client.until("analysis");
    }
    assert_eq!(analysis["id"], 8);
}
