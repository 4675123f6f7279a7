//! Records a prompt, and whether it corrects the agent.
//!
//! The project decides with `session.promptAudit` whether the text of a prompt is recorded, here as well.

use store::fingerprint;

use super::entry;
use crate::Context;
use memory::{Experience, ExperienceKind};

/// The beginnings of a correcting prompt.
const BEGINNINGS: [&str; 16] = [
    "no,",
    "no.",
    "no!",
    "no ",
    "nope",
    "stop",
    "don't",
    "do not",
    "wrong",
    "that's wrong",
    "that is wrong",
    "not like",
    "undo",
    "revert",
    "i said",
    "i told you",
];

/// Phrases in the first sentences of a correcting prompt.
const PHRASES: [&str; 10] = [
    "not what i asked",
    "not what i meant",
    "still doesn't work",
    "still does not work",
    "still fails",
    "you should have",
    "you forgot",
    "instead of what you did",
    "again, please use",
    "please don't",
];

/// How much of a prompt is searched.
const LOOKED_AT: usize = 400;

/// Returns the experience of a prompt. The first prompt of a session is never a correction.
pub(super) fn experience_of(context: &Context<'_>, prompt: &str) -> Experience {
    let keeps_text = context.config.section("session")["promptAudit"] == "raw";
    let corrects = context.ids.turn > 1 && is_correction(prompt);
    let kind = if corrects { ExperienceKind::Corrected } else { ExperienceKind::Asked };
    let text = if keeps_text { entry::text(&beginning(prompt)) } else { String::new() };
    let subject = fingerprint([prompt.as_bytes()]).short();
    Experience { subject, text, by: corrects.then(|| "person".to_owned()), ..entry::of(context, kind) }
}

fn is_correction(prompt: &str) -> bool {
    let text = beginning(prompt).to_lowercase().replace('\u{2019}', "'");
    let text = text.trim_start();
    BEGINNINGS.iter().any(|word| text.starts_with(word)) || PHRASES.iter().any(|phrase| text.contains(phrase))
}

fn beginning(prompt: &str) -> String {
    prompt.chars().take(LOOKED_AT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_sets_the_agent_right_is_told_from_what_asks_for_more() {
        for prompt in [
            "No, use pnpm here",
            "Don’t touch the migrations",
            "That's wrong: the test has to fail first",
            "It still fails with the same error",
            "Please undo that. You forgot the changelog.",
            "stop! revert this",
        ] {
            assert!(is_correction(prompt), "{prompt}");
        }
        for prompt in [
            "Now add a test for it",
            "Note that the parser is in src/",
            "Add a flag --no-color",
            "Nothing else? Then commit",
            "Why does the stop button not work?",
        ] {
            assert!(!is_correction(prompt), "{prompt}");
        }
    }
}
