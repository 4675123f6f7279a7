//! git: the table of its subcommands.
//!
//! The classes of subcommands that only look are in git's row of the program table; a row here says which options take
//! a value and what a call does.

use super::SubCall;
use super::config::config;
use super::files::{
    add, checkout, checkout_index, clean, clone, init, mv, outputs, patch, reset, rm, submodule, worktree,
};
use super::governing::{self, Reach, Takes};
use super::refs::{branch, prune, push, reflog, remote, tag, update_ref};
use super::runs::{bisect, difftool, grep, rebase};
use super::states;
use crate::guard::RuleId;
use crate::reading::Class;
use crate::walk::{Call, Walker};

/// Follows a call; returns its class where it differs from the program table's.
type Follow = fn(&mut Walker<'_>, &Call, &SubCall<'_>) -> Option<Class>;

/// A row: subcommands with the same options that do the same.
pub(super) struct Subcommand {
    /// Names, separated by `|`.
    names: &'static str,
    /// Options that take a value, separated by spaces.
    pub values: &'static str,
    /// The commits decide which files change.
    pub follows_commits: bool,
    pub follow: Follow,
}

const fn row(names: &'static str, values: &'static str, follow: Follow) -> Subcommand {
    Subcommand { names, values, follows_commits: false, follow }
}

/// A subcommand that takes files from commits.
const fn moves(names: &'static str, values: &'static str, follow: Follow) -> Subcommand {
    Subcommand { names, values, follows_commits: true, follow }
}

const PRINTS: &str = "-o --output --output-directory -n --format -S -G --remote --exec --prefix";
const FETCHES: &str =
    "--upload-pack --exec -o --server-option --depth --deepen --refmap -j --jobs -s -X --sort";

#[rustfmt::skip]
static SUBCOMMANDS: &[Subcommand] = &[
    row("add|stage", "", add),
    row("branch", "", branch),
    row("tag", "-m -F -u -n --message --file", tag),
    row("remote", "-t -m --mirror", remote),
    row("reflog", "", reflog),
    row("gc|prune", "", prune),
    row("update-ref", "", update_ref),
    row("replace", "", replace),
    row("push", "-o --push-option --receive-pack --exec --repo", push),
    row("send-pack", "--receive-pack --exec", nothing),
    row("send-email", "--sendmail-cmd --to-cmd --cc-cmd --header-cmd --smtp-server --to --cc --from --subject", nothing),
    row("fetch|ls-remote|fetch-pack", FETCHES, nothing),
    row("clone", "-b --branch --depth -o --origin -c --config --reference -u --upload-pack --template --separate-git-dir --filter -j --jobs", clone),
    row("init", "", init),
    row("config", "-f --file --type --default", config),
    row("credential", "", credential),
    row("commit", "-m --message -F --file -C -c --reuse-message --reedit-message --fixup --squash --author --date -t --template --cleanup --trailer --pathspec-from-file", nothing),
    row("notes", "-m -F -C -c --message --file --reuse-message --reedit-message --ref", nothing),
    row("rm", "", rm),
    row("mv", "", mv),
    row("worktree", "-b -B", worktree),
    row("restore", "-s --source", checkout),
    row("checkout-index", "", checkout_index),
    row("grep", "", grep),
    row("difftool", "-x --extcmd -t --tool", difftool),
    row("mergetool", "", difftool),
    row("diff|log|show|format-patch|archive", PRINTS, outputs),
    row("bundle", "", outputs),
    moves("pull", FETCHES, pull),
    moves("merge", "-m -F --file -s --strategy -X --strategy-option --cleanup --into-name", merge),
    moves("rebase", "-x --exec --onto -s -X --strategy --strategy-option -C --whitespace", rebase),
    moves("cherry-pick|revert", "-m --mainline -s --strategy -X --strategy-option --cleanup", pick),
    moves("checkout|switch", "-b -B -c -C --orphan --conflict", checkout),
    moves("stash", "-m --message --pathspec-from-file", stash),
    moves("reset", "", reset),
    moves("clean", "-e --exclude", clean),
    moves("apply|am", "-p -C --directory --exclude --include --whitespace", patch),
    moves("read-tree", "", read_tree),
    moves("sparse-checkout", "", sparse_checkout),
    moves("submodule", "-b --branch --name --reference --depth", submodule),
    moves("bisect", "", bisect),
    moves("lfs", "", nothing),
];

/// The row of subcommands without one.
static OTHER: Subcommand = row("", "", nothing);

/// Returns the row of a subcommand.
pub(super) fn find(name: &str) -> &'static Subcommand {
    SUBCOMMANDS.iter().find(|row| row.names.split('|').any(|known| known == name)).unwrap_or(&OTHER)
}

fn nothing(_: &mut Walker<'_>, _: &Call, _: &SubCall<'_>) -> Option<Class> {
    None
}

fn pull(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    states::pull(walker, call, sub.args);
    None
}

fn merge(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    states::merge(walker, call, sub.args);
    None
}

fn pick(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    states::pick(walker, call, sub.args);
    None
}

fn replace(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if sub.args.has("-l|--list") || sub.rest.is_empty() {
        return Some(Class::ReadOnly);
    }
    walker.risk(RuleId::GitHistoryRewrite, "replace", call.span);
    None
}

fn credential(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if sub.args.word(0) == "fill" {
        walker.risk(RuleId::SecretRead, "git credential fill", call.span);
    }
    None
}

fn stash(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let verb = sub.args.word(0);
    if matches!(verb, "drop" | "clear") {
        walker.risk(RuleId::GitStashDrop, verb, call.span);
        return Some(Class::Destructive);
    }
    governing::stash(walker, call, sub.rest, sub.args);
    Some(if matches!(verb, "list" | "show") { Class::ReadOnly } else { Class::Writes })
}

fn read_tree(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if !sub.args.has("-u") {
        return None;
    }
    governing::check(walker, call, Takes::Tracked, &Reach::All);
    sub.args.has("--reset").then(|| {
        walker.risk(RuleId::GitResetHard, sub.args.word(0), call.span);
        Class::Destructive
    })
}

fn sparse_checkout(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if matches!(sub.args.word(0), "set" | "init" | "reapply") {
        let kept = sub.args.operands.iter().skip(1).copied().collect();
        governing::check(walker, call, Takes::Tracked, &Reach::Outside(kept));
    }
    None
}
