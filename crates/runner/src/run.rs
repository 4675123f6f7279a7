//! One run, from start to the last of its processes.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use redact::Filter;

use crate::captured::Capture;
use crate::family::{Family, Urgency};
use crate::plumbing::{self, Message};
use crate::{Cancel, Captured, Environment, Invocation, Limits, MARK, Source};

/// Everything a run needs.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// What is started.
    pub invocation: &'a Invocation,
    /// Where it runs.
    pub folder: &'a Path,
    /// What it sees of the environment.
    pub environment: &'a Environment,
    /// A name no other run has; all its processes carry it.
    pub mark: &'a str,
    /// Its bounds.
    pub limits: Limits,
    /// What is taken out of its output.
    pub filter: &'a Filter,
    /// How it can be called off.
    pub cancel: &'a Cancel,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Why it is over.
    pub end: End,
    /// What it answered.
    pub stdout: Captured,
    /// What it told people.
    pub stderr: Captured,
    /// How long it took.
    pub duration: Duration,
}

/// Why a run is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It ended by itself, with this code.
    Exited(i32),
    /// Something else ended it, with this signal.
    Signaled(i32),
    /// Its time was up.
    TimedOut,
    /// It was called off.
    Cancelled,
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no folder to run it in.
    #[error("there is no folder `{}`", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The system would not start it.
    #[error("cannot start `{}`", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// How long output that is on its way may still arrive after the last process is gone.
pub(crate) const DRAIN: Duration = Duration::from_millis(500);
/// How often the program itself is asked whether it has ended, where nobody tells.
const ASK: Duration = if cfg!(unix) { Duration::from_hours(1) } else { Duration::from_millis(50) };
/// The signal of a program that was told to go after all was said.
const TERMINATED: i32 = 15;
/// How often it is looked whether the last process is gone, once the program is.
const LOOK: Duration = Duration::from_millis(10);

/// Runs a program to its end and hands on what it prints, as soon as no secret can be in it.
///
/// Nothing it started outlives the call: what is left when the program ends gets the same
/// grace and the same end as a program that is stopped.
pub fn run(run: &Run<'_>, on_output: &mut dyn FnMut(Source, &[u8])) -> Result<Outcome, StartError> {
    let began = Instant::now();
    let stdin = if run.invocation.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    let (mut child, sender, mailbox) = begin(run, stdin)?;
    connect(&mut child, run, &sender);
    run.cancel.wake(sender);
    let mut watch = Watch::new(run, mailbox, child.id(), 2);
    let ended_by_us = watch.until_over(began, &mut child, on_output, Duration::ZERO);
    let status = child.wait().ok();
    let end = ended_by_us.unwrap_or_else(|| status.map_or(End::Signaled(0), end_of));
    let (rest, stdout) = watch.stdout.finish();
    hand_on(Source::Stdout, &rest, on_output);
    let (rest, stderr) = watch.stderr.finish();
    hand_on(Source::Stderr, &rest, on_output);
    Ok(Outcome { end, stdout, stderr, duration: began.elapsed() })
}

/// Starts the program of a run and a mailbox that hears of its end.
pub(crate) fn begin(
    run: &Run<'_>,
    stdin: Stdio,
) -> Result<(Child, SyncSender<Message>, Receiver<Message>), StartError> {
    if !run.folder.is_dir() {
        return Err(StartError::NoFolder { folder: run.folder.to_path_buf() });
    }
    Family::adopt_orphans();
    let child = start(run, stdin)?;
    let (sender, mailbox) = plumbing::mailbox();
    #[cfg(unix)]
    tell_of_the_end(child.id(), sender.clone());
    Ok((child, sender, mailbox))
}

/// What is watched while a program runs.
pub(crate) struct Watch<'a> {
    run: &'a Run<'a>,
    mailbox: Receiver<Message>,
    family: Family,
    pub(crate) stdout: Capture<'a>,
    pub(crate) stderr: Capture<'a>,
    /// How many pipes are still read.
    n_open: u8,
    has_exited: bool,
    /// Whether whoever speaks with it is done.
    has_said: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(run: &'a Run<'a>, mailbox: Receiver<Message>, root: u32, n_open: u8) -> Self {
        Self {
            run,
            mailbox,
            family: Family::of_root(root, run.mark),
            stdout: Capture::new(run.filter, run.limits.output),
            stderr: Capture::new(run.filter, run.limits.output),
            n_open,
            has_exited: false,
            has_said: false,
        }
    }

    /// Waits until the program and all its processes are gone. Returns why, if that was our doing.
    ///
    /// A program that nobody speaks with any more has the time `leave` to go by itself.
    pub(crate) fn until_over(
        &mut self,
        began: Instant,
        child: &mut Child,
        on_output: &mut dyn FnMut(Source, &[u8]),
        leave: Duration,
    ) -> Option<End> {
        let mut deadline = began + self.run.limits.timeout;
        let mut reason = None;
        let mut is_leaving = false;
        while !self.has_exited && reason.is_none() {
            if self.has_said && !is_leaving {
                is_leaving = true;
                deadline = Instant::now() + leave;
            }
            let is_cancelled = self.receive(deadline.min(Instant::now() + ASK), on_output);
            self.has_exited |= cfg!(not(unix)) && matches!(child.try_wait(), Ok(Some(_)));
            if is_cancelled || self.run.cancel.is_cancelled() {
                reason = Some(End::Cancelled);
            } else if Instant::now() >= deadline {
                reason = Some(if is_leaving { End::Signaled(TERMINATED) } else { End::TimedOut });
            }
        }
        self.clear_away(child, on_output);
        // Somebody we could not end may hold a pipe open for ever.
        let drained = Instant::now() + DRAIN;
        while self.n_open > 0 && Instant::now() < drained {
            self.receive(drained, on_output);
        }
        // A program that ended by itself in the same moment has still ended by itself.
        reason
    }

    /// Asks whoever is left to go, and kills who has not gone within the grace.
    fn clear_away(&mut self, child: &mut Child, on_output: &mut dyn FnMut(Source, &[u8])) {
        if self.has_exited && !self.family.has_leftovers() {
            return;
        }
        self.family.signal(Urgency::Asked);
        if cfg!(not(unix)) {
            let _ = child.kill();
        }
        let patience = Instant::now() + self.run.limits.grace;
        while Instant::now() < patience {
            self.receive((Instant::now() + LOOK).min(patience), on_output);
            if self.has_exited && !self.family.has_leftovers() {
                return;
            }
        }
        self.family.end_now();
        let _ = child.kill();
    }

    /// Takes one message, or none until `until`. Returns whether the run was called off.
    fn receive(&mut self, until: Instant, on_output: &mut dyn FnMut(Source, &[u8])) -> bool {
        let patience = until.saturating_duration_since(Instant::now());
        match self.mailbox.recv_timeout(patience) {
            Ok(Message::Output(source, bytes)) => {
                let capture = if source == Source::Stdout { &mut self.stdout } else { &mut self.stderr };
                hand_on(source, &capture.push(&bytes), on_output);
            }
            Ok(Message::Closed) => self.n_open = self.n_open.saturating_sub(1),
            Ok(Message::Exited) => self.has_exited = true,
            Ok(Message::Said) => self.has_said = true,
            Ok(Message::Cancelled) => return true,
            Err(RecvTimeoutError::Timeout) => {}
            // The cancel handle keeps a sender, so this means that it was used.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(patience.min(LOOK)),
        }
        false
    }
}

pub(crate) fn hand_on(source: Source, bytes: &[u8], on_output: &mut dyn FnMut(Source, &[u8])) {
    if !bytes.is_empty() {
        on_output(source, bytes);
    }
}

fn start(run: &Run<'_>, stdin: Stdio) -> Result<Child, StartError> {
    let mut command = Command::new(&run.invocation.program);
    command
        .args(&run.invocation.args)
        .current_dir(run.folder)
        .env_clear()
        .envs(run.environment.variables())
        .env(MARK, run.mark)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    lead_a_session(&mut command);
    command.spawn().map_err(|source| StartError::Start { program: run.invocation.program.clone(), source })
}

/// Makes the program the leader of a session: no terminal to ask a person on, one number for
/// all that stays together. If we die, it dies.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a session can only be begun between fork and exec")]
fn lead_a_session(command: &mut Command) {
    let prepare = || {
        rustix::process::setsid()?;
        #[cfg(target_os = "linux")]
        rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
        Ok(())
    };
    // SAFETY: both are plain system calls; nothing is allocated and no lock is taken.
    unsafe {
        std::os::unix::process::CommandExt::pre_exec(command, prepare);
    }
}

fn connect(child: &mut Child, run: &Run<'_>, sender: &SyncSender<Message>) {
    if let Some(pipe) = child.stdin.take() {
        plumbing::feed(pipe, run.invocation.stdin.clone());
    }
    if let Some(pipe) = child.stdout.take() {
        plumbing::carry(pipe, Source::Stdout, sender.clone());
    }
    if let Some(pipe) = child.stderr.take() {
        plumbing::carry(pipe, Source::Stderr, sender.clone());
    }
}

/// Waits for the end of the program without burying it: as long as it lies there, its number
/// and its group's are not given to anybody else, so a signal cannot hit a stranger.
#[cfg(unix)]
fn tell_of_the_end(pid: u32, sender: SyncSender<Message>) {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
    thread::spawn(move || {
        while waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
            .is_err_and(|error| error == rustix::io::Errno::INTR)
        {}
        let _ = sender.send(Message::Exited);
    });
}

#[cfg(unix)]
pub(crate) fn end_of(status: ExitStatus) -> End {
    use std::os::unix::process::ExitStatusExt;
    status.code().map_or_else(|| End::Signaled(status.signal().unwrap_or_default()), End::Exited)
}

#[cfg(not(unix))]
pub(crate) fn end_of(status: ExitStatus) -> End {
    status.code().map_or(End::Signaled(0), End::Exited)
}
