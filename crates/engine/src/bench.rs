//! The place where one try works: its time, its filter, its environment.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use automation::queue::Run;
use automation::{Chain, Printed, Template, template};
use redact::{Filter, Redacted};
use runner::{Cancel, End, Environment, Invocation, Limits, Source};

use crate::ending::Ending;
use crate::live::{Live, Show};
use crate::project;
use crate::roster::Member;
use crate::settings::Settings;

/// How much of each output of a program is kept with its run.
const KEPT_OUTPUT: usize = 32 * 1024;
/// How much of each is told while the run works: the first half of what is kept, which is its beginning.
const TOLD_OUTPUT: usize = KEPT_OUTPUT / 2;

/// What a try has at hand.
pub(crate) struct Bench<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) member: &'a Member,
    filter: &'a Filter,
    pub(crate) run: &'a Run,
    pub(crate) cancel: &'a Cancel,
    /// When its time is up.
    pub(crate) deadline: Instant,
    values: RefCell<BTreeMap<String, String>>,
    /// The variables that had no value and left nothing.
    missing: RefCell<BTreeSet<String>>,
    live: Live<'a>,
}

/// What a program that succeeded left.
pub(crate) struct Done {
    pub(crate) exit_code: i32,
    pub(crate) logs: String,
}

impl<'a> Bench<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        member: &'a Member,
        run: &'a Run,
        cancel: &'a Cancel,
        show: Show<'a>,
    ) -> Result<Self, Ending> {
        let filter = member.filter()?;
        let deadline = Instant::now() + member.automation.timeout;
        let values = RefCell::new(template::context(&run.queued.occurrence, settings.workspace.root()));
        let (missing, live) = (RefCell::default(), Live::new(show, TOLD_OUTPUT));
        Ok(Self { settings, member, filter, run, cancel, deadline, values, missing, live })
    }

    /// Fills a template in and takes the secrets out of what comes of it.
    pub(crate) fn fill(&self, template: &Template) -> Redacted {
        for name in template.variables() {
            self.look_up(name);
        }
        let filled = template.fill(&self.values.borrow());
        self.missing.borrow_mut().extend(filled.missing);
        self.redact(&filled.text)
    }

    /// Finds out what a variable of the project comes to, once somebody wants to know.
    fn look_up(&self, name: &str) {
        if !matches!(name, "user" | "branch" | "feature") || self.values.borrow().contains_key(name) {
            return;
        }
        let value = match name {
            "user" => project::user(self.settings, self.run.queued.id.as_str(), self.filter, self.cancel),
            _ => project::branch(self.settings.workspace.root().as_path()),
        };
        let value = value.map(|it| if name == "feature" { template::feature_of(&it).to_owned() } else { it });
        self.values.borrow_mut().extend(value.map(|value| (name.to_owned(), value)));
    }

    /// Returns a line about every variable that had no value, for the end of what is kept.
    pub(crate) fn warnings(&self) -> String {
        let line = |name: &String| format!("[warning] {{{name}}} has no value here and was left out\n");
        self.missing.borrow().iter().map(line).collect()
    }

    /// Takes the automation's secrets out of a text.
    pub(crate) fn redact(&self, text: &str) -> Redacted {
        self.filter.redact(text)
    }

    /// Returns how much time is left.
    pub(crate) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Finds a program, or says that it is not installed.
    pub(crate) fn find(&self, name: &str) -> Result<PathBuf, Ending> {
        let root = self.settings.workspace.root();
        runner::find(OsStr::new(name), &self.settings.environment, root.as_path()).ok_or_else(|| {
            let name = self.redact(name);
            Ending::failure("CLI_NOT_INSTALLED", format!("the program `{name}` is not installed"))
        })
    }

    /// Runs a program in the workspace and tells what it prints as it comes; anything but success is
    /// the end of the try.
    pub(crate) fn program(&self, invocation: &Invocation) -> Result<Done, Ending> {
        self.listened_to(invocation, &mut |source, bytes| self.live.hear(source, bytes))
    }

    /// Does the same for a program whose answer is only for us.
    pub(crate) fn ask(&self, invocation: &Invocation) -> Result<Done, Ending> {
        self.listened_to(invocation, &mut |_, _| {})
    }

    fn listened_to(
        &self,
        invocation: &Invocation,
        on_output: &mut dyn FnMut(Source, &[u8]),
    ) -> Result<Done, Ending> {
        let name = self.redact(&invocation.program.display().to_string());
        let outcome = runner::run(&self.run_of(invocation, &self.environment()), on_output);
        let outcome = outcome.map_err(|error| self.not_started(&error))?;
        let logs = Printed { stdout: outcome.stdout.text, stderr: outcome.stderr.text }.logs();
        match outcome.end {
            End::Exited(0) => Ok(Done { exit_code: 0, logs }),
            End::Exited(code) => {
                let message = format!("`{name}` ended with exit code {code}");
                Err(Ending::Failure { code: "EXIT_CODE", message, exit_code: Some(code), logs })
            }
            End::Signaled(signal) => {
                let message = format!("`{name}` was ended by signal {signal}");
                Err(Ending::Failure { code: "SIGNALED", message, exit_code: None, logs })
            }
            End::TimedOut => Err(Ending::Timeout { logs }),
            End::Cancelled => Err(Ending::Stopped { logs }),
        }
    }

    /// Runs a program in the workspace and lets `talk` speak with it; returns what came of that and
    /// what the program told people. A program that is gone before all was said is the end of the try.
    pub(crate) fn conversation<T: Send + 'static>(
        &self,
        invocation: &Invocation,
        environment: &Environment,
        talk: impl FnOnce(ChildStdin, ChildStdout) -> T + Send + 'static,
    ) -> Result<(T, String), Ending> {
        let on_output = &mut |source, bytes: &[u8]| self.live.hear(source, bytes);
        let outcome = runner::run_interactive(&self.run_of(invocation, environment), talk, on_output);
        let outcome = outcome.map_err(|error| self.not_started(&error))?;
        let logs = Printed { stdout: String::new(), stderr: outcome.stderr.text }.logs();
        match (outcome.end, outcome.result) {
            (End::TimedOut, _) => Err(Ending::Timeout { logs }),
            (End::Cancelled, _) => Err(Ending::Stopped { logs }),
            (_, Some(said)) => Ok((said, logs)),
            (end, None) => {
                let message = format!("the program was gone before all was said ({end:?})");
                Err(Ending::Failure { code: "SIGNALED", message, exit_code: None, logs })
            }
        }
    }

    fn run_of<'r>(&'r self, invocation: &'r Invocation, environment: &'r Environment) -> runner::Run<'r> {
        let limits = Limits { timeout: self.time_left(), grace: self.settings.grace, output: KEPT_OUTPUT };
        runner::Run {
            invocation,
            folder: self.settings.workspace.root().as_path(),
            environment,
            mark: self.run.queued.id.as_str(),
            limits,
            filter: self.filter,
            cancel: self.cancel,
        }
    }

    fn not_started(&self, error: &runner::StartError) -> Ending {
        Ending::failure("START_FAILED", self.redact(&told(error)).into_string())
    }

    /// The surroundings' environment, and which automations led here.
    pub(crate) fn environment(&self) -> Environment {
        let mut environment = self.settings.environment.clone();
        let chain = self.run.queued.occurrence.chain.then(&self.run.queued.hook);
        environment.set(Chain::VARIABLE, chain.to_variable());
        environment
    }
}

/// Returns an error with everything behind it, on one line.
pub(crate) fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    text
}
