//! Follows one run through the journal until it ends.

use std::time::{Duration, Instant};

use automation::queue::{self, Entry, Line, Tail};
use automation::{CapturedOutput, ExecutionId, ExecutionRecord, OutputStream};
use store::Workspace;

use crate::output::{note, print, text};

/// How long a run may be missing from the queue: the engine recreates a removed journal with its open runs.
const MISSING_TIMEOUT: Duration = Duration::from_secs(10);
/// The interval between two searches, each of which reads the whole journal.
const CHECK_EVERY: Duration = Duration::from_secs(2);

/// One run, followed from before it is queued.
pub(super) struct FollowedRun {
    workspace: Workspace,
    tail: Tail,
    run: ExecutionId,
    /// Whether to print its output while it runs.
    shows: bool,
    shown: CapturedOutput,
    next_check: Instant,
    missing_since: Option<Instant>,
}

impl FollowedRun {
    /// Starts to follow the journal. The run must not be in the queue yet, so that no line of it is missed.
    pub(super) fn new(workspace: &Workspace, run: ExecutionId, shows: bool) -> anyhow::Result<Self> {
        let tail = Tail::from_now_on(workspace)?;
        Ok(Self {
            workspace: workspace.clone(),
            tail,
            run,
            shows,
            shown: CapturedOutput::default(),
            next_check: Instant::now() + CHECK_EVERY,
            missing_since: None,
        })
    }

    /// Returns the run, or its replacement if a later run for the same file replaced it.
    pub(super) fn run(&self) -> &ExecutionId {
        &self.run
    }

    /// Prints the part of a record's output that was not printed yet.
    pub(super) fn show_rest_of(&self, logs: &str) {
        let rest = self.shown.unseen_in(logs);
        show(OutputStream::Stdout, rest.stdout.into_iter());
        show(OutputStream::Stderr, rest.stderr.into_iter());
    }

    /// Reads new lines of the journal; returns the record of the run if it has ended.
    pub(super) fn poll(&mut self) -> anyhow::Result<Option<ExecutionRecord>> {
        let news = self.tail.new_lines()?;
        for entry in news.lines().filter_map(|line| Line::parse(line).map(|line| line.entry)) {
            match entry {
                Entry::Finished { record } if record.id == self.run => return Ok(Some(*record)),
                Entry::Replaced { run, by } if run == self.run => self.run = by,
                Entry::Started { run, .. } if run == self.run => self.shown = CapturedOutput::default(),
                Entry::Printed { run, output, text } if run == self.run && self.shows => {
                    show(output, text.lines());
                    self.shown.add(output, &text);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Returns an error if the run has been missing from the queue for too long without an end.
    pub(super) fn check_queued(&mut self) -> anyhow::Result<()> {
        if Instant::now() < self.next_check {
            return Ok(());
        }
        self.next_check = Instant::now() + CHECK_EVERY;
        if queue::read(&self.workspace)?.run(&self.run).is_some() {
            self.missing_since = None;
            return Ok(());
        }
        let since = *self.missing_since.get_or_insert_with(Instant::now);
        if since.elapsed() > MISSING_TIMEOUT {
            anyhow::bail!(
                "cannot find the run `{}`: the journal of runs was removed\nhint: start the run again",
                self.run
            );
        }
        Ok(())
    }
}

/// Prints lines of a run's output to the stream to which the run printed them.
fn show<'a>(output: OutputStream, lines: impl Iterator<Item = &'a str>) {
    for line in lines.map(text::visible) {
        match output {
            OutputStream::Stdout => print(format_args!("{line}")),
            OutputStream::Stderr => note(&line),
        }
    }
}
