//! Files that statements and the own commands of database clients write.

use super::sql::{Statement, worst};
use crate::programs::Args;
use crate::reading::Origin;
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Words of `sqlite3` behind which stands the file that is written.
const DOT_COMMANDS: [&str; 8] = [".output", ".once", ".backup", ".save", ".clone", ".log", ".open", ".excel"];

/// Words of `psql` behind which stands the file that is written.
const BACKSLASH_COMMANDS: [&str; 4] = ["\\o", "\\out", "\\w", "\\write"];

/// Statements and the word behind which the file stands in quotes: sqlite and duckdb write them here,
/// other servers where they run.
const STATEMENTS: [(&str, &str); 4] =
    [("attach", "attach"), ("vacuum", "into"), ("export", "database"), ("copy", "to")];

/// Returns whether the client is the database: it writes the file it is given.
pub(super) fn is_in_process(name: &str) -> bool {
    matches!(name, "sqlite3" | "sqlite" | "duckdb")
}

/// Returns whether a client that is its own database may change the file it is given.
pub(super) fn may_write(args: &Args<'_>) -> bool {
    let database = args.word(0);
    !(database.is_empty()
        || database == ":memory:"
        || args.has("-readonly|--readonly|-safe")
        || database.starts_with("file:")
            && (database.contains("mode=ro") || database.contains("immutable=1")))
}

/// Returns whether statements leave the database as it is: they read it, or copy it to another file.
pub(super) fn only_writes_elsewhere(text: &str, found: Statement) -> bool {
    let verb = text.split_whitespace().next().unwrap_or("");
    found == Statement::Looks || DOT_COMMANDS.contains(&verb) && text.lines().count() == 1
}

/// Records the files that a string for a client writes, besides the database.
pub(super) fn touch_written(walker: &mut Walker<'_>, call: &Call, text: &str) {
    for line in text.lines().map(str::trim).take(1024) {
        let (verb, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let last = rest.split_whitespace().last().unwrap_or("").trim_end_matches(';');
        if DOT_COMMANDS.contains(&verb) || BACKSLASH_COMMANDS.contains(&verb) {
            named(walker, call, rest.trim(), last);
        } else if verb == "\\copy" {
            let lower = rest.to_ascii_lowercase();
            if let Some(at) = lower.rfind(" to ") {
                let behind = rest[at + 4..].trim();
                named(walker, call, behind, behind.split_whitespace().next().unwrap_or(""));
            }
        }
    }
    if is_in_process(&call.name) {
        // `select writefile('/path', content)`: a function of sqlite's client.
        for arguments in text.split("writefile(").skip(1).take(16) {
            if let Some(path) = quoted(arguments) {
                write(walker, call, path);
            }
        }
        for statement in text.split(';').take(1024) {
            if worst(statement) == Statement::Looks {
                continue;
            }
            let lower = statement.trim().to_ascii_lowercase();
            let found = STATEMENTS.iter().find(|(verb, _)| lower.starts_with(verb));
            let behind = found.and_then(|(_, word)| lower.rfind(word).map(|at| at + word.len()));
            if let Some(path) = behind.and_then(|at| quoted(&statement.trim()[at..])) {
                write(walker, call, path);
            }
        }
    }
}

/// A file, or a command behind a bar.
fn named(walker: &mut Walker<'_>, call: &Call, rest: &str, last: &str) {
    let plain = rest.trim_matches(['\'', '"']);
    if let Some(command) = plain.strip_prefix('|') {
        walker.through(&call.name, |walker| walker.text(command, call.span, Origin::Text(call.name.clone())));
    } else {
        write(walker, call, last.trim_matches(['\'', '"']));
    }
}

fn write(walker: &mut Walker<'_>, call: &Call, path: &str) {
    if !matches!(path, "" | "stdout" | "stderr" | "STDOUT" | "off" | "on" | ":memory:" | "pstdout") {
        walker.write_path(&Text::known(path.strip_prefix("file:").unwrap_or(path)), call.span);
    }
}

fn quoted(text: &str) -> Option<&str> {
    let at = text.find(['\'', '"'])?;
    let quote = text[at..].chars().next()?;
    text[at + 1..].split(quote).next()
}
