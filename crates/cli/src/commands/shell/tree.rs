//! Prints the reading of a command line.

use page::view::{CommandReading, PathsOfVerb};

use crate::output::paint::{self, of_decision, paint};
use crate::output::text::one_line;
use crate::output::{field, print, prose};

/// Prints the verdict, every command of the line, and its effects.
pub(super) fn draw(reading: &CommandReading) {
    prose(format_args!("{}", reading.command));
    for (index, command) in reading.commands.iter().enumerate() {
        let last = index + 1 == reading.commands.len();
        let notes = paint(paint::FAINT, &format!("({})", command.notes.join(", ")));
        // A line break in the text of a command would look like another command of the tree.
        let text = format!("{}  {notes}", one_line(&command.text));
        field(if last { "└─ " } else { "├─ " }, &text);
        draw_paths(&command.files, if last { "  " } else { "│ " });
    }
    draw_paths(&reading.redirections, "redirection");
    if let Some(stop) = &reading.stopped_at {
        prose(format_args!("stopped at {stop}"));
    }
    for doubt in &reading.unknown {
        prose(format_args!("unknown: {doubt}"));
    }
    let traits: Vec<String> = reading.traits.iter().map(|name| format!(", {name}")).collect();
    print(format_args!("\nclass: {}{}", reading.class, traits.concat()));
    print(format_args!("guard: {}", paint(of_decision(&reading.verdict), &reading.verdict)));
    for finding in &reading.findings {
        field(&format!("  {} ", finding.level), &format!("[{}] {}", finding.rule, finding.text));
        prose(format_args!("  {} {}", paint(paint::HINT, "hint:"), finding.hint));
    }
}

fn draw_paths(files: &[PathsOfVerb], lead: &str) {
    for PathsOfVerb { verb, paths } in files {
        field(&format!("{lead}    {verb:7} "), &paths.join(", "));
    }
}
