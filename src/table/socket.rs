//! One WebSocket: frames in, within limits, and frames out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use tokio::sync::mpsc::{Sender, channel};
use tokio::time::{interval, timeout};

use super::hall::{Hall, Shared, lock};
use super::limits::{OUTBOX, PING, REQUESTS_AT_ONCE, REQUESTS_PER_SECOND, SEND_PATIENCE};
use super::message::{Reply, Request, Understood};
use super::rate::Bucket;
use super::seats::{Role, Viewer};
use super::study::{Study, look};
use super::wishes::is_open_to_analysis;

/// Why a connection is closed by the server.
type Closing = (u16, &'static str);

/// Speaks with a client until either side ends it.
pub async fn serve(hall: Arc<Hall>, mut socket: WebSocket) {
    let (outbox, mut messages) = channel(OUTBOX);
    let mut guest = Guest { hall, outbox, at: None, study: None, hinting: Arc::default() };
    let mut bucket = Bucket::new(REQUESTS_PER_SECOND, REQUESTS_AT_ONCE);
    let mut ping = interval(PING);
    loop {
        let message = tokio::select! {
            frame = socket.recv() => match guest.hear(frame, &mut bucket) {
                Ok(()) => continue,
                Err(None) => break,
                Err(Some((code, reason))) => {
                    let close = CloseFrame { code, reason: reason.into() };
                    let _ = timeout(SEND_PATIENCE, socket.send(Message::Close(Some(close)))).await;
                    break;
                }
            },
            Some(text) = messages.recv() => Message::Text(text),
            _ = ping.tick() => Message::Ping(Default::default()),
        };
        match timeout(SEND_PATIENCE, socket.send(message)).await {
            Ok(Ok(())) => {}
            // Who does not read is let go.
            _ => break,
        }
        if guest.is_dropped() {
            let close = CloseFrame { code: close_code::AGAIN, reason: "come again".into() };
            let _ = timeout(SEND_PATIENCE, socket.send(Message::Close(Some(close)))).await;
            break;
        }
    }
    guest.leave();
    guest.end_study();
}

/// Who is at the other end.
struct Guest {
    hall: Arc<Hall>,
    outbox: Sender<Utf8Bytes>,
    /// The table, and the number as a viewer there.
    at: Option<(Shared, u64)>,
    study: Option<Arc<AtomicBool>>,
    /// A hint is on its way.
    hinting: Arc<AtomicBool>,
}

impl Guest {
    /// Takes a frame. An error ends the connection, with a word if it is the
    /// client's fault.
    fn hear(
        &mut self,
        frame: Option<Result<Message, axum::Error>>,
        bucket: &mut Bucket,
    ) -> Result<(), Option<Closing>> {
        let frame = match frame {
            None => return Err(None),
            Some(Err(_)) => return Err(Some((close_code::SIZE, "no frame, or too long a one"))),
            Some(Ok(frame)) => frame,
        };
        if !bucket.take(Instant::now()) {
            return Err(Some((close_code::POLICY, "too many requests")));
        }
        match frame {
            Message::Text(text) => self.answer(&text),
            Message::Binary(_) => return Err(Some((close_code::UNSUPPORTED, "text only"))),
            Message::Close(_) => return Err(None),
            Message::Ping(_) | Message::Pong(_) => {}
        }
        Ok(())
    }

    fn answer(&mut self, text: &str) {
        let Understood { kind, id, request } = Understood::read(text);
        let done = request.and_then(|request| self.act(request, id));
        if let Err(message) = done {
            // A full outbox ends the connection by itself.
            let to = kind.as_deref();
            let _ = self.outbox.try_send(Reply::Error { to, id, message: &message }.frame());
        }
    }

    fn act(&mut self, request: Request, id: Option<u32>) -> Result<(), String> {
        match request {
            Request::Join { table, token, invite, watch, name } => {
                self.join(&table, [token, invite, watch], name.as_deref())
            }
            Request::Hint {} => {
                let (table, viewer) = self.at.as_ref().ok_or("join a table first")?;
                self.hall.hint(table, *viewer, id, &self.hinting)
            }
            Request::Analyse { profile, position, lines } => {
                self.may_analyse()?;
                let study = Study::new(&profile, &position, lines, id)?;
                self.end_study();
                self.study = Some(study.begin(&self.hall, self.outbox.clone()));
                Ok(())
            }
            Request::Stop {} => {
                self.end_study();
                Ok(())
            }
            Request::Look { profile, position } => {
                let looked = Box::new(look(&profile, &position, id));
                let _ = self.outbox.try_send(Reply::Looked(looked).frame());
                Ok(())
            }
            request => {
                let (table, viewer) = self.at.as_ref().ok_or("join a table first")?;
                let mut guard = lock(table);
                guard.act(*viewer, request)?;
                self.hall.settle(table, &mut guard);
                Ok(())
            }
        }
    }

    fn join(
        &mut self,
        id: &str,
        keys: [Option<String>; 3],
        name: Option<&str>,
    ) -> Result<(), String> {
        // One word for an unknown table and a wrong key: neither is told apart.
        let refused = "there is no such table, or the link is not right";
        let shared = self.hall.table(id).ok_or(refused)?;
        let viewer = self.hall.number();
        {
            let mut table = lock(&shared);
            let mut taken = false;
            let role = match keys {
                [Some(token), None, None] => table.role_of(&token).ok_or(refused)?,
                [None, Some(invite), None] => {
                    taken = true;
                    table.take_seat(&invite, name)?
                }
                [None, None, Some(watch)] if table.watch.is(&watch) => Role::Watch,
                [None, None, Some(_)] => return Err(refused.to_owned()),
                _ => return Err("join takes one of token, invite and watch".to_owned()),
            };
            table.enter(Viewer { id: viewer, role, outbox: self.outbox.clone() })?;
            if taken {
                self.hall.settle(&shared, &mut table);
            }
            self.hall.arrived(&shared, &mut table);
        }
        self.leave();
        self.at = Some((shared, viewer));
        Ok(())
    }

    /// Players of a serious game in progress get no advice here.
    fn may_analyse(&self) -> Result<(), String> {
        let Some((table, viewer)) = &self.at else { return Ok(()) };
        let table = lock(table);
        let plays = table.role(*viewer).is_some_and(|role| role != Role::Watch);
        if plays && !is_open_to_analysis(&table.play) {
            return Err("analysis waits until the game is over".to_owned());
        }
        Ok(())
    }

    /// Whether the table has let this viewer go, because it was closed or the
    /// messages were not read in time.
    fn is_dropped(&self) -> bool {
        self.at.as_ref().is_some_and(|(table, viewer)| lock(table).role(*viewer).is_none())
    }

    fn leave(&mut self) {
        if let Some((table, viewer)) = self.at.take() {
            lock(&table).leave(viewer);
        }
    }

    fn end_study(&mut self) {
        if let Some(study) = self.study.take() {
            study.store(true, Relaxed);
        }
    }
}
