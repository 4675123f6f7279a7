//! One program in the measurement.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::count_lines;
use super::payload::{Moment, Tool};
use super::scenario::Scenario;
use super::spawn::Call;
use super::statistics::Times;
use super::workspace::Workspace;

/// The answer that a contestant must give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It only starts and ends.
    Nothing,
    /// It is a hook: exactly one JSON object.
    OneObject,
}

/// A program, its input, and its times so far.
pub(crate) struct Contestant {
    /// The id in targets.
    pub(crate) id: &'static str,
    /// The name in the table.
    pub(crate) title: &'static str,
    /// It takes part in one of so many rounds.
    pub(crate) one_in: usize,
    /// The measured times.
    pub(crate) times: Times,
    call: Call,
    tool: Tool,
    workspace: Workspace,
    answer: Answer,
    n_calls: usize,
    journal: Option<Journal>,
}

/// The journal that a hook must have written to, once per call.
struct Journal {
    path: PathBuf,
    n_lines_before: usize,
}

impl Contestant {
    /// A program that does nothing, given what a hook is given.
    pub(crate) fn idle(id: &'static str, title: &'static str, program: &Path, workspace: Workspace) -> Self {
        let call = workspace.call(program, &[]);
        Self {
            id,
            title,
            one_in: 1,
            times: Times::default(),
            call,
            tool: Tool::Recorded,
            workspace,
            answer: Answer::Nothing,
            n_calls: 0,
            journal: None,
        }
    }

    /// A program that runs another one, which does nothing.
    pub(crate) fn wrapper(
        id: &'static str,
        title: &'static str,
        program: &Path,
        args: &[&str],
        workspace: Workspace,
    ) -> Self {
        let call = workspace.call(program, args);
        Self { call, ..Self::idle(id, title, program, workspace) }
    }

    /// The binary in a situation that has been prepared.
    pub(crate) fn steersman(scenario: &Scenario, binary: &Path, workspace: Workspace) -> Result<Self> {
        let call = workspace.call(binary, &["dispatch", "PreToolUse", "--host", "claude-code"]);
        let journal = Some(Journal::read(&workspace)?);
        let idle = Self::idle(scenario.id, scenario.title, binary, workspace);
        Ok(Self { call, tool: scenario.tool, journal, answer: Answer::OneObject, ..idle })
    }

    /// The dispatcher in Node, which takes part in one of `one_in` rounds.
    pub(crate) fn node(node: &Path, script: &Path, workspace: Workspace, one_in: usize) -> Result<Self> {
        let call = workspace.call(node, &[&script.to_string_lossy(), "PreToolUse"]);
        let title = "a dispatcher in Node, same reading and writing";
        let idle = Self::idle("node", title, node, workspace);
        let mut contestant = Self { call, one_in, answer: Answer::OneObject, ..idle };
        contestant.run(false)?;
        contestant.n_calls = 0;
        contestant.journal = Some(Journal::read(&contestant.workspace)?);
        Ok(contestant)
    }

    /// Runs once, checks the answer, and records the time if it counts.
    pub(crate) fn run(&mut self, counts: bool) -> Result<()> {
        let call = format!("toolu_{:08}", self.n_calls);
        self.n_calls += 1;
        let payload =
            Moment::PreToolUse { tool: self.tool, call: &call }.payload(self.workspace.project())?;
        let run = self.call.run(&payload)?;
        super::answer(&run, self.answer, self.title)?;
        if counts {
            self.times.add(run.took);
        }
        Ok(())
    }

    /// Returns an error unless every call left its line in the journal.
    pub(crate) fn check_journal(&self) -> Result<()> {
        let Some(journal) = &self.journal else { return Ok(()) };
        let n_new = count_lines(&journal.path)?.saturating_sub(journal.n_lines_before);
        if n_new < self.n_calls {
            bail!(
                "{} left {n_new} lines in its journal after {} calls, so measuring it is worthless",
                self.title,
                self.n_calls
            );
        }
        Ok(())
    }
}

impl Journal {
    fn read(workspace: &Workspace) -> Result<Self> {
        // With many sessions in the workspace, the one that is measured has by far the longest journal.
        let sessions = workspace.project().join(".ai/tmp");
        let mut longest: Option<(u64, PathBuf)> = None;
        for entry in
            fs::read_dir(&sessions).with_context(|| format!("cannot list `{}`", sessions.display()))?
        {
            let path = entry?.path().join("events.jsonl");
            let Ok(size) = fs::metadata(&path).map(|it| it.len()) else { continue };
            if longest.as_ref().is_none_or(|(most, _)| size > *most) {
                longest = Some((size, path));
            }
        }
        let (_, path) = longest.with_context(|| format!("no events.jsonl below `{}`", sessions.display()))?;
        let n_lines_before = count_lines(&path)?;
        Ok(Self { path, n_lines_before })
    }
}
