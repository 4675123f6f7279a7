//! Whether a command consists of git alone, and which git folders it needs to write.
//!
//! WHY: a planted `.git/commondir` makes the person's next `git status` run any command, so `.git` is read-only for
//! everything else. Git itself writes no such file.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use shell::{NoFiles, Place, Simple};

/// Subcommands that write the git folder themselves, and run no program that a command line or a file in scope names.
///
/// WHY a list: git runs a program `git-NAME` from the `PATH` for every other word, and some of its own write files of any
/// name and content (`archive`, `bundle`, `checkout-index`, `config`, `update-ref`).
const ALONE: [&str; 48] = [
    "add",
    "am",
    "apply",
    "blame",
    "branch",
    "cat-file",
    "check-ignore",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "commit",
    "count-objects",
    "describe",
    "diff",
    "fetch",
    "for-each-ref",
    "fsck",
    "gc",
    "grep",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "merge",
    "merge-base",
    "mv",
    "notes",
    "pack-refs",
    "prune",
    "pull",
    "push",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "shortlog",
    "show",
    "stash",
    "status",
    "switch",
    "tag",
];

/// Subcommands of the same kind that have subcommands which do more.
const ALONE_WITH: [(&str, &[&str]); 3] = [
    ("show-ref", &[]),
    ("submodule", &["status", "init", "update", "sync", "summary"]),
    ("worktree", &["list", "prune", "remove", "lock", "unlock", "repair"]),
];

/// Options before the subcommand that change nothing but the output or the folder.
const GLOBAL: [&str; 5] =
    ["--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs", "--no-replace-objects"];

/// Options that run a program, or write a file that they name. Git takes abbreviations.
const NOT_ALONE: [&str; 14] = [
    "--config-env",
    "--directory",
    "--exec",
    "--ext-diff",
    "--extcmd",
    "--open-files-in-pager",
    "--output",
    "--output-directory",
    "--receive-pack",
    "--strategy",
    "--template",
    "--unsafe-paths",
    "--upload-pack",
    "--work-tree",
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
                        || command.program == "cat" && words.is_empty()
                        || command.program == "git" && are_alone(&words))
            };
            reading.parsed
                && !redirects_or_assigns(text)
                && reading.commands.iter().any(|command| command.program == "git")
                && reading.commands.iter().all(is_alone)
        }
        _ => false,
    }
}

/// Returns whether a line may write to a file by itself, or set a variable such as `GIT_EDITOR`, which names a program.
fn redirects_or_assigns(text: &str) -> bool {
    let text = without_messages(text);
    // The text of a substitution is code inside of quotes, too.
    if ["$(", "`", "(("].iter().any(|code| text.contains(code)) {
        return text.contains(['>', '=']);
    }
    let mut quote = None;
    let mut word = Word::Start;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                chars.next();
                word = Word::Other;
            }
            (Some(_), _) => {}
            (None, '\'' | '"') => {
                quote = Some(c);
                word = Word::Other;
            }
            (None, '>') => return true,
            (None, '=' | '+' | '[') if word == Word::Name => return true,
            (None, c) if c.is_whitespace() || ";&|(){}".contains(c) => word = Word::Start,
            (None, c) => {
                let is_name = c == '_' || c.is_ascii_alphabetic() || word == Word::Name && c.is_ascii_digit();
                word = if is_name && word != Word::Other { Word::Name } else { Word::Other };
            }
        }
    }
    false
}

/// How agents write a message of several lines.
const MESSAGE: &str = "\"$(cat <<'";

/// Removes the messages of several lines: the shell takes the text after a quoted word literally.
fn without_messages(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, message)) = rest.split_once(MESSAGE) {
        let parts = message.split_once("'\n").and_then(|(word, body)| {
            let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let after = body.split_once(&format!("\n{word}\n")).filter(|_| is_word)?.1;
            after.trim_start().strip_prefix(")\"")
        });
        // In quotes or in a comment it is something else.
        let (Some(after), false) = (parts, before.contains(['\'', '"', '\\', '#'])) else { break };
        kept.push_str(before);
        kept.push('x');
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// The possible meanings of the part of a word read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Start,
    /// The name of a variable.
    Name,
    Other,
}

fn are_alone(words: &[&str]) -> bool {
    let mut rest = words;
    loop {
        match rest {
            [option, more @ ..] if GLOBAL.contains(option) => rest = more,
            ["-C", _, more @ ..] => rest = more,
            _ => break,
        }
    }
    let [subcommand, options @ ..] = rest else { return false };
    let first = options.iter().find(|word| !word.starts_with('-'));
    let is_known = ALONE.contains(subcommand)
        || ALONE_WITH.iter().any(|(name, only)| {
            name == subcommand && (only.is_empty() || first.is_some_and(|word| only.contains(word)))
        });
    let options = options.iter().take_while(|word| **word != "--");
    is_known && !options.into_iter().any(|word| runs_or_writes(subcommand, word))
}

/// Returns whether an option runs a program, or writes a file that it names.
fn runs_or_writes(subcommand: &str, word: &str) -> bool {
    if word.starts_with("--") {
        let flag = word.split_once('=').map_or(word, |(flag, _)| flag);
        return NOT_ALONE.iter().any(|option| option.starts_with(flag));
    }
    let Some(letters) = word.strip_prefix('-') else { return false };
    match subcommand {
        // Letters can be joined, and the last takes the rest of the word.
        "rebase" => letters.contains(['x', 's']),
        "grep" => letters.contains('O'),
        "merge" | "pull" => letters.contains('s') && !letters.starts_with('m'),
        _ => false,
    }
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
            "git -C sub add .",
            "git clean -fdx",
            "git submodule update --init",
            "git commit -ams",
            "git merge -m message x",
            "git checkout -- --output",
        ] {
            assert!(is_git_alone(&words(text)), "{text}");
        }
        for text in [
            "make",
            "git -c core.fsmonitor=x status",
            "git rebase -x make",
            "git rebase -xmake main",
            "git rebase -ix make",
            "git rebase --exec=make",
            "git rebase --ex make",
            "git fetch --upload-pa=x",
            "git push --receive-pack x",
            "git grep -Osh x",
            "git grep -lO x",
            "git merge -s mine x",
            "git merge --strategy=mine x",
            "git bisect run x",
            "git submodule foreach x",
            "git submodule -q foreach x",
            "git config a.b c",
            "git --exec-path=/tmp status",
            "git --work-tree=.git checkout x -- commondir",
            "git --git-dir=x status",
            "git log --format=../src --output=.git/commondir",
            "git diff --outp .git/commondir",
            "git archive -o .git/commondir x",
            "git bundle create .git/commondir x",
            "git checkout-index --prefix=.git/ -a",
            "git apply --directory=.git x",
            "git update-ref commondir x",
            "git worktree add .git/x",
            "git planted",
            "git init .",
            "./git add .",
            "git",
        ] {
            assert!(!is_git_alone(&words(text)), "{text}");
        }
        let line = |text: &str| ["bash", "-c", text].map(OsString::from).to_vec();
        for text in [
            "git add . && git commit -m x",
            "cd sub && git stash; echo done",
            "git commit -m 'a > b' -m \"x = 1\" --date=2026-01-01",
            "git commit -F - <<'E'\nmessage\nE",
            "git add . && git commit -m \"$(cat <<'EOF'\nA = b -> c\n\nBy: X <x@example.com>\nEOF\n)\"",
        ] {
            assert!(is_git_alone(&line(text)), "{text}");
        }
        for text in [
            "git add . && make",
            "GIT_EDITOR=x git commit",
            "export GIT_EDITOR=x; git commit",
            "X+=x git commit",
            "git show x:y > .git/commondir",
            "git show x:y >>.git/commondir",
            "git commit -m \"$(git show x:y > .git/commondir)\"",
            "git commit -m \"$(cat <<'E'\na\nE\n)\" > .git/commondir",
            "echo '\"$(cat <<'E'\nGIT_EDITOR=x git commit\nE\n)\"; git add",
            "git commit -m \"$(cat <<'E'\na\nE\ngit show x:y > .git/commondir; cat <<'F'\nF\n)\"",
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
