//! Splits a hook command into words and detects our own commands.

use event::EventName;

use super::hook_plan::TIMEOUT_FLAG;
use crate::{Host, Protocol};

/// A command line that calls `steersman dispatch`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DispatchCommand {
    /// The program in the line, without quotes.
    pub(super) program: String,
    /// The event it dispatches, if the line names a known one.
    pub(super) event: Option<EventName>,
    /// The value of `--host`, if it is a known host.
    pub(super) host: Option<Host>,
    /// The value of `--timeout`, in seconds.
    pub(super) timeout: Option<u64>,
    /// The name of an unknown event.
    pub(super) unknown_event: Option<String>,
    /// The value of `--host`, if it is unknown.
    pub(super) unknown_host: Option<String>,
}

impl DispatchCommand {
    /// Parses the words of a command. Returns `None` if it is not ours.
    pub(super) fn of(words: &[String]) -> Option<Self> {
        // PowerShell's call operator, which we write before a quoted path.
        let words = if let [call, rest @ ..] = words
            && call == "&"
        {
            rest
        } else {
            words
        };
        let [program, verb, rest @ ..] = words else { return None };
        if !is_our_name(program) || verb != "dispatch" {
            return None;
        }
        let named_event = rest.first().filter(|word| !word.starts_with('-'));
        let named_host = host_flag(rest);
        let host = named_host.and_then(Host::from_name);
        Some(Self {
            program: program.clone(),
            event: named_event.and_then(|name| EventName::from_contract(name)),
            host,
            timeout: rest
                .iter()
                .find_map(|word| word.strip_prefix(TIMEOUT_FLAG))
                .and_then(|seconds| seconds.parse().ok()),
            unknown_event: named_event.filter(|name| !is_event(name)).cloned(),
            unknown_host: named_host.filter(|_| host.is_none()).map(str::to_owned),
        })
    }
}

/// Returns whether the last part of a path is our binary's name.
pub(super) fn is_our_name(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let stem = match name.len().checked_sub(4).and_then(|dot| name.split_at_checked(dot)) {
        Some((stem, extension)) if extension.eq_ignore_ascii_case(".exe") => stem,
        _ => name,
    };
    stem == "steersman"
}

/// Splits a command line like a shell, without expanding anything.
///
/// WHY not a crate for POSIX words: the same setting contains Windows paths, where a backslash is a
/// separator; here it is an escape only before a special character. An open quote extends to the end.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let escaped = rest.next_if(|next| match quote {
                    None => next.is_whitespace() || r#"\"'$`&;|<>()"#.contains(*next),
                    Some(_) => r#"\"$`"#.contains(*next),
                });
                word.get_or_insert_default().push(escaped.unwrap_or(c));
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Returns whether it is the name of an event in the contract or in a host.
fn is_event(name: &str) -> bool {
    EventName::from_contract(name).is_some()
        || Protocol::ALL.iter().any(|protocol| protocol.event_kind(name).is_some())
}

fn host_flag(words: &[String]) -> Option<&str> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--host" {
            return words.next().map(String::as_str);
        }
        if let Some(name) = word.strip_prefix("--host=") {
            return Some(name);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ours(line: &str) -> bool {
        DispatchCommand::of(&words(line)).is_some()
    }

    #[test]
    fn our_command_is_known_however_it_is_spelled() {
        for line in [
            "steersman dispatch PreToolUse",
            "  steersman\tdispatch PreToolUse --host claude-code",
            "/usr/local/bin/steersman dispatch Stop",
            "'/home/a b/steersman' dispatch Stop",
            r#""C:\Program Files\steersman\steersman.exe" dispatch Stop"#,
            r"C:\tools\steersman.exe dispatch Stop",
            r"C:\tools\Steersman.EXE\..\steersman.EXE dispatch Stop",
            "& 'C:/Program Files/steersman.exe' dispatch Stop",
            r"/home/a\ b/steersman dispatch Stop",
            "steersman dispatch",
            "steersman 'dispatch' Tomorrow",
        ] {
            assert!(is_ours(line), "{line}");
        }
    }

    #[test]
    fn a_command_that_only_mentions_us_is_not_ours() {
        for line in [
            "echo steersman dispatch PreToolUse",
            "steersman-dispatch PreToolUse",
            "my-steersman dispatch Stop",
            "steersman doctor",
            "steersman",
            "node .ai/hooks/dispatch.mjs PreToolUse # steersman dispatch",
            "'steersman dispatch' Stop",
            "/opt/steersman/run dispatch Stop",
            "& ",
            "",
        ] {
            assert!(!is_ours(line), "{line}");
        }
    }

    #[test]
    fn event_and_host_are_read_from_the_line() {
        let read =
            |line| DispatchCommand::of(&words(line)).map(|found| (found.program, found.event, found.host));
        assert_eq!(
            read("/x/steersman dispatch PreToolUse --skip-shell --host cursor"),
            Some(("/x/steersman".into(), Some(EventName::PreToolUse), Some(Host::Cursor))),
        );
        assert_eq!(
            read("steersman dispatch Tomorrow --host=gemini"),
            Some(("steersman".into(), None, Some(Host::Gemini))),
        );
        assert_eq!(read("steersman dispatch --host"), Some(("steersman".into(), None, None)));
    }

    #[test]
    fn words_that_nobody_knows_are_kept() {
        let read = |line| {
            DispatchCommand::of(&words(line)).map(|found| (found.unknown_event, found.unknown_host)).unwrap()
        };
        assert_eq!(read("steersman dispatch PreToolUse --host claude-code"), (None, None));
        assert_eq!(read("steersman dispatch beforeShellExecution --host cursor"), (None, None));
        assert_eq!(read("steersman dispatch --host cursor"), (None, None));
        let unknown = (Some("PreTolUse".to_owned()), Some("claude".to_owned()));
        assert_eq!(read("steersman dispatch PreTolUse --host=claude"), unknown);
    }
}
