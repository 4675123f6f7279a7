//! Runs the examples of every rule of the guard.

use shell::guard::{self, Policy, RuleId};
use shell::{Files, Place, TypedInput, read};

/// A project with a registration.
struct Registered;

impl Files for Registered {
    fn read(&self, _: &str, _: usize) -> Option<Vec<u8>> {
        None
    }

    fn is_dir(&self, _: &str) -> bool {
        false
    }

    fn exists(&self, path: &str) -> bool {
        path == "/home/me/work/project/.claude/settings.json"
    }

    fn page_ports(&self, _: &str, _: Option<&str>) -> Vec<u16> {
        vec![4717]
    }
}

fn fired(command: &str) -> Vec<RuleId> {
    let typed = TypedInput::Unannounced;
    let files = &Registered;
    let place = Place { home: Some("/home/me"), typed, files, ..Place::at("/home/me/work/project") };
    let judgement = guard::judge(&read(command, &place), &Policy::default());
    judgement.reasons.into_iter().map(|finding| finding.rule).collect()
}

#[test]
fn every_rule_fits_its_examples_and_only_those() {
    let mut wrong = Vec::new();
    for rule in guard::rules() {
        assert!(!rule.matches.is_empty() && !rule.not_matches.is_empty(), "{} has no examples", rule.id);
        for command in rule.matches {
            let fired = fired(command);
            if !fired.contains(&rule.id) {
                wrong.push(format!("{}: `{command}` should fit, got {fired:?}", rule.id));
            }
        }
        for command in rule.not_matches {
            if fired(command).contains(&rule.id) {
                wrong.push(format!("{}: `{command}` should not fit", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_id_has_one_rule_and_its_name_reads_back() {
    let ids: Vec<RuleId> = guard::rules().map(|rule| rule.id).collect();
    assert_eq!(ids, RuleId::ALL);
    for id in ids {
        assert_eq!(RuleId::parse(id.name()), Some(id), "two rules are named `{id}`");
        assert_eq!(guard::rule(id).id, id);
    }
}

#[test]
fn a_name_of_no_rule_is_no_id() {
    for name in ["", "delete-rot", "Delete-Root", "permissions-tree"] {
        assert_eq!(RuleId::parse(name), None, "{name}");
    }
}
