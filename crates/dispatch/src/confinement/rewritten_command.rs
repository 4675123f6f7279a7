//! Confinement by another command in place of the original, on the host that has no other way in front of its shell.
//!
//! The host's rules and prompts see only the new command, so it is used only where they say nothing about the original
//! and ask about neither: then nothing is stored for "always allow" either.

use std::fs;
use std::path::{Path, PathBuf};

use event::{AbsPath, CommandLine, Detail, Event, ToolCall};
use host::user_rules::CallFacts;
use host::{Host, ShellEntry};
use modules::Context;
use serde_json::Value;
use session::shell_call::{RecordedCall, records_for};
use shell::Reading;
use store::ShellFolder;

use crate::approval::{copilot_process, user_rules_object};

/// Returns the command that runs the original through steersman, or the reason that forbids it.
pub(super) fn wrap(context: &Context<'_>, call: &ToolCall, reading: &Reading) -> Result<String, String> {
    let title = context.host.title();
    let (Some(state), Some(session), Some(command)) =
        (context.user_state, context.event.session.as_deref(), &call.command)
    else {
        return Err("the session has no records of its own".to_owned());
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !context.can_rewrite || !session.chars().all(is_plain) || key_of(call).is_none() {
        return Err(format!("{title} does not accept a rewritten command"));
    }
    let asks = || format!("{title} asks about its commands, and would ask about the one that confines it");
    let lines = copilot_process::command_lines().ok_or_else(asks)?;
    if !lines.iter().all(|line| copilot_process::asks_nothing(line, has_address(command))) {
        return Err(format!("{}; start it with `--allow-all` to confine them", asks()));
    }
    if user_rules_object(context, call, facts(command, reading)) || has_rules_elsewhere(context, command) {
        return Err(
            "a rule of the user may match this command, and would not match the rewritten one".to_owned()
        );
    }
    let program = ShellFolder::of(state).program();
    Ok(format!("{} --of {session} -- {}", quoted(&program.to_string()), quoted(&command.text)))
}

/// Returns the key of the input that holds the command line.
pub(super) fn key_of(call: &ToolCall) -> Option<&str> {
    let command = &call.command.as_ref()?.text;
    let fields = call.input.as_object()?;
    fields.iter().find(|(_, value)| value.as_str() == Some(command)).map(|(key, _)| key.as_str())
}

/// Replaces a command that [`wrap`] made by the original, as the record of the call has it: all modules, and the person
/// who reads the records, know the original.
///
/// INVARIANT: only the exact text that steersman recorded for this session is replaced.
pub(crate) fn restore(host: Host, user_state: Option<&AbsPath>, event: &mut Event) {
    if host.shell_entry() != ShellEntry::Rewrite {
        return;
    }
    let (Some(state), Some(session)) = (user_state, event.session.as_deref()) else { return };
    let (Detail::PreToolUse { call } | Detail::PostToolUse { call, .. }) = &mut event.detail else { return };
    let Some(text) = call.command.as_ref().map(|command| command.text.as_str()) else { return };
    if !text.contains(ShellFolder::PROGRAM) {
        return;
    }
    let records = records_for(state, host.name(), Some(session));
    let Some(original) = RecordedCall::original_of(&records, text).map(str::to_owned) else { return };
    if let Some(key) = key_of(call).map(str::to_owned)
        && let Some(fields) = call.input.as_object_mut()
    {
        fields.insert(key, Value::String(original.clone()));
    }
    if let Some(command) = &mut call.command {
        command.text = original;
    }
}

/// Returns the facts that rules match: every command of the line with the programs in front of it, and the line itself.
fn facts(command: &CommandLine, reading: &Reading) -> CallFacts {
    let words = |it: &shell::Simple| {
        it.via.iter().cloned().chain(it.argv.iter().map(|word| word.text.clone())).collect::<Vec<_>>()
    };
    let mut commands: Vec<Vec<String>> = reading.commands.iter().map(words).collect();
    commands.push(command.text.split_whitespace().map(str::to_owned).collect());
    CallFacts { commands, ..CallFacts::default() }
}

/// Returns whether settings of the administrator, or rules about addresses, may be about a command. They are not read word
/// by word: that they exist is enough.
fn has_rules_elsewhere(context: &Context<'_>, command: &CommandLine) -> bool {
    const POLICIES: &str = "/etc/github-copilot/policy.d";
    let says = |path: &Path, word: &str| {
        fs::read_to_string(path).is_ok_and(|text| text.to_ascii_lowercase().contains(word))
    };
    let policies = fs::read_dir(POLICIES).into_iter().flatten().flatten();
    if policies.into_iter().any(|entry| says(&entry.path(), "deny")) {
        return true;
    }
    if !has_address(command) {
        return false;
    }
    let of_user =
        |name: &str| context.home.map(|home| home.join(".copilot").join(name).as_path().to_path_buf());
    let mut files: Vec<PathBuf> = ["config.json", "settings.json"].into_iter().filter_map(of_user).collect();
    files.push(context.workspace.root().join(".github/copilot/settings.json").as_path().to_path_buf());
    let denies = |file: &PathBuf| says(file, "deniedurl") || says(file, "denied_url");
    !context.moved_settings.is_empty() || files.iter().any(denies)
}

fn has_address(command: &CommandLine) -> bool {
    command.text.contains("://")
}

/// Returns a string as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
