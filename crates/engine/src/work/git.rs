//! A commit or a push, through the program `git`.

use automation::{Git, GitOperation, State};
use redact::Redacted;
use runner::Invocation;

use super::Enter;
use crate::bench::{Bench, Done};
use crate::ending::Ending;

/// Commits what is staged, else all that changed in tracked files; pushes the branch to where it belongs.
pub(super) fn perform(bench: &Bench<'_>, git: &Git, enter: Enter<'_>) -> Result<Ending, Ending> {
    let program = bench.find("git")?;
    enter(State::Replacing);
    let message = git.message.as_ref().map(|message| bench.fill(message));
    enter(State::Executing);
    let call = |args: &[&str], input: &Redacted| -> Result<Done, Ending> {
        bench.program(&Invocation::command(program.clone(), args.iter(), input))
    };
    let ask = |args: &[&str]| -> Result<Done, Ending> {
        bench.ask(&Invocation::command(program.clone(), args.iter(), &Redacted::default()))
    };
    let nothing = Redacted::default();
    let mut logs = String::new();
    if git.operation == GitOperation::Commit {
        let staged = ask(&["diff", "--cached", "--name-only"])?.logs;
        let changed = ask(&["diff", "--name-only"])?.logs;
        if staged.trim().is_empty() && changed.trim().is_empty() {
            return Ok(Ending::Success { exit_code: Some(0), logs: "nothing to commit\n".to_owned() });
        }
        let message = message.unwrap_or_else(|| Redacted::nothing_secret("Commit by an automation"));
        // The message goes by stdin: one that begins with a dash is still a message.
        let all: &[&str] =
            if staged.trim().is_empty() { &["commit", "-a", "-F", "-"] } else { &["commit", "-F", "-"] };
        logs.push_str(&call(all, &message)?.logs);
    }
    if git.operation == GitOperation::Push || git.push {
        logs.push_str(&call(&["push"], &nothing)?.logs);
    }
    Ok(Ending::Success { exit_code: Some(0), logs })
}
