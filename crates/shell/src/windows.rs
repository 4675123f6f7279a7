//! PowerShell and cmd.exe: programs, redirections, destructive verbs.
//!
//! Deliberately small: values are followed only through plain assignments, and
//! everything that is not a plain command stays unknown. Paths are written the
//! POSIX way, in lower case (`C:\Users\Me` is `/c/users/me`), because Windows
//! does not tell them apart either.

mod cmd;
mod nouns;
mod piped;
mod powershell;
mod verb_table;
mod verbs;

use crate::place::Dialect;
use crate::reading::Span;
use crate::text::{Taint, Text};
use crate::walk::Walker;

/// Reads a line of a Windows shell.
pub(crate) fn read(walker: &mut Walker<'_>, command: &str, dialect: Dialect) {
    walker.map_places(to_posix);
    match dialect {
        Dialect::PowerShell => powershell::read(walker, command),
        Dialect::Cmd | Dialect::Posix => cmd::read(walker, command),
    }
}

/// Follows `powershell …` or `cmd …` that another shell runs.
pub(crate) fn run(walker: &mut Walker<'_>, words: &[Text], span: Span) {
    let input = walker.stdin().map_or(Taint::NONE, |input| input.taint);
    verbs::run(walker, words, input, span);
}

/// Rewrites a Windows path the POSIX way: `C:\Users\Me` becomes `/c/users/me`; other paths only get their slashes turned.
pub(crate) fn to_posix(path: &str) -> String {
    let turned = path.replace('\\', "/");
    let bytes = turned.as_bytes();
    if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' {
        let rest = turned[2..].trim_start_matches('/');
        return format!("/{}/{rest}", char::from(bytes[0])).to_ascii_lowercase();
    }
    if turned.contains("//") && turned.starts_with("//") {
        return turned;
    }
    if path.contains('\\') { turned.to_ascii_lowercase() } else { turned }
}
