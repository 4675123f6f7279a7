//! The names that govern agents or start programs, as seen from a folder in scope.
//!
//! The table of the crate `known-files` lists the files that govern agents. Here are the entries to mount read-only: a
//! folder where possible, because a mount on a file comes off when another program replaces that file.

use std::ffi::OsStr;

use known_files::{GOVERNING, Reader};

/// Entries that govern no agent, but start programs or hold keys.
const OTHERS: [&str; 4] = [".git", ".gitmodules", ".ripgreprc", ".ssh"];

/// Folders that hold ordinary files too, with the parts that start programs. The parts that govern agents are in
/// [`GOVERNING`].
const SHARED: [(&str, &[&str]); 3] =
    [(".config", &["autostart", "fish", "git", "systemd"]), (".github", &[]), (".local", &["bin/steersman"])];

/// Governing entries without a placeholder: programs read them only in the home, or report an empty folder of the name
/// as a mistake.
const NOT_HELD: [&str; 3] = [".claude.json", ".intentignore", ".steersman"];

/// Returns whether an entry is protected as a whole wherever it exists in the scope.
pub(crate) fn is_protected(name: &OsStr) -> bool {
    // Most entries are ordinary files, and all names of the tables begin with a dot.
    name.as_encoded_bytes().first() == Some(&b'.')
        && (is(name, &OTHERS) || tops(|_| true).any(|top| is(name, &[top])))
}

/// Returns the protected parts of a folder that also holds ordinary files. Returns `None` for every other entry.
pub(crate) fn protected_parts(name: &OsStr) -> Option<Vec<&'static str>> {
    let (folder, others) = SHARED.iter().find(|(folder, _)| name == *folder)?;
    let mut parts = others.to_vec();
    for known in GOVERNING.iter().filter(|known| known.top() == *folder) {
        let path = known.path.get(folder.len() + 1..).unwrap_or_default();
        parts.push(match path.rsplit_once('/') {
            Some((folder, file)) if file.contains('.') => folder,
            _ => path,
        });
    }
    parts.sort_unstable();
    parts.dedup();
    Some(parts)
}

/// Lists the entries that a command must not create at the top of a folder in scope. An empty folder holds their place.
///
/// WHY these and not all: each costs a mount, and an empty folder of such a name changes no program's behaviour.
/// A placeholder for `.git` would hide the repository around it; new repositories are looked for afterwards.
pub(crate) fn held() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        tops(|reader| reader != Reader::Shared).filter(|top| !NOT_HELD.contains(top)).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Lists the entries that govern agents as a whole, some of them more than once.
fn tops(of: impl Fn(Reader) -> bool) -> impl Iterator<Item = &'static str> {
    let rows = GOVERNING.iter().filter(move |known| of(known.of));
    rows.map(known_files::Governing::top).filter(|top| SHARED.iter().all(|(folder, _)| folder != top))
}

/// Compares as file systems do that make no difference between large and small letters.
pub(crate) fn is(name: &OsStr, names: &[&str]) -> bool {
    name.to_str().is_some_and(|name| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// Start-up files of shells and git, protected where they exist.
pub(crate) const START_UP: [&str; 14] = [
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".gitconfig",
    ".inputrc",
    ".kshrc",
    ".pam_environment",
    ".profile",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// Folders of tools, which are large and hold no project that a person opens.
pub(crate) const SKIPPED: [&str; 8] =
    ["node_modules", "target", ".venv", "venv", "__pycache__", "dist", "build", "vendor"];

/// The parts of a git folder that decide which programs git runs.
pub(crate) const IN_GIT: [&str; 4] = ["config", "config.worktree", "hooks", "info"];

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    /// A host that joins the table of governing files is protected without a change here.
    #[test]
    fn every_governing_file_is_protected_as_a_whole_or_by_its_part() {
        for known in GOVERNING {
            let top = OsStr::new(known.top());
            let is_covered = match protected_parts(top) {
                None => is_protected(top),
                Some(parts) => {
                    let rest = &known.path[known.top().len() + 1..];
                    parts.iter().any(|part| rest == *part || rest.starts_with(&format!("{part}/")))
                }
            };
            assert!(is_covered, "{}", known.path);
        }
        for name in ["src", ".gitignore", ".cargo", ".config", ".github", ".local", ".env"] {
            assert!(!is_protected(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn the_names_are_these() {
        expect![[r#"
            [".ai", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".mcp.json", ".orchestration", ".qwen", ".vscode"]
            [Some(["autostart", "fish", "git", "steersman", "systemd"]), Some(["copilot", "extensions", "hooks", "hooks.json", "mcp.json"]), Some(["bin/steersman", "state/steersman"])]"#]].assert_eq(&format!(
            "{:?}\n{:?}",
            held(),
            SHARED.map(|(name, _)| protected_parts(OsStr::new(name)))
        ));
        assert!(held().iter().all(|name| is_protected(OsStr::new(name))));
    }
}
