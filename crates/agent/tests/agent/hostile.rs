//! Tests with malicious files: they yield an error within the limits, never a hang.

use std::fmt::Write;

use agent::{Format, ToolNames, decode, load};
use config_file::{Problem, Source};
use proptest::prelude::*;

use crate::project::{load_text, shown};

/// Checks that a string is refused with this message in every format.
fn refused(yaml: &str, words: &str) {
    for (file, text) in [
        ("a.yaml", yaml.to_owned()),
        ("a.md", format!("---\n{yaml}\n---\nx\n")),
        ("a.agent.md", format!("---\n{yaml}\n---\nx\n")),
        (".claude/agents/a.md", format!("---\n{yaml}\n---\nx\n")),
    ] {
        let loaded = load_text(file, &text);
        assert!(loaded.document.is_none(), "{file} loads");
        let told = shown(&loaded);
        assert!(told.contains(words), "{file}: {told}");
        assert!(told.len() < 4_000, "{file}: {} bytes of errors", told.len());
    }
}

#[test]
fn a_bomb_of_aliases_is_refused() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let previous = format!("*a{}", level - 1);
        let _ = writeln!(bomb, "a{level}: &a{level} [{}]", [previous.as_str(); 9].join(", "));
    }
    refused(&bomb, "MAX_NODES");
}

#[test]
fn deep_nesting_is_refused() {
    refused(&format!("metadata: {}1{}", "[".repeat(5_000), "]".repeat(5_000)), "error");
    refused(&format!("metadata: {}1{}", "[".repeat(40), "]".repeat(40)), "MAX_DEPTH");
    refused(&format!("metadata:\n{}x", "- ".repeat(50_000)), "MAX_DEPTH");
    let mut steps = String::from("metadata:\n");
    for depth in 1..200 {
        let _ = writeln!(steps, "{}a:", " ".repeat(depth));
    }
    refused(&steps, "MAX_DEPTH");
}

#[test]
fn a_cycle_of_anchors_is_refused() {
    let text = "name: a\nsystemPrompt: x\ntransitions: {onSuccess: complete}\nmetadata: &m {again: *m}\n";
    let told = shown(&load_text("a.yaml", text));
    assert!(told.contains("the alias is part of the value it repeats"), "{told}");
}

#[test]
fn ten_megabytes_are_refused_by_their_size() {
    let problem = decode("a.yaml", &vec![b'a'; 10 << 20]).unwrap_err();
    assert_eq!(problem.message, "the file has 10485760 bytes, more than the 1048576 of MAX_FILE_BYTES");
}

#[test]
fn wrong_encodings_are_refused_and_a_byte_order_mark_is_not() {
    let utf16: Vec<u8> = "name: a".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [&[0xff, 0xfe][..], &utf16].concat();
    assert_eq!(decode("a.yaml", &with_mark).unwrap_err().message, "the file must be UTF-8, not UTF-16");
    let latin = decode("a.yaml", b"name: a\nsystemPrompt: caf\xe9\n").unwrap_err();
    assert_eq!(latin.message, "byte 0xe9 is not UTF-8");
    let excerpt = latin.excerpt.unwrap();
    assert_eq!((excerpt.line, excerpt.column), (2, 18));
    assert!(decode("a.yaml", "\u{feff}name: a".as_bytes()).is_ok());
}

#[test]
fn keys_that_are_there_twice_are_refused() {
    refused("description: a\ndescription: b", "duplicate key `description`, first in line");
}

#[test]
fn a_text_cannot_speak_to_the_terminal() {
    let told = shown(&load_text("a.yaml", "name: \"\\x1b[2J\" \u{1b}[31m\n"));
    assert!(!told.contains('\u{1b}'), "{told:?}");
}

#[test]
fn thousands_of_mistakes_are_told_in_part() {
    let mut text = String::new();
    for n in 0..4_000 {
        let _ = writeln!(text, "a{}: b", n / 2);
    }
    let loaded = load_text("a.yaml", &text);
    let n_errors = loaded.problems.iter().filter(|it| it.is_error()).count();
    assert_eq!((n_errors, loaded.problems.len()), (50, 100));
}

#[test]
fn a_megabyte_of_anything_is_read_in_reasonable_time() {
    let megabyte = |unit: &str| unit.repeat((1 << 20) / unit.len() - 1);
    for unit in
        ["a: b\n", "- ", "{", "? ", "&a ", "*a ", "'", "\"", "#", "> ", "`", "* [", "x\n", "---\n", "!a "]
    {
        let text = megabyte(unit);
        for file in ["a.yaml", "a.md", "a.agent.md"] {
            let _ = load_text(file, &text);
            let _ = load_text(file, &format!("---\nname: a\n---\n{text}"));
        }
    }
}

proptest! {
    #[test]
    fn any_text_gives_a_definition_or_an_error(text in "(---\n)?[ -~\n]{0,200}(---\n)?[ -~\n]{0,50}") {
        for format in [Format::WorkflowYaml, Format::WorkflowMarkdown, Format::AgentMd, Format::Claude] {
            let loaded = load(&Source::new("a.md", text.clone()), format, &ToolNames::default());
            prop_assert_eq!(loaded.document.is_none(), loaded.problems.iter().any(Problem::is_error));
            let _ = shown(&loaded);
        }
    }
}
