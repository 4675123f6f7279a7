//! What bash accepts we can read: a differential test against `bash -n`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use shell::{Place, read};

const CORPORA: [&str; 5] = [
    include_str!("corpus/ordinary.txt"),
    include_str!("corpus/dangerous.txt"),
    include_str!("corpus/everyday.txt"),
    include_str!("corpus/attacks.txt"),
    include_str!("corpus/grammar.txt"),
];

fn commands() -> impl Iterator<Item = String> {
    CORPORA
        .iter()
        .flat_map(|corpus| corpus.lines())
        .filter(|line| !line.is_empty())
        .map(|line| line.replace("\\n", "\n"))
}

/// Whether bash can parse it; `None` when there is no bash.
fn bash_accepts(command: &str) -> Option<bool> {
    let mut child = Command::new("bash")
        .arg("-n")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(command.as_bytes()).ok()?;
    Some(child.wait().ok()?.success())
}

#[test]
fn every_line_of_the_corpora_is_read() {
    let unread: Vec<String> = commands()
        .filter_map(|command| {
            read(&command, &Place::at("/w")).stopped_at.map(|stop| format!("{command}: {stop:?}"))
        })
        .collect();
    assert!(unread.is_empty(), "{}", unread.join("\n"));
}

#[test]
fn bash_accepts_the_corpora_too() {
    let mut n = 0;
    let mut refused = Vec::new();
    for command in commands() {
        match bash_accepts(&command) {
            None => return,
            Some(true) => n += 1,
            Some(false) => refused.push(command),
        }
    }
    assert!(
        n >= 300 && refused.len() * 100 <= n,
        "bash refuses {} of {n}:\n{}",
        refused.len(),
        refused.join("\n")
    );
}
