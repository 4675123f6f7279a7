//! Tricks to get a command past the guard, one file each.

mod ansi_c_quotes;
mod backslashes;
mod brace_expansion;
mod branches_and_loops;
mod command_substitution;
mod commands_in_options;
mod downloads;
mod empty_quotes;
mod encodings;
mod eval_text;
mod field_separators;
mod functions_and_aliases;
mod git_runs;
mod git_takes_settings;
mod globs;
mod governing_in_disguise;
mod guard_switched_off;
mod heredocs;
mod nested_shells;
mod option_spellings;
mod other_languages;
mod pagers_and_prompts;
mod path_disguises;
mod piped_into_shell;
mod process_substitution;
mod scripts_written_first;
mod secrets_sent_away;
mod ssh_and_containers;
mod tools_that_run_things;
mod variables;
mod working_folder;
mod wrappers;

use shell::guard::{self, GuardDecision, Policy};
use shell::{Place, read};

fn verdicts(commands: &[&str]) -> Vec<(GuardDecision, String)> {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    let judge = |command: &&str| {
        (guard::judge(&read(command, &place), &Policy::default()).verdict, (*command).to_owned())
    };
    commands.iter().map(judge).collect()
}

/// Every one of these must be denied.
fn denied(commands: &[&str]) {
    let missed: Vec<_> =
        verdicts(commands).into_iter().filter(|(verdict, _)| *verdict != GuardDecision::Deny).collect();
    assert!(missed.is_empty(), "not denied: {missed:#?}");
}

/// None of these may be asked about.
fn passes(commands: &[&str]) {
    let stopped: Vec<_> =
        verdicts(commands).into_iter().filter(|(verdict, _)| *verdict != GuardDecision::Allow).collect();
    assert!(stopped.is_empty(), "stopped: {stopped:#?}");
}
