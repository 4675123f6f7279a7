//! Adds the memories that match a call to the model's context.

use event::{ContextNote, EventName, LineKind, ToolCall};
use fast_glob::glob_match;
use host::{EventKind, Protocol, Verb};
use serde_json::{Map, Value, json};
use session::Emitted;
use session::shown_path;
use store::FileError;

use super::{NAME, Settings, merge};
use crate::{Action, Context};
use memory::{Memory, MemoryFolder};

/// Adds the memories that match the call, within the limits of the settings.
///
/// Before the call, while the model can still change it; on a host without a field for text there, after the call.
pub(super) fn remind(context: &Context<'_>, call: &ToolCall, action: &mut Action) -> Result<(), FileError> {
    let is_before = context.event.name() == EventName::PreToolUse;
    let before_works =
        host::capability(Protocol::usual(context.host), EventKind::PreToolUse, Verb::Context).works();
    if is_before != before_works {
        return Ok(());
    }
    let memories = MemoryFolder::of(context.workspace).memories()?;
    if memories.is_empty() {
        return Ok(());
    }
    let settings: Settings = context.config.typed(NAME)?;
    let paths: Vec<_> =
        call.touches.iter().map(|touch| shown_path(context.workspace.root(), &touch.path)).collect();
    let text = searchable_text(call, &paths);
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
        if was_told(&head.id) || told.contains_key(&head.id) || !fits(memory, &paths, &text) {
            continue;
        }
        let Some(note) = note(memory, left) else { continue };
        left -= note.len();
        told.insert(head.id.clone(), json!(work));
        action.additional_context.push(ContextNote { key: format!("{NAME}/{}", head.id), value: note });
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

/// Returns whether a memory matches one of the paths or has one of its words in the text.
fn fits(memory: &Memory, paths: &[String], text: &str) -> bool {
    let head = &memory.head;
    let path_fits = |glob: &String| paths.iter().any(|path| glob_match(glob, path));
    let word_fits = |word: &String| !word.trim().is_empty() && has_words(text, &word.to_lowercase());
    head.paths.iter().any(path_fits) || head.words.iter().any(word_fits)
}

/// Returns whether a string contains these words as whole words.
fn has_words(text: &str, words: &str) -> bool {
    let is_inner = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        let starts = !is_inner(before.chars().next_back()) || !is_inner(words.chars().next());
        let ends = !is_inner(after.chars().next()) || !is_inner(words.chars().next_back());
        starts && ends
    })
}

/// Returns the searchable text of a call: its command and its paths.
fn searchable_text(call: &ToolCall, paths: &[String]) -> String {
    let command = call.command.as_ref().map(|command| event::one_line(&command.text));
    let mut text = command.unwrap_or_default();
    for path in paths {
        text.push('\n');
        text.push_str(path);
    }
    text.to_lowercase()
}

/// Returns a memory as text for the model, cut to the remaining size.
fn note(memory: &Memory, room: usize) -> Option<String> {
    let whole = format!("Remember: {}\n{}", memory.head.title, memory.text);
    if whole.len() <= room {
        return Some(whole);
    }
    // A few words of a memory are useless.
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
