//! git: subcommands and options that run another program.

use super::SubCall;
use super::globals::Globals;
use super::states;
use crate::guard::RuleId;
use crate::reading::{Class, Origin};
use crate::text::Text;
use crate::walk::{Call, Walker, base_name};

/// Returns whether git opens an editor for a message or a list: the call gives none, and the line sets no other editor.
pub(super) fn opens_editor(walker: &Walker<'_>, sub: &SubCall<'_>) -> bool {
    let SubCall { args, global, .. } = sub;
    let is_set = ["GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "EDITOR", "VISUAL"];
    if global.sets_editor
        || is_set.iter().any(|name| walker.variable(name).is_some())
        || walker.stdin().is_some()
    {
        return false;
    }
    match sub.name {
        "commit" => {
            args.has("-e|--edit")
                || !args.has("-m|--message|-F|--file|-C|--reuse-message|--no-edit|--fixup|--dry-run|--short|--porcelain|-h")
        }
        "tag" => args.has("-a|-s|-u|--annotate|--sign") && !args.has("-m|--message|-F|--file|-d|-v|-l"),
        "rebase" => args.has("-i|--interactive|--edit-todo"),
        "notes" => matches!(args.word(0), "add" | "edit") && !args.has("-m|-F|-C|--message|--file"),
        _ => false,
    }
}

/// Follows the program that an option names for the other end, or for mail. Without a host that end is here.
pub(super) fn far_end(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) {
    let args = sub.args;
    // Hooks of a template are those of the new repository.
    for folder in args.values("--template") {
        let path = walker.resolve(folder).0;
        if !folder.text.is_empty() && !path.starts_with("/usr/") {
            walker.risk(RuleId::GitConfigRun, folder.text.clone(), call.span);
        }
    }
    let names = match sub.name {
        "clone" => "-u|--upload-pack",
        "fetch" | "pull" | "ls-remote" | "fetch-pack" => "--upload-pack|--exec",
        "push" | "send-pack" => "--receive-pack|--exec",
        "archive" => "--exec",
        "send-email" => "--sendmail-cmd|--to-cmd|--cc-cmd|--header-cmd|--smtp-server",
        _ => return,
    };
    let programs: Vec<String> = args.values(names).into_iter().map(|program| program.text.clone()).collect();
    for program in programs {
        walker.through("git", |walker| walker.named_program(&program, call.span, "git"));
        let is_git = program.split_whitespace().all(|word| base_name(word).starts_with("git"));
        if sub.name != "send-email" && !is_git {
            walker.risk(RuleId::GitConfigRun, program, call.span);
        }
    }
    if sub.name == "clone" {
        let settings: Vec<Text> = args.values("-c|--config").into_iter().cloned().collect();
        let mut global = Globals::at(0);
        for setting in settings {
            global.set(walker, call, &setting);
        }
    }
}

/// `git grep -O<pager>`
pub(super) fn grep(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    let pagers = sub.rest.iter().filter_map(|word| {
        word.text.strip_prefix("--open-files-in-pager=").or_else(|| word.text.strip_prefix("-O"))
    });
    for pager in pagers.map(str::to_owned).collect::<Vec<_>>() {
        text(walker, call, &pager, "git grep");
    }
    None
}

/// `git submodule foreach COMMAND`: one word is text for a shell, several are a command.
pub(super) fn foreach(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) {
    let words = sub.rest.iter().skip_while(|word| word.text != "foreach").skip(1);
    let words: Vec<Text> = words.skip_while(|word| word.text.starts_with('-')).cloned().collect();
    match words.as_slice() {
        [line] => text(walker, call, &line.text, "git submodule"),
        _ => drop(walker.through("git", |walker| walker.invoke(words, call.span))),
    }
}

/// `git bisect run COMMAND`: all that follows is the command, options too.
pub(super) fn bisect(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    if sub.args.word(0) != "run" {
        states::bisect(walker, call, sub.args);
        return None;
    }
    let words: Vec<Text> = sub.rest.iter().skip_while(|word| word.text != "run").skip(1).cloned().collect();
    walker.through("git", |walker| walker.invoke(words, call.span));
    None
}

/// `git rebase --exec COMMAND`
pub(super) fn rebase(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    states::rebase(walker, call, sub.args);
    for command in sub.args.values("-x|--exec") {
        text(walker, call, &command.text, "git rebase");
    }
    None
}

/// `git difftool --extcmd COMMAND`
pub(super) fn difftool(walker: &mut Walker<'_>, call: &Call, sub: &SubCall<'_>) -> Option<Class> {
    for command in sub.args.values("-x|--extcmd") {
        text(walker, call, &command.text, "git difftool");
    }
    None
}

fn text(walker: &mut Walker<'_>, call: &Call, text: &str, origin: &str) {
    walker.through("git", |walker| walker.text(text, call.span, Origin::Text(origin.to_owned())));
}
