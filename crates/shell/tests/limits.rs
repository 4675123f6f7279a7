//! Hostile input: nothing panics, every line is answered, limits make the whole line unknown.
//!
//! How the work grows with a line is counted in `src/limits.rs`.

use std::fmt::Write as _;

use shell::guard::{self, Policy};
use shell::{Class, Dialect, Place, read};

fn place(dialect: Dialect) -> Place<'static> {
    Place { home: Some("/home/me"), dialect, ..Place::at("/home/me/work/project") }
}

/// Reads and judges a line in every dialect.
fn answer(command: &str) {
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
        guard::judge(&read(command, &place(dialect)), &Policy::default());
    }
}

#[test]
fn deep_nesting_is_unknown() {
    for piece in [
        "$(",
        "\"$(",
        "`",
        "(",
        "{ ",
        "$((",
        "((",
        "${a:-",
        "<(",
        "if ",
        "$[",
        "\"",
        "'",
        "\\",
        "case x in x) ",
        "while ",
        "f() { ",
        "[[ ",
        "@(",
        "a=(",
        "<<E $(",
        "$(<<E\n",
        "\"${x:-\"$(",
    ] {
        let command = piece.repeat(10_000 / piece.len());
        answer(&command);
    }
    let reading = read(&"$(".repeat(5000), &place(Dialect::Posix));
    assert!(!reading.parsed);
    assert_eq!(reading.class, Class::Unknown);
    assert!(reading.commands.is_empty(), "an unreadable line is never judged in part");
}

#[test]
fn closed_nesting_is_read_up_to_the_limit() {
    let nested = |levels: usize| format!("{}echo x{}", "echo $(".repeat(levels), ")".repeat(levels));
    assert!(read(&nested(60), &place(Dialect::Posix)).parsed);
    let reading = read(&nested(65), &place(Dialect::Posix));
    assert!(!reading.parsed);
    assert!(reading.stopped_at.is_some_and(|stop| stop.at > 0 && stop.what.contains("64 levels")));
    answer(&nested(1000));
}

#[test]
fn what_hides_at_the_deepest_level_is_found() {
    let command = format!("{}rm -rf /{}", "echo $(".repeat(60), ")".repeat(60));
    let reading = read(&command, &place(Dialect::Posix));
    assert_eq!(guard::judge(&reading, &Policy::default()).verdict, guard::GuardDecision::Deny);
}

#[test]
fn long_lines_and_many_words_are_unknown() {
    let long = "a".repeat(shell::MAX_CHARS + 1);
    let reading = read(&long, &place(Dialect::Posix));
    assert!(!reading.parsed && reading.stopped_at.is_some());
    let many = "a ".repeat(shell::MAX_WORDS + 1);
    let reading = read(&many, &place(Dialect::Posix));
    assert!(!reading.parsed && reading.stopped_at.is_some());
}

#[test]
fn functions_that_multiply_are_stopped() {
    let mut command = String::from("f0() { echo x; }; ");
    for level in 1..40 {
        let _ = write!(command, "f{level}() {{ f{0}; f{0}; f{0}; f{0}; }}; ", level - 1);
    }
    command.push_str("f39");
    answer(&command);
    let mut command = String::from("x=aaaaaaaaaa; ");
    for _ in 0..40 {
        command.push_str("x=$x$x$x$x; ");
    }
    command.push_str("echo $x");
    answer(&command);
}
