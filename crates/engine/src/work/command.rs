//! A program with fixed words, in which variables are filled in one by one.

use automation::{State, Template};
use redact::Redacted;
use runner::Invocation;

use super::Enter;
use crate::bench::Bench;
use crate::ending::Ending;

/// Runs the program. A value that is filled in stays one word, whatever it has in it.
pub(super) fn perform(
    bench: &Bench<'_>,
    argv: &[Template],
    input: Option<&Template>,
    enter: Enter<'_>,
) -> Result<Ending, Ending> {
    let (program, words) =
        argv.split_first().ok_or_else(|| Ending::failure("TEMPLATE_ERROR", "the command has no program"))?;
    let program = bench.find(program.as_str())?;
    enter(State::Replacing);
    let fill = |word: &Template| bench.fill(word).into_string();
    let words: Vec<String> = words.iter().map(fill).collect();
    let input = input.map_or_else(Redacted::default, |input| bench.fill(input));
    enter(State::Executing);
    let printed = bench.program(&Invocation::command(program, words, &input))?;
    Ok(Ending::Success { exit_code: Some(printed.exit_code), logs: printed.logs })
}
