//! git: commands that move the checkout to other commits, where governing files may differ or be missing.
//!
//! The place answers which governing files differ ([`GitChange`]), since only it can read a repository. Equal
//! files in both states pass without a word: that is the everyday `git switch main`.
//!
//! Not covered: commits that arrive with the same `pull` or `fetch`, and aliases in git's own settings.

use super::governing::{self, Reach};
use crate::git_state::{GitAnswer, GitChange};
use crate::guard::RuleId;
use crate::programs::Args;
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Whether the place could say which files a change touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answered {
    Yes,
    No,
}

/// Records a risk if replacing the files of `HEAD` by those of a revision changes a governing file.
pub(super) fn replace(walker: &mut Walker<'_>, call: &Call, to: &Text, reach: &Reach<'_>) -> Answered {
    let Some(to) = revision(walker, call, to) else { return Answered::No };
    check(walker, call, &between_head_and(to), reach)
}

/// `git switch REV`, `git checkout REV`, `git checkout -b NEW REV`. A branch that only a remote has counts, too.
pub(super) fn switch(walker: &mut Walker<'_>, call: &Call, to: &Text) {
    replace(walker, call, to, &Reach::All);
}

/// `git merge REV…`; without one git merges the upstream branch.
pub(super) fn merge(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    if args.has("--abort|--continue|--quit") {
        return;
    }
    for other in or_upstream(&args.operands) {
        if let Some(other) = revision(walker, call, &other) {
            check(walker, call, &GitChange::Merge(other), &Reach::All);
        }
    }
}

/// `git pull [REMOTE [REF]]`, judged by the state of the remote that the repository knows already.
pub(super) fn pull(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    let other = match args.operands.as_slice() {
        [remote, ..] if is_address(&remote.text) => return ask(walker, call, &remote.text),
        [remote, reference, ..] => {
            let source = reference.text.split(':').next().unwrap_or_default().trim_start_matches('+');
            Text::known(if remote.text == "." {
                source.to_owned()
            } else {
                format!("{}/{source}", remote.text)
            })
        }
        _ => Text::known("@{upstream}"),
    };
    let Some(other) = revision(walker, call, &other) else { return };
    let rebases = args.has("-r|--rebase");
    let change = if rebases { GitChange::Rebase(other) } else { GitChange::Merge(other) };
    check(walker, call, &change, &Reach::All);
}

/// `git rebase [--onto NEW] [UPSTREAM [BRANCH]]`: git checks out the new base before it repeats commits on it, and
/// stays there at a conflict.
pub(super) fn rebase(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    if args.has("--abort|--continue|--skip|--quit|--edit-todo|--show-current-patch") {
        return;
    }
    if let Some(branch) = args.operands.get(1) {
        switch(walker, call, branch);
    }
    let onto = args.values("--onto").first().map(|onto| (*onto).clone());
    // These repeat commits even if the base contains nothing new, and may drop some.
    let always = onto.is_some() || args.has("-i|--interactive|-f|--force-rebase|--no-ff|-x|--exec");
    let base = onto.or_else(|| or_upstream(&args.operands).into_iter().next());
    let Some(base) = base.and_then(|base| revision(walker, call, &base)) else { return };
    let change = if always { between_head_and(base) } else { GitChange::Rebase(base) };
    check(walker, call, &change, &Reach::All);
}

/// `git cherry-pick COMMIT…`, `git revert COMMIT…`; a commit may be a range.
pub(super) fn pick(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    if args.has("--abort|--continue|--skip|--quit") {
        return;
    }
    for commit in &args.operands {
        let Some(commit) = revision(walker, call, commit) else { continue };
        let is_range = commit.contains("..");
        let change = if is_range { GitChange::Range(commit) } else { GitChange::Commit(commit) };
        check(walker, call, &change, &Reach::All);
    }
}

/// `git stash pop|apply|branch`: the changes in a stash, and the untracked files in its third parent.
pub(super) fn unstash(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    let at = 1 + usize::from(args.word(0) == "branch");
    let stash = args.operands.get(at).map_or_else(|| Text::known("stash@{0}"), |stash| (*stash).clone());
    let Some(mut stash) = revision(walker, call, &stash) else { return };
    if stash.bytes().all(|byte| byte.is_ascii_digit()) {
        stash = format!("stash@{{{stash}}}");
    }
    let parts = [(Some(format!("{stash}^1")), stash.clone()), (None, format!("{stash}^3"))];
    for (from, to) in parts {
        check(walker, call, &GitChange::Between { from, to }, &Reach::All);
    }
}

/// `git bisect start BAD GOOD…`, `git bisect good REV`: git checks out commits between the two.
pub(super) fn bisect(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) {
    let revisions: Vec<Text> = args.operands.iter().skip(1).map(|word| (*word).clone()).collect();
    let revisions: Vec<String> =
        revisions.iter().filter_map(|word| revision(walker, call, word)).take(4).collect();
    let ranges: Vec<String> = match (args.word(0), revisions.as_slice()) {
        ("start", [bad, good @ ..]) => good.iter().map(|good| format!("{good}..{bad}")).collect(),
        ("good" | "bad" | "old" | "new", known) => known.iter().map(|it| format!("{it}...HEAD")).collect(),
        _ => return,
    };
    for range in ranges {
        check(walker, call, &GitChange::Range(range), &Reach::All);
    }
}

/// Records a risk if a change touches a governing file that the command reaches.
pub(super) fn check(walker: &mut Walker<'_>, call: &Call, change: &GitChange, reach: &Reach<'_>) -> Answered {
    if !walker.is_local() {
        return Answered::No;
    }
    let Some(cwd) = walker.cwd().map(str::to_owned) else { return Answered::No };
    match walker.git_changes(&cwd, change) {
        Some(GitAnswer::Files(files)) => {
            if let Some(file) = files.into_iter().find(|file| reach.includes(&cwd, file)) {
                walker.risk(RuleId::GitAgentSettings, file, call.span);
            }
            Answered::Yes
        }
        Some(GitAnswer::NoRevision) => {
            made_by_the_line(walker, call, &cwd, change, reach);
            Answered::No
        }
        Some(GitAnswer::Unavailable) => {
            walker.risk(RuleId::GitAgentState, format!("git cannot compare in {cwd}"), call.span);
            Answered::No
        }
        None => Answered::No,
    }
}

/// Judges a revision that does not exist yet by the words of the git commands that may create it: `git branch x OLD
/// && git switch x`.
fn made_by_the_line(walker: &mut Walker<'_>, call: &Call, cwd: &str, change: &GitChange, reach: &Reach<'_>) {
    let (GitChange::Between { to: name, .. }
    | GitChange::Merge(name)
    | GitChange::Rebase(name)
    | GitChange::Commit(name)) = change
    else {
        return;
    };
    let is_name = |word: &str| {
        word.strip_suffix(name.as_str())
            .is_some_and(|before| before.is_empty() || before.ends_with(['/', ':']))
    };
    let sources = earlier_words(walker, |words| words.iter().any(|word| is_name(word)));
    for source in sources.into_iter().filter(|source| !is_name(source)) {
        if let Some(GitAnswer::Files(files)) = walker.git_changes(cwd, &between_head_and(source))
            && let Some(file) = files.into_iter().find(|file| reach.includes(cwd, file))
        {
            walker.risk(RuleId::GitAgentSettings, file, call.span);
            return;
        }
    }
}

/// Records a risk if an earlier command of the line moves `HEAD` or the index to a state with other governing files,
/// so that this one replaces the files by those: `git reset OLD && git stash`.
pub(super) fn moved_by_the_line(walker: &mut Walker<'_>, call: &Call, reach: &Reach<'_>) {
    let moves = ["reset", "update-ref", "symbolic-ref", "read-tree"];
    let targets = earlier_words(walker, |words| words.iter().any(|word| moves.contains(word)));
    for target in targets {
        check(walker, call, &between_head_and(target), reach);
    }
}

/// Returns words that may be revisions, of the earlier git commands of the line that `is_meant` accepts.
fn earlier_words(walker: &Walker<'_>, is_meant: impl Fn(&[&str]) -> bool) -> Vec<String> {
    /// A line with more of them is generated.
    const MAX_WORDS: usize = 8;
    let commands = walker.reading.commands.iter().rev().skip(1).filter(|command| command.program == "git");
    let mut found = Vec::new();
    for command in commands {
        let words: Vec<&str> = command.argv.iter().skip(1).map(|arg| arg.text.as_str()).collect();
        if !is_meant(&words) {
            continue;
        }
        // The first word is the subcommand.
        let operands = words.into_iter().filter(|word| is_revision(word)).skip(1);
        found.extend(operands.map(str::to_owned));
    }
    found.truncate(MAX_WORDS);
    found
}

/// Returns the revision that a word names. Returns `None` for an option, and records a risk for a word that is only
/// known when the line runs.
fn revision(walker: &mut Walker<'_>, call: &Call, word: &Text) -> Option<String> {
    match word.value() {
        Some("-") => Some("@{-1}".to_owned()),
        Some(value) => {
            let fetched = earlier_words(walker, |words| value == "FETCH_HEAD" && words.contains(&"fetch"));
            if let Some(address) = fetched.iter().find(|word| is_address(word)) {
                ask(walker, call, address);
            }
            is_revision(value).then(|| value.to_owned())
        }
        None => {
            ask(walker, call, &word.text);
            None
        }
    }
}

/// Records that the state the checkout moves to is unknown, where governing files exist.
fn ask(walker: &mut Walker<'_>, call: &Call, about: &str) {
    if walker.is_local() && governing::is_governed(walker) {
        walker.risk(RuleId::GitAgentState, about, call.span);
    }
}

/// Returns whether a remote is an address instead of a name: the repository has no record of its state.
fn is_address(remote: &str) -> bool {
    remote.contains(':') || remote.contains('/') || remote.starts_with('~')
}

/// Returns whether git could take a word for a revision: an option would change the question.
fn is_revision(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-') && !word.contains(['\0', '\n'])
}

fn between_head_and(to: String) -> GitChange {
    GitChange::Between { from: Some("HEAD".to_owned()), to }
}

fn or_upstream(operands: &[&Text]) -> Vec<Text> {
    if operands.is_empty() {
        return vec![Text::known("@{upstream}")];
    }
    operands.iter().map(|word| (*word).clone()).collect()
}
