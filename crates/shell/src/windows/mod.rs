//! PowerShell and cmd.exe: programs, redirections, destructive verbs.
//!
//! Deliberately small: values are followed only through plain assignments, and
//! everything that is not a plain command stays unknown. Paths are written the
//! POSIX way, in lower case (`C:\Users\Me` is `/c/users/me`), because Windows
//! does not tell them apart either.

mod cmd;
mod path;
mod piped;
mod powershell;
mod verbs;

pub(crate) use path::to_posix;

use crate::place::Dialect;
use crate::span::Span;
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
