//! Serves the page and the metrics on 127.0.0.1.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tiny_http::{Header, Request, Response, Server};

/// The current page and metrics, written by the server's thread and read by this one.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageState {
    content: Arc<Mutex<PageContent>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct PageContent {
    pub(crate) metrics: String,
    pub(crate) page: String,
}

impl PageState {
    pub(crate) fn set(&self, content: PageContent) {
        *self.content.lock().unwrap_or_else(PoisonError::into_inner) = content;
    }

    fn get(&self) -> PageContent {
        self.content.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Serves the page and returns its port; for port zero the system chooses a free one.
pub(crate) fn open(port: u16, state: PageState) -> Result<u16, String> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let server = Server::http(address).map_err(|error| error.to_string())?;
    let port = server.server_addr().to_ip().map_or(port, |it| it.port());
    thread::spawn(move || {
        for request in server.incoming_requests() {
            answer(request, &state);
        }
    });
    Ok(port)
}

fn answer(request: Request, state: &PageState) {
    // A web site that resolves its own name to 127.0.0.1 (DNS rebinding) must not read the page.
    let is_local = request.headers().iter().find(|header| header.field.equiv("Host")).is_none_or(|host| {
        let name = host.value.as_str().rsplit_once(':').map_or(host.value.as_str(), |(name, _)| name);
        ["127.0.0.1", "localhost", "[::1]"].contains(&name)
    });
    let (status, kind, body) = match (is_local, request.method().as_str(), request.url()) {
        (false, ..) => (403, "text/plain", "requests must use the host name localhost\n".to_owned()),
        (_, "GET" | "HEAD", "/metrics") => (200, "text/plain; version=0.0.4", state.get().metrics),
        (_, "GET" | "HEAD", "/") => (200, "text/html", state.get().page),
        (_, "GET" | "HEAD", _) => (404, "text/plain", "not found\n".to_owned()),
        _ => (405, "text/plain", "method not allowed, use GET\n".to_owned()),
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

/// Escapes text for HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
