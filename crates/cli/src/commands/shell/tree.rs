//! Prints the reading of a command line.

use page::view::{CommandReading, PathsOfVerb};

use crate::output::paint::{self, of_decision, paint};
use crate::output::print;

/// Prints the verdict, every command of the line, and its effects.
pub(super) fn draw(reading: &CommandReading) {
    print(format_args!("{}", reading.command));
    for (index, command) in reading.commands.iter().enumerate() {
        let last = index + 1 == reading.commands.len();
        let notes = paint(paint::FAINT, &format!("({})", command.notes.join(", ")));
        print(format_args!("{} {}  {notes}", if last { "└─" } else { "├─" }, command.text));
        draw_paths(&command.files, if last { "  " } else { "│ " });
    }
    draw_paths(&reading.redirections, "redirection");
    if let Some(stop) = &reading.stopped_at {
        print(format_args!("stopped at {stop}"));
    }
    for doubt in &reading.unknown {
        print(format_args!("unknown: {doubt}"));
    }
    let traits: Vec<String> = reading.traits.iter().map(|name| format!(", {name}")).collect();
    print(format_args!("\nclass: {}{}", reading.class, traits.concat()));
    print(format_args!("guard: {}", paint(of_decision(&reading.verdict), &reading.verdict)));
    for finding in &reading.findings {
        print(format_args!("  {} [{}] {}", finding.level, finding.rule, finding.text));
        print(format_args!("  {} {}", paint(paint::HINT, "hint:"), finding.hint));
    }
}

fn draw_paths(files: &[PathsOfVerb], lead: &str) {
    for PathsOfVerb { verb, paths } in files {
        print(format_args!("{lead}    {verb:7} {}", paths.join(", ")));
    }
}
