//! Goes through every page of the documentation in a fresh home and project, as a reader would: pastes its files, runs its
//! commands, and compares the output.
//!
//! In a block `console run`, `…` stands for any text in a line, and alone in a line for any lines.

use std::path::Path;
use std::thread;

use crate::docs_page::{self, Command, Kind, Page};
use crate::project::Project;

#[cfg(unix)]
#[test]
fn a_newcomer_sees_what_the_pages_show() {
    let pages = docs_page::all();
    let n_commands: usize = thread::scope(|scope| {
        let pages: Vec<_> = pages.iter().map(|page| scope.spawn(move || (page, go_through(page)))).collect();
        pages
            .into_iter()
            .map(|page| {
                let (page, n_commands) = page.join().unwrap();
                let at_least = if page.name == "getting-started.md" { 12 } else { 0 };
                assert!(n_commands >= at_least, "{}: only {n_commands} commands", page.name);
                n_commands
            })
            .sum()
    });
    assert!(n_commands >= 40, "only {n_commands} commands");
}

/// A reader decides in the first lines whether a page is worth reading.
#[test]
fn every_page_opens_with_a_command_and_its_result() {
    for page in docs_page::all().iter().filter(|page| page.name != "README.md") {
        let block = &page.blocks[0];
        let Kind::Run(commands) = &block.kind else { panic!("{}: line {}", page.name, block.line) };
        let shows_result = commands.iter().any(|it| it.text.contains("steersman ") && !it.output.is_empty());
        assert!(block.line <= 9 && shows_result, "{}: line {}", page.name, block.line);
    }
}

/// Pastes and runs the blocks of a page in their order. Returns the number of commands.
#[cfg(unix)]
fn go_through(page: &Page) -> usize {
    let project = Project::new();
    // A newcomer begins in an empty folder.
    std::fs::remove_dir(project.path(".git")).unwrap();
    if page.name != "getting-started.md" {
        crate::docs::be_patient(&project);
    }
    let mut n_commands = 0;
    for block in &page.blocks {
        match &block.kind {
            Kind::File(file) => {
                // A command of the page may have created the file already.
                let first = file.first.iter().filter(|_| !project.path(&file.path).exists());
                first.for_each(|command| run_quietly(&project, command));
                project.write(&file.path, &file.text);
                file.then.iter().for_each(|command| run_quietly(&project, command));
                crate::docs::be_patient(&project);
            }
            Kind::Run(commands) => {
                n_commands += commands.len();
                for command in commands {
                    compare(page, command, &project);
                }
            }
        }
    }
    n_commands
}

#[cfg(unix)]
fn run_quietly(project: &Project, command: &str) {
    let output = project.run_program(Path::new("/bin/sh"), &["-c", command], "");
    assert_eq!(output.exit, 0, "{command}: {}", output.all());
}

#[cfg(unix)]
fn compare(page: &Page, command: &Command, project: &Project) {
    let Command { line, text, output } = command;
    let printed = project.run_program(Path::new("/bin/sh"), &["-c", &format!("({text}\n) 2>&1")], "").stdout;
    let lines: Vec<&str> = printed.lines().collect();
    let expected: Vec<&str> = output.iter().map(String::as_str).collect();
    assert!(fits(&expected, &lines), "{}, line {line}: `{text}` prints\n{printed}", page.name);
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
