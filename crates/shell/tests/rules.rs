//! Runs the examples of every rule of the guard.

use std::collections::BTreeSet;

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

/// The rules that commands raise only in a workspace with certain files, which the corpus lacks.
const RAISED_BY_FILES: [RuleId; 2] = [RuleId::OwnPage, RuleId::GitAgentState];

#[test]
fn the_corpus_raises_every_rule() {
    let lists = [
        include_str!("corpus/dangerous.txt"),
        include_str!("corpus/attacks.txt"),
        include_str!("corpus/risky.txt"),
    ];
    let commands = lists.iter().flat_map(|list| list.lines()).map(|line| line.replace("\\n", "\n"));
    let mut raised: BTreeSet<RuleId> = commands.flat_map(|command| fired(&command)).collect();
    raised.extend(RAISED_BY_FILES);
    let missing: Vec<&RuleId> = RuleId::ALL.iter().filter(|id| !raised.contains(id)).collect();
    assert!(missing.is_empty(), "add commands that raise {missing:?} to crates/shell/tests/corpus/");
}
