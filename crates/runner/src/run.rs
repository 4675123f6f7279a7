//! One run, from the start of the program to the exit of its last process.

use std::io;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use redact::Filter;

use crate::captured::Capture;
use crate::pipes::{self, Message};
use crate::process_tree::{ProcessTree, StopSignal};
use crate::{Cancel, Captured, Environment, Invocation, Limits, MARK, Source};

/// The parameters of a run.
#[derive(Debug, Clone, Copy)]
pub struct Run<'a> {
    /// The program, its arguments and its stdin.
    pub invocation: &'a Invocation,
    /// The working directory.
    pub folder: &'a Path,
    /// The program's environment variables.
    pub environment: &'a Environment,
    /// A unique name, set as [`MARK`] in the environment of every process of the run.
    pub mark: &'a str,
    /// Timeout, grace period and output limit.
    pub limits: Limits,
    /// The filter that redacts the output.
    pub filter: &'a Filter,
    /// The handle that cancels the run.
    pub cancel: &'a Cancel,
    /// A pipe that the program inherits as descriptor [`INHERITED_PIPE`].
    pub pipe: Option<&'a io::PipeWriter>,
}

/// The number of the inherited pipe. Node closes for its children the numbers up to the first gap after 15.
pub const INHERITED_PIPE: i32 = 198;

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Why the run ended.
    pub end: End,
    /// The captured stdout.
    pub stdout: Captured,
    /// The captured stderr.
    pub stderr: Captured,
    /// The time from start to end.
    pub duration: Duration,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The program exited with this code.
    Exited(i32),
    /// This signal ended the program.
    Signaled(i32),
    /// The run reached its timeout.
    TimedOut,
    /// The caller cancelled the run.
    Cancelled,
}

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The working directory does not exist.
    #[error("cannot run in `{}`: no such folder", folder.display())]
    NoFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The operating system could not start the program.
    #[error("cannot start `{}`", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}

/// How long to wait for buffered output after the last process has exited.
pub(crate) const DRAIN: Duration = Duration::from_millis(500);
/// How often to poll the program's exit status on systems without `waitid`.
const EXIT_POLL: Duration = if cfg!(unix) { Duration::from_hours(1) } else { Duration::from_millis(50) };
/// The signal reported for a program that had to be stopped after its conversation ended.
const TERMINATED: i32 = 15;
/// How often to check for remaining processes once the program has exited.
const POLL: Duration = Duration::from_millis(10);

/// Runs a program to its end and passes its redacted output to `on_output` while it runs.
///
/// No process of the run outlives the call: processes that remain when the program exits get
/// SIGTERM, the grace period and SIGKILL, as a timed-out program does.
pub fn run(run: &Run<'_>, on_output: &mut dyn FnMut(Source, &[u8])) -> Result<Outcome, StartError> {
    let began = Instant::now();
    let stdin = if run.invocation.stdin.is_empty() { Stdio::null() } else { Stdio::piped() };
    let (mut child, sender, mailbox) = start(run, stdin)?;
    connect(&mut child, run, &sender);
    run.cancel.wake(sender);
    let mut watch = Watch::new(run, mailbox, child.id(), 2);
    let ended_by_us = watch.wait(began, &mut child, on_output, Duration::ZERO);
    let status = child.wait().ok();
    let end = ended_by_us.unwrap_or_else(|| status.map_or(End::Signaled(0), end_of));
    let (rest, stdout) = watch.stdout.finish();
    emit(Source::Stdout, &rest, on_output);
    let (rest, stderr) = watch.stderr.finish();
    emit(Source::Stderr, &rest, on_output);
    Ok(Outcome { end, stdout, stderr, duration: began.elapsed() })
}

/// Starts the program of a run and a mailbox that receives its exit.
pub(crate) fn start(
    run: &Run<'_>,
    stdin: Stdio,
) -> Result<(Child, SyncSender<Message>, Receiver<Message>), StartError> {
    if !run.folder.is_dir() {
        return Err(StartError::NoFolder { folder: run.folder.to_path_buf() });
    }
    ProcessTree::adopt_orphans();
    let child = ProcessTree::start(|| spawn(run, stdin))?;
    let (sender, mailbox) = pipes::mailbox();
    #[cfg(unix)]
    notify_exit(child.id(), sender.clone());
    Ok((child, sender, mailbox))
}

/// The state of a running program.
pub(crate) struct Watch<'a> {
    run: &'a Run<'a>,
    mailbox: Receiver<Message>,
    processes: ProcessTree,
    pub(crate) stdout: Capture<'a>,
    pub(crate) stderr: Capture<'a>,
    /// How many output pipes are still open.
    n_open: u8,
    has_exited: bool,
    /// Whether the `talk` of an interactive run has returned.
    has_talk_ended: bool,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(run: &'a Run<'a>, mailbox: Receiver<Message>, root: u32, n_open: u8) -> Self {
        Self {
            run,
            mailbox,
            processes: ProcessTree::of_root(root, run.mark),
            stdout: Capture::new(run.filter, run.limits.output),
            stderr: Capture::new(run.filter, run.limits.output),
            n_open,
            has_exited: false,
            has_talk_ended: false,
        }
    }

    /// Waits until all processes of the run have exited. Returns the reason if we stopped them,
    /// `None` if the program exited by itself.
    ///
    /// Once the `talk` of an interactive run has returned, the program has `exit_grace` to exit.
    pub(crate) fn wait(
        &mut self,
        began: Instant,
        child: &mut Child,
        on_output: &mut dyn FnMut(Source, &[u8]),
        exit_grace: Duration,
    ) -> Option<End> {
        let mut deadline = began + self.run.limits.timeout;
        let mut reason = None;
        let mut is_exiting = false;
        while !self.has_exited && reason.is_none() {
            if self.has_talk_ended && !is_exiting {
                is_exiting = true;
                deadline = Instant::now() + exit_grace;
            }
            let is_cancelled = self.receive(deadline.min(Instant::now() + EXIT_POLL), on_output);
            self.has_exited |= cfg!(not(unix)) && matches!(child.try_wait(), Ok(Some(_)));
            if is_cancelled || self.run.cancel.is_cancelled() {
                reason = Some(End::Cancelled);
            } else if Instant::now() >= deadline {
                reason = Some(if is_exiting { End::Signaled(TERMINATED) } else { End::TimedOut });
            }
        }
        self.stop_all(child, on_output);
        // A process that we could not end may hold a pipe open for ever.
        let drained = Instant::now() + DRAIN;
        while self.n_open > 0 && Instant::now() < drained {
            self.receive(drained, on_output);
        }
        // A program that exits by itself in the same moment still counts as exited by itself.
        reason
    }

    /// Sends SIGTERM to the remaining processes and kills those that outlive the grace period.
    fn stop_all(&mut self, child: &mut Child, on_output: &mut dyn FnMut(Source, &[u8])) {
        if self.has_exited && !self.processes.has_leftovers() {
            return;
        }
        self.processes.signal(StopSignal::Terminate);
        if cfg!(not(unix)) {
            let _ = child.kill();
        }
        let terminated = Instant::now();
        // The grace period may become shorter meanwhile.
        while terminated.elapsed() < self.run.cancel.limit_grace(self.run.limits.grace) {
            self.receive(Instant::now() + POLL, on_output);
            if self.has_exited && !self.processes.has_leftovers() {
                return;
            }
        }
        self.processes.kill_all();
        let _ = child.kill();
    }

    /// Waits for one message until `until`. Returns whether the run was cancelled.
    fn receive(&mut self, until: Instant, on_output: &mut dyn FnMut(Source, &[u8])) -> bool {
        let patience = until.saturating_duration_since(Instant::now());
        match self.mailbox.recv_timeout(patience) {
            Ok(Message::Output(source, bytes)) => {
                let capture = if source == Source::Stdout { &mut self.stdout } else { &mut self.stderr };
                emit(source, &capture.push(&bytes), on_output);
            }
            Ok(Message::Closed) => self.n_open = self.n_open.saturating_sub(1),
            Ok(Message::Exited) => self.has_exited = true,
            Ok(Message::TalkEnded) => self.has_talk_ended = true,
            Ok(Message::Cancelled) => return true,
            Err(RecvTimeoutError::Timeout) => {}
            // The cancel handle holds a sender, so a closed channel means that the run was cancelled.
            Err(RecvTimeoutError::Disconnected) => thread::sleep(patience.min(POLL)),
        }
        false
    }
}

pub(crate) fn emit(source: Source, bytes: &[u8], on_output: &mut dyn FnMut(Source, &[u8])) {
    if !bytes.is_empty() {
        on_output(source, bytes);
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that starts a program with limits")]
fn spawn(run: &Run<'_>, stdin: Stdio) -> Result<Child, StartError> {
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
    lead_a_session(&mut command, run.pipe);
    command.spawn().map_err(|source| StartError::Start { program: run.invocation.program.clone(), source })
}

/// Makes the program the leader of its own session: it has no terminal to prompt on, and one
/// group id for all its processes. It dies with us. Hands it the pipe, if there is one.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a session can only be begun between fork and exec")]
fn lead_a_session(command: &mut Command, pipe: Option<&io::PipeWriter>) {
    use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
    let pipe: Option<RawFd> = pipe.map(AsRawFd::as_raw_fd);
    let prepare = move || {
        if let Some(pipe) = pipe {
            // SAFETY: the caller holds the pipe until the program has started; nothing in the child owns the other
            // number, and it is not closed here.
            let (pipe, mut place) = unsafe {
                (BorrowedFd::borrow_raw(pipe), ManuallyDrop::new(OwnedFd::from_raw_fd(INHERITED_PIPE)))
            };
            rustix::io::dup2(pipe, &mut place)?;
        }
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
        pipes::feed(pipe, run.invocation.stdin.clone());
    }
    if let Some(pipe) = child.stdout.take() {
        pipes::forward(pipe, Source::Stdout, sender.clone());
    }
    if let Some(pipe) = child.stderr.take() {
        pipes::forward(pipe, Source::Stderr, sender.clone());
    }
}

/// Waits for the program's exit without reaping it: as long as it is a zombie, the system does
/// not reuse its pid and group id, so a signal cannot hit an unrelated process.
#[cfg(unix)]
fn notify_exit(pid: u32, sender: SyncSender<Message>) {
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
