//! Runs a program with arguments; each argument is a template.

use automation::{State, Template};
use redact::Redacted;
use runner::Invocation;

use super::Enter;
use crate::attempt::Attempt;
use crate::ending::Ending;

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
    let fill = |word: &Template| attempt.fill(word).into_string();
    let words: Vec<String> = words.iter().map(fill).collect();
    let input = input.map_or_else(Redacted::default, |input| attempt.fill(input));
    enter(State::Executing);
    let printed = attempt.program(&Invocation::command(program, words, &input))?;
    Ok(Ending::Success { exit_code: Some(printed.exit_code), logs: printed.logs })
}
