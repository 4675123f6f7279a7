//! What agents do all day passes: none of it is denied, nearly all of it is allowed.

use shell::guard::{self, GuardDecision, Policy, RuleId};
use shell::{Place, read};

const ORDINARY: &str = include_str!("corpus/ordinary.txt");

fn verdict(command: &str) -> (GuardDecision, Vec<RuleId>) {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    let judgement = guard::judge(&read(command, &place), &Policy::default());
    (judgement.verdict, judgement.reasons.into_iter().map(|finding| finding.rule).collect())
}

fn commands() -> impl Iterator<Item = String> {
    ORDINARY.lines().filter(|line| !line.is_empty()).map(|line| line.replace("\\n", "\n"))
}

#[test]
fn ordinary_commands_pass() {
    let mut n = 0;
    let mut denied = Vec::new();
    let mut asked = Vec::new();
    for command in commands() {
        n += 1;
        match verdict(&command) {
            (GuardDecision::Deny, rules) => denied.push(format!("{command}  {rules:?}")),
            (GuardDecision::Ask, rules) => asked.push(format!("{command}  {rules:?}")),
            (GuardDecision::Allow, _) => {}
        }
    }
    assert!(n >= 400, "only {n} commands");
    assert!(denied.is_empty(), "denied:\n{}", denied.join("\n"));
    assert!(asked.len() * 100 <= n, "{} of {n} asked about:\n{}", asked.len(), asked.join("\n"));
}

#[test]
fn everyday_commands_pass() {
    let lines: Vec<&str> = include_str!("corpus/everyday.txt").lines().collect();
    assert!(lines.len() >= 800, "only {} commands", lines.len());
    let wrong: Vec<String> = lines
        .iter()
        .map(|line| (line, verdict(&line.replace("\\n", "\n"))))
        .filter(|(_, (verdict, _))| *verdict != GuardDecision::Allow)
        .map(|(line, (_, rules))| format!("{line}  {rules:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn ordinary_commands_are_read() {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    for command in commands() {
        let reading = read(&command, &place);
        assert!(reading.parsed, "{command}: {:?}", reading.stopped_at);
    }
}
