//! The parts of a verdict that the host could not carry out, with the reason and the effect.

use host::{Support, Verb, capability};
use session::RunRecord;

/// A part of the verdict that the host could not carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// The part.
    pub verb: String,
    /// Why, as a clause.
    pub why: &'static str,
    /// The effect, as a clause.
    pub means: &'static str,
}

/// Explains a call that passed although a module asked.
pub const PERMITTED_REMARK: &str =
    "A module asked, but the user had permitted this call with `steersman session allow`.";

/// Returns the dropped parts of a run.
pub fn dropped_parts(record: &RunRecord) -> Vec<Dropped> {
    let wire = record.target();
    let of = |word: &String| {
        let verb = Verb::ALL.into_iter().find(|verb| verb.as_str() == word);
        let support =
            wire.as_ref().zip(verb).map(|(wire, verb)| capability(wire.protocol(), wire.event_kind(), verb));
        let why = match support {
            Some(Support::No(why) | Support::Mostly(why)) => why,
            _ => "not together with the rest of the answer",
        };
        Dropped { verb: word.clone(), why, means: verb.map_or("it had no effect", meaning) }
    };
    record.dropped.iter().map(of).collect()
}

/// Returns the effect of dropping a verb.
const fn meaning(verb: Verb) -> &'static str {
    match verb {
        Verb::Deny => "the call was not stopped",
        Verb::Ask => "the host did not ask",
        Verb::Allow => "the host followed its own rules",
        Verb::Rewrite => "the tool ran with its original input",
        Verb::Context => "the model did not get it",
        Verb::Message => "the user did not see it",
        Verb::EndTurn => "the agent continued its turn",
        Verb::Replace => "the model read the original result",
    }
}
