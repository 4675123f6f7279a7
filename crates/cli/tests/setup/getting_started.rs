//! Runs every command of `docs/getting-started.md`, and those at the top of every other page, in a fresh home and project, and
//! compares the output.
//!
//! In a block `console run`, lines after `$` are commands and the lines below them their output, both streams together. `…`
//! stands for any text in a line, and alone in a line for any lines.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use crate::project::Project;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/getting-started.md");

#[cfg(unix)]
#[test]
fn a_newcomer_sees_what_the_page_shows() {
    assert!(run_page(Path::new(PAGE), &Project::new()) >= 10);
}

/// A reader decides in the first lines whether a page is worth reading.
#[cfg(unix)]
#[test]
fn every_page_opens_with_a_command_and_its_result() {
    let pages = crate::docs::pages();
    thread::scope(|scope| {
        let is_opened =
            |page: &&PathBuf| !page.ends_with("README.md") && !page.ends_with("getting-started.md");
        for page in pages.iter().filter(is_opened) {
            scope.spawn(move || {
                let text = fs::read_to_string(page).unwrap();
                let mut lines = text.lines().enumerate();
                let (n, first) = lines.find(|(_, line)| line.starts_with("```")).unwrap();
                assert!(n <= 8 && first == "```console run", "{}: line {} is {first}", page.display(), n + 1);
                let block = lines.take_while(|(_, line)| !line.starts_with("```"));
                let block: Vec<(usize, &str)> = block.collect();
                assert!(
                    block.len() > 1 && block[0].1.contains("steersman "),
                    "{}: {block:?}",
                    page.display()
                );
                let project = Project::new();
                crate::docs::be_patient(&project);
                assert!(run_page(page, &project) > 0);
            });
        }
    });
}

/// Runs the blocks `console run` of a page in a fresh home and project. Returns the number of commands.
#[cfg(unix)]
fn run_page(path: &Path, project: &Project) -> usize {
    let page = fs::read_to_string(path).unwrap();
    fs::remove_dir(project.path(".git")).unwrap();
    let mut n_commands = 0;
    let mut lines = page.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        if !line.starts_with("```console run") {
            continue;
        }
        let block: Vec<(usize, &str)> =
            lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        for (place, command, expected) in commands(&block) {
            n_commands += 1;
            let output = project.run_program(Path::new("/bin/sh"), &["-c", &format!("({command}) 2>&1")], "");
            let printed: Vec<&str> = output.stdout.lines().collect();
            assert!(
                fits(&expected, &printed),
                "{}, line {place}: `{command}` prints\n{}",
                path.display(),
                output.stdout
            );
        }
    }
    n_commands
}

/// Returns the commands of a block with their lines and expected output.
fn commands<'a>(block: &[(usize, &'a str)]) -> Vec<(usize, &'a str, Vec<&'a str>)> {
    let mut commands: Vec<(usize, &str, Vec<&str>)> = Vec::new();
    for (n, line) in block {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((n + 1, command, Vec::new())),
            (None, Some((_, _, expected))) => expected.push(line),
            (None, None) => panic!("line {}: output without a command", n + 1),
        }
    }
    commands
}

/// Returns whether the printed lines are the expected ones; a line `…` stands for any number of lines.
fn fits(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        ["…", rest @ ..] => (0..=printed.len()).any(|n| fits(rest, &printed[n..])),
        [first, rest @ ..] => {
            printed.first().is_some_and(|line| line_fits(first, line)) && fits(rest, &printed[1..])
        }
    }
}

/// Returns whether a line is the expected one; `…` stands for any text.
fn line_fits(expected: &str, line: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[test]
fn output_is_compared_line_by_line() {
    assert!(fits(&["a", "…", "c…e"], &["a", "b", "b", "cde"]) && fits(&["…"], &[]) && fits(&[], &[]));
    assert!(!fits(&["a"], &["a", "b"]) && !fits(&["a", "…", "c"], &["a"]) && !line_fits("a…c", "ab"));
}
