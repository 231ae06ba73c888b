//! Two people at a table, those who watch, and a server that goes down.

use serde_json::{Value, json};

use super::{ENGINE, FRIEND, Server, YOU, key, table};

#[test]
fn a_game_of_two_by_invitation() {
    let server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, FRIEND));
    let mut south = server.join(&opened, "token");
    assert_eq!(south.state["seats"]["north"]["kind"], "open");
    assert_eq!(south.state["invite"], opened["invite"]);
    let mut watcher = server.join(&opened, "watch");
    assert!(watcher.state["invite"].is_null(), "the invitation is not for spectators");
    let invite = key(&opened, "invite");
    let mut north = server.connect();
    north.send(&json!({"t": "join", "table": opened["table"], "invite": invite, "name": "Ama"}));
    north.until("state");
    assert_eq!(north.seat["side"], "north");
    let token = north.seat["token"].as_str().unwrap().to_owned();
    assert_ne!(token, opened["token"].as_str().unwrap());
    // It counts once.
    let mut late = server.connect();
    late.refused(&json!({"t": "join", "table": opened["table"], "invite": invite}), "not count");
    south.until_state(|state| state["seats"]["north"]["name"] == "Ama");
    assert!(south.state["invite"].is_null());

    south.make("a1");
    north.until_state(|state| state["ply"] == 1);
    // The page is loaded again: nothing is lost.
    drop(north);
    let away = south.until("presence");
    assert_eq!(away["seats"]["north"], false);
    let mut north = server.connect();
    north.send(&json!({"t": "join", "table": opened["table"], "token": token}));
    north.until_state(|state| state["ply"] == 1);
    north.make("g4");
    south.until_state(|state| state["ply"] == 2);
    watcher.until_state(|state| state["ply"] == 2);

    south.send(&json!({"t": "undo", "ply": 2}));
    north.until_state(|state| state["undo_asked"] == "south");
    north.send(&json!({"t": "undo", "ply": 2, "answer": "accept"}));
    south.until_state(|state| state["ply"] == 0);

    south.send(&json!({"t": "draw", "answer": "offer"}));
    north.until_state(|state| state["offer"] == "south");
    north.send(&json!({"t": "draw", "answer": "decline"}));
    south.until_state(|state| state["offer"].is_null());
    south.refused(&json!({"t": "draw", "answer": "offer"}), "once in two moves");
    south.make("b1");
    north.until_state(|state| state["ply"] == 1);
    north.send(&json!({"t": "draw", "answer": "offer"}));
    south.until_state(|state| state["offer"] == "north");
    south.send(&json!({"t": "draw", "answer": "accept"}));
    watcher.until_state(|state| state["result"]["reason"] == "draw-agreed");

    south.send(&json!({"t": "rematch"}));
    north.until_state(|state| state["rematch"] == "south");
    north.send(&json!({"t": "rematch"}));
    north.until_state(|state| state["game"] == 2);
    assert_eq!(north.seat["side"], "south");
}

#[test]
fn clocks_run_from_the_second_move_and_end_the_game() {
    let server = Server::start(&[]);
    let mut asked = table("kisolo", YOU, YOU);
    asked["clock"] = json!({"base_ms": 1000, "increment_ms": 0});
    let mut client = server.join(&server.open(asked), "token");
    assert!(client.state["clock"]["running"].is_null());
    client.make("a1");
    client.until_state(|state| state["ply"] == 1);
    assert_eq!(client.state["clock"]["running"], "north");
    assert_eq!(client.state["clock"]["south_ms"], 1000);
    client.until_state(|state| !state["result"].is_null());
    assert_eq!(client.state["result"]["winner"], "south");
    assert_eq!(client.state["result"]["reason"], "time");
}

/// The moves of a state.
fn moves(state: &Value) -> Vec<String> {
    let moves = state["moves"].as_array().unwrap();
    moves.iter().map(|mv| mv["move"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn tables_survive_every_end_of_the_server() {
    let mut server = Server::start(&[]);
    let opened = server.open(table("kisolo", YOU, ENGINE));
    let mut asked = table("isolo", YOU, YOU);
    asked["clock"] = json!({"base_ms": 3_600_000, "increment_ms": 0});
    let other = server.open(asked);
    let mut client = server.join(&opened, "token");
    let mut second = server.join(&other, "token");
    for _ in 0..2 {
        let ply = client.ply();
        let mv = client.some_move();
        client.make(&mv);
        client.until_state(|state| state["ply"] == ply + 2);
    }
    second.make("a1");
    second.until_state(|state| state["ply"] == 1);
    let before = moves(&client.state);
    server.interrupt();
    server.restart();
    let mut client = server.join(&opened, "token");
    assert_eq!(moves(&client.state), before);
    let mv = client.some_move();
    client.make(&mv);
    client.until_state(|state| state["ply"] == 6);
    let before = moves(&client.state);
    server.kill();
    server.restart();
    let client = server.join(&opened, "token");
    assert_eq!(moves(&client.state), before);
    // The clock goes on when its owner is back.
    let mut second = server.join(&other, "token");
    second.until_state(|state| state["clock"]["running"] == "north");
    assert!(second.state["clock"]["north_ms"].as_u64() > Some(3_500_000));
    let watcher = server.join(&opened, "watch");
    assert_eq!(watcher.seat["side"], "watch");
}

#[test]
fn a_table_whose_engine_is_gone_says_so() {
    let mut server = Server::start(&["--engine", "name=other", "proto=ugi"]);
    let opened = server.open(table("kisolo", YOU, r#"{"kind":"engine","engine":"other"}"#));
    assert_eq!(server.join(&opened, "token").state["seats"]["north"]["present"], true);
    server.interrupt();
    server.arguments.clear();
    server.restart();
    let mut client = server.join(&opened, "token");
    assert_eq!(client.state["seats"]["north"]["present"], false);
    // The game waits, and can be given up.
    client.send(&json!({"t": "resign"}));
    client.until_state(|state| state["result"]["winner"] == "north");
}
