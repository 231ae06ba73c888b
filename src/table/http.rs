//! Requests over HTTP: the page, the choices, new tables, records, and the way
//! to the WebSocket.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::json;
use tokio::sync::Semaphore;

use super::engines::usual_levels;
use super::hall::Hall;
use super::limits::{FRAME_BYTES, RECORDS_AT_ONCE, RECORDS_BYTES, TABLE_BYTES};
use super::message::NewTable;
use super::page;
use super::replay::Replay;
use super::socket;
use crate::rules::Profile;

/// What every answer carries.
const HEADERS: [(HeaderName, &str); 4] = [
    (
        CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
];

/// What the handlers share.
#[derive(Clone, Debug)]
pub struct House {
    pub hall: Arc<Hall>,
    pub hosts: Arc<Hosts>,
    reading: Arc<Semaphore>,
}

/// The names that this server goes by.
#[derive(Debug)]
pub struct Hosts {
    /// Whether others than this machine may come.
    pub open: bool,
    /// Names that were given beside addresses and `localhost`.
    pub names: Vec<String>,
}

impl Hosts {
    /// Whether a `Host` header means this server. A page elsewhere whose name
    /// was bent to our address gives itself away by its name.
    fn know(&self, host: &str) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => host,
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            Ok(address) => self.open || address.is_loopback(),
            Err(_) => {
                let mut names = self.names.iter().map(String::as_str).chain(["localhost"]);
                names.any(|known| known.eq_ignore_ascii_case(name))
            }
        }
    }
}

/// All routes.
pub fn router(hall: Arc<Hall>, hosts: Hosts) -> Router {
    let reading = Arc::new(Semaphore::new(RECORDS_AT_ONCE));
    let house = House { hall, hosts: Arc::new(hosts), reading };
    Router::new()
        .route("/api/choices", get(choices))
        .route("/api/tables", post(open).layer(DefaultBodyLimit::max(TABLE_BYTES)))
        .route("/api/records", post(records).layer(DefaultBodyLimit::max(RECORDS_BYTES)))
        .route("/ws", get(upgrade))
        .fallback(get(file))
        .layer(middleware::from_fn_with_state(house.clone(), guard))
        .with_state(house)
}

/// An error as the page gets it.
fn refusal(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

/// Refuses requests that are not meant for this server or come from another
/// page, and puts the headers on every answer.
async fn guard(State(house): State<House>, request: Request, next: Next) -> Response {
    let mut response = match check(&house.hosts, request.headers(), request.uri()) {
        Ok(()) => next.run(request).await,
        Err((status, message)) => refusal(status, message),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(hosts: &Hosts, headers: &HeaderMap, uri: &Uri) -> Result<(), (StatusCode, &'static str)> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let authority = uri.authority().map(axum::http::uri::Authority::as_str);
    let host = text(HOST).or(authority).unwrap_or_default();
    if !hosts.know(host) {
        return Err((StatusCode::MISDIRECTED_REQUEST, "this server has another name; see --host"));
    }
    if headers.contains_key(ORIGIN) {
        let origin = text(ORIGIN).and_then(|origin| origin.split_once("://"));
        if !origin.is_some_and(|(_, origin)| origin.eq_ignore_ascii_case(host)) {
            return Err((StatusCode::FORBIDDEN, "the request comes from another page"));
        }
    }
    Ok(())
}

async fn file(uri: Uri) -> Response {
    match page::find(uri.path()) {
        Some(file) => ([(CONTENT_TYPE, file.kind)], Body::from(file.text)).into_response(),
        None => refusal(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

async fn choices(State(house): State<House>) -> Response {
    let profiles: Vec<_> = Profile::ALL
        .into_iter()
        .map(|profile| {
            json!({
                "name": profile.name(),
                "pits": profile.geometry().pits(),
                "columns": profile.geometry().columns,
                "seeds": profile.seeds(),
                "starts": profile.start_names(),
                "levels": house.hall.engines.levels(0, profile),
            })
        })
        .collect();
    let levels = usual_levels();
    let engines: Vec<&str> = house.hall.engines.names().collect();
    let version = env!("CARGO_PKG_VERSION");
    Json(json!({ "version": version, "profiles": profiles, "levels": levels, "engines": engines }))
        .into_response()
}

/// The answer to a body that is too long.
fn refused(error: &BytesRejection) -> Response {
    refusal(error.status(), "the request is too long, or was broken off")
}

async fn open(State(house): State<House>, body: Result<Bytes, BytesRejection>) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(error) => return refused(&error),
    };
    let asked: Result<NewTable, _> = serde_json::from_slice(&body);
    let opened = asked.map_err(|error| error.to_string()).and_then(|asked| house.hall.open(asked));
    match opened {
        Ok(opened) => Json(opened).into_response(),
        Err(message) => refusal(StatusCode::BAD_REQUEST, &message),
    }
}

async fn records(State(house): State<House>, body: Result<Bytes, BytesRejection>) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(error) => return refused(&error),
    };
    // It takes a moment of a processor, so not all at once.
    let _permit = house.reading.acquire().await;
    match tokio::task::spawn_blocking(move || Replay::read(&body)).await {
        Ok(replay) => Json(replay).into_response(),
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "the records could not be read"),
    }
}

async fn upgrade(
    State(house): State<House>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    // A browser always tells its origin; it is checked by `guard`.
    if !headers.contains_key(ORIGIN) {
        return refusal(StatusCode::FORBIDDEN, "a WebSocket tells its Origin");
    }
    upgrade
        .max_message_size(FRAME_BYTES)
        .max_frame_size(FRAME_BYTES)
        .on_upgrade(move |socket| socket::serve(house.hall, socket))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_names_are_known() {
        let hosts = Hosts { open: false, names: vec!["games.example".to_owned()] };
        for host in ["localhost:8000", "127.0.0.1", "[::1]:80", "Games.Example:443"] {
            assert!(hosts.know(host), "{host}");
        }
        for host in ["", "evil.example:8000", "192.168.1.5:80", "localhost.evil.example", "[::2]"] {
            assert!(!hosts.know(host), "{host}");
        }
        assert!(Hosts { open: true, names: Vec::new() }.know("192.168.1.5:80"));
    }

    #[test]
    fn other_pages_are_refused() {
        let hosts = Hosts { open: false, names: Vec::new() };
        let status = |origin: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, "localhost:8000".parse().unwrap());
            headers.insert(ORIGIN, origin.parse().unwrap());
            check(&hosts, &headers, &Uri::from_static("/ws")).err().map(|error| error.0)
        };
        assert_eq!(status("http://localhost:8000"), None);
        for origin in ["http://localhost:8001", "https://evil.example", "null", "localhost:8000"] {
            assert_eq!(status(origin), Some(StatusCode::FORBIDDEN), "{origin}");
        }
    }
}
