//! The screen of a running workflow: the agents' output and below it a status line.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use workflow::{FirstAgent, RunEvent, RunId, StepOutcome, Tokens};

use crate::output::paint::{BAD, FAINT, GOOD, STRONG, paint};
use crate::output::text::{cut, one_line, visible};
use crate::output::{self, print};

/// The screen of a running workflow.
pub(super) struct Screen {
    is_quiet: bool,
    status: Arc<Mutex<Status>>,
    /// Dropping it at the end stops the clock.
    clock: Option<Sender<()>>,
    /// Output without a line break so far.
    rest: String,
}

#[derive(Default)]
struct Status {
    is_shown: bool,
    agent: String,
    step: u64,
    most: u64,
    began: Option<Instant>,
    tokens: Option<Tokens>,
    is_drawn: bool,
}

impl Screen {
    /// Creates the screen; a quiet one prints nothing.
    pub(super) fn new(is_quiet: bool) -> Self {
        let is_shown = !is_quiet && std::io::stderr().is_terminal();
        let status = Arc::new(Mutex::new(Status { is_shown, ..Status::default() }));
        let (clock, ticks) = mpsc::channel();
        if is_shown {
            let status = Arc::clone(&status);
            thread::spawn(move || {
                while let Err(RecvTimeoutError::Timeout) = ticks.recv_timeout(Duration::from_millis(500)) {
                    lock(&status).draw();
                }
            });
        }
        Self { is_quiet, status, clock: Some(clock), rest: String::new() }
    }

    /// Prints the name of the run and its first agent.
    pub(super) fn begins(&mut self, id: &RunId, first: &FirstAgent) {
        if !self.is_quiet {
            self.note(&format!("run {id}: {} begins ({})", first.agent, first.chosen_by));
        }
    }

    /// Prints an event of the run.
    pub(super) fn show(&mut self, news: &RunEvent<'_>) {
        if self.is_quiet {
            return;
        }
        match news {
            RunEvent::ChoosingFirstAgent => self.note("asking a model which agent begins"),
            RunEvent::StepStarted { step, most, agent, because, provider } => {
                let title = paint(STRONG, &format!("step {step} of at most {most}: {agent}"));
                let why = paint(FAINT, &format!("{}; {}", one_line(because), provider.as_str()));
                self.note(&format!("{title}  {why}"));
                let mut status = lock(&self.status);
                (*agent).clone_into(&mut status.agent);
                (status.step, status.most) = (*step, *most);
                status.began = Some(Instant::now());
                status.draw();
            }
            RunEvent::Output(text) => self.print_output(text),
            RunEvent::TokensUsed(tokens) => {
                let mut status = lock(&self.status);
                status.tokens = Some(status.tokens.unwrap_or_default().plus(*tokens));
            }
            RunEvent::StepEnded { outcome, note } => {
                self.flush();
                let took = lock(&self.status).began.take().map(|it| it.elapsed()).unwrap_or_default();
                let style = if *outcome == StepOutcome::Success { GOOD } else { BAD };
                let how = paint(style, outcome.as_str());
                self.note(&format!("  {how} after {}: {}", seconds(took), one_line(note)));
            }
        }
    }

    /// Removes the status line.
    pub(super) fn clear(&mut self) {
        self.flush();
        drop(self.clock.take());
        let mut status = lock(&self.status);
        status.wipe();
        status.is_shown = false;
    }

    /// Prints complete lines immediately and buffers a partial line, so that the status line stays below.
    fn print_output(&mut self, text: &str) {
        self.rest.push_str(text);
        if let Some(end) = self.rest.rfind('\n') {
            let lines: String = self.rest.drain(..=end).collect();
            let mut status = lock(&self.status);
            status.wipe();
            print(format_args!("{}", visible(lines.trim_end_matches('\n'))));
            status.draw();
        }
    }

    fn flush(&mut self) {
        if !self.rest.is_empty() {
            self.print_output("\n");
        }
    }

    fn note(&self, text: &str) {
        let mut status = lock(&self.status);
        status.wipe();
        output::note(text);
        status.draw();
    }
}

impl Status {
    fn draw(&mut self) {
        let (true, Some(began)) = (self.is_shown, self.began) else { return };
        let tokens = self.tokens.map(|it| format!(" · {} tokens", it.input + it.output)).unwrap_or_default();
        let line =
            format!("{} · {}/{} · {}{tokens}", self.agent, self.step, self.most, seconds(began.elapsed()));
        let line = cut(&one_line(&line), output::columns().unwrap_or(80).saturating_sub(1));
        let mut screen = anstream::stderr();
        let _ = write!(screen, "\r\u{1b}[2K{}", paint(FAINT, &line));
        let _ = screen.flush();
        self.is_drawn = true;
    }

    fn wipe(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            let mut screen = anstream::stderr();
            let _ = write!(screen, "\r\u{1b}[2K");
            let _ = screen.flush();
        }
    }
}

fn lock(status: &Mutex<Status>) -> MutexGuard<'_, Status> {
    status.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a duration for users.
pub(super) fn seconds(took: Duration) -> String {
    match took.as_secs() {
        0..=9 => format!("{:.1} s", took.as_secs_f64()),
        10..=119 => format!("{} s", took.as_secs()),
        more => format!("{} min {} s", more / 60, more % 60),
    }
}
