//! Words of a command line that may name a file outside of the workspace, or a secret.

use std::path::Path;

use event::AbsPath;
use modules::Context;

use super::call_paths::{inside, is_secret};

/// Returns whether a word may name a path outside of the workspace or a secret. WHY although the reading has the paths
/// of a command: it lists what is sure to be read, and a program may read more.
pub(super) fn is_doubtful_word(context: &Context<'_>, folder: &AbsPath, word: &str) -> bool {
    leads_away(context, folder, word) || names_secret(context, folder, word)
}

/// Returns the parts of a word that may be paths: `--file=PATH`, `REVISION:PATH`, `@PATH`, `open("PATH")`.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let pieces = word.split(|letter: char| letter.is_whitespace() || "=:@,;|&<>\"'`(){}[]".contains(letter));
    pieces.filter(|piece| !piece.is_empty())
}

/// Returns whether a word may name a secret.
fn names_secret(context: &Context<'_>, folder: &AbsPath, word: &str) -> bool {
    pieces(word).any(|piece| {
        let path = folder.join(piece);
        let is_link_to_secret =
            || inside(context, folder, piece).is_some_and(|real| is_secret(context, &real));
        is_secret(context, &path) || exists(&path.to_string()) && is_link_to_secret()
    })
}

/// Returns whether a word may name a path outside of the workspace.
fn leads_away(context: &Context<'_>, folder: &AbsPath, word: &str) -> bool {
    // A tilde stands for a home only at the start of a word or of a value; elsewhere it is a sign of git or of a program.
    word.contains("://")
        || word.starts_with('~')
        || word.contains("=~")
        || word.contains(":~")
        || pieces(word).any(|piece| piece_leads_away(context, folder, piece))
}

fn piece_leads_away(context: &Context<'_>, folder: &AbsPath, piece: &str) -> bool {
    if is_null(piece) {
        return false;
    }
    let steps_up = piece.split('/').any(|step| step == "..");
    if piece.starts_with("~/") || steps_up && inside(context, folder, piece).is_none() {
        return true;
    }
    // An absolute path, alone or behind letters: `-I/usr/include`, `r/etc/passwd`. Where no entry of the root has the
    // name, as in the pattern `/error/`, nothing can be read.
    let is_rooted = |at: usize| {
        let before = piece[..at].rsplit(['/']).next().unwrap_or_default();
        let continues_relative =
            at > 0 && (before.is_empty() || exists(&folder.join(&piece[..at]).to_string()));
        let first = piece[at + 1..].split('/').next().unwrap_or_default();
        !continues_relative && !first.is_empty() && exists(&format!("/{first}"))
    };
    let mut slashes = piece.match_indices('/').map(|(at, _)| at);
    if let Some(at) = slashes.find(|at| is_rooted(*at)) {
        let Ok(path) = AbsPath::new(&piece[at..]) else { return true };
        if !path.as_path().starts_with(context.workspace.root().as_path()) {
            return true;
        }
    }
    let path = folder.join(piece);
    exists(&path.to_string()) && inside(context, folder, piece).is_none()
}

/// Returns whether a path leads to something, or to a link.
pub(super) fn exists(path: &str) -> bool {
    Path::new(path).symlink_metadata().is_ok()
}

/// Returns whether a path is a stream or the file that takes and gives nothing.
pub(super) fn is_null(path: &str) -> bool {
    matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin")
}

/// Returns whether a line names a device other than those that give and take nothing: `/dev/zero` has no end, and the
/// terminal is the user's.
pub(super) fn names_device(line: &str) -> bool {
    // Quotes do not make another name.
    let line = line.replace(['"', '\'', '\\'], "");
    line.match_indices("/dev/").any(|(at, _)| {
        let name = line[at..].split(|letter: char| !letter.is_alphanumeric() && letter != '/').next();
        !name.is_some_and(is_null)
    })
}
