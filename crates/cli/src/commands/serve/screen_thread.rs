//! Prints the events of a server, on a separate thread.
//!
//! WHY: a terminal that the user stopped (Ctrl-S), or a full pipe without a reader, blocks the thread that writes to it.
//! The server must continue to run automations, and end when a signal asks it to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use automation::Level;
use redact::Redacted;
use serve::{Note, ServerStatus};

use super::serve_screen::ServeScreen;
use crate::output;

/// How many lines wait for a blocked output. Further ones are lost.
const MAX_WAITING: usize = 10_000;
/// How long a server that ends waits for its last lines.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The thread that prints.
pub(super) struct ScreenThread {
    sender: ScreenSender,
    ended: Receiver<()>,
}

/// Sends to the thread that prints, and never waits for it.
#[derive(Clone)]
pub(super) struct ScreenSender {
    messages: SyncSender<Message>,
    n_lost: Arc<AtomicU64>,
}

enum Message {
    Note(Note),
    Line(String),
    Status(ServerStatus),
    End,
}

impl ScreenThread {
    pub(super) fn start(mut screen: ServeScreen) -> Self {
        let (messages, waiting) = sync_channel(MAX_WAITING);
        let (end, ended) = sync_channel(1);
        let n_lost = Arc::new(AtomicU64::new(0));
        let sender = ScreenSender { messages, n_lost: Arc::clone(&n_lost) };
        thread::spawn(move || {
            for message in waiting {
                match message {
                    Message::Note(note) => screen.note(&note),
                    Message::Line(line) => output::print(format_args!("{line}")),
                    Message::Status(status) => screen.status(&status),
                    Message::End => break,
                }
                let n = n_lost.swap(0, Ordering::Relaxed);
                if n > 0 {
                    screen.note(&lost(n));
                }
            }
            screen.clear();
            let _ = end.send(());
        });
        Self { sender, ended }
    }

    pub(super) fn sender(&self) -> ScreenSender {
        self.sender.clone()
    }

    /// Prints what waits, unless the output is blocked.
    pub(super) fn end(self) {
        if self.sender.messages.try_send(Message::End).is_ok() {
            let _ = self.ended.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

impl ScreenSender {
    pub(super) fn note(&self, note: Note) {
        if self.messages.try_send(Message::Note(note)).is_err() {
            self.n_lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Prints a line for programs.
    pub(super) fn line(&self, line: String) {
        let _ = self.messages.try_send(Message::Line(line));
    }

    /// Shows the state, unless the output is blocked: a later one replaces it.
    pub(super) fn status(&self, status: &ServerStatus) {
        let _ = self.messages.try_send(Message::Status(status.clone()));
    }
}

fn lost(n: u64) -> Note {
    let text = format!("{n} lines were not printed because the output was blocked");
    Note { level: Level::Warning, code: "LINES_LOST", message: Redacted::from_text(&text) }
}
