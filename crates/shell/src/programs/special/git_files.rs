//! git: what happens to the files of the working tree.

use super::git_governing::{self, Reach, Takes};
use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::text::Text;
use crate::walk::{Act, Call, Walker};

/// What overwrites files with committed ones throws away what was not committed.
pub(super) fn checkout(
    walker: &mut Walker<'_>,
    call: &Call,
    sub: &str,
    rest: &[Text],
    args: &Args<'_>,
    all: bool,
) -> Class {
    let dashes = rest.iter().position(|word| word.text == "--");
    if sub == "restore" {
        if args.has("--staged|-S") && !args.has("--worktree|-W") {
            return Class::Writes;
        }
        discard(walker, call, &args.words().map(Text::known).collect::<Vec<_>>(), all);
        let takes = if args.has("-s|--source") { Takes::Everything } else { Takes::Changed };
        let specs = if args.has("--pathspec-from-file") { Vec::new() } else { args.operands.clone() };
        git_governing::check(walker, call, takes, &Reach::Specs(specs));
        return Class::Destructive;
    }
    if args.has("-f|--force|--discard-changes") {
        walker.risk(RuleId::GitDiscard, args.word(0), call.span);
        git_governing::check(walker, call, Takes::Changed, &Reach::All);
        return Class::Destructive;
    }
    if sub == "switch" && args.has("--orphan") {
        git_governing::check(walker, call, Takes::Tracked, &Reach::All);
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
    let has_commit = match dashes {
        Some(at) => rest[..at].iter().any(|word| !word.text.starts_with('-')),
        None => args.operands.len() >= 2,
    };
    let takes = if has_commit { Takes::Everything } else { Takes::Changed };
    git_governing::check(
        walker,
        call,
        takes,
        &Reach::Specs(if from_file { Vec::new() } else { paths.iter().collect() }),
    );
    Class::Destructive
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
pub(super) fn clean(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>, unforced: bool) -> Class {
    let forced = unforced || args.has("-f|--force|-x|-X|-d|-i|--interactive");
    if args.has("-n|--dry-run") || !forced {
        return Class::ReadOnly;
    }
    walker.risk(RuleId::GitClean, args.word(0), call.span);
    git_governing::check(walker, call, Takes::Untracked, &Reach::Specs(args.operands.clone()));
    let all = Text::known(".");
    let folders = if args.operands.is_empty() { vec![&all] } else { args.operands.clone() };
    for folder in folders {
        let mut below = folder.clone();
        below.push_str("/**");
        below.glob = true;
        walker.delete_path(&below, true, call.span);
    }
    Class::Destructive
}

pub(super) fn rm(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>, all: bool) {
    for path in &args.operands {
        walker.touch(Act::Delete { recursive: false }, path, call.span);
    }
    if all {
        walker.risk(RuleId::GitRemoveAll, args.word(0), call.span);
    }
    let specs = if args.has("--pathspec-from-file") { Vec::new() } else { args.operands.clone() };
    git_governing::check(walker, call, Takes::Tracked, &Reach::Specs(specs));
}

pub(super) fn mv(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    for (index, path) in args.operands.iter().enumerate() {
        let is_last = index + 1 == args.operands.len();
        let act = if is_last { Act::Write } else { Act::Delete { recursive: false } };
        walker.touch(act, path, call.span);
    }
}

pub(super) fn worktree(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Class {
    if args.word(0) == "remove" && args.has("-f|--force") {
        walker.risk(RuleId::GitWorktreeRemove, args.word(1), call.span);
    }
    if args.word(0) == "add"
        && let Some(path) = args.operands.get(1)
        && !is_sibling(&walker.resolve(path).0, &walker.reading.workspace)
    {
        walker.touch(Act::Create, path, call.span);
    }
    if args.word(0) == "list" { Class::ReadOnly } else { Class::Writes }
}

/// `git clone URL [FOLDER]`: the folder is named after the repository.
pub(super) fn clone(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    if let Some(text) = args.word(0).strip_prefix("ext::") {
        // `% ` stands for a blank inside of a word.
        let text = text.replace("% ", "\\ ");
        walker.through("git", |walker| walker.text(&text, call.span, Origin::Text("git".to_owned())));
    }
    walker.reading.network = true;
    let folder = args.operands.get(1).map(|path| (*path).clone());
    if let Some(folder) = folder.or_else(|| args.operands.first().and_then(|url| named_after(url))) {
        walker.touch(Act::Create, &folder, call.span);
    }
}

/// `git submodule add URL [FOLDER]` makes the folder and says so in `.gitmodules`.
pub(super) fn submodule_add(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    walker.reading.network = true;
    let folder = args.operands.get(2).map(|path| (*path).clone());
    if let Some(folder) = folder.or_else(|| args.operands.get(1).and_then(|url| named_after(url))) {
        walker.touch(Act::Create, &folder, call.span);
        walker.write_path(&Text::known(".gitmodules"), call.span);
    }
}

/// Files that `git` writes what it prints to.
pub(super) fn outputs(walker: &mut Walker<'_>, call: &Call, sub: &str, args: &Args<'_>) {
    let named = args.values("-o|--output|--output-directory");
    for output in &named {
        walker.write_path(output, call.span);
    }
    match sub {
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
