//! `kisolo table` from the outside, as the page speaks with it.

mod games;
mod load;
mod safety;
mod shared;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

/// Nothing takes longer than this.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server in a folder of its own.
pub struct Server {
    child: Child,
    /// Host and port.
    pub address: String,
    folder: TempDir,
    arguments: Vec<String>,
}

impl Server {
    pub fn start(arguments: &[&str]) -> Self {
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let folder = tempfile::tempdir().unwrap();
        let (child, address) = Self::spawn(&folder, &arguments);
        Self { child, address, folder, arguments }
    }

    fn spawn(folder: &TempDir, arguments: &[String]) -> (Child, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kisolo"))
            .args(["table", "--port", "0", "--store"])
            .arg(folder.path().join("tables.sqlite"))
            .arg("--records")
            .arg(folder.path().join("games.jsonl"))
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let rest = line.split_once("http://").map(|(_, rest)| rest).unwrap_or_default();
        let address = rest.split('/').next().unwrap_or_default().to_owned();
        assert!(!address.is_empty(), "no address in {line:?}");
        (child, address)
    }

    /// Ends the server as Ctrl-C does.
    pub fn interrupt(&mut self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::INT).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }

    /// Starts it once more on the same files.
    pub fn restart(&mut self) {
        (self.child, self.address) = Self::spawn(&self.folder, &self.arguments);
    }

    /// Kills it, with no time for anything.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn records(&self) -> std::path::PathBuf {
        self.folder.path().join("games.jsonl")
    }

    /// A request over HTTP with further headers; the status, the headers and
    /// the body.
    pub fn request(&self, head: &str, headers: &[&str], body: &[u8]) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut text = format!("{head} HTTP/1.1\r\n");
        if !headers.iter().any(|header| header.starts_with("Host:")) {
            text += &format!("Host: {}\r\n", self.address);
        }
        headers.iter().for_each(|header| text += &format!("{header}\r\n"));
        text += &format!("Connection: close\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(text.as_bytes()).unwrap();
        // A server that refuses the head need not read the body.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        (status, head.to_owned(), body.to_owned())
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let body = serde_json::to_vec(body).unwrap();
        let head = format!("POST {path}");
        let kind = ["Content-Type: application/json"];
        let (status, _, body) = self.request(&head, &kind, &body);
        (status, serde_json::from_str(&body).unwrap_or_default())
    }

    /// A new table.
    pub fn open(&self, table: Value) -> Value {
        let (status, opened) = self.post("/api/tables", &table);
        assert_eq!(status, 200, "{table}: {opened}");
        opened
    }

    pub fn connect(&self) -> Client {
        Client::connect(&self.address, &format!("http://{}", self.address)).unwrap()
    }

    /// A client at a table, with one of its links or its token.
    pub fn join(&self, opened: &Value, kind: &str) -> Client {
        let mut client = self.connect();
        client.send(&json!({"t": "join", "table": opened["table"], kind: key(opened, kind)}));
        client.until("state");
        client
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The key in a link, or the token.
pub fn key(opened: &Value, kind: &str) -> String {
    let text = opened[kind].as_str().unwrap_or_else(|| panic!("no {kind} in {opened}"));
    text.rsplit('=').next().unwrap().to_owned()
}

pub const YOU: &str = r#"{"kind":"you"}"#;
pub const FRIEND: &str = r#"{"kind":"friend"}"#;
pub const ENGINE: &str = r#"{"kind":"engine","engine":"kisolo","level":400,"move_ms":100}"#;

/// A request for a table with these seats; more fields may be set.
pub fn table(profile: &str, south: &str, north: &str) -> Value {
    let [south, north] = [south, north].map(|seat| serde_json::from_str::<Value>(seat).unwrap());
    json!({"profile": profile, "south": south, "north": north})
}

/// A page that follows a table.
pub struct Client {
    socket: WebSocket<TcpStream>,
    /// The last state, with all its moves.
    pub state: Value,
    /// The last seat.
    pub seat: Value,
}

impl Client {
    pub fn connect(address: &str, origin: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        if !origin.is_empty() {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        let (socket, _) = tungstenite::client(request, stream).map_err(|e| e.to_string())?;
        Ok(Self { socket, state: Value::Null, seat: Value::Null })
    }

    pub fn send(&mut self, message: &Value) {
        self.send_frame(Message::text(message.to_string())).unwrap();
    }

    pub fn send_frame(&mut self, frame: Message) -> Result<(), String> {
        self.socket.send(frame).map_err(|error| error.to_string())
    }

    /// The next message, or how the connection ended.
    pub fn read(&mut self) -> Result<Value, String> {
        loop {
            match self.socket.read().map_err(|error| error.to_string())? {
                Message::Text(text) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    self.follow(&value);
                    return Ok(value);
                }
                Message::Close(frame) => {
                    let code = frame.map(|frame| u16::from(frame.code)).unwrap_or_default();
                    return Err(format!("closed {code}"));
                }
                _ => {}
            }
        }
    }

    fn follow(&mut self, message: &Value) {
        match message["t"].as_str() {
            Some("seat") => self.seat = message.clone(),
            Some("state") => {
                let from = message["from"].as_u64().unwrap() as usize;
                let old = self.state["moves"].as_array().cloned().unwrap_or_default();
                assert!(from <= old.len(), "moves are missing: from {from} of {}", old.len());
                let mut moves = old[..from].to_vec();
                moves.extend(message["moves"].as_array().unwrap().clone());
                assert_eq!(message["ply"], moves.len());
                self.state = message.clone();
                self.state["moves"] = Value::Array(moves);
            }
            _ => {}
        }
    }

    /// Reads on to a message of this kind.
    pub fn until(&mut self, kind: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let message = self.read().unwrap_or_else(|end| panic!("{end} before {kind}"));
            if message["t"] == kind {
                return message;
            }
            assert!(message["t"] != "error" || kind == "error", "{message}");
        }
        panic!("no {kind}");
    }

    /// Reads on until the state is as wanted.
    pub fn until_state(&mut self, wanted: impl Fn(&Value) -> bool) {
        while self.state.is_null() || !wanted(&self.state) {
            self.until("state");
        }
    }

    /// What the server answers to something that it must refuse.
    pub fn refused(&mut self, message: &Value, part: &str) {
        self.send(message);
        let error = self.until("error");
        let text = error["message"].as_str().unwrap();
        assert!(text.contains(part), "{message}: {text}");
        assert_eq!(error["to"], message["t"]);
    }

    pub fn ply(&self) -> u64 {
        self.state["ply"].as_u64().unwrap()
    }

    pub fn turn(&self) -> &str {
        self.state["turn"].as_str().unwrap_or_default()
    }

    pub fn is_over(&self) -> bool {
        !self.state["result"].is_null()
    }

    /// A legal move.
    pub fn some_move(&self) -> String {
        let legal = self.state["legal"].as_object().unwrap();
        let nth = self.ply() as usize % legal.len().max(1);
        legal.keys().nth(nth).unwrap().clone()
    }

    pub fn make(&mut self, mv: &str) {
        self.send(&json!({"t": "move", "ply": self.ply(), "move": mv}));
    }

    /// Plays on as `side` until the game is over.
    pub fn play_out(&mut self, side: &str) {
        while !self.is_over() {
            if self.turn() == side || side == "both" {
                let mv = self.some_move();
                self.make(&mv);
            }
            let ply = self.ply();
            self.until_state(|state| state["ply"] != ply || !state["result"].is_null());
        }
    }
}
