//! One attempt of a run: its deadline, its secret filter, its environment, and the programs it runs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::PipeWriter;
use std::path::PathBuf;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use automation::queue::Run;
use automation::template::{self, EnvPart, env_parts};
use automation::{CapturedOutput, Chain, OccurrenceKind, Template};
use redact::{Filter, Redacted};
use runner::{Cancel, End, Environment, Invocation, Limits, Source};

use crate::automation_set::LoadedAutomation;
use crate::confinement::{CANNOT_CONFINE, Confined, Relay, confined, refusal};
use crate::ending::Ending;
use crate::live_output::{LiveOutput, Show};
use crate::project::{self, branch_of};
use crate::settings::Settings;
use crate::specification::Specification;

/// How many bytes of each output the record of a run stores.
const STORED_OUTPUT: usize = 32 * 1024;
/// How many bytes of each output the journal gets while the run is active: the first half of the
/// stored output, which is the beginning of the whole output.
const LIVE_OUTPUT: usize = STORED_OUTPUT / 2;

/// One attempt of a run.
pub(crate) struct Attempt<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) loaded: &'a LoadedAutomation,
    filter: &'a Filter,
    pub(crate) run: &'a Run,
    pub(crate) cancel: &'a Cancel,
    /// When its timeout expires.
    pub(crate) deadline: Instant,
    values: RefCell<BTreeMap<String, String>>,
    /// The variables without a value; templates replaced them with nothing.
    missing: RefCell<BTreeSet<String>>,
    live: LiveOutput<'a>,
}

/// The result of a program that succeeded.
pub(crate) struct Done {
    pub(crate) exit_code: i32,
    pub(crate) logs: String,
}

impl<'a> Attempt<'a> {
    pub(crate) fn new(
        settings: &'a Settings,
        loaded: &'a LoadedAutomation,
        run: &'a Run,
        cancel: &'a Cancel,
        show: Show<'a>,
    ) -> Result<Self, Ending> {
        let filter = loaded.filter()?;
        let deadline = Instant::now() + loaded.automation.timeout;
        let values = RefCell::new(template::context(&run.queued.occurrence, settings.workspace.root()));
        let (missing, live) = (RefCell::default(), LiveOutput::new(show, LIVE_OUTPUT));
        Ok(Self { settings, loaded, filter, run, cancel, deadline, values, missing, live })
    }

    /// Fills in a template and redacts the result.
    pub(crate) fn fill(&self, template: &Template) -> Redacted {
        for name in template.variables() {
            self.look_up(name);
        }
        let filled = template.fill(&self.values.borrow());
        self.missing.borrow_mut().extend(filled.missing);
        self.redact(&filled.text)
    }

    /// Fills in a template and the environment variables of its text, for a program that may have secrets. Data in
    /// the template's values is not searched for variables.
    ///
    /// WHY the data is redacted and the variables are not: the user wrote `${env:NAME}` to pass a secret.
    pub(crate) fn fill_secret(&self, template: &Template) -> Result<String, Ending> {
        let mut filled = String::new();
        for part in env_parts(template.as_str()) {
            match part {
                EnvPart::Text(text) => filled.push_str(self.fill(&Template::new(text)).as_str()),
                EnvPart::Variable(name) => filled.push_str(&self.variable(name)?),
            }
        }
        Ok(filled)
    }

    /// Fills in the environment variables of a string that is no template.
    pub(crate) fn with_variables(&self, text: &str) -> Result<String, Ending> {
        let parts = env_parts(text).into_iter();
        let filled = parts.map(|part| match part {
            EnvPart::Text(text) => Ok(text.to_owned()),
            EnvPart::Variable(name) => self.variable(name),
        });
        filled.collect()
    }

    fn variable(&self, name: &str) -> Result<String, Ending> {
        let value = self.settings.environment.get(name).and_then(OsStr::to_str).map(str::to_owned);
        value.ok_or_else(|| {
            Ending::failure(
                "NO_VARIABLE",
                format!("the environment variable `{name}` is not set for the server"),
            )
        })
    }

    /// Computes a variable of the project when a template first uses it.
    fn look_up(&self, name: &str) {
        if self.values.borrow().contains_key(name) {
            return;
        }
        let root = self.settings.workspace.root();
        let user = || project::user(self.settings, self.run.queued.id.as_str(), self.filter, self.cancel);
        let value = match name {
            "user" => user(),
            "branch" => branch_of(root),
            "feature" => branch_of(root).map(|it| template::feature_of(&it).to_owned()),
            "changeAuthor" => user().or_else(|| self.other_author()),
            "specId" | "specPath" | "oldStatus" | "newStatus" => self.specification(name),
            _ => None,
        };
        self.values.borrow_mut().extend(value.map(|value| (name.to_owned(), value)));
    }

    /// Returns the author of a change in a project without a git user: the agent program, else the user.
    fn other_author(&self) -> Option<String> {
        let host = self.values.borrow().get("hostName").cloned();
        let variable = |name| self.settings.environment.get(name).and_then(OsStr::to_str).map(str::to_owned);
        host.or_else(|| variable("USER")).or_else(|| variable("LOGNAME")).filter(|it| !it.is_empty())
    }

    /// Returns a value of the specification that an operation is about, if its occurrence does not have it: that
    /// of `emit` has only the data of its caller.
    fn specification(&self, name: &str) -> Option<String> {
        let OccurrenceKind::Operation { agent, .. } = &self.run.queued.occurrence.kind else { return None };
        let root = self.settings.workspace.root();
        let known = self.values.borrow().get("specId").cloned();
        let spec = Specification::current(root, *agent, known.or_else(|| branch_of(root)).as_deref())?;
        match name {
            "specId" => Some(spec.id),
            "specPath" => Some(root.join(&spec.path).to_string()),
            _ => spec.status(root),
        }
    }

    /// Returns a line for each variable without a value, for the end of the logs.
    pub(crate) fn warnings(&self) -> String {
        let line = |name: &String| format!("[warning] {{{name}}} has no value here and was left out\n");
        self.missing.borrow().iter().map(line).collect()
    }

    /// Redacts the automation's secrets.
    pub(crate) fn redact(&self, text: &str) -> Redacted {
        self.filter.redact(text)
    }

    /// Returns how much time is left.
    pub(crate) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Finds a program. The attempt fails if it is not installed.
    pub(crate) fn find(&self, name: &str) -> Result<PathBuf, Ending> {
        let root = self.settings.workspace.root();
        runner::find(OsStr::new(name), &self.settings.environment, root.as_path()).ok_or_else(|| {
            let name = self.redact(name);
            Ending::failure("CLI_NOT_INSTALLED", format!("the program `{name}` is not installed"))
        })
    }

    /// Runs a program in the workspace and reports its output as it prints it. The attempt ends unless
    /// the program succeeds.
    pub(crate) fn program(&self, invocation: &Invocation) -> Result<Done, Ending> {
        let on_output = &mut |source, bytes: &[u8]| self.live.add(source, bytes);
        self.run_program(invocation, &self.environment(), None, on_output)
    }

    /// Does the same with this environment, and confined if the automation says so.
    pub(crate) fn program_confined(
        &self,
        invocation: Invocation,
        environment: &Environment,
        program: Confined,
    ) -> Result<Done, Ending> {
        let on_output = &mut |source, bytes: &[u8]| self.live.add(source, bytes);
        let Some(confine) = &self.loaded.automation.confine else {
            return self.run_program(&invocation, environment, None, on_output);
        };
        let name = invocation.program.clone();
        let confined = confined(self.settings, confine, environment, invocation, program)?;
        let relay = Relay::start(&self.settings.workspace, self.filter);
        let done = self.run_program(&confined, environment, relay.pipe(), on_output);
        relay.finish();
        done.map_err(|ending| match ending {
            Ending::Failure { code: "EXIT_CODE", exit_code: Some(exit), logs, .. } => {
                let name = self.redact(&name.display().to_string());
                let (code, message) = match refusal(exit, &logs) {
                    Some(why) => (CANNOT_CONFINE, why),
                    None => ("EXIT_CODE", format!("`{name}` ended with exit code {exit}")),
                };
                Ending::Failure { code, message, exit_code: Some(exit), logs }
            }
            other => other,
        })
    }

    /// Runs a program whose output only the attempt itself needs.
    pub(crate) fn query(&self, invocation: &Invocation) -> Result<Done, Ending> {
        self.run_program(invocation, &self.environment(), None, &mut |_, _| {})
    }

    fn run_program(
        &self,
        invocation: &Invocation,
        environment: &Environment,
        pipe: Option<&PipeWriter>,
        on_output: &mut dyn FnMut(Source, &[u8]),
    ) -> Result<Done, Ending> {
        let name = self.redact(&invocation.program.display().to_string());
        let run = runner::Run { pipe, ..self.run_of(invocation, environment) };
        let outcome = runner::run(&run, on_output);
        let outcome = outcome.map_err(|error| self.not_started(&error))?;
        let logs = CapturedOutput { stdout: outcome.stdout.text, stderr: outcome.stderr.text }.logs();
        match outcome.end {
            End::Exited(0) => Ok(Done { exit_code: 0, logs }),
            End::Exited(code) => {
                let message = format!("`{name}` ended with exit code {code}");
                Err(Ending::Failure { code: "EXIT_CODE", message, exit_code: Some(code), logs })
            }
            End::Signaled(signal) => {
                let message = format!("`{name}` was killed by signal {signal}");
                Err(Ending::Failure { code: "SIGNALED", message, exit_code: None, logs })
            }
            End::TimedOut => Err(Ending::Timeout { logs }),
            End::Cancelled => Err(Ending::Stopped { logs }),
        }
    }

    /// Runs a program in the workspace and connects its stdin and stdout to `talk`. Returns the result
    /// of `talk` and the logs with the program's stderr. The attempt ends if the program exits first.
    pub(crate) fn conversation<T: Send + 'static>(
        &self,
        invocation: &Invocation,
        environment: &Environment,
        talk: impl FnOnce(ChildStdin, ChildStdout) -> T + Send + 'static,
    ) -> Result<(T, String), Ending> {
        let on_output = &mut |source, bytes: &[u8]| self.live.add(source, bytes);
        let outcome = runner::run_interactive(&self.run_of(invocation, environment), talk, on_output);
        let outcome = outcome.map_err(|error| self.not_started(&error))?;
        let logs = CapturedOutput { stdout: String::new(), stderr: outcome.stderr.text }.logs();
        match (outcome.end, outcome.result) {
            (End::TimedOut, _) => Err(Ending::Timeout { logs }),
            (End::Cancelled, _) => Err(Ending::Stopped { logs }),
            (_, Some(result)) => Ok((result, logs)),
            (end, None) => {
                let message = format!("the program exited before it answered ({end:?})");
                Err(Ending::Failure { code: "SIGNALED", message, exit_code: None, logs })
            }
        }
    }

    fn run_of<'r>(&'r self, invocation: &'r Invocation, environment: &'r Environment) -> runner::Run<'r> {
        let limits = Limits { timeout: self.time_left(), grace: self.settings.grace, output: STORED_OUTPUT };
        runner::Run {
            invocation,
            folder: self.settings.workspace.root().as_path(),
            environment,
            mark: self.run.queued.id.as_str(),
            limits,
            filter: self.filter,
            cancel: self.cancel,
            pipe: None,
        }
    }

    fn not_started(&self, error: &runner::StartError) -> Ending {
        Ending::failure("START_FAILED", self.redact(&with_sources(error)).into_string())
    }

    /// Returns the environment of the settings, with the chain of automations that led to this run.
    pub(crate) fn environment(&self) -> Environment {
        let mut environment = self.settings.environment.clone();
        let chain = self.run.queued.occurrence.chain.then(&self.run.queued.hook);
        environment.set(Chain::VARIABLE, chain.to_variable());
        environment
    }
}

/// Returns an error and its sources on one line.
pub(crate) fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        text = format!("{text}: {deeper}");
        cause = deeper.source();
    }
    text
}
