//! Commits or pushes with the program `git`.

use automation::{Git, GitOperation, State};
use redact::Redacted;
use runner::Invocation;

use super::Enter;
use crate::attempt::{Attempt, Done};
use crate::ending::Ending;

/// Commits the staged changes, else all changes of tracked files; pushes the branch to its upstream.
pub(super) fn perform(attempt: &Attempt<'_>, git: &Git, enter: Enter<'_>) -> Result<Ending, Ending> {
    let program = attempt.find("git")?;
    enter(State::Replacing);
    let message = git.message.as_ref().map(|message| attempt.fill(message));
    enter(State::Executing);
    let call = |args: &[&str], input: &Redacted| -> Result<Done, Ending> {
        attempt.program(&Invocation::command(program.clone(), args.iter(), input))
    };
    let query = |args: &[&str]| -> Result<Done, Ending> {
        attempt.query(&Invocation::command(program.clone(), args.iter(), &Redacted::default()))
    };
    let nothing = Redacted::default();
    let mut logs = String::new();
    if git.operation == GitOperation::Commit {
        let staged = query(&["diff", "--cached", "--name-only"])?.logs;
        let changed = query(&["diff", "--name-only"])?.logs;
        if staged.trim().is_empty() && changed.trim().is_empty() {
            return Ok(Ending::Success { exit_code: Some(0), logs: "nothing to commit\n".to_owned() });
        }
        let message = message.unwrap_or_else(|| Redacted::nothing_secret("Commit by an automation"));
        // On stdin, a message that starts with a dash is not read as an option.
        let all: &[&str] =
            if staged.trim().is_empty() { &["commit", "-a", "-F", "-"] } else { &["commit", "-F", "-"] };
        logs.push_str(&call(all, &message)?.logs);
    }
    if git.operation == GitOperation::Push || git.push {
        logs.push_str(&call(&["push"], &nothing)?.logs);
    }
    Ok(Ending::Success { exit_code: Some(0), logs })
}
