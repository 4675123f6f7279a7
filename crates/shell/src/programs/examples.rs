//! Runs the examples of every row.

use super::{FAMILIES, wrappers::KINDS};
use crate::{Place, Reading};

fn place() -> Place<'static> {
    Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") }
}

fn read(command: &str) -> Reading {
    crate::read(command, &place())
}

#[test]
fn every_row_has_the_class_its_examples_say() {
    let mut wrong = Vec::new();
    for program in FAMILIES.iter().flat_map(|family| family.iter()) {
        assert!(
            !program.matches.is_empty() && !program.not_matches.is_empty(),
            "{} has no examples",
            program.name
        );
        for command in program.matches {
            let class = read(command).class;
            if class != program.class && !(program.class < class && class == crate::Class::Unknown) {
                wrong.push(format!("`{command}` is {class:?}, its row says {:?}", program.class));
            }
        }
        for command in program.not_matches {
            let reading = read(command);
            let runs = reading.commands.iter().any(|command| command.program == program.name);
            if runs && reading.class == program.class {
                wrong.push(format!("`{command}` is {:?} like its row, but should not be", reading.class));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn names_are_unique_and_there_are_enough() {
    let mut names: Vec<&str> =
        FAMILIES.iter().flat_map(|family| family.iter()).map(|program| program.name).collect();
    let n = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), n, "a name has two rows");
    assert!(n >= 200, "only {n} programs");
}

#[test]
fn every_wrapper_shows_what_it_runs() {
    let policy = crate::guard::Policy::default();
    let mut wrong = Vec::new();
    for wrapper in KINDS.into_iter().flatten() {
        for command in wrapper.matches {
            let judgement = crate::guard::judge(&read(command), &policy);
            if judgement.verdict != crate::guard::GuardDecision::Deny {
                wrong.push(format!("{}: `{command}` hides what it runs", wrapper.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
