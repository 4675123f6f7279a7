//! The page and the metrics, on this machine only.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tiny_http::{Header, Request, Response, Server};

/// What is shown, written by the server's thread and read by this one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Board {
    shown: Arc<Mutex<Shown>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Shown {
    pub(crate) metrics: String,
    pub(crate) page: String,
}

impl Board {
    pub(crate) fn show(&self, shown: Shown) {
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = shown;
    }

    fn shown(&self) -> Shown {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Opens the page; a port of zero takes any that is free. Returns the port.
pub(crate) fn open(port: u16, board: Board) -> Result<u16, String> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let server = Server::http(address).map_err(|error| error.to_string())?;
    let port = server.server_addr().to_ip().map_or(port, |it| it.port());
    thread::spawn(move || {
        for request in server.incoming_requests() {
            answer(request, &board);
        }
    });
    Ok(port)
}

fn answer(request: Request, board: &Board) {
    // A page of the web that resolves its own name to this machine must not read ours.
    let is_local = request.headers().iter().find(|header| header.field.equiv("Host")).is_none_or(|host| {
        let name = host.value.as_str().rsplit_once(':').map_or(host.value.as_str(), |(name, _)| name);
        ["127.0.0.1", "localhost", "[::1]"].contains(&name)
    });
    let (status, kind, body) = match (is_local, request.method().as_str(), request.url()) {
        (false, ..) => (403, "text/plain", "only for this machine\n".to_owned()),
        (_, "GET" | "HEAD", "/metrics") => (200, "text/plain; version=0.0.4", board.shown().metrics),
        (_, "GET" | "HEAD", "/") => (200, "text/html", board.shown().page),
        (_, "GET" | "HEAD", _) => (404, "text/plain", "there is nothing here\n".to_owned()),
        _ => (405, "text/plain", "only GET\n".to_owned()),
    };
    let mut response = Response::from_string(body).with_status_code(status);
    for (name, value) in [
        ("content-type", format!("{kind}; charset=utf-8")),
        ("cache-control", "no-store".to_owned()),
        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'".to_owned()),
        ("x-content-type-options", "nosniff".to_owned()),
    ] {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    let _ = request.respond(response);
}

/// Returns text that is nothing but text in a page.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
