//! Read-only is proven: a line that can write, run code or send data is never called so, ordinary looks are.

use shell::{Place, read};

const LOOKING: &str = include_str!("corpus/looking.txt");
const CHANGING: &str = include_str!("corpus/changing.txt");

fn is_read_only(line: &str) -> bool {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    read(&line.replace("\\n", "\n"), &place).is_read_only()
}

#[test]
fn a_line_that_can_change_something_is_never_called_read_only() {
    let n = CHANGING.lines().count();
    let wrong: Vec<&str> = CHANGING.lines().filter(|line| is_read_only(line)).collect();
    assert!(n >= 1000, "only {n} lines");
    assert!(wrong.is_empty(), "{} of {n} called read-only:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_line_that_only_looks_is_called_read_only() {
    let n = LOOKING.lines().count();
    let missed: Vec<&str> = LOOKING.lines().filter(|line| !is_read_only(line)).collect();
    assert!(n >= 600, "only {n} lines");
    assert!(missed.is_empty(), "{} of {n} not recognised:\n{}", missed.len(), missed.join("\n"));
}
