//! Telling the model of memories that fit a call.

use event::{ContextNote, EventName, LineKind, ToolCall};
use fast_glob::glob_match;
use host::{Moment, Protocol, Verb};
use serde_json::{Map, Value, json};
use store::FileError;

use super::{NAME, Settings, merge};
use crate::action::Emitted;
use crate::subject::shown_path;
use crate::{Action, Context};
use memory::{Memory, Shelf};

/// Adds the memories that fit the call, within the size that the settings give them.
///
/// Only before the call, when it can still be made otherwise; a host that has no field for
/// text there is told after it.
pub(super) fn remind(context: &Context<'_>, call: &ToolCall, action: &mut Action) -> Result<(), FileError> {
    let is_before = context.event.name() == EventName::PreToolUse;
    let before_works =
        host::capability(Protocol::usual(context.host), Moment::PreToolUse, Verb::Context).works();
    if is_before != before_works {
        return Ok(());
    }
    let memories = Shelf::of(context.workspace).memories()?;
    if memories.is_empty() {
        return Ok(());
    }
    let settings: Settings = context.config.typed(NAME)?;
    let paths: Vec<_> =
        call.touches.iter().map(|touch| shown_path(context.workspace.root(), &touch.path)).collect();
    let said = said_by(call, &paths);
    let work = context.ids.work.to_string();
    let was_told =
        |id: &str| context.state.memory.get("told").and_then(|told| told.get(id)) == Some(&json!(work));
    let mut left = settings.max_bytes;
    let mut told = Map::new();
    for (_, memory) in &memories {
        if told.len() >= settings.max_memories {
            break;
        }
        let head = &memory.head;
        if was_told(&head.id) || told.contains_key(&head.id) || !fits(memory, &paths, &said) {
            continue;
        }
        let text = note(memory, left);
        let Some(text) = text else { continue };
        left -= text.len();
        told.insert(head.id.clone(), json!(work));
        action.additional_context.push(ContextNote { key: format!("{NAME}/{}", head.id), value: text });
    }
    if !told.is_empty() {
        let ids: Vec<_> = told.keys().cloned().collect();
        action
            .emit_events
            .push(Emitted { kind: LineKind::MemoryTold.name().into(), data: json!({"memories": ids}) });
        merge(
            &mut action.state_patch,
            Map::from_iter([("memory".to_owned(), json!({"told": Value::Object(told)}))]),
        );
    }
    Ok(())
}

/// Whether a memory is about one of the paths, or a word of it is said.
fn fits(memory: &Memory, paths: &[String], said: &str) -> bool {
    let head = &memory.head;
    let path_fits = |glob: &String| paths.iter().any(|path| glob_match(glob, path));
    let word_fits = |word: &String| !word.trim().is_empty() && has_words(said, &word.to_lowercase());
    head.paths.iter().any(path_fits) || head.words.iter().any(word_fits)
}

/// Whether a text has these words in it, as whole words.
fn has_words(text: &str, words: &str) -> bool {
    let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        let starts = !is_inner(before.chars().next_back()) || !is_inner(words.chars().next());
        let ends = !is_inner(after.chars().next()) || !is_inner(words.chars().next_back());
        starts && ends
    })
}

/// What a call says that a word may be looked for in: its command and its paths.
fn said_by(call: &ToolCall, paths: &[String]) -> String {
    let command = call.command.as_ref().map(|command| memory::one_line(&command.text));
    let mut said = command.unwrap_or_default();
    for path in paths {
        said.push('\n');
        said.push_str(path);
    }
    said.to_lowercase()
}

/// Returns a memory as the model is told it, cut to the room that is left.
fn note(memory: &Memory, room: usize) -> Option<String> {
    let whole = format!("Remember: {}\n{}", memory.head.title, memory.text);
    if whole.len() <= room {
        return Some(whole);
    }
    // A few words of a memory are worth nothing.
    let end = whole.floor_char_boundary(room.saturating_sub(4));
    (end >= 120).then(|| format!("{}…", &whole[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_as_whole_words() {
        for (text, words, expected) in [
            ("npm run build", "npm run", true),
            ("pnpm run build", "npm run", false),
            ("npm running", "npm run", false),
            ("cd x && npm run", "npm run", true),
            ("git push --force", "--force", true),
            ("src/parser.rs", "parser", true),
        ] {
            assert_eq!(has_words(text, words), expected, "{words} in {text}");
        }
    }

    #[test]
    fn a_memory_is_cut_to_the_room_or_left_out() {
        let mut memory = Memory::default();
        memory.head.title = "t".into();
        memory.text = "é".repeat(200);
        assert!(note(&memory, 1000).is_some_and(|text| text.ends_with('é')));
        assert!(note(&memory, 200).is_some_and(|text| text.len() <= 200 && text.ends_with('…')));
        assert_eq!(note(&memory, 100), None);
    }
}
