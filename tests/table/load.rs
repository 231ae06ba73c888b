//! The load that the server is to bear; `docs/TABLE.md` has the figure.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Server, YOU, table};

/// Tables at once.
const TABLES: usize = 200;
/// Moves of each person.
const MOVES: usize = 12;
/// A person thinks at least so long.
const THOUGHT: Duration = Duration::from_millis(500);

/// Two hundred people play against a low level, all at once; each answer to a
/// move is timed, from the move to the state that has it.
#[test]
#[ignore = "a measurement: 200 tables at once"]
fn two_hundred_tables_at_once() {
    let mut server = Server::start(&[]);
    let engine = r#"{"kind":"engine","engine":"kisolo","level":400}"#;
    let times: Mutex<Vec<Duration>> = Mutex::new(Vec::new());
    let replies: Mutex<Vec<Duration>> = Mutex::new(Vec::new());
    let ends: Mutex<Vec<(Value, Value)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for person in 0..TABLES {
            let (server, times, replies, ends) = (&server, &times, &replies, &ends);
            scope.spawn(move || {
                let opened = server.open(table("kisolo", YOU, engine));
                let mut client = server.join(&opened, "token");
                thread::sleep(THOUGHT * person as u32 / TABLES as u32);
                for _ in 0..MOVES {
                    if client.is_over() {
                        client.send(&json!({"t": "rematch"}));
                        client.until_state(|state| state["result"].is_null());
                        client.until_state(|state| state["turn"] == client_side(state));
                    }
                    let (ply, mv) = (client.ply(), client.some_move());
                    let began = Instant::now();
                    client.make(&mv);
                    client.until_state(|state| state["ply"] != ply);
                    times.lock().unwrap().push(began.elapsed());
                    let side = client.seat["side"].clone();
                    client.until_state(|state| state["turn"] == side || state["turn"].is_null());
                    replies.lock().unwrap().push(began.elapsed());
                    // Nothing that was acknowledged is lost.
                    assert_eq!(client.state["moves"][ply as usize]["move"], mv.as_str());
                    thread::sleep(THOUGHT);
                }
                ends.lock().unwrap().push((opened, client.state["moves"].clone()));
            });
        }
    });
    // Neither when the server is killed.
    server.kill();
    server.restart();
    let ends = ends.into_inner().unwrap();
    assert_eq!(ends.len(), TABLES);
    for (opened, moves) in &ends {
        assert_eq!(server.join(opened, "token").state["moves"], *moves);
    }
    for (name, times) in [("answer of the server", times), ("reply of the engine", replies)] {
        let mut times = times.into_inner().unwrap();
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let (median, most) = (at(0.5), at(0.99));
        println!("{name}: {} moves, median {median:.1?}, 99% {most:.1?}", times.len());
        assert_eq!(times.len(), TABLES * MOVES);
    }
}

/// The side of the person: the one that is no engine.
fn client_side(state: &Value) -> &'static str {
    if state["seats"]["south"]["kind"] == "person" { "south" } else { "north" }
}
