//! `steersman serve --editor`: the server of an editor extension.

use std::io::Read;
use std::sync::Arc;
use std::thread;

use ::session::person::{self, ExtensionHost};
use serde_json::json;
use serve::Editor;

use crate::commands::{Place, trust};
use crate::output;

/// Returns the extension that started this process. Returns `None`, and prints why, if an agent may have started it, or
/// if the answer would be stored in a file.
pub(super) fn find(place: &Place) -> Option<Editor> {
    let host = match ExtensionHost::of_this_process(&place.workspace, place.user_state().ok()) {
        Ok(host) => host,
        Err(refusal) => {
            person::record_refusal(&place.workspace, "serve --editor", &refusal);
            output::error(&format!("the editor may only read: {refusal}"));
            output::hint(refusal.hint());
            return None;
        }
    };
    if !is_pipe() {
        output::error("the editor may only read: stdout is not a pipe, and the token must not be stored");
        return None;
    }
    let place = place.clone();
    let grant = move |fingerprint: &str| trust::grant_seen(&place, fingerprint);
    match Editor::new(host, Arc::new(grant)) {
        Ok(editor) => Some(editor),
        Err(error) => {
            output::error(&format!("the editor may only read: cannot make a token: {error}"));
            None
        }
    }
}

/// Returns the line with the address for the extension, and with its token if it may change things.
pub(super) fn announcement(editor: Option<&Editor>, url: &str, port: u16) -> String {
    json!({"code": "EDITOR", "url": url, "port": port, "token": editor.map(Editor::token)}).to_string()
}

/// Stops the server when the extension closes its end of stdin, or ends without doing so.
pub(super) fn stop_with_stdin() {
    thread::spawn(|| {
        let mut bytes = [0; 256];
        while std::io::stdin().read(&mut bytes).is_ok_and(|n| n > 0) {}
        stop();
    });
}

#[cfg(unix)]
fn stop() {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TERM);
}

#[cfg(not(unix))]
fn stop() {
    std::process::exit(0);
}

#[cfg(unix)]
fn is_pipe() -> bool {
    use std::os::fd::AsFd;
    let stdout = std::io::stdout();
    let kind = rustix::fs::fstat(stdout.as_fd()).map(|it| rustix::fs::FileType::from_raw_mode(it.st_mode));
    matches!(kind, Ok(rustix::fs::FileType::Fifo | rustix::fs::FileType::Socket))
}

#[cfg(not(unix))]
fn is_pipe() -> bool {
    false
}
