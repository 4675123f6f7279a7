//! Whether a command consists of git alone, and which git folders it needs to write.
//!
//! WHY: a planted `.git/commondir` makes the person's next `git status` run any command, so `.git` is read-only for
//! everything else. Git itself writes no such file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use shell::{NoFiles, Place, Simple};

/// Options and subcommands by which git runs programs that the command line names.
const RUNS_OTHERS: [&str; 13] = [
    "-c",
    "--config-env",
    "--exec-path",
    "-x",
    "--exec",
    "--upload-pack",
    "--receive-pack",
    "-u",
    "foreach",
    "run",
    "--extcmd",
    "--tool",
    "--open-files-in-pager",
];

/// Subcommands that run programs of the project or of the command line, or write configuration.
const NOT_ALONE: [&str; 12] = [
    "bisect",
    "config",
    "daemon",
    "difftool",
    "filter-branch",
    "fast-import",
    "init",
    "instaweb",
    "mergetool",
    "p4",
    "send-email",
    "svn",
];

/// Programs that only print, which people put beside git.
const PRINTS: [&str; 6] = ["cd", "echo", "printf", "true", ":", "pwd"];

/// Returns whether a command runs git and nothing else.
pub(crate) fn is_git_alone(command: &[OsString]) -> bool {
    let words: Option<Vec<&str>> = command.iter().map(|word| word.to_str()).collect();
    let Some(words) = words else { return false };
    match words.as_slice() {
        [program, rest @ ..] if base(program) == "git" && !program.contains("./") => are_alone(rest),
        [program, "-c" | "-lc", text, ..] if matches!(base(program), "sh" | "bash" | "dash" | "zsh") => {
            let reading = shell::read(text, &Place { files: &NoFiles, ..Place::at("/") });
            let is_alone = |command: &Simple| {
                let words: Vec<&str> = command.argv.iter().skip(1).map(|arg| arg.text.as_str()).collect();
                command.is_itself
                    && command.via.is_empty()
                    && (PRINTS.contains(&command.program.as_str())
                        || command.program == "git" && are_alone(&words))
            };
            // An assignment such as `GIT_EDITOR=…` names a program too.
            reading.parsed
                && !text.contains('=')
                && reading.commands.iter().any(|command| command.program == "git")
                && reading.commands.iter().all(is_alone)
        }
        _ => false,
    }
}

fn are_alone(words: &[&str]) -> bool {
    let subcommand = words.iter().find(|word| !word.starts_with('-'));
    let is_known = subcommand.is_some_and(|word| {
        !NOT_ALONE.contains(word) && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    });
    let runs_others = words.iter().any(|word| {
        let flag = word.split_once('=').map_or(*word, |(flag, _)| flag);
        // `-u` of push and `-c` of switch come after the subcommand and name no program.
        let is_harmless = matches!(*word, "-u" | "-c")
            && subcommand
                .is_some_and(|it| matches!(*it, "push" | "switch" | "add" | "stash" | "commit" | "checkout"))
            && words.iter().position(|it| it == word) > words.iter().position(|it| Some(it) == subcommand);
        RUNS_OTHERS.contains(&flag) && !is_harmless
    });
    is_known && !runs_others
}

fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Returns the git folders that git writes in a checkout: its own, the one it shares with other checkouts, and
/// repositories on this machine that it pushes to.
pub(crate) fn git_folders(folder: &Path, command: &[OsString]) -> Vec<PathBuf> {
    let Some(own) = store::git_dir_around(folder).and_then(|own| own.canonicalize().ok()) else {
        return Vec::new();
    };
    let common = store::common_git_dir(&own).canonicalize().unwrap_or_else(|_| own.clone());
    let mut folders = vec![common.clone()];
    if !own.starts_with(&common) {
        folders.push(own);
    }
    if command.iter().any(|word| word.to_string_lossy().contains("push")) {
        folders.extend(local_remotes(&common));
    }
    folders
}

/// Returns the repositories on this machine that the configuration names as remotes.
fn local_remotes(git: &Path) -> Vec<PathBuf> {
    let config = store::plain_file::read(&git.join("config")).unwrap_or_default();
    let config = String::from_utf8_lossy(&config).into_owned();
    let base = git.parent().unwrap_or(git);
    let url = |line: &str| {
        let (key, value) = line.trim().split_once('=')?;
        let is_url = matches!(key.trim(), "url" | "pushurl");
        let value = value.trim().strip_prefix("file://").unwrap_or(value.trim()).to_owned();
        (is_url && (value.starts_with('/') || value.starts_with('.'))).then_some(value)
    };
    let repository = |value: String| {
        let folder = base.join(value).canonicalize().ok()?;
        let git = [folder.join(".git"), folder]
            .into_iter()
            .find(|it| it.join("objects").is_dir() && it.join("HEAD").exists())?;
        Some(git)
    };
    config.lines().filter_map(url).filter_map(repository).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_alone_is_git_without_a_way_to_run_something_else() {
        let words = |text: &str| text.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        for text in [
            "git add .",
            "git commit -m x",
            "/usr/bin/git stash",
            "git push -u origin main",
            "git switch -c x",
            "git rebase main",
            "git --no-pager log",
        ] {
            assert!(is_git_alone(&words(text)), "{text}");
        }
        for text in [
            "make",
            "git -c core.fsmonitor=x status",
            "git rebase -x make",
            "git rebase --exec=make",
            "git bisect run x",
            "git submodule foreach x",
            "git config a.b c",
            "git --exec-path=/tmp status",
            "git init .",
            "./git add .",
            "git",
        ] {
            assert!(!is_git_alone(&words(text)), "{text}");
        }
        let line = |text: &str| ["bash", "-c", text].map(OsString::from).to_vec();
        for text in ["git add . && git commit -m x", "cd sub && git stash; echo done"] {
            assert!(is_git_alone(&line(text)), "{text}");
        }
        for text in [
            "git add . && make",
            "GIT_EDITOR=x git commit",
            "$(x) git add .",
            "sudo git add .",
            "git add",
            "echo x",
            "git() { x; }; git add .",
        ] {
            let expected = text == "git add";
            assert_eq!(is_git_alone(&line(text)), expected, "{text}");
        }
    }
}
