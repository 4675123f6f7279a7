//! The pipes of a program and the threads that read and write them.
//!
//! The threads only move bytes into one mailbox; the one thread that reads it makes all
//! decisions. A thread whose pipe never closes is abandoned.

use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Where a piece of output came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// An event of a running program.
#[derive(Debug)]
pub(crate) enum Message {
    Output(Source, Vec<u8>),
    Closed,
    Exited,
    /// The `talk` of an interactive run has returned.
    TalkEnded,
    Cancelled,
}

/// The capacity of the mailbox; a program that prints faster blocks.
const MAILBOX: usize = 16;

pub(crate) fn mailbox() -> (SyncSender<Message>, Receiver<Message>) {
    sync_channel(MAILBOX)
}

/// Writes stdin from a thread: a program may answer before it has read everything, or never read.
pub(crate) fn feed(mut pipe: impl Write + Send + 'static, bytes: Vec<u8>) {
    if !bytes.is_empty() {
        // A program may ignore its prompt; its output shows that.
        thread::spawn(move || pipe.write_all(&bytes));
    }
}

/// Forwards the output of a pipe to the mailbox.
pub(crate) fn forward(mut pipe: impl Read + Send + 'static, source: Source, mailbox: SyncSender<Message>) {
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
