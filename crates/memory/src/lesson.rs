//! The lesson in an experience: its identity, its title and its text.

use store::fingerprint;

use super::{Experience, ExperienceKind, LessonKind};

/// The most characters quoted from an error.
const QUOTED: usize = 160;

/// A lesson found in one experience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lesson {
    /// The same for the same lesson in every session.
    pub id: String,
    pub kind: LessonKind,
    pub title: String,
    pub text: String,
    pub paths: Vec<String>,
    pub words: Vec<String>,
}

impl Lesson {
    /// Returns the lesson in an experience. Returns `None` for kinds without a lesson. One line
    /// cannot tell whether a failure was fixed later.
    pub(super) fn of(it: &Experience) -> Option<Self> {
        match it.kind {
            ExperienceKind::Fixed => Some(fix(it)),
            ExperienceKind::Failed => Some(failure(it)),
            ExperienceKind::Friction => Some(refusal(it)),
            // A correction without the user's words teaches nothing.
            ExperienceKind::Corrected if !it.text.is_empty() => Some(correction(it)),
            ExperienceKind::Corrected | ExperienceKind::Asked | ExperienceKind::Tried => None,
        }
    }

    /// Returns the id of the lesson that this subject fails.
    pub(super) fn id_of_failure(it: &Experience) -> String {
        id(LessonKind::Failure, &[&it.tool, &it.subject])
    }
}

fn fix(it: &Experience) -> Lesson {
    let worked = it.worked.as_deref().unwrap_or_default();
    let error = quote(&it.text);
    let (title, text) = if worked.is_empty() {
        let changed = match it.paths.as_slice() {
            [] => "was simply tried again".to_owned(),
            paths => {
                let named: Vec<_> = paths.iter().take(5).map(|path| format!("`{path}`")).collect();
                let more = if paths.len() > 5 { ", …" } else { "" };
                format!("changed {}{more}", named.join(", "))
            }
        };
        let how = if it.paths.is_empty() { "worked when it" } else { "worked after a session" };
        let title = match it.paths.first() {
            Some(path) => format!("When `{}` fails, look at `{path}`", it.subject),
            None => format!("`{}` may work the second time", it.subject),
        };
        (title, format!("`{}` failed with \"{error}\" and {how} {changed}.", it.subject))
    } else {
        let title = format!("`{worked}` instead of `{}`", it.subject);
        (title, format!("`{}` failed with \"{error}\"; `{worked}` worked.", it.subject))
    };
    let words = words(it);
    Lesson {
        id: id(LessonKind::Fix, &[&it.tool, &it.subject, worked]),
        kind: LessonKind::Fix,
        title,
        text,
        paths: path_subject(it),
        words,
    }
}

fn failure(it: &Experience) -> Lesson {
    Lesson {
        id: Lesson::id_of_failure(it),
        kind: LessonKind::Failure,
        title: format!("`{}` fails here", named(it)),
        text: format!("`{}` failed with \"{}\", and no later attempt helped.", named(it), quote(&it.text)),
        paths: path_subject(it),
        words: words(it),
    }
}

fn refusal(it: &Experience) -> Lesson {
    let by = it.by.as_deref().unwrap_or_default();
    let rule = it.text.split_once("(rule `").and_then(|(_, rest)| rest.split('`').next());
    // A reason names the call; the rule behind it is the same every time.
    let known_by = rule.map_or_else(|| quote(&it.text), str::to_owned);
    let module = event::plain_name(by);
    let which = rule.map_or_else(|| format!("`{module}`"), |rule| format!("rule `{rule}` of `{module}`"));
    Lesson {
        id: id(LessonKind::Refusal, &[by, &known_by]),
        kind: LessonKind::Refusal,
        title: format!("{which} objects to calls like `{}`", named(it)),
        text: it.text.clone(),
        paths: path_subject(it),
        words: words(it),
    }
}

fn correction(it: &Experience) -> Lesson {
    let quoted = quote(&it.text);
    Lesson {
        id: id(LessonKind::Correction, &[&quoted.to_lowercase()]),
        kind: LessonKind::Correction,
        title: format!("The user said: {quoted}"),
        text: it.text.clone(),
        paths: Vec::new(),
        words: Vec::new(),
    }
}

fn id(kind: LessonKind, parts: &[&str]) -> String {
    let parts = std::iter::once(kind.as_str()).chain(parts.iter().copied()).map(str::as_bytes);
    format!("m{}", &fingerprint(parts).short()[..8])
}

fn named(it: &Experience) -> &str {
    if it.subject.is_empty() { &it.tool } else { &it.subject }
}

/// Returns the first words that identify a command; a file is identified by its path instead.
fn words(it: &Experience) -> Vec<String> {
    let is_command = it.subject.contains(' ') || it.paths.is_empty() && !it.subject.contains(['/', '.']);
    let words = if is_command { program(&it.subject) } else { String::new() };
    if words.is_empty() { Vec::new() } else { vec![words] }
}

fn path_subject(it: &Experience) -> Vec<String> {
    let is_path = !it.subject.contains(' ') && it.subject.contains(['/', '.']);
    if is_path { vec![it.subject.clone()] } else { Vec::new() }
}

/// Returns the program of a command with its subcommand: `cargo test`, `npm run`.
pub fn program(command: &str) -> String {
    let is_setting = |word: &&str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        })
    };
    let mut words = command.split_whitespace().skip_while(is_setting);
    let Some(first) = words.next() else { return String::new() };
    let first = first.rsplit('/').next().unwrap_or(first);
    match words.next() {
        Some(second)
            if second.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') && !second.starts_with('-') =>
        {
            format!("{first} {second}")
        }
        _ => first.to_owned(),
    }
}

fn quote(text: &str) -> String {
    let line = event::one_line(text);
    let mut short: String = line.chars().take(QUOTED).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_known_by_its_program_and_verb() {
        for (command, known) in [
            ("cargo test -p x", "cargo test"),
            ("RUST_LOG=debug ./target/debug/app --fast", "app"),
            ("npm run build", "npm run"),
            ("ls", "ls"),
            ("", ""),
            ("cat a/b.txt", "cat"),
        ] {
            assert_eq!(program(command), known, "{command}");
        }
    }
}
