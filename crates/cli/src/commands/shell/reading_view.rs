//! The reading of a command line as the page and the terminal show it.

use page::view::{CommandReading, GuardFinding, PathsOfVerb, ReadCommand};
use shell::guard::GuardJudgement;
use shell::{Origin, PathUse, Reading, Simple, Site};

/// Returns the view of a reading and the guard's judgement.
pub(super) fn of(command: &str, reading: &Reading, judgement: &GuardJudgement) -> CommandReading {
    let n_commands = reading.commands.len();
    let traits = [
        (reading.network, "network"),
        (reading.privilege, "elevated privileges"),
        (reading.runs_fetched_code, "runs fetched code"),
    ];
    CommandReading {
        command: command.trim_end().to_owned(),
        class: reading.class.name().to_owned(),
        traits: traits.iter().filter(|(holds, _)| *holds).map(|(_, name)| (*name).to_owned()).collect(),
        verdict: judgement.verdict.name().to_owned(),
        commands: reading
            .commands
            .iter()
            .enumerate()
            .map(|(index, simple)| ReadCommand {
                text: text(simple),
                notes: notes(simple),
                files: files(reading, |used| used.command == index),
            })
            .collect(),
        redirections: files(reading, |used| used.command >= n_commands),
        stopped_at: reading.stopped_at.as_ref().map(|stop| format!("byte {}: {}", stop.at, stop.what)),
        unknown: reading
            .unknown
            .iter()
            .map(|doubt| format!("{}: {}", doubt.about, doubt.kind.sentence()))
            .collect(),
        findings: judgement
            .reasons
            .iter()
            .map(|finding| GuardFinding {
                rule: finding.rule.name().to_owned(),
                level: finding.level.name().to_owned(),
                text: finding.text.clone(),
                hint: finding.hint.to_owned(),
            })
            .collect(),
    }
}

fn files(reading: &Reading, belongs: impl Fn(&PathUse) -> bool) -> Vec<PathsOfVerb> {
    let all = [
        ("reads", &reading.reads),
        ("writes", &reading.writes),
        ("creates", &reading.creates),
        ("deletes", &reading.deletes),
    ];
    let of_verb = |(verb, uses): (&str, &Vec<PathUse>)| PathsOfVerb {
        verb: verb.to_owned(),
        paths: uses.iter().filter(|used| belongs(used)).map(shown).collect(),
    };
    all.into_iter().map(of_verb).filter(|it| !it.paths.is_empty()).collect()
}

fn text(simple: &Simple) -> String {
    let text = simple.line();
    if text.is_empty() { "(redirection only)".to_owned() } else { text }
}

fn notes(simple: &Simple) -> Vec<String> {
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
    notes
}

fn shown(used: &PathUse) -> String {
    if used.recursive { format!("{} and everything below", used.path) } else { used.path.clone() }
}
