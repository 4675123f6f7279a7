//! What destroys beyond repair or leaves the workspace's control is denied; what is only risky is asked about.

use shell::guard::{self, GuardDecision, Policy};
use shell::{Place, read};

fn verdict(command: &str) -> GuardDecision {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    guard::judge(&read(command, &place), &Policy::default()).verdict
}

fn check(corpus: &str, least: usize, expected: GuardDecision) {
    let commands: Vec<String> =
        corpus.lines().filter(|line| !line.is_empty()).map(|line| line.replace("\\n", "\n")).collect();
    assert!(commands.len() >= least, "only {} commands", commands.len());
    let wrong: Vec<String> = commands
        .iter()
        .map(|command| (verdict(command), command))
        .filter(|(found, _)| *found != expected)
        .map(|(found, command)| format!("{found:?}: {command}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), commands.len(), wrong.join("\n"));
}

#[test]
fn dangerous_commands_are_denied() {
    check(include_str!("corpus/dangerous.txt"), 200, GuardDecision::Deny);
}

#[test]
fn attacks_by_other_means_are_denied() {
    check(include_str!("corpus/attacks.txt"), 400, GuardDecision::Deny);
}

#[test]
fn risky_but_ordinary_commands_are_asked_about() {
    check(include_str!("corpus/risky.txt"), 40, GuardDecision::Ask);
}
