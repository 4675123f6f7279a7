//! The pipes of a program and the threads at their ends.
//!
//! The threads do nothing but carry bytes into one mailbox; all decisions are made by the one
//! thread that reads it. A thread whose pipe never closes is left behind, not waited for.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Where a piece of output came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// What the program answers.
    Stdout,
    /// What it tells people.
    Stderr,
}

/// What can happen while a program runs.
#[derive(Debug)]
pub(crate) enum Message {
    Output(Source, Vec<u8>),
    Closed,
    Exited,
    /// Whoever spoke with it is done.
    Said,
    Cancelled,
}

/// So many pieces may lie in the mailbox; a program that prints faster waits.
const MAILBOX: usize = 16;

pub(crate) fn mailbox() -> (SyncSender<Message>, Receiver<Message>) {
    sync_channel(MAILBOX)
}

/// Feeds stdin from a thread: a program may answer before it has read everything, or never read.
pub(crate) fn feed(mut pipe: impl Write + Send + 'static, bytes: Vec<u8>) {
    if !bytes.is_empty() {
        // A program that does not read its prompt has made its choice; its answer tells.
        thread::spawn(move || pipe.write_all(&bytes));
    }
}

/// Carries what comes out of a pipe into the mailbox.
pub(crate) fn carry(mut pipe: impl Read + Send + 'static, source: Source, mailbox: SyncSender<Message>) {
    thread::spawn(move || {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) | Err(_) => break,
                Ok(n) => {
                    if mailbox.send(Message::Output(source, buffer[..n].to_vec())).is_err() {
                        return;
                    }
                }
            }
        }
        let _ = mailbox.send(Message::Closed);
    });
}
