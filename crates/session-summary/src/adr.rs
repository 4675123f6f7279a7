//! Drafts an architecture decision record for a piece of work with decisions.

use std::fmt::Write;

use crate::figures::Figures;
use crate::markdown::{code, minute, words};
use crate::summary::StopSummary;

/// The longest text, in characters.
const TEXT: usize = 300;

/// Drafts the record of one piece of work. Returns `None` if it has no decisions.
pub fn draft(summary: &StopSummary, work: &str, figures: &Figures<'_>) -> Option<String> {
    let decisions: Vec<_> = figures.decisions.iter().filter(|made| made.work == work).collect();
    if decisions.is_empty() {
        return None;
    }
    let mut page = format!(
        "# Decisions of {work} in session {}\n\n\
         Status: draft. steersman generated it from the journal at the end of a turn and rewrites it at the next. Copy it \
         to the project's decision records, and add the reasons that the journal does not contain.\n\n\
         Date: {} UTC\n\n## Context\n\n",
        summary.session_id,
        minute(summary.generated_ts)
    );
    // Writing to a string cannot fail.
    for prompt in summary.prompts.items.iter().filter(|prompt| prompt.work_id == work) {
        let text = prompt.text.as_deref().map_or_else(
            || format!("a prompt of {} characters (its text is not recorded)", prompt.chars),
            |text| words(text, TEXT),
        );
        let _ = writeln!(page, "- Asked in turn {}: {text}", prompt.turn_id);
    }
    page.push_str("\n## Decisions\n\n");
    for (number, made) in decisions.iter().enumerate() {
        let _ = write!(page, "{}. {}. {}", number + 1, code(&made.what, TEXT), made.origin.sentence());
        let why = made.why.as_deref().map(|why| format!(" Why: {}", words(why, TEXT)));
        let _ = writeln!(page, "{} (turn {}, {} UTC)", why.unwrap_or_default(), made.turn, minute(made.ts));
    }
    page.push_str("\n## Consequences\n\n");
    for file in &summary.changed.items {
        let _ = writeln!(page, "- changed in this session: {}", code(&file.path, TEXT));
    }
    if summary.changed.items.is_empty() {
        page.push_str("- No file was changed by a tool that names the file it changes.\n");
    }
    Some(page)
}
