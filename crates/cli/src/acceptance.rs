//! Runs acceptance commands: the criteria of an intent and the validations of a plan. Each runs confined, after the shell
//! guard has judged it.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use dispatch::{CheckRequest, CheckResult};
use event::AbsPath;
use modules::shell_guard::{Disk, NAME};
use project_config::Config;
use project_config::guard::Settings;
use redact::Filter;
use runner::{Cancel, End, Environment, Invocation, Limits, Run};
use session::CheckOutcome;
use shell::guard::{GuardDecision, Policy, judge};
use store::Workspace;

use crate::environment;

/// The exit code of `steersman run` if the system cannot confine the command.
const NOT_CONFINED: i32 = 3;

/// The most lines of output in a message.
const SHOWN: usize = 40;

/// Runs the acceptance commands of one workspace.
pub(crate) struct AcceptanceRunner<'a> {
    workspace: &'a Workspace,
    user_state: Option<AbsPath>,
    policy: Policy,
    environment: Environment,
    filter: Filter,
    cancel: Cancel,
    /// The user permits commands that the guard would ask about.
    may_ask: bool,
}

/// Runs one command for a hook, which has no user to ask.
pub(crate) fn run_check(request: &CheckRequest<'_>) -> CheckResult {
    let user_state = environment::user_state();
    let config = Config::load(request.workspace).unwrap_or_default();
    let runner = AcceptanceRunner::new(request.workspace, user_state, &config, Cancel::new(), false);
    runner.check(request.command, request.intent, request.timeout)
}

impl<'a> AcceptanceRunner<'a> {
    pub(crate) fn new(
        workspace: &'a Workspace,
        user_state: Option<AbsPath>,
        config: &Config,
        cancel: Cancel,
        may_ask: bool,
    ) -> Self {
        let (policy, _) = Settings::policy(config.section(NAME));
        let environment = Environment::from_variables(environment::variables());
        let filter = Filter::with_patterns(environment.secret_patterns()).unwrap_or_default();
        Self { workspace, user_state, policy, environment, filter, cancel, may_ask }
    }

    /// Runs a command, unless it is a sentence or may not run. It may write the scope of the intent, or the workspace.
    pub(crate) fn check(&self, text: &str, intent: Option<&str>, timeout: Duration) -> CheckResult {
        let text = text.trim();
        let root = self.workspace.root().to_string();
        let user_state = self.user_state.as_ref().map(ToString::to_string);
        let home = environment::home().map(|home| home.to_string());
        let reading = shell::read(
            text,
            &shell::Place {
                home: home.as_deref(),
                user_state: user_state.as_deref(),
                workspace: Some(&root),
                files: &Disk,
                git: &Disk,
                ..shell::Place::at(&root)
            },
        );
        let program = reading.commands.first().map(|first| first.program.as_str()).unwrap_or_default();
        if is_sentence(text, self.is_program(program)) {
            return result(CheckOutcome::Read, "a sentence for people; not run");
        }
        let judgement = judge(&reading, &self.policy);
        let why = judgement.reasons.first().map_or_else(String::new, |finding| finding.text.clone());
        match judgement.verdict {
            GuardDecision::Deny => {
                return result(CheckOutcome::Refused, format!("the shell guard denies it: {why}"));
            }
            GuardDecision::Ask if !self.may_ask => {
                let message = format!("the shell guard would ask: {why}; pass `--yes` to run it");
                return result(CheckOutcome::Skipped, message);
            }
            GuardDecision::Ask | GuardDecision::Allow => {}
        }
        self.run(text, intent, timeout)
    }

    fn run(&self, line: &str, intent: Option<&str>, timeout: Duration) -> CheckResult {
        let invocation = self.invocation(line, intent);
        let run = Run {
            invocation: &invocation,
            folder: self.workspace.root().as_path(),
            environment: &self.environment,
            mark: &format!("check-{}-{}", std::process::id(), store::now().as_millis()),
            limits: Limits::with_timeout(timeout),
            filter: &self.filter,
            cancel: &self.cancel,
            pipe: None,
        };
        let outcome = match runner::run(&run, &mut |_, _| {}) {
            Ok(outcome) => outcome,
            Err(error) => return result(CheckOutcome::Refused, format!("cannot start it: {error}")),
        };
        let errors = outcome.stderr.text.trim_end();
        let (kind, how) = match outcome.end {
            End::Exited(0) => return result(CheckOutcome::Passed, ""),
            End::Exited(NOT_CONFINED) if errors.starts_with("steersman: cannot confine") => {
                return result(CheckOutcome::Refused, errors.trim_start_matches("steersman: "));
            }
            End::Exited(code) => (CheckOutcome::Failed, format!("it exited with code {code}")),
            End::Signaled(signal) => (CheckOutcome::Failed, format!("signal {signal} ended it")),
            End::TimedOut => {
                (CheckOutcome::TimedOut, format!("it did not finish within {} s", timeout.as_secs().max(1)))
            }
            End::Cancelled => (CheckOutcome::Skipped, "it was canceled".to_owned()),
        };
        let printed = format!("{}\n{errors}", outcome.stdout.text.trim_end());
        let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
        let end = &lines[lines.len().saturating_sub(SHOWN)..];
        result(kind, [&[how.as_str()], end].concat().join("\n"))
    }

    /// Returns the command behind `steersman run`; on a system that cannot confine, the command itself.
    fn invocation(&self, line: &str, intent: Option<&str>) -> Invocation {
        let sh = self.find("sh").unwrap_or_else(|| PathBuf::from("sh"));
        let program = environment::running_program().filter(|_| cfg!(target_os = "linux"));
        let Some(program) = program else {
            return Invocation { program: sh, args: vec!["-c".into(), line.into()], stdin: Vec::new() };
        };
        let root = self.workspace.root().as_path().as_os_str();
        let scope =
            intent.map_or([OsString::from("--write"), root.into()], |id| ["--intent".into(), id.into()]);
        // A command that ended this process would end the check with it, and the agent would stop unchecked.
        let mut args: Vec<OsString> =
            vec!["run".into(), "--own-signals".into(), "--workspace".into(), root.into()];
        args.extend(scope);
        args.extend(["--".into(), sh.into_os_string(), "-c".into(), line.into()]);
        Invocation { program, args, stdin: Vec::new() }
    }

    fn find(&self, program: &str) -> Option<PathBuf> {
        runner::find(OsStr::new(program), &self.environment, self.workspace.root().as_path())
    }

    fn is_program(&self, name: &str) -> bool {
        const BUILT_IN: [&str; 8] = ["cd", "test", "[", "exec", "true", "false", "set", "."];
        !name.is_empty() && (BUILT_IN.contains(&name) || self.find(name).is_some())
    }
}

fn result(outcome: CheckOutcome, message: impl Into<String>) -> CheckResult {
    CheckResult { outcome, message: message.into() }
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
