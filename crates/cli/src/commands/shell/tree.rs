//! Prints the reading of a command line.

use shell::guard::{GuardDecision, GuardJudgement};
use shell::{Origin, PathUse, Reading, Simple, Site};

use super::answer;
use crate::output::paint::{self, paint};
use crate::output::print;

/// Prints the verdict, every command of the line, and its effects.
pub(super) fn draw(command: &str, reading: &Reading, judgement: &GuardJudgement) {
    print(format_args!("{}", command.trim_end()));
    for (index, simple) in reading.commands.iter().enumerate() {
        let last = index + 1 == reading.commands.len();
        print(format_args!("{} {}", if last { "└─" } else { "├─" }, describe(simple)));
        draw_paths(reading, if last { "  " } else { "│ " }, |used| used.command == index);
    }
    let n_commands = reading.commands.len();
    draw_paths(reading, "redirection", |used| used.command >= n_commands);
    if let Some(stop) = &reading.stopped_at {
        print(format_args!("stopped at byte {}: {}", stop.at, stop.what));
    }
    for doubt in &reading.unknown {
        print(format_args!("unknown: {}: {}", doubt.about, doubt.kind.sentence()));
    }
    let traits: Vec<_> = [
        (reading.network, "network"),
        (reading.privilege, "elevated privileges"),
        (reading.runs_fetched_code, "runs fetched code"),
    ]
    .iter()
    .filter(|(holds, _)| *holds)
    .map(|(_, name)| *name)
    .collect();
    let traits = if traits.is_empty() { String::new() } else { format!(", {}", traits.join(", ")) };
    print(format_args!("\nclass: {}{traits}", reading.class.name()));
    print(format_args!("guard: {}", verdict(judgement.verdict)));
    for finding in &judgement.reasons {
        print(format_args!("  {} [{}] {}", answer::word(finding.level), finding.rule, finding.text));
        print(format_args!("  {} {}", paint(paint::HINT, "hint:"), finding.hint));
    }
}

fn draw_paths(reading: &Reading, lead: &str, belongs: impl Fn(&PathUse) -> bool) {
    for (verb, uses) in [
        ("reads", &reading.reads),
        ("writes", &reading.writes),
        ("creates", &reading.creates),
        ("deletes", &reading.deletes),
    ] {
        let paths: Vec<_> = uses.iter().filter(|used| belongs(used)).map(shown).collect();
        if !paths.is_empty() {
            print(format_args!("{lead}    {verb:7} {}", paths.join(", ")));
        }
    }
}

fn describe(simple: &Simple) -> String {
    let mut text = simple.line();
    if text.is_empty() {
        text = "(redirection only)".into();
    }
    let mut notes: Vec<String> = Vec::new();
    if !simple.via.is_empty() {
        notes.push(format!("through {}", simple.via.join(" → ")));
    }
    match &simple.origin {
        Origin::Line => {}
        Origin::Substitution => notes.push("in a substitution".into()),
        Origin::Text(program) => notes.push(format!("in text given to {program}")),
        Origin::Function(name) => notes.push(format!("in function {name}")),
        Origin::Script(name) => notes.push(format!("in script {name}")),
        Origin::Code(language) => notes.push(format!("in {language} code")),
    }
    match simple.site {
        Site::Local => {}
        Site::Container => notes.push("in a container".into()),
        Site::Remote => notes.push("on another machine".into()),
    }
    notes.push(simple.class.name().into());
    format!("{text}  {}", paint(paint::FAINT, &format!("({})", notes.join(", "))))
}

fn shown(used: &PathUse) -> String {
    if used.recursive { format!("{} and everything below", used.path) } else { used.path.clone() }
}

fn verdict(verdict: GuardDecision) -> String {
    match verdict {
        GuardDecision::Allow => paint(paint::GOOD, "allow"),
        GuardDecision::Ask => paint(paint::CAREFUL, "ask"),
        GuardDecision::Deny => paint(paint::BAD, "deny"),
    }
}
