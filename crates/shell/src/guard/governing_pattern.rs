//! Which governing file a shell pattern may name: `.c*`, `.*/settings.json`, `*/.claude/settings.json`.

use super::governing::{self, FOLDERS, GOVERNING, Reader};
use crate::walk::glob_matches;

/// Patterns with more groups of alternatives than this make no more of them.
const MAX_ALTERNATIVES: usize = 32;

/// Returns a governing file or folder that an absolute path with groups of alternatives may name, as
/// `.@(claude|codex)`. Returns `None` for a path without groups.
pub(crate) fn named_by_groups(path: &str) -> Option<String> {
    if !path.contains('(') {
        return None;
    }
    let mut spread = Vec::new();
    alternatives(path, &mut spread);
    let governs = |path: &str| governing::find(path).is_some_and(|reader| reader != Reader::Shared);
    spread.into_iter().find_map(|path| if governs(&path) { Some(path) } else { named_by(&path, |_| false) })
}

fn alternatives(path: &str, spread: &mut Vec<String>) {
    if spread.len() >= MAX_ALTERNATIVES {
        return;
    }
    let group = path.find('(').filter(|at| path[..*at].ends_with(['@', '+', '?', '*', '!']));
    let closed = group.and_then(|at| Some((at, at + path[at..].find(')')?)));
    let Some((at, end)) = closed else { return spread.push(path.to_owned()) };
    let (before, kind, after) = (&path[..at - 1], &path[at - 1..at], &path[end + 1..]);
    let mut inner: Vec<&str> = path[at + 1..end].split('|').collect();
    match kind {
        // Like `*`, it names no leading dot.
        "!" => inner = vec!["*"],
        "?" | "*" => inner.push(""),
        _ => {}
    }
    for one in inner {
        alternatives(&format!("{before}{one}{after}"), spread);
    }
}

/// Returns a governing file or folder that an absolute pattern may name. Returns `None` for a pattern that names
/// other files only.
///
/// A lone `*` names all that lies in a folder, so it counts only where `exists` finds a governing file.
pub(crate) fn named_by(pattern: &str, exists: impl Fn(&str) -> bool) -> Option<String> {
    let parts: Vec<String> =
        pattern.trim_start_matches('/').split('/').map(|part| simple(&part.to_ascii_lowercase())).collect();
    // The part before the first wildcard is judged by its own name.
    let first = parts.iter().position(|part| is_pattern(part))?;
    let hosts = GOVERNING.iter().filter(|known| known.of != Reader::Shared).map(|known| known.path);
    for known in hosts.chain(FOLDERS) {
        let names: Vec<&str> = known.split('/').collect();
        for start in 0..parts.len() {
            let rest = &parts[start..];
            let is_named = rest.len() >= names.len()
                && rest.len() > first.saturating_sub(start)
                && rest.iter().zip(&names).all(|(part, name)| fits(part, name));
            if !is_named {
                continue;
            }
            let is_vague = rest.iter().zip(&names).any(|(part, _)| part.trim_matches('*').is_empty());
            let folder: Vec<&str> = pattern.trim_start_matches('/').split('/').take(start).collect();
            let path = format!("/{}/{known}", folder.join("/"));
            if !is_vague || (start <= first && exists(&path)) {
                return Some(path);
            }
        }
    }
    None
}

fn is_pattern(part: &str) -> bool {
    part.contains(['*', '?', '['])
}

/// Returns whether a part of a pattern names a file. A wildcard names no leading dot.
fn fits(part: &str, name: &str) -> bool {
    if !is_pattern(part) {
        return part.eq_ignore_ascii_case(name);
    }
    !(name.starts_with('.') && part.starts_with(['*', '?', '[']))
        && glob_matches(part, &name.to_ascii_lowercase())
}

/// Writes classes by name, `[[:lower:]]`, as `?`: a pattern may only become wider.
fn simple(part: &str) -> String {
    let mut simple = part.to_owned();
    while let Some(at) = simple.find("[[:") {
        let Some(end) = simple[at..].find(":]]") else { break };
        simple.replace_range(at..at + end + 3, "?");
    }
    simple
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_held_against_the_table() {
        for pattern in [
            "/w/.c*",
            "/w/.[a-z]*",
            "/w/.??*",
            "/w/.*/settings.json",
            "/w/.c*/*.json",
            "/w/*/.claude/settings.json",
            "/w/*/*/.codex/hooks.json",
            "/w/.[[:lower:]]laude",
            "/w/.c?aude/settings.json",
            "/w/.claude/sett*",
            "/w/.mcp*",
            "/w/.intent*",
            "/w/.codex/hook?.json",
        ] {
            assert!(named_by(pattern, |_| false).is_some(), "{pattern}");
        }
        for pattern in [
            "/w/.cache*",
            "/w/*.json",
            "/w/*",
            "/w/*/settings.json",
            "/w/.env*",
            "/w/.p*",
            "/w/.github/*/*.yml",
        ] {
            assert_eq!(named_by(pattern, |_| false), None, "{pattern}");
        }
    }

    #[test]
    fn groups_of_alternatives_are_spread() {
        for path in ["/w/@(.claude|.codex)", "/w/.+(c)laude", "/w/.c!(x)", "/w/.?(c)laude/settings.json"] {
            assert!(named_by_groups(path).is_some(), "{path}");
        }
        for path in ["/w/@(src|lib)", "/w/a(b)", "/w/(", "/w/src/*(a|b).ts"] {
            assert_eq!(named_by_groups(path), None, "{path}");
        }
    }

    #[test]
    fn a_lone_star_counts_where_the_file_exists() {
        let exists = |path: &str| path == "/w/.github/hooks";
        assert!(named_by("/w/.github/*", exists).is_some());
        assert_eq!(named_by("/v/.github/*", exists), None);
    }
}
