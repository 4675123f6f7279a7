//! Handles a prompt: a new turn, perhaps a new piece of work, and a line for the audit.

use event::{LineKind, Phase};
use serde::Deserialize;
use serde_json::{Value, json};
use session::{PromptRecord, patch_of_core};
use store::fingerprint;

use crate::{Action, Context};

/// The module's section of `config.json`.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "SessionSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The recorded part of a prompt.
    prompt_audit: PromptAudit,
}

/// The recorded part of a prompt.
#[derive(Debug, Default, Deserialize, PartialEq, Eq, Clone, Copy)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum PromptAudit {
    /// Its hash and length.
    #[default]
    Hash,
    /// Its first line without secrets, too.
    #[serde(rename = "firstLine")]
    FirstLine,
    /// Its redacted text, too.
    Raw,
}

/// The most characters of a first line.
const LONGEST_LINE: usize = 200;

/// Handles a prompt.
pub(super) fn submitted(context: &Context<'_>, prompt: &str) -> Action {
    let core = &context.state.core;
    let turn = context.ids.turn;
    let work = context.ids.work;
    let is_new_work = work != core.work();
    let phase = match core.phase() {
        Phase::Uninitialized | Phase::Complete => Phase::Planning,
        other => other,
    };
    let mut state_patch = patch_of_core([
        ("workId", Value::from(work.to_string())),
        ("phase", Value::from(phase.as_str())),
        ("phaseRevision", Value::from(if is_new_work { 0 } else { core.phase_revision })),
    ]);
    if (is_new_work || core.work_id.is_none())
        && let Some(Value::Object(core)) = state_patch.get_mut("core")
    {
        core.insert("workTurn".into(), turn.into());
    }
    if is_new_work && !context.state.plan.is_empty() {
        state_patch.insert("plan".into(), plan::cleared());
    }
    let hash = fingerprint([prompt.as_bytes()]).short();
    let chars = prompt.chars().count() as u64;
    let mut data = json!({"hash": hash, "chars": chars, "workId": work.to_string(), "phase": phase.as_str()});
    if let Some(command) = slash_command(prompt) {
        data["command"] = command.into();
    }
    let (settings, warnings) = match context.config.typed::<Settings>("session") {
        Ok(settings) => (settings, Vec::new()),
        Err(error) => {
            (Settings::default(), vec![format!("only the hash of the prompt is recorded: {error}")])
        }
    };
    let prompt_record = PromptRecord {
        ts: context.ids.run.at_ms,
        turn_id: turn,
        work_id: work.to_string(),
        hash,
        chars,
        text: (settings.prompt_audit == PromptAudit::Raw).then(|| prompt.to_owned()),
        first_line: (settings.prompt_audit == PromptAudit::FirstLine).then(|| first_line(prompt)).flatten(),
    };
    Action {
        state_patch,
        emit_events: vec![super::emitted(LineKind::Prompt, data)],
        prompt_record: Some(prompt_record),
        warnings,
        ..Action::default()
    }
}

/// Returns the first line with text, cut between two words. Returns `None` for an empty prompt and for one long word.
///
/// WHY between words: the redaction filter recognises a secret only as a whole.
fn first_line(prompt: &str) -> Option<String> {
    let line = prompt.lines().map(str::trim).find(|line| !line.is_empty())?;
    let Some((end, _)) = line.char_indices().nth(LONGEST_LINE) else { return Some(line.to_owned()) };
    let (words, _) = line[..end].rsplit_once(char::is_whitespace)?;
    Some(format!("{} …", words.trim_end()))
}

/// Returns the slash command at the start of a prompt, without its arguments.
///
/// WHY so narrow: it is recorded even where the text is not, so no other text may count as one. A path has a second
/// slash.
fn slash_command(prompt: &str) -> Option<&str> {
    const LONGEST: usize = 64;
    let word = prompt.trim_start().split(char::is_whitespace).next()?;
    let name = word.strip_prefix('/')?;
    let fits = word.len() <= LONGEST
        && name.starts_with(|it: char| it.is_ascii_alphabetic())
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || b"._:-".contains(&it));
    fits.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_is_cut_between_words() {
        assert_eq!(first_line("\n  Add a button \nto the form"), Some("Add a button".to_owned()));
        assert_eq!(first_line(" \n"), None);
        assert_eq!(first_line(&"a".repeat(201)), None);
        let long = format!("{}secret", "ab ".repeat(66));
        assert_eq!(first_line(&long), Some(format!("{} …", "ab ".repeat(66).trim_end())));
    }

    #[test]
    fn only_a_command_is_kept_of_a_prompt() {
        for (prompt, command) in [
            ("/speckit.clarify the login", Some("/speckit.clarify")),
            ("  /openspec:plan\nmore", Some("/openspec:plan")),
            ("/help", Some("/help")),
            ("/etc/passwd is what?", None),
            ("/home", Some("/home")),
            ("please /speckit.clarify", None),
            ("/", None),
            ("//comment", None),
            ("/token=abc", None),
            ("", None),
        ] {
            assert_eq!(slash_command(prompt), command, "{prompt}");
        }
        assert_eq!(slash_command(&format!("/{}", "a".repeat(64))), None);
    }
}
