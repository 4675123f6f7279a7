//! git: subcommands that change files of the working tree.

use super::super::patch::git_apply;
use super::governing::{self, Reach, Takes};
use super::states::{self, Answered};
use super::{SubCall, runs};
use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::Class;
use crate::text::{Taint, Text};
use crate::walk::{Act, Call, Walker};

/// Files outside of the repository that git prints, stores or publishes: `git diff --no-index`, `git hash-object -w`,
/// `git commit -F`.
pub(super) fn read_by_name(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) {
    let args = sub.args;
    let files: Vec<Text> = match sub.name {
        // git compares paths without an index by itself if one of them lies elsewhere.
        "diff" | "grep" => args.operands.iter().copied().cloned().collect(),
        "hash-object" => args.operands.iter().copied().cloned().collect(),
        "commit" | "tag" | "notes" | "merge" => args.values("-F|--file").into_iter().cloned().collect(),
        "blame" => args.values("--contents").into_iter().cloned().collect(),
        _ => return,
    };
    for file in files {
        let path = walker.resolve(&file).0;
        if crate::secrets::is_credential_store(&path, &walker.reading.home) {
            walker.risk(RuleId::SecretRead, path, call.span);
        }
    }
}

/// Replaces files by committed ones, which throws uncommitted changes away.
pub(super) fn checkout(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    Some(discarded(walker, call, sub))
}

fn discarded(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Class {
    let (all, rest, args) = (sub.names_all(), sub.rest, sub.args);
    let sub = sub.name;
    let dashes = rest.iter().position(|word| word.text == "--");
    if sub == "restore" {
        if args.has("--staged|-S") && !args.has("--worktree|-W") {
            return Class::Writes;
        }
        discard(walker, call, &args.words().map(Text::known).collect::<Vec<_>>(), all);
        let specs = if args.has("--pathspec-from-file") { Vec::new() } else { args.operands.clone() };
        let source = args.values("-s|--source").first().map(|source| (*source).clone());
        take_from(walker, call, source.as_ref(), &Reach::Specs(specs));
        return Class::Destructive;
    }
    if dashes.is_none_or(|at| at + 1 == rest.len()) {
        move_to(walker, call, sub, args);
    }
    if args.has("-f|--force|--discard-changes") {
        walker.risk(RuleId::GitDiscard, args.word(0), call.span);
        governing::check(walker, call, Takes::Changed, &Reach::All);
        return Class::Destructive;
    }
    // Choosing a side of a conflict, or asking for each piece, throws nothing away unseen.
    if sub == "switch" || args.has("--theirs|--ours|--merge|--patch|-p") {
        return Class::Writes;
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
    let from_file = args.has("--pathspec-from-file");
    if paths.is_empty() && !from_file {
        return Class::Writes;
    }
    discard(walker, call, &paths, all || from_file);
    let commit = match dashes {
        Some(at) => rest[..at].iter().find(|word| !word.text.starts_with('-')),
        None => args.operands.first().copied().filter(|_| args.operands.len() >= 2),
    };
    let reach = Reach::Specs(if from_file { Vec::new() } else { paths.iter().collect() });
    take_from(walker, call, commit, &reach);
    Class::Destructive
}

/// Checks the governing files of a form that moves the whole checkout: `git switch REV`, `git checkout REV`.
fn move_to(walker: &mut Walker<'_>, call: &Call, sub: &str, args: &Args<'_>) {
    if args.has("--orphan") {
        // `checkout --orphan` keeps the files.
        if sub == "switch" {
            governing::check(walker, call, Takes::Tracked, &Reach::All);
        }
        return;
    }
    let [to] = args.operands.as_slice() else { return };
    let to = (*to).clone();
    states::switch(walker, call, &to);
    if governing::has_added(walker) {
        // An earlier command of the line hands them to the branch that is left.
        governing::check(walker, call, Takes::UntrackedAndChanged, &Reach::All);
    }
}

/// Checks the governing files that a form takes from a commit, or from the index: `git checkout [REV] -- PATHS`.
fn take_from(walker: &mut Walker<'_>, call: &Call, commit: Option<&Text>, reach: &Reach<'_>) {
    let takes = match commit.cloned() {
        Some(commit) if states::replace(walker, call, &commit, reach) == Answered::No => Takes::Everything,
        _ => Takes::Changed,
    };
    governing::check(walker, call, takes, reach);
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
    walker.risk(if whole { RuleId::GitDiscard } else { RuleId::GitDiscardFile }, about, call.span);
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

/// `git clean`: whatever git does not know, below a folder.
pub(super) fn clean(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let (args, unforced) = (sub.args, sub.global.cleans_unforced);
    let forced = unforced || args.has("-f|--force|-x|-X|-d|-i|--interactive");
    if args.has("-n|--dry-run") || !forced {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::GitClean, args.word(0), call.span);
    let takes = if args.has("-x|-X") { Takes::UntrackedAndIgnored } else { Takes::Untracked };
    governing::check(walker, call, takes, &Reach::Specs(args.operands.clone()));
    let all = Text::known(".");
    let folders = if args.operands.is_empty() { vec![&all] } else { args.operands.clone() };
    for folder in folders {
        let mut below = folder.clone();
        below.push_str("/**");
        below.glob = true;
        walker.delete_path(&below, true, call.span);
    }
    Some(Class::Destructive)
}

pub(super) fn rm(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let (args, all) = (sub.args, sub.names_all());
    if args.has("--cached|-n|--dry-run") {
        return None;
    }
    for path in &args.operands {
        walker.touch(Act::Delete { recursive: false }, path, call.span);
    }
    if all {
        walker.risk(RuleId::GitRemoveAll, args.word(0), call.span);
    }
    let specs = if args.has("--pathspec-from-file") { Vec::new() } else { args.operands.clone() };
    governing::check(walker, call, Takes::Tracked, &Reach::Specs(specs));
    None
}

pub(super) fn mv(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let args = sub.args;
    for (index, path) in args.operands.iter().enumerate() {
        let is_last = index + 1 == args.operands.len();
        let act = if is_last { Act::Write } else { Act::Delete { recursive: false } };
        walker.touch(act, path, call.span);
    }
    None
}

pub(super) fn worktree(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let args = sub.args;
    if args.word(0) == "remove" && args.has("-f|--force") {
        walker.risk(RuleId::GitWorktreeRemove, args.word(1), call.span);
    }
    if args.word(0) == "add"
        && let Some(path) = args.operands.get(1)
        && !is_sibling(&walker.resolve(path).0, &walker.reading.workspace)
    {
        walker.touch(Act::Create, path, call.span);
    }
    Some(if args.word(0) == "list" { Class::ReadOnly } else { Class::Writes })
}

/// `git clone URL [FOLDER]`: the folder is named after the repository.
pub(super) fn clone(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let args = sub.args;
    walker.reading.network = true;
    let folder = args.operands.get(1).map(|path| (*path).clone());
    if let Some(folder) = folder.or_else(|| args.operands.first().and_then(|url| named_after(url))) {
        walker.touch(Act::Create, &folder, call.span);
        if is_remote(args.word(0)) {
            walker.clones_into(&folder);
        }
    }
    None
}

/// Returns whether a repository lies on another machine: `https://host/a.git`, `user@host:a.git`.
fn is_remote(repository: &str) -> bool {
    match repository.split_once(':') {
        Some((scheme, rest)) if rest.starts_with("//") => scheme != "file",
        Some((host, _)) => !host.contains('/'),
        None => false,
    }
}

/// `git submodule add URL [FOLDER]` makes the folder and says so in `.gitmodules`.
fn submodule_add(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    walker.reading.network = true;
    let folder = args.operands.get(2).map(|path| (*path).clone());
    if let Some(folder) = folder.or_else(|| args.operands.get(1).and_then(|url| named_after(url))) {
        walker.touch(Act::Create, &folder, call.span);
        if is_remote(args.word(1)) {
            walker.clones_into(&folder);
        }
        walker.write_path(&Text::known(".gitmodules"), call.span);
    }
}

/// Records the files that git writes its output to.
pub(super) fn outputs(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let args = sub.args;
    let named = args.values("-o|--output|--output-directory");
    for output in &named {
        walker.write_path(output, call.span);
    }
    match sub.name {
        "bundle" if args.word(0) == "create" => {
            if let Some(file) = args.operands.get(1).filter(|file| file.text != "-") {
                walker.write_path(file, call.span);
            }
        }
        "format-patch" if named.is_empty() && !args.has("--stdout") => {
            // One file per commit, named after it.
            walker.write_path(&Text::known("0001-change.patch"), call.span);
        }
        _ => {}
    }
    None
}

/// The folder a repository of this address is put into.
fn named_after(url: &Text) -> Option<Text> {
    let name = url.value()?.trim_end_matches('/').rsplit(['/', ':']).next()?;
    let name = name.strip_suffix(".git").unwrap_or(name);
    (!name.is_empty()).then(|| Text::known(name))
}

/// Worktrees usually lie next to the workspace.
fn is_sibling(path: &str, workspace: &str) -> bool {
    let parent = |path: &str| path.rsplit_once('/').map(|(parent, _)| parent.to_owned());
    parent(path) == parent(workspace)
}

pub(super) fn add(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    for file in &sub.args.operands {
        let path = walker.resolve(file).0;
        if walker.secrecy(&path).has(Taint::SECRET) {
            walker.risk(RuleId::SecretCommit, path, call.span);
        }
    }
    None
}

pub(super) fn init(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if let Some(path) = sub.args.operands.first() {
        walker.touch(Act::Create, path, call.span);
    }
    None
}

/// `git reset --hard REV`; the other kinds leave files alone.
pub(super) fn reset(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if !sub.args.has("--hard|--merge|--keep") {
        return None;
    }
    walker.risk(RuleId::GitResetHard, sub.args.word(0), call.span);
    governing::check(walker, call, Takes::Changed, &Reach::All);
    if let Some(to) = sub.args.operands.first() {
        states::switch(walker, call, to);
    }
    Some(Class::Destructive)
}

/// `git checkout-index`: with `--prefix` it writes elsewhere, with `--force` it replaces files.
pub(super) fn checkout_index(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let args = sub.args;
    if args.has("--prefix") {
        for folder in args.values("--prefix") {
            walker.write_path(folder, call.span);
        }
    } else if args.has("-f|--force") && args.has("-a|--all") {
        walker.risk(RuleId::GitDiscard, "checkout-index --all", call.span);
        governing::check(walker, call, Takes::Changed, &Reach::All);
        return Some(Class::Destructive);
    } else if args.has("-f|--force") {
        let reach = if args.has("--stdin") { Reach::All } else { Reach::Specs(args.operands.clone()) };
        governing::check(walker, call, Takes::Everything, &reach);
    }
    None
}

/// `git apply`, `git am`
pub(super) fn patch(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if sub.args.has("--check|--stat") {
        return Some(Class::ReadOnly);
    }
    git_apply(walker, call, sub.args);
    None
}

pub(super) fn submodule(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    match sub.args.word(0) {
        "add" => submodule_add(walker, call, sub.args),
        "foreach" => runs::foreach(walker, call, sub),
        "deinit" if sub.args.has("-f|--force") => {
            walker.risk(RuleId::GitRemoveAll, "submodule deinit --force", call.span);
        }
        _ => {}
    }
    None
}
