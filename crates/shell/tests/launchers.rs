//! Commands behind launchers, values, links and files that are run: the dangerous ones are found, their neighbours pass.

use shell::guard::{self, GuardDecision, Policy};
use shell::{Place, read};

const LAUNCHED: &str = include_str!("corpus/launched.txt");
const HARMLESS: &str = include_str!("corpus/harmless.txt");

fn verdict(line: &str) -> GuardDecision {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    guard::judge(&read(&line.replace("\\n", "\n"), &place), &Policy::default()).verdict
}

#[test]
fn a_dangerous_command_is_found_behind_every_launcher() {
    let n = LAUNCHED.lines().count();
    let silent: Vec<&str> = LAUNCHED.lines().filter(|line| verdict(line) == GuardDecision::Allow).collect();
    assert!(n >= 300, "only {n} lines");
    assert!(silent.is_empty(), "{} of {n} pass:\n{}", silent.len(), silent.join("\n"));
}

#[test]
fn harmless_calls_of_dangerous_programs_pass() {
    let wrong: Vec<&str> = HARMLESS.lines().filter(|line| verdict(line) != GuardDecision::Allow).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
