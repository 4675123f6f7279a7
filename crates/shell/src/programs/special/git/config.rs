//! git: settings, and those whose value it runs.

use super::SubCall;
use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::text::Text;
use crate::walk::{Call, Walker};

/// Settings whose value git runs; `*` stands for a name that users choose, which may have dots itself.
const RUNS: [&str; 37] = [
    "core.pager",
    "core.sshcommand",
    "core.editor",
    "core.fsmonitor",
    "core.askpass",
    "core.gitproxy",
    "core.worktree",
    "protocol.ext.allow",
    "core.hookspath",
    "core.alternaterefscommand",
    "sequence.editor",
    "diff.external",
    "diff.*.command",
    "diff.*.textconv",
    "credential.helper",
    "credential.*.helper",
    "gpg.program",
    "gpg.*.program",
    "gpg.ssh.defaultkeycommand",
    "uploadpack.packobjectshook",
    "filter.*.process",
    "filter.*.clean",
    "filter.*.smudge",
    "interactive.difffilter",
    "merge.tool",
    "merge.*.driver",
    "mergetool.*.cmd",
    "difftool.*.cmd",
    "browser.*.cmd",
    "man.*.cmd",
    "pager.*",
    "remote.*.uploadpack",
    "remote.*.receivepack",
    "sendemail.sendmailcmd",
    "tar.*.command",
    "trailer.*.command",
    "trailer.*.cmd",
];

/// Returns whether git runs the value of a setting, given in lower case.
pub(super) fn runs(key: &str) -> bool {
    RUNS.iter().any(|known| match known.split_once('*') {
        None => key == *known,
        Some((front, back)) => {
            key.len() > front.len() + back.len() && key.starts_with(front) && key.ends_with(back)
        }
    })
}

/// `git config`: reads a setting, or makes one.
pub(super) fn config(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    Some(configured(walker, call, sub.args, sub.rest))
}

fn configured(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>, rest: &[Text]) -> Class {
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
    if runs(&key)
        && key != "core.editor"
        && key != "merge.tool"
        && key != "core.pager"
        && key != "credential.helper"
        // A file that is read along may hold any of them.
        || key.starts_with("include") && key.ends_with(".path")
        || (key.starts_with("alias.") || key == "credential.helper")
            && rest.iter().any(|word| word.text.starts_with('!'))
    {
        walker.risk(RuleId::GitConfigRun, key.clone(), call.span);
        if let Some(shell) = rest.iter().find_map(|word| word.text.strip_prefix('!')) {
            let shell = shell.to_owned();
            walker.through("git", |walker| {
                walker.text(&shell, call.span, Origin::Text("git alias".to_owned()))
            });
        }
    } else if key.starts_with("url.") && key.ends_with("insteadof") {
        // Every address that begins like the value leads to the other one from now on.
        walker.risk(RuleId::GitRemoteChange, key.clone(), call.span);
    } else if args.has("--global|--system") {
        walker.risk(RuleId::GitConfigGlobal, key.clone(), call.span);
    }
    // A program that git would run later is judged as if it ran now.
    if runs(&key)
        && key != "core.hookspath"
        && let Some(value) = args.operands.last().and_then(|value| value.value())
    {
        let value = value.trim_start_matches('!').to_owned();
        walker.later(|walker| {
            walker.through("git", |walker| walker.named_program(&value, call.span, "git config"));
        });
    }
    if key.starts_with("alias.")
        && let Some(value) =
            args.operands.last().and_then(|value| value.value()).filter(|it| !it.starts_with('!'))
    {
        let line = format!("git {value}");
        walker.later(|walker| {
            walker.through("git", |walker| {
                drop(walker.text(&line, call.span, Origin::Text("git alias".to_owned())));
            });
        });
    }
    for file in args.values("-f|--file") {
        walker.write_path(file, call.span);
    }
    Class::Writes
}
