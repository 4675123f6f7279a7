//! Every command of steersman that a page names exists, with the options that the page names.

use std::collections::{BTreeMap, BTreeSet};

use crate::docs_page;
use crate::project::Project;

/// The command `run` has its own parser; what follows `--` is another program's.
const END_OF_OPTIONS: &str = "--";

#[test]
fn every_command_in_the_docs_exists() {
    let project = Project::new();
    let mut named: BTreeMap<Vec<String>, BTreeSet<String>> = BTreeMap::new();
    for page in docs_page::all() {
        // Between backticks, one or three, is code.
        let code = page.text.split('`').skip(1).step_by(2);
        for (words, options) in code.flat_map(str::lines).filter_map(parse) {
            named
                .entry(words)
                .or_default()
                .extend(options.into_iter().map(|it| format!("{it} ({})", page.name)));
        }
    }
    assert!(named.len() >= 60, "only {} commands", named.len());
    let mut unknown = Vec::new();
    for (words, options) in &named {
        let mut args: Vec<&str> = words.iter().map(String::as_str).collect();
        args.push("--help");
        let help = project.run(&args);
        if help.exit != 0 {
            unknown.push(format!("steersman {}: {}", words.join(" "), help.stderr));
        }
        for option in options {
            let name = option.split(' ').next().unwrap();
            if !help.stdout.split([' ', '\n', '[', '=', ',', '.']).any(|word| word == name) {
                unknown.push(format!("steersman {} has no {option}", words.join(" ")));
            }
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

/// Returns the words of a command before its values, and its options. Returns `None` for other text.
fn parse(line: &str) -> Option<(Vec<String>, Vec<String>)> {
    let line = line.split("  #").next().unwrap_or_default().trim_start_matches("$ ");
    let at = line.find("steersman ").filter(|at| *at == 0 || line[..*at].ends_with([' ', '(']))?;
    let rest = line[at..].split(['|', ';', '<', '>', '&', ')']).next()?;
    let words: Vec<&str> =
        rest.split_whitespace().skip(1).take_while(|word| *word != END_OF_OPTIONS).collect();
    let is_name =
        |word: &&&str| word.bytes().all(|it| it.is_ascii_lowercase() || it == b'-') && !word.starts_with('-');
    let names: Vec<String> = words.iter().take_while(is_name).map(|word| (*word).to_owned()).collect();
    // These two answer agent programs and wrap commands: their options are not clap's.
    if names.is_empty() || names[0] == "dispatch" {
        return None;
    }
    let option = |word: &&str| word.split('=').next().unwrap_or_default().trim_end_matches(',').to_owned();
    let options = words.iter().filter(|word| word.starts_with("--")).map(option).collect();
    Some((names, options))
}

#[test]
fn a_command_ends_where_its_values_begin() {
    let parsed = |line: &str| parse(line).map(|(words, options)| (words.join(" "), options.join(" ")));
    let pair = |words: &str, options: &str| Some((words.to_owned(), options.to_owned()));
    assert_eq!(parsed("$ steersman init --user   # yours"), pair("init", "--user"));
    assert_eq!(
        parsed("echo '{}' | steersman automation edit note --json"),
        pair("automation edit note", "--json")
    );
    assert_eq!(parsed("steersman run --write src -- make --all"), pair("run", "--write"));
    assert_eq!(parsed("steersman session allow RUN"), pair("session allow", ""));
    assert_eq!(parsed("not-steersman init"), None);
}
