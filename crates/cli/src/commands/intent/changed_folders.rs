//! The folders of the files that differ from the last commit, as globs of a scope.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use crate::commands::Place;

/// Folders that are in no scope, besides the files that govern agents.
const RECORDS: [&str; 2] = [".ai/", ".orchestration/"];

/// Returns a glob for each folder with changed or new files, and the names of such files at the top. Returns `None` without
/// git.
pub(crate) fn changed_folders(place: &Place) -> Option<Vec<String>> {
    // Before the first commit there is nothing to compare with, and every file is new.
    let has_commit = git(place, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_some();
    let changed = if has_commit {
        git(place, &["diff", "--name-only", "--relative", "-z", "HEAD"])?
    } else {
        String::new()
    };
    let kinds = if has_commit { "--others" } else { "--cached" };
    let new = git(place, &["ls-files", "--others", kinds, "--exclude-standard", "-z"])?;
    let paths = changed.split('\0').chain(new.split('\0')).filter(|path| !path.is_empty());
    let paths = paths.filter(|path| !is_in_no_scope(path));
    let globs: BTreeSet<String> = paths.map(glob).collect();
    Some(globs.iter().filter(|glob| !is_within_another(glob, &globs)).cloned().collect())
}

/// Returns whether agents may not write a file whatever their intent.
fn is_in_no_scope(path: &str) -> bool {
    RECORDS.iter().any(|folder| path.starts_with(folder)) || shell::guard::governs(&format!("/{path}"))
}

/// Returns the glob of a file's folder, or the name of a file at the top.
fn glob(path: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{}/**", literal(folder)),
        None => literal(path),
    }
}

/// Escapes the characters that have a meaning in globs.
fn literal(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for letter in path.chars() {
        if "*?[]{}\\!".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

fn is_within_another(glob: &str, globs: &BTreeSet<String>) -> bool {
    let folders = globs.iter().filter_map(|other| other.strip_suffix("**"));
    folders.into_iter().any(|folder| glob.starts_with(folder) && glob.strip_suffix("**") != Some(folder))
}

/// Runs git in the workspace; returns its output if it succeeds.
#[expect(clippy::disallowed_methods, reason = "git only reads here, and ends by itself")]
fn git(place: &Place, args: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.args(args).current_dir(place.workspace.root().as_path()).stdin(Stdio::null()).stderr(Stdio::null());
    let output = git.output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_governs_agents_is_in_no_scope() {
        for path in [
            ".mcp.json",
            "web/.claude/settings.json",
            ".orchestration/a",
            ".ai/memory/m.md",
            ".codex/hooks/x",
        ] {
            assert!(is_in_no_scope(path), "{path}");
        }
        for path in ["src/a.rs", "CLAUDE.md", "mcp.json", ".mcp.json.md", ".github/workflows/ci.yml"] {
            assert!(!is_in_no_scope(path), "{path}");
        }
    }

    #[test]
    fn a_folder_within_another_one_needs_no_glob_of_its_own() {
        let globs: BTreeSet<String> =
            ["src/a.rs", "src/deep/b.rs", "srcs/c.rs", "README.md", "a[1]/x"].map(glob).into_iter().collect();
        let kept: Vec<&String> = globs.iter().filter(|glob| !is_within_another(glob, &globs)).collect();
        assert_eq!(kept, ["README.md", "a\\[1\\]/**", "src/**", "srcs/**"]);
    }
}
