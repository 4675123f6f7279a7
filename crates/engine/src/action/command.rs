//! Runs a program with arguments; each argument is a template.

use automation::{State, Template};
use redact::Redacted;
use runner::Invocation;

use super::Enter;
use crate::attempt::Attempt;
use crate::confinement::Confined;
use crate::ending::Ending;

/// The argument that becomes one argument per file.
const FILES: &str = "{files}";

/// Runs the program. A filled-in value stays within its argument, whatever characters it contains.
pub(super) fn perform(
    attempt: &Attempt<'_>,
    argv: &[Template],
    input: Option<&Template>,
    enter: Enter<'_>,
) -> Result<Ending, Ending> {
    let (program, words) =
        argv.split_first().ok_or_else(|| Ending::failure("TEMPLATE_ERROR", "the command has no program"))?;
    let program = attempt.find(program.as_str())?;
    enter(State::Replacing);
    let mut filled = Vec::with_capacity(words.len());
    for word in words {
        let text = attempt.fill_secret(word)?;
        // One argument per file, as `xargs` does.
        if word.as_str() == FILES {
            filled.extend(text.lines().map(str::to_owned));
        } else {
            filled.push(text);
        }
    }
    let input = input.map_or_else(Redacted::default, |input| attempt.fill(input));
    enter(State::Executing);
    let invocation = Invocation::command(program, filled, &input);
    let printed = attempt.program_confined(invocation, &attempt.environment(), Confined::Command)?;
    Ok(Ending::Success { exit_code: Some(printed.exit_code), logs: printed.logs })
}
