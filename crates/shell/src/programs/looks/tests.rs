//! Every section is well formed, and an option that no list has is never called harmless.

use super::section::SECTIONS as TEXT;
use super::*;
use crate::programs::{FAMILIES, wrappers};
use crate::{Class, Place, read};

fn class(command: &str) -> Class {
    read(command, &Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") }).class
}

fn all() -> Vec<Section> {
    let mut at = 0;
    let mut found = Vec::new();
    for line in TEXT.split_inclusive('\n') {
        if !line.starts_with([' ', '#', '\n']) {
            found.push(Section::at(at));
        }
        at += line.len();
    }
    found
}

#[test]
fn every_option_is_listed_with_a_documented_reason() {
    let mut wrong = Vec::new();
    for section in all() {
        for line in section.body().lines() {
            let (reason, list) = line.trim_start().split_once(' ').unwrap_or((line, ""));
            if !REASONS.iter().any(|(known, _)| *known == reason) {
                wrong.push(format!("{}: unknown reason `{reason}`", section.names));
            }
            for item in list.split(' ').filter(|_| matches!(reason, "select" | "print" | "source" | "limit"))
            {
                if item.is_empty() {
                    wrong.push(format!("{}: two spaces in `{line}`", section.names));
                }
            }
        }
        for rule in section.rules.split(';') {
            let is_known = matches!(
                rule,
                "" | "any"
                    | "never"
                    | "old"
                    | "front"
                    | "judged"
                    | "+"
                    | "get"
                    | "long"
                    | "alone"
                    | "streams"
                    | "to -"
            ) || rule.parse::<usize>().is_ok()
                || rule.strip_prefix("no ").is_some_and(|banned| !banned.trim().is_empty())
                || rule.strip_prefix("without ").is_some_and(|part| !part.is_empty());
            if !is_known {
                wrong.push(format!("{}: unknown rule `{rule}`", section.names));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_index_finds_every_section() {
    for section in all() {
        for name in section.names.split(',') {
            assert!(
                sections(name).any(|found| std::ptr::eq(found.body(), section.body())),
                "{name} {}",
                section.phrases
            );
        }
    }
}

#[test]
fn no_program_has_more_sections_than_are_looked_at() {
    for name in all().iter().flat_map(|section| section.names.split(',')) {
        assert!(sections(name).count() < SECTIONS, "{name}");
    }
}

#[test]
fn an_invented_option_makes_the_class_unknown() {
    let mut wrong = Vec::new();
    let names = FAMILIES.iter().flat_map(|family| family.iter()).map(|program| program.name);
    let listed: Vec<&str> = all().iter().flat_map(|section| section.names.split(',')).collect();
    for name in names.chain(listed).filter(|name| !name.contains('/') && wrappers::find(name).is_none()) {
        for section in sections(name).filter(|section| !section.has_rule("any")) {
            let first = section.phrases.split("; ").next().unwrap_or("").replace("...", "");
            let words =
                first.split(' ').map(|choices| choices.split('|').next().unwrap_or("").replace('*', "x"));
            let phrase = words.collect::<Vec<_>>().join(" ");
            for option in ["--invented-option", "--invented-option=x", "--write-everything-to=x"] {
                let command = format!("{name} {phrase} {option}");
                if class(&command) == Class::ReadOnly {
                    wrong.push(command);
                }
            }
        }
        let command = format!("{name} --invented-option a");
        if class(&command) == Class::ReadOnly && !sections(name).any(|section| section.has_rule("any")) {
            wrong.push(command);
        }
    }
    assert!(wrong.is_empty(), "{} called read-only:\n{}", wrong.len(), wrong.join("\n"));
}
