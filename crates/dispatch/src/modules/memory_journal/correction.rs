//! A prompt: what was asked, and whether it sets the agent right.
//!
//! Whether the text of a prompt is kept is one decision of the project
//! (`session.promptAudit`), and it holds here too.

use store::fingerprint;

use super::entry;
use crate::Context;
use memory::{Experience, ExperienceKind};

/// How a prompt begins that sets the agent right.
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

/// What a prompt says somewhere in its first sentences that sets the agent right.
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

/// How much of a prompt is looked at.
const LOOKED_AT: usize = 400;

/// Returns what was asked. The first prompt of a session corrects nobody.
pub(super) fn heard(context: &Context<'_>, prompt: &str) -> Experience {
    let keeps_text = context.config.section("session")["promptAudit"] == "raw";
    let corrects = context.ids.turn > 1 && is_correction(prompt);
    let kind = if corrects { ExperienceKind::Corrected } else { ExperienceKind::Asked };
    let text = if keeps_text { entry::text(&beginning(prompt)) } else { String::new() };
    let subject = fingerprint([prompt.as_bytes()]).short();
    Experience { subject, text, by: corrects.then(|| "person".to_owned()), ..entry::of(context, kind) }
}

fn is_correction(prompt: &str) -> bool {
    let said = beginning(prompt).to_lowercase().replace('\u{2019}', "'");
    let said = said.trim_start();
    BEGINNINGS.iter().any(|word| said.starts_with(word)) || PHRASES.iter().any(|phrase| said.contains(phrase))
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
