//! A run that somebody waits for, found in the journal wherever it goes.

use std::time::{Duration, Instant};

use automation::queue::{self, Entry, Line, Tail};
use automation::{ExecutionId, ExecutionRecord, Output, Printed};
use store::Workspace;

use crate::output::{note, print, text};

/// So long a run may be missing from the queue before it is given up: a journal that was removed comes
/// back with what was open in it.
const MISSING: Duration = Duration::from_secs(10);
/// How often it is looked for: the whole journal is read for that.
const CHECK_EVERY: Duration = Duration::from_secs(2);

/// One run, from before it is queued.
pub(super) struct Awaited {
    workspace: Workspace,
    tail: Tail,
    run: ExecutionId,
    /// Whether what it prints is shown while it works.
    shows: bool,
    shown: Printed,
    next_check: Instant,
    missing_since: Option<Instant>,
}

impl Awaited {
    /// Begins to look. The run is not in the queue yet: whatever becomes of it is seen.
    pub(super) fn new(workspace: &Workspace, run: ExecutionId, shows: bool) -> anyhow::Result<Self> {
        let tail = Tail::from_now_on(workspace)?;
        Ok(Self {
            workspace: workspace.clone(),
            tail,
            run,
            shows,
            shown: Printed::default(),
            next_check: Instant::now() + CHECK_EVERY,
            missing_since: None,
        })
    }

    /// Returns the run; another one if a later one about the same file took its place.
    pub(super) fn run(&self) -> &ExecutionId {
        &self.run
    }

    /// Shows what of a record's output was not shown yet.
    pub(super) fn show_rest_of(&self, logs: &str) {
        let rest = self.shown.missing_of(logs);
        show(Output::Stdout, rest.stdout.into_iter());
        show(Output::Stderr, rest.stderr.into_iter());
    }

    /// Reads on; returns the record of the run if it has ended.
    pub(super) fn look(&mut self) -> anyhow::Result<Option<ExecutionRecord>> {
        let news = self.tail.news()?;
        for entry in news.lines().filter_map(|line| Line::parse(line).map(|line| line.entry)) {
            match entry {
                Entry::Finished { record } if record.id == self.run => return Ok(Some(*record)),
                Entry::Replaced { run, by } if run == self.run => self.run = by,
                Entry::Started { run, .. } if run == self.run => self.shown = Printed::default(),
                Entry::Printed { run, output, text } if run == self.run && self.shows => {
                    show(output, text.lines());
                    self.shown.add(output, &text);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Returns an error if the run is not in the queue any more and has not ended, for a while.
    pub(super) fn check(&mut self) -> anyhow::Result<()> {
        if Instant::now() < self.next_check {
            return Ok(());
        }
        self.next_check = Instant::now() + CHECK_EVERY;
        if queue::read(&self.workspace)?.run(&self.run).is_some() {
            self.missing_since = None;
            return Ok(());
        }
        let since = *self.missing_since.get_or_insert_with(Instant::now);
        if since.elapsed() > MISSING {
            anyhow::bail!(
                "the run `{}` is lost: the journal of runs was removed before anybody read it\nhint: ask for it again",
                self.run
            );
        }
        Ok(())
    }
}

/// Shows lines of a run's output where the run printed them.
fn show<'a>(output: Output, lines: impl Iterator<Item = &'a str>) {
    for line in lines.map(text::visible) {
        match output {
            Output::Stdout => print(format_args!("{line}")),
            Output::Stderr => note(&line),
        }
    }
}
