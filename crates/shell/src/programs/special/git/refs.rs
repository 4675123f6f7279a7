//! git: subcommands that change branches and tags, here and on the server.

use super::SubCall;
use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::Class;
use crate::walk::{Call, Walker};

/// Branches that no agent may rewrite or delete.
const PROTECTED: [&str; 10] = [
    "main",
    "master",
    "trunk",
    "develop",
    "development",
    "production",
    "prod",
    "staging",
    "stable",
    "release",
];

pub(super) fn push(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    Some(pushed(walker, call, sub.args))
}

fn pushed(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Class {
    walker.reading.network = true;
    let forced = args.has("-f|--force|--mirror");
    let leased = args.has("--force-with-lease|--force-if-includes");
    let deletes = args.has("-d|--delete|--prune");
    if args.has("--dry-run|-n") {
        return Class::ReadOnly;
    }
    if walker.has_added_remote(args.word(0)) {
        walker.risk(RuleId::GitRemoteChange, format!("push to the new remote {}", args.word(0)), call.span);
    }
    // An address on the line is a place that the repository's settings do not name.
    let target = args.word(0);
    if target.contains("://") || target.contains('@') && target.contains(':') {
        walker.risk(RuleId::GitRemoteChange, format!("push to {target}"), call.span);
    }
    let mut class = Class::Writes;
    let refs: Vec<&str> = args.words().skip(1).collect();
    if args.has("--mirror") || forced && args.has("--all|--tags") {
        walker.risk(RuleId::GitForcePushProtected, "every branch", call.span);
        return Class::Destructive;
    }
    if refs.is_empty() && args.has("--prune") {
        walker.risk(RuleId::GitDeleteRef, "branches that are not here", call.span);
        class = Class::Destructive;
    }
    for reference in &refs {
        let (source, target) = match reference.split_once(':') {
            Some((source, target)) => (source, target),
            None => (*reference, *reference),
        };
        let plus = source.starts_with('+');
        let source = source.trim_start_matches('+');
        let target = target.trim_start_matches('+');
        let removed = deletes || source.is_empty() && !target.is_empty();
        let branch = target.trim_start_matches("refs/heads/");
        let branch = if matches!(branch, "HEAD" | "@" | "") {
            current_branch(walker).unwrap_or_default()
        } else {
            branch.to_owned()
        };
        let unknown = branch.is_empty() || branch.contains('$');
        let protected = is_protected(&branch);
        let rule = match (removed, plus || forced, leased) {
            (true, ..) if protected => RuleId::GitDeleteProtected,
            (true, ..) => RuleId::GitDeleteRef,
            (_, true, _) if protected || unknown => RuleId::GitForcePushProtected,
            (_, true, _) => RuleId::GitForcePush,
            (_, _, true) if protected => RuleId::GitForcePushProtected,
            (_, _, true) => RuleId::GitForcePush,
            _ => continue,
        };
        walker.risk(rule, branch, call.span);
        class = Class::Destructive;
    }
    if refs.is_empty() && (forced || leased) {
        let branch = current_branch(walker);
        let protected = branch.as_deref().is_none_or(is_protected);
        let rule = if forced && protected || branch.as_deref().is_some_and(is_protected) {
            RuleId::GitForcePushProtected
        } else {
            RuleId::GitForcePush
        };
        walker.risk(rule, branch.unwrap_or_else(|| "the current branch".to_owned()), call.span);
        class = Class::Destructive;
    }
    class
}

pub(super) fn branch(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    Some(changed_branch(walker, call, sub.args))
}

fn changed_branch(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Class {
    let forced = args.has("-D") || args.has("-d|--delete") && args.has("-f|--force");
    if forced || args.has("-d|--delete") {
        for name in args.words() {
            if is_protected(name) && forced {
                walker.risk(RuleId::GitDeleteProtected, name, call.span);
            } else if forced {
                walker.risk(RuleId::GitDeleteRef, name, call.span);
            }
        }
        return Class::Writes;
    }
    if args.has("-f|--force|-M|-C") {
        for name in args.words().take(1).filter(|name| is_protected(name)) {
            walker.risk(RuleId::GitHistoryRewrite, format!("branch {name} is moved"), call.span);
        }
        return Class::Writes;
    }
    let looks = args.operands.is_empty()
        || args.has("-l|--list|-a|-r|-v|--contains|--merged|--no-merged|--show-current");
    if looks { Class::ReadOnly } else { Class::Writes }
}

fn is_protected(branch: &str) -> bool {
    let branch = branch.trim_start_matches("refs/heads/").trim_start_matches("origin/");
    PROTECTED.contains(&branch)
        || branch.contains('*')
        || branch.starts_with("release/")
        || branch.starts_with("releases/")
}

/// The branch that is checked out, when `.git/HEAD` can be read.
fn current_branch(walker: &Walker<'_>) -> Option<String> {
    let path = format!("{}/.git/HEAD", walker.reading.workspace);
    let bytes = walker.place.files.read(&path, 512)?;
    let head = String::from_utf8(bytes).ok()?;
    head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
}

pub(super) fn tag(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let args = sub.args;
    if args.has("-d|--delete") {
        walker.risk(RuleId::GitDeleteRef, args.word(0), call.span);
    }
    let looks = args.operands.is_empty()
        || args.has("-l|--list|-n|--contains|--no-contains|--merged|--no-merged|--points-at|-v|--verify");
    Some(if looks { Class::ReadOnly } else { Class::Writes })
}

pub(super) fn remote(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let verb = sub.args.word(0);
    if matches!(verb, "remove" | "rm" | "set-url") {
        walker.risk(RuleId::GitRemoteChange, format!("{verb} {}", sub.args.word(1)), call.span);
    }
    // A new repository gets its `origin` and is pushed in one line.
    if verb == "add" && sub.args.word(1) != "origin" {
        walker.add_remote(sub.args.word(1));
    }
    let looks = matches!(verb, "" | "show" | "get-url") || sub.args.has("-v");
    Some(if looks { Class::ReadOnly } else { Class::Writes })
}

pub(super) fn reflog(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let verb = sub.args.word(0);
    matches!(verb, "expire" | "delete").then(|| {
        walker.risk(RuleId::GitHistoryRewrite, format!("reflog {verb}"), call.span);
        Class::Destructive
    })
}

/// `git gc --prune=now`, `git prune --expire=now`
pub(super) fn prune(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let at_once = sub.rest.iter().any(|word| word.text.contains("now") || word.text.contains("all"));
    if at_once && sub.args.has("--prune|--aggressive|--expire") {
        walker.risk(RuleId::GitHistoryRewrite, "unreachable commits are removed at once", call.span);
    }
    None
}

pub(super) fn update_ref(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let branch = sub.args.word(0).strip_prefix("refs/heads/");
    let moves_protected = sub.args.operands.len() > 1 && branch.is_some_and(is_protected);
    (sub.args.has("-d") || moves_protected).then(|| {
        walker.risk(RuleId::GitHistoryRewrite, sub.args.word(0), call.span);
        Class::Destructive
    })
}
