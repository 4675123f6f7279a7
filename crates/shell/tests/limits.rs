//! Hostile input: nothing panics, nothing takes more than linear time, limits make the whole line unknown.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use shell::guard::{self, Policy};
use shell::{Class, Dialect, Place, read};

fn place(dialect: Dialect) -> Place<'static> {
    Place { home: Some("/home/me"), dialect, ..Place::at("/home/me/work/project") }
}

/// Builds run unoptimised and machines are shared: the bound is generous, growth is what matters.
fn quick(command: &str, limit: Duration) {
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
        let start = Instant::now();
        let reading = read(command, &place(dialect));
        guard::judge(&reading, &Policy::default());
        let took = start.elapsed();
        let shown: String = command.chars().take(40).collect();
        assert!(took < limit, "{dialect:?} took {took:?} for {} bytes of `{shown}…`", command.len());
    }
}

#[test]
fn deep_nesting_is_unknown_and_quick() {
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
        quick(&command, Duration::from_secs(1));
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
    quick(&nested(1000), Duration::from_secs(1));
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
fn time_grows_with_length_only() {
    let second = Duration::from_secs(10);
    for piece in [
        "a=1; ",
        "x|",
        "f() { :; }; ",
        "$x ",
        "{a,b}",
        "rm -rf $x; ",
        "echo 'a' \"b\" | ",
        "a b; ",
        "$(a) ",
        "`a` ",
        "((1)) ",
        "{{{",
        "[a]*",
        "cat <<E\n",
        "for i in 1 2 3; do a; done; ",
        "bash -c 'a'; ",
        "eval a; ",
        "x=$x$x; ",
        "(b=1); ",
        "${x#*a} ",
        "~",
        "{a,b}{c,d}",
        "\\\n",
        "&& a ",
        "$((x)) ",
        "#",
        "a=(1 2) ",
        "if a; then b; fi; ",
        "python -c 'a(b(c(\"x\")))'; ",
        "\u{e9}",
    ] {
        let command = piece.repeat(60_000 / piece.len());
        quick(&command, second);
    }
}

#[test]
fn functions_that_multiply_are_stopped() {
    let mut command = String::from("f0() { echo x; }; ");
    for level in 1..40 {
        let _ = write!(command, "f{level}() {{ f{0}; f{0}; f{0}; f{0}; }}; ", level - 1);
    }
    command.push_str("f39");
    quick(&command, Duration::from_secs(10));
    let mut command = String::from("x=aaaaaaaaaa; ");
    for _ in 0..40 {
        command.push_str("x=$x$x$x$x; ");
    }
    command.push_str("echo $x");
    quick(&command, Duration::from_secs(10));
}
