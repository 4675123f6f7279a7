//! git: what throws work away, what rewrites what others have, what runs something else.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use super::git_refs::{branch, push};
use crate::programs::Args;
use crate::reading::{Class, Doubt, Origin};
use crate::text::{Taint, Text};
use crate::walk::{Act, Call, Walker};

/// Settings whose value git runs.
const RUNS: [&str; 16] = [
    "core.pager",
    "core.sshcommand",
    "core.editor",
    "core.fsmonitor",
    "core.askpass",
    "core.gitproxy",
    "core.hookspath",
    "sequence.editor",
    "diff.external",
    "credential.helper",
    "gpg.program",
    "gpg.ssh.program",
    "uploadpack.packobjectshook",
    "filter.lfs.process",
    "interactive.difffilter",
    "merge.tool",
];

#[expect(clippy::too_many_lines, reason = "one arm per subcommand")]
pub(crate) fn git(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let global = globals(walker, call);
    let words = call.rest();
    let at = global.sub_at;
    let sub = words.get(at).map(|word| word.text.as_str())?;
    let rest = &words[at + 1..];
    let inner = Args::parse(rest, values_of(sub));
    if let Some((_, value)) = global.aliases.iter().find(|(name, _)| name == sub) {
        let line = match value.strip_prefix('!') {
            Some(shell) => shell.to_owned(),
            None => format!("git {value}"),
        };
        let line = rest.iter().fold(line, |line, word| format!("{line} {}", word.text));
        walker.through("git", |walker| walker.text(&line, call.span, Origin::Text("git alias".to_owned())));
        return Some(Class::Unknown);
    }
    let all = args.words().any(|word| matches!(word, "." | "*" | ":/" | "./" | ":" | "-A"));
    if matches!(
        sub,
        "pull"
            | "merge"
            | "rebase"
            | "checkout"
            | "switch"
            | "stash"
            | "cherry-pick"
            | "revert"
            | "am"
            | "apply"
            | "reset"
            | "clean"
            | "submodule"
            | "read-tree"
            | "sparse-checkout"
            | "bisect"
            | "lfs"
    ) {
        // Which files these change is decided by what is committed.
        walker.doubt(Doubt::Effects, format!("git {sub}"), call.span);
    }
    match sub {
        "push" => return Some(push(walker, call, &inner)),
        "add" | "stage" => {
            for file in &inner.operands {
                let path = walker.resolve(file).0;
                if walker.secrecy(&path).has(Taint::SECRET) {
                    walker.risk("secret-commit", path, call.span);
                }
            }
        }
        "reset" if inner.has("--hard|--merge|--keep") => {
            walker.risk("git-reset-hard", inner.word(0), call.span);
            return Some(Class::Destructive);
        }
        "clean" => {
            let forced = inner.has("-f|--force|-x|-X|-d");
            if inner.has("-n|--dry-run") || !forced {
                return Some(Class::ReadOnly);
            }
            walker.risk("git-clean", inner.word(0), call.span);
            return Some(Class::Destructive);
        }
        "checkout" | "restore" | "switch" => return checkout(walker, call, sub, rest, &inner, all),
        "stash" => {
            if matches!(inner.word(0), "drop" | "clear") {
                walker.risk("git-stash-drop", inner.word(0), call.span);
                return Some(Class::Destructive);
            }
            return Some(if matches!(inner.word(0), "list" | "show") {
                Class::ReadOnly
            } else {
                Class::Writes
            });
        }
        "branch" => return Some(branch(walker, call, &inner)),
        "tag" => {
            if inner.has("-d|--delete") {
                walker.risk("git-delete-ref", inner.word(0), call.span);
            }
            return Some(if inner.operands.is_empty() || inner.has("-l|--list|-n") {
                Class::ReadOnly
            } else {
                Class::Writes
            });
        }
        "remote" => {
            if matches!(inner.word(0), "remove" | "rm" | "set-url") {
                walker.risk("git-remote-change", format!("{} {}", inner.word(0), inner.word(1)), call.span);
            }
            let looks = matches!(inner.word(0), "" | "show" | "get-url") || inner.has("-v");
            return Some(if looks { Class::ReadOnly } else { Class::Writes });
        }
        "reflog" if matches!(inner.word(0), "expire" | "delete") => {
            walker.risk("git-history-rewrite", format!("reflog {}", inner.word(0)), call.span);
            return Some(Class::Destructive);
        }
        "gc" | "prune"
            if inner.has("--prune|--aggressive|--expire")
                && rest.iter().any(|word| word.text.contains("now") || word.text.contains("all")) =>
        {
            walker.risk("git-history-rewrite", "unreachable commits are removed at once", call.span);
        }
        "update-ref" if inner.has("-d") => {
            walker.risk("git-history-rewrite", inner.word(0), call.span);
            return Some(Class::Destructive);
        }
        "checkout-index" if inner.has("-f|--force") && inner.has("-a|--all") => {
            walker.risk("git-discard", "checkout-index --all", call.span);
            return Some(Class::Destructive);
        }
        "read-tree" if inner.has("--reset") && inner.has("-u") => {
            walker.risk("git-reset-hard", inner.word(0), call.span);
            return Some(Class::Destructive);
        }
        "credential" if inner.word(0) == "fill" => {
            walker.risk("secret-read", "git credential fill", call.span);
        }
        "grep" => {
            let pagers = rest.iter().filter_map(|word| {
                word.text.strip_prefix("--open-files-in-pager=").or_else(|| word.text.strip_prefix("-O"))
            });
            for pager in pagers.map(str::to_owned).collect::<Vec<_>>() {
                walker.through("git", |walker| {
                    walker.text(&pager, call.span, Origin::Text("git grep".to_owned()))
                });
            }
        }
        "replace" => walker.risk("git-history-rewrite", "replace", call.span),
        "worktree" => {
            if inner.word(0) == "remove" && inner.has("-f|--force") {
                walker.risk("git-worktree-remove", inner.word(1), call.span);
            }
            if inner.word(0) == "add"
                && let Some(path) = inner.operands.get(1)
                && !is_sibling(&walker.resolve(path).0, &walker.reading.workspace)
            {
                walker.touch(Act::Create, path, call.span);
            }
            return Some(if inner.word(0) == "list" { Class::ReadOnly } else { Class::Writes });
        }
        "rm" if !inner.has("--cached|-n|--dry-run") => {
            for path in &inner.operands {
                walker.touch(Act::Delete { recursive: false }, path, call.span);
            }
            if all {
                walker.risk("git-remove-all", inner.word(0), call.span);
            }
        }
        "mv" => {
            for (index, path) in inner.operands.iter().enumerate() {
                let act = if index + 1 == inner.operands.len() {
                    Act::Write
                } else {
                    Act::Delete { recursive: false }
                };
                walker.touch(act, path, call.span);
            }
        }
        "clone" => {
            if inner.word(0).starts_with("ext::") {
                // `% ` stands for a blank inside of a word.
                let text = inner.word(0)[5..].replace("% ", "\\ ");
                walker.through("git", |walker| walker.text(&text, call.span, Origin::Text("git".to_owned())));
            }
            walker.reading.network = true;
            if let Some(path) = inner.operands.get(1) {
                walker.touch(Act::Create, path, call.span);
            }
        }
        "init" => {
            if let Some(path) = inner.operands.first() {
                walker.touch(Act::Create, path, call.span);
            }
        }
        "config" => return Some(config(walker, call, &inner, rest)),
        "submodule" if inner.word(0) == "foreach" => {
            let line = inner.words().skip(1).collect::<Vec<_>>().join(" ");
            walker.through("git", |walker| {
                walker.text(&line, call.span, Origin::Text("git submodule".to_owned()))
            });
        }
        "submodule" if inner.word(0) == "deinit" && inner.has("-f|--force") => {
            walker.risk("git-remove-all", "submodule deinit --force", call.span);
        }
        "bisect" if inner.word(0) == "run" => {
            let words: Vec<Text> = inner.operands.iter().skip(1).map(|word| (*word).clone()).collect();
            walker.through("git", |walker| walker.invoke(words, call.span));
        }
        "rebase" => {
            for command in inner.values("-x|--exec") {
                let text = command.text.clone();
                walker.through("git", |walker| {
                    walker.text(&text, call.span, Origin::Text("git rebase".to_owned()))
                });
            }
        }
        "difftool" | "mergetool" => {
            for command in inner.values("-x|--extcmd") {
                let text = command.text.clone();
                walker.through("git", |walker| {
                    walker.text(&text, call.span, Origin::Text("git difftool".to_owned()))
                });
            }
        }
        "fetch" | "pull" => walker.reading.network = true,
        "apply" | "am" if inner.has("--check|--stat") => return Some(Class::ReadOnly),
        "format-patch" | "archive" | "bundle" => {
            for output in inner.values("-o|--output|--output-directory") {
                walker.write_path(output, call.span);
            }
        }
        "diff" | "log" | "show" => {
            for output in inner.values("--output") {
                walker.write_path(output, call.span);
            }
        }
        _ => {}
    }
    None
}

/// Worktrees usually lie next to the workspace.
fn is_sibling(path: &str, workspace: &str) -> bool {
    let parent = |path: &str| path.rsplit_once('/').map(|(parent, _)| parent.to_owned());
    parent(path) == parent(workspace)
}

fn values_of(sub: &str) -> &'static str {
    match sub {
        "push" => "-o --push-option --receive-pack --repo",
        "checkout" | "switch" => "-b -B -c -C --orphan --conflict",
        "restore" => "-s --source",
        "clone" => {
            "-b --branch --depth -o --origin -c --reference -u --upload-pack --separate-git-dir --filter -j --jobs"
        }
        "rebase" => "-x --exec --onto -s -X --strategy",
        "difftool" => "-x --extcmd -t --tool",
        "clean" => "-e --exclude",
        "tag" => "-m -F -u -n",
        "stash" => "-m --message",
        "config" => "-f --file --type --default",
        "worktree" => "-b -B",
        "diff" | "log" | "show" | "format-patch" | "archive" => {
            "-o --output --output-directory -n --format -S -G"
        }
        _ => "",
    }
}

/// What stands in front of the subcommand.
struct Globals {
    sub_at: usize,
    aliases: Vec<(String, String)>,
}

fn globals(walker: &mut Walker<'_>, call: &Call) -> Globals {
    let words = call.rest();
    let mut found = Globals { sub_at: 0, aliases: Vec::new() };
    while let Some(word) = words.get(found.sub_at) {
        let text = word.text.as_str();
        if matches!(text, "-c" | "--config-env") {
            if let Some((key, value)) = words.get(found.sub_at + 1).and_then(|word| word.text.split_once('='))
            {
                let key_lower = key.to_ascii_lowercase();
                if let Some(name) = key_lower.strip_prefix("alias.") {
                    found.aliases.push((name.to_owned(), value.to_owned()));
                } else if RUNS.contains(&key_lower.as_str()) {
                    let value = value.trim_start_matches('!').to_owned();
                    if key_lower == "core.hookspath" {
                        walker.risk("git-config-run", key, call.span);
                    } else if !value.is_empty() {
                        walker.through("git", |walker| {
                            walker.text(&value, call.span, Origin::Text("git -c".to_owned()))
                        });
                    }
                }
            }
            found.sub_at += 2;
        } else if matches!(text, "-C" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path") {
            found.sub_at += 2;
        } else if text.starts_with('-') {
            found.sub_at += 1;
        } else {
            break;
        }
    }
    found
}

/// What overwrites files with committed ones throws away what was not committed.
fn checkout(
    walker: &mut Walker<'_>,
    call: &Call,
    sub: &str,
    rest: &[Text],
    args: &Args<'_>,
    all: bool,
) -> Option<Class> {
    let dashes = rest.iter().position(|word| word.text == "--");
    if sub == "restore" {
        if args.has("--staged|-S") && !args.has("--worktree|-W") {
            return Some(Class::Writes);
        }
        discard(walker, call, &args.words().map(Text::known).collect::<Vec<_>>(), all);
        return Some(Class::Destructive);
    }
    if args.has("-f|--force|--discard-changes") {
        walker.risk("git-discard", args.word(0), call.span);
        return Some(Class::Destructive);
    }
    // Choosing a side of a conflict, or asking for each piece, throws nothing away unseen.
    if sub == "switch" || args.has("--theirs|--ours|--merge|--patch|-p") {
        return Some(Class::Writes);
    }
    let paths: Vec<Text> = match dashes {
        Some(at) => rest[at + 1..].to_vec(),
        None if all => vec![Text::known(".")],
        // `checkout HEAD file` and `checkout file.rs`: a second word, or one with an ending, is a path.
        None if args.operands.len() >= 2 && !args.has("-b|-B|--orphan|-t|--track") => {
            args.operands[1..].iter().map(|word| (*word).clone()).collect()
        }
        None => args
            .operands
            .iter()
            .filter(|word| {
                !args.has("-b|-B|--orphan")
                    && (looks_like_file(&word.text) || walker.place.files.is_dir(&walker.resolve(word).0))
            })
            .map(|word| (*word).clone())
            .collect(),
    };
    if paths.is_empty() {
        return Some(Class::Writes);
    }
    discard(walker, call, &paths, all);
    Some(Class::Destructive)
}

fn discard(walker: &mut Walker<'_>, call: &Call, paths: &[Text], all: bool) {
    for path in paths {
        walker.write_path(path, call.span);
    }
    let whole = all
        || paths.iter().any(|path| {
            let resolved = walker.resolve(path).0;
            resolved == walker.reading.workspace || path.text.starts_with(":(")
        });
    let about = paths.first().map(|path| path.text.clone()).unwrap_or_default();
    walker.risk(if whole { "git-discard" } else { "git-discard-file" }, about, call.span);
}

fn looks_like_file(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word);
    word.ends_with('/')
        || name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.bytes().all(|byte| byte.is_ascii_lowercase())
        })
}

fn config(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>, rest: &[Text]) -> Class {
    let verb = args.word(0);
    let looks =
        args.has("-l|--list|--get|--get-all|--get-regexp|--show-origin") || matches!(verb, "list" | "get");
    let key = if matches!(verb, "set" | "unset") { args.word(1) } else { verb }.to_ascii_lowercase();
    let n_words = args.operands.len() - usize::from(matches!(verb, "set" | "unset"));
    if looks
        || n_words < 2 && !args.has("--unset|--unset-all|-e|--edit|--add|--remove-section") && verb != "unset"
    {
        return Class::ReadOnly;
    }
    if RUNS.contains(&key.as_str())
        && key != "core.editor"
        && key != "merge.tool"
        && key != "core.pager"
        && key != "credential.helper"
        || key.starts_with("alias.") && rest.iter().any(|word| word.text.starts_with('!'))
    {
        walker.risk("git-config-run", key.clone(), call.span);
        if let Some(shell) = rest.iter().find_map(|word| word.text.strip_prefix('!')) {
            let shell = shell.to_owned();
            walker.through("git", |walker| {
                walker.text(&shell, call.span, Origin::Text("git alias".to_owned()))
            });
        }
    } else if args.has("--global|--system") {
        walker.risk("git-config-global", key.clone(), call.span);
    }
    // What git would run later is read as if it ran now.
    if RUNS.contains(&key.as_str())
        && key != "core.hookspath"
        && let Some(value) = args.operands.last().and_then(|value| value.value())
    {
        let value = value.trim_start_matches('!').to_owned();
        walker.through("git", |walker| walker.text(&value, call.span, Origin::Text("git config".to_owned())));
    }
    Class::Writes
}
