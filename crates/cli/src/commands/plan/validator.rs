//! Runs the `validations` of a plan: commands to run, or sentences for people.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use modules::shell_guard::{Disk, NAME};
use project_config::Config;
use project_config::guard::Settings;
use redact::Filter;
use runner::{Cancel, End, Environment, Invocation, Limits, Run};
use shell::guard::{GuardDecision, Policy, judge};

use crate::commands::Place;
use crate::environment;

/// The result of one validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Validated {
    /// `passed`, `failed`, `refused`, `skipped`, or `read` for a sentence.
    pub(super) result: &'static str,
    /// The output, or the reason.
    pub(super) message: String,
}

impl Validated {
    fn new(result: &'static str, message: impl Into<String>) -> Self {
        Self { result, message: message.into() }
    }

    /// Returns whether the validation does not contradict that the node is complete.
    pub(super) fn holds(&self) -> bool {
        matches!(self.result, "passed" | "read")
    }
}

/// Runs validations.
pub(super) struct Validator<'a> {
    place: &'a Place,
    policy: Policy,
    home: Option<String>,
    environment: Environment,
    filter: Filter,
    cancel: Cancel,
    timeout: Duration,
    /// The user permits commands that the guard would ask about.
    may_ask: bool,
}

/// The maximum number of output lines printed for a failure.
const SHOWN: usize = 20;

impl<'a> Validator<'a> {
    pub(super) fn new(place: &'a Place, timeout: Duration, may_ask: bool) -> anyhow::Result<Self> {
        let (policy, _) = Settings::policy(Config::load(&place.workspace)?.section(NAME));
        let environment = Environment::from_variables(environment::variables());
        let filter = Filter::with_patterns(environment.secret_patterns()).unwrap_or_default();
        let cancel = Cancel::new();
        let stop = cancel.clone();
        ctrlc::set_handler(move || stop.cancel()).context("cannot install the handler for Ctrl-C")?;
        let home = environment::home().map(|home| home.to_string());
        Ok(Self { place, policy, home, environment, filter, cancel, timeout, may_ask })
    }

    /// Returns whether the user pressed Ctrl-C.
    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Runs a validation, if it is a command that may run.
    pub(super) fn validate(&self, text: &str) -> anyhow::Result<Validated> {
        let text = text.trim();
        let root = self.place.workspace.root();
        let cwd = root.to_string();
        let user_state = self.place.user_state.as_ref().map(ToString::to_string);
        let reading = shell::read(
            text,
            &shell::Place {
                home: self.home.as_deref(),
                user_state: user_state.as_deref(),
                workspace: Some(&cwd),
                files: &Disk,
                git: &Disk,
                ..shell::Place::at(&cwd)
            },
        );
        let program = reading.commands.first().map(|first| first.program.as_str()).unwrap_or_default();
        if is_sentence(text, self.is_program(program)) {
            return Ok(Validated::new("read", "a sentence for people; not run"));
        }
        let judgement = judge(&reading, &self.policy);
        let why = judgement.reasons.first().map_or_else(String::new, |finding| finding.text.clone());
        match judgement.verdict {
            GuardDecision::Deny => {
                return Ok(Validated::new("refused", format!("the shell guard denies it: {why}")));
            }
            GuardDecision::Ask if !self.may_ask => {
                let message = format!("the shell guard would ask: {why}; pass `--yes` to run it");
                return Ok(Validated::new("skipped", message));
            }
            GuardDecision::Ask | GuardDecision::Allow => {}
        }
        self.run(text)
    }

    fn run(&self, line: &str) -> anyhow::Result<Validated> {
        let invocation = Invocation {
            program: self.find("sh").unwrap_or_else(|| PathBuf::from("sh")),
            args: vec!["-c".into(), line.into()],
            stdin: Vec::new(),
        };
        let run = Run {
            invocation: &invocation,
            folder: self.place.workspace.root().as_path(),
            environment: &self.environment,
            mark: &format!("plan-check-{}-{}", std::process::id(), store::now().as_millis()),
            limits: Limits::with_timeout(self.timeout),
            filter: &self.filter,
            cancel: &self.cancel,
            pipe: None,
        };
        let outcome =
            runner::run(&run, &mut |_, _| {}).context("cannot start a shell for the validations")?;
        let how = match outcome.end {
            End::Exited(0) => return Ok(Validated::new("passed", "")),
            End::Exited(code) => format!("it exited with code {code}"),
            End::Signaled(signal) => format!("signal {signal} ended it"),
            End::TimedOut => format!("it did not finish within {} s", self.timeout.as_secs()),
            End::Cancelled => "it was canceled".to_owned(),
        };
        let printed = format!("{}\n{}", outcome.stdout.text.trim_end(), outcome.stderr.text.trim_end());
        let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
        let end = &lines[lines.len().saturating_sub(SHOWN)..];
        Ok(Validated::new("failed", [&[how.as_str()], end].concat().join("\n")))
    }

    fn find(&self, program: &str) -> Option<PathBuf> {
        runner::find(OsStr::new(program), &self.environment, self.place.workspace.root().as_path())
    }

    fn is_program(&self, name: &str) -> bool {
        const BUILT_IN: [&str; 8] = ["cd", "test", "[", "exec", "true", "false", "set", "."];
        !name.is_empty() && (BUILT_IN.contains(&name) || self.find(name).is_some())
    }
}

/// Returns whether a validation is a sentence for people. Treats it as a command in doubt: a command that
/// cannot run fails visibly, whereas a command mistaken for a sentence would pass without running.
fn is_sentence(text: &str, begins_with_program: bool) -> bool {
    let mut from_end = text.chars().rev();
    let ends_like_one = from_end.next().is_some_and(|last| ".!?".contains(last))
        && from_end.next().is_some_and(char::is_alphanumeric)
        && text.contains(' ');
    let has_signs = text.contains(['|', '>', '<', ';', '=', '$', '`', '/', '"', '\''])
        || text.split_whitespace().any(|word| word.starts_with('-') || word == "&&");
    let begins_like_one = text.starts_with(char::is_uppercase) || text.split_whitespace().count() >= 3;
    let is_advice = text.starts_with("make sure ") || text.starts_with("test that ");
    if begins_with_program {
        return is_advice || (ends_like_one && !has_signs && text.starts_with(char::is_uppercase));
    }
    ends_like_one || (begins_like_one && !has_signs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ambiguous_validation_is_a_command() {
        for (text, begins_with_program) in [
            ("The login page loads.", false),
            ("All tests of the API pass", false),
            ("users can sign in", false),
            ("make sure that the form is shown", true),
            ("test that nothing is lost", true),
        ] {
            assert!(is_sentence(text, begins_with_program), "{text}");
        }
        for (text, begins_with_program) in [
            ("cargo test -p api", true),
            ("pytest .", true),
            ("npm test", true),
            ("RUST_LOG=debug cargo test", true),
            ("carg test --workspace", false),
            ("./scripts/check.sh", false),
            ("Rscript check.R", true),
            ("cargo clippy && cargo test", true),
            ("npx tset", false),
        ] {
            assert!(!is_sentence(text, begins_with_program), "{text}");
        }
    }
}
