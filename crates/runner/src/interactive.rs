//! A program that the caller talks to over stdin and stdout while it runs.
//!
//! Same guarantees as a plain run: its own session, a timeout, cancellation, and no process
//! left behind.

use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::pipes::{self, Message};
use crate::run::{DRAIN, Watch, emit, end_of, start};
use crate::{Captured, End, Run, Source, StartError};

/// How an interactive run ended.
#[derive(Debug)]
pub struct InteractiveOutcome<T> {
    /// The return value of `talk`; `None` if the program was stopped before `talk` returned.
    pub result: Option<T>,
    /// Why the run ended.
    pub end: End,
    /// The captured stderr.
    pub stderr: Captured,
}

/// How long the program may take to exit after `talk` has returned.
const EXIT_GRACE: Duration = Duration::from_millis(500);

/// Starts a program, calls `talk` with its stdin and stdout on another thread, and passes its
/// redacted stderr to `on_output` meanwhile.
///
/// On timeout or cancellation the program is stopped, which closes its pipes and so ends the
/// reads and writes of `talk`. A `talk` that still does not return is abandoned.
pub fn run_interactive<T: Send + 'static>(
    run: &Run<'_>,
    talk: impl FnOnce(ChildStdin, ChildStdout) -> T + Send + 'static,
    on_output: &mut dyn FnMut(Source, &[u8]),
) -> Result<InteractiveOutcome<T>, StartError> {
    let began = Instant::now();
    let (mut child, sender, mailbox) = start(run, Stdio::piped())?;
    let (answers, answer) = channel();
    if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
        let over = sender.clone();
        thread::spawn(move || {
            let _ = answers.send(talk(stdin, stdout));
            let _ = over.send(Message::TalkEnded);
        });
    }
    if let Some(pipe) = child.stderr.take() {
        pipes::forward(pipe, Source::Stderr, sender.clone());
    }
    run.cancel.wake(sender);
    let mut watch = Watch::new(run, mailbox, child.id(), 1);
    let ended_by_us = watch.wait(began, &mut child, on_output, EXIT_GRACE);
    let status = child.wait().ok();
    let end = ended_by_us.unwrap_or_else(|| status.map_or(End::Signaled(0), end_of));
    let result = answer.recv_timeout(DRAIN).ok();
    let (rest, stderr) = watch.stderr.finish();
    emit(Source::Stderr, &rest, on_output);
    Ok(InteractiveOutcome { result, end, stderr })
}
