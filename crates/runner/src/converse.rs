//! A program that is spoken with: what it says is answered while it runs.
//!
//! The same care as for a run that is only listened to: a session of its own, a time, a way to
//! call it off, and nothing left of it afterwards.

use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::plumbing::{self, Message};
use crate::run::{DRAIN, Watch, begin, end_of, hand_on};
use crate::{Captured, End, Run, Source, StartError};

/// How a conversation ended.
#[derive(Debug)]
pub struct Conversation<T> {
    /// What came of it; nothing if the program was stopped before it was over.
    pub said: Option<T>,
    /// Why the program is gone.
    pub end: End,
    /// What it told people.
    pub stderr: Captured,
}

/// How long a program may take to leave by itself once nobody speaks with it any more.
const LEAVE: Duration = Duration::from_millis(500);

/// Starts a program and lets `talk` speak with it, on a thread of its own, over its stdin and stdout;
/// what it tells people meanwhile is handed on.
///
/// The program is stopped when its time is up or it is called off: then its pipes close, and
/// whoever talks finds nobody there. A `talk` that does not end even so is left behind.
pub fn converse<T: Send + 'static>(
    run: &Run<'_>,
    talk: impl FnOnce(ChildStdin, ChildStdout) -> T + Send + 'static,
    on_output: &mut dyn FnMut(Source, &[u8]),
) -> Result<Conversation<T>, StartError> {
    let began = Instant::now();
    let (mut child, sender, mailbox) = begin(run, Stdio::piped())?;
    let (answers, answer) = channel();
    if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
        let over = sender.clone();
        thread::spawn(move || {
            let _ = answers.send(talk(stdin, stdout));
            let _ = over.send(Message::Said);
        });
    }
    if let Some(pipe) = child.stderr.take() {
        plumbing::carry(pipe, Source::Stderr, sender.clone());
    }
    run.cancel.wake(sender);
    let mut watch = Watch::new(run, mailbox, child.id(), 1);
    let ended_by_us = watch.until_over(began, &mut child, on_output, LEAVE);
    let status = child.wait().ok();
    let end = ended_by_us.unwrap_or_else(|| status.map_or(End::Signaled(0), end_of));
    let said = answer.recv_timeout(DRAIN).ok();
    let (rest, stderr) = watch.stderr.finish();
    hand_on(Source::Stderr, &rest, on_output);
    Ok(Conversation { said, end, stderr })
}
