//! git: what throws work away, what rewrites what others have, what runs something else. One arm per
//! subcommand here; files, settings and branches have files of their own.

use super::git_config::{config, runs};
use super::git_files::{checkout, clean, clone, mv, outputs, rm, submodule_add, worktree};
use super::git_governing::{self, Reach, Takes};
use super::git_refs::{branch, push};
use super::patch::git_apply;
use crate::guard::RuleId;
use crate::programs::Args;
use crate::programs::options::{Item, Options, Spec};
use crate::reading::{Class, Doubt, Origin};
use crate::text::{Taint, Text};
use crate::walk::{Act, Call, Walker};

pub(crate) fn git(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let global = globals(walker, call);
    let folder = global.folder.clone();
    walker.in_folder(folder.as_ref(), |walker| subcommand(walker, call, args, &global))
}

#[expect(clippy::too_many_lines, reason = "one arm per subcommand")]
fn subcommand(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>, global: &Globals) -> Option<Class> {
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
    far_end(walker, call, sub, &inner);
    match sub {
        "push" => return Some(push(walker, call, &inner)),
        "add" | "stage" => {
            for file in &inner.operands {
                let path = walker.resolve(file).0;
                if walker.secrecy(&path).has(Taint::SECRET) {
                    walker.risk(RuleId::SecretCommit, path, call.span);
                }
            }
        }
        "reset" if inner.has("--hard|--merge|--keep") => {
            walker.risk(RuleId::GitResetHard, inner.word(0), call.span);
            git_governing::check(walker, call, Takes::Changed, &Reach::All);
            return Some(Class::Destructive);
        }
        "clean" => return Some(clean(walker, call, &inner, global.cleans_unforced)),
        "checkout" | "restore" | "switch" => return Some(checkout(walker, call, sub, rest, &inner, all)),
        "stash" => {
            if matches!(inner.word(0), "drop" | "clear") {
                walker.risk(RuleId::GitStashDrop, inner.word(0), call.span);
                return Some(Class::Destructive);
            }
            git_governing::stash(walker, call, rest, &inner);
            return Some(if matches!(inner.word(0), "list" | "show") {
                Class::ReadOnly
            } else {
                Class::Writes
            });
        }
        "branch" => return Some(branch(walker, call, &inner)),
        "tag" => {
            if inner.has("-d|--delete") {
                walker.risk(RuleId::GitDeleteRef, inner.word(0), call.span);
            }
            return Some(if inner.operands.is_empty() || inner.has("-l|--list|-n") {
                Class::ReadOnly
            } else {
                Class::Writes
            });
        }
        "remote" => {
            if matches!(inner.word(0), "remove" | "rm" | "set-url") {
                walker.risk(
                    RuleId::GitRemoteChange,
                    format!("{} {}", inner.word(0), inner.word(1)),
                    call.span,
                );
            }
            let looks = matches!(inner.word(0), "" | "show" | "get-url") || inner.has("-v");
            return Some(if looks { Class::ReadOnly } else { Class::Writes });
        }
        "reflog" if matches!(inner.word(0), "expire" | "delete") => {
            walker.risk(RuleId::GitHistoryRewrite, format!("reflog {}", inner.word(0)), call.span);
            return Some(Class::Destructive);
        }
        "gc" | "prune"
            if inner.has("--prune|--aggressive|--expire")
                && rest.iter().any(|word| word.text.contains("now") || word.text.contains("all")) =>
        {
            walker.risk(RuleId::GitHistoryRewrite, "unreachable commits are removed at once", call.span);
        }
        "update-ref" if inner.has("-d") => {
            walker.risk(RuleId::GitHistoryRewrite, inner.word(0), call.span);
            return Some(Class::Destructive);
        }
        "checkout-index" if inner.has("--prefix") => {
            for folder in inner.values("--prefix") {
                walker.write_path(folder, call.span);
            }
        }
        "checkout-index" if inner.has("-f|--force") && inner.has("-a|--all") => {
            walker.risk(RuleId::GitDiscard, "checkout-index --all", call.span);
            git_governing::check(walker, call, Takes::Changed, &Reach::All);
            return Some(Class::Destructive);
        }
        "checkout-index" if inner.has("-f|--force") => {
            let reach = if inner.has("--stdin") { Reach::All } else { Reach::Specs(inner.operands.clone()) };
            git_governing::check(walker, call, Takes::Everything, &reach);
        }
        "read-tree" if inner.has("-u") => {
            git_governing::check(walker, call, Takes::Tracked, &Reach::All);
            if inner.has("--reset") {
                walker.risk(RuleId::GitResetHard, inner.word(0), call.span);
                return Some(Class::Destructive);
            }
        }
        "sparse-checkout" if matches!(inner.word(0), "set" | "init" | "reapply") => {
            let kept = inner.operands.iter().skip(1).copied().collect();
            git_governing::check(walker, call, Takes::Tracked, &Reach::Outside(kept));
        }
        "credential" if inner.word(0) == "fill" => {
            walker.risk(RuleId::SecretRead, "git credential fill", call.span);
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
        "replace" => walker.risk(RuleId::GitHistoryRewrite, "replace", call.span),
        "worktree" => return Some(worktree(walker, call, &inner)),
        "rm" if !inner.has("--cached|-n|--dry-run") => rm(walker, call, &inner, all),
        "mv" => mv(walker, call, &inner),
        "clone" => clone(walker, call, &inner),
        "init" => {
            if let Some(path) = inner.operands.first() {
                walker.touch(Act::Create, path, call.span);
            }
        }
        "config" => return Some(config(walker, call, &inner, rest)),
        "submodule" if inner.word(0) == "add" => submodule_add(walker, call, &inner),
        "submodule" if inner.word(0) == "foreach" => {
            let words = rest.iter().skip_while(|word| word.text != "foreach").skip(1);
            let words: Vec<Text> = words.skip_while(|word| word.text.starts_with('-')).cloned().collect();
            // One word is text for a shell, several are a command.
            walker.through("git", |walker| match words.as_slice() {
                [line] => {
                    let line = line.text.clone();
                    walker.text(&line, call.span, Origin::Text("git submodule".to_owned()))
                }
                _ => walker.invoke(words, call.span),
            });
        }
        "submodule" if inner.word(0) == "deinit" && inner.has("-f|--force") => {
            walker.risk(RuleId::GitRemoveAll, "submodule deinit --force", call.span);
        }
        // All that follows is the command, options too.
        "bisect" if inner.word(0) == "run" => {
            let words: Vec<Text> =
                rest.iter().skip_while(|word| word.text != "run").skip(1).cloned().collect();
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
        "apply" | "am" => git_apply(walker, call, &inner),
        "format-patch" | "archive" | "bundle" | "diff" | "log" | "show" => {
            outputs(walker, call, sub, &inner);
        }
        _ => {}
    }
    None
}

/// Follows the program that an option names for the other end, or for mail. Without a host that end is here.
fn far_end(walker: &mut Walker<'_>, call: &Call, sub: &str, args: &Args<'_>) {
    let names = match sub {
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
    }
    if sub == "clone" {
        let settings: Vec<Text> = args.values("-c|--config").into_iter().cloned().collect();
        let mut global = Globals { sub_at: 0, folder: None, aliases: Vec::new(), cleans_unforced: false };
        for setting in settings {
            global.set(walker, call, &setting);
        }
    }
}

fn values_of(sub: &str) -> &'static str {
    match sub {
        "push" => "-o --push-option --receive-pack --exec --repo",
        "checkout" | "switch" => "-b -B -c -C --orphan --conflict",
        "restore" => "-s --source",
        "clone" => {
            "-b --branch --depth -o --origin -c --config --reference -u --upload-pack --template --separate-git-dir --filter -j --jobs"
        }
        "fetch" | "pull" | "ls-remote" | "fetch-pack" => {
            "--upload-pack --exec -o --server-option --depth --deepen --refmap -j --jobs -s -X --sort"
        }
        "send-pack" => "--receive-pack --exec",
        "send-email" => {
            "--sendmail-cmd --to-cmd --cc-cmd --header-cmd --smtp-server --to --cc --from --subject"
        }
        "rebase" => "-x --exec --onto -s -X --strategy",
        "difftool" => "-x --extcmd -t --tool",
        "clean" => "-e --exclude",
        "tag" => "-m -F -u -n",
        "stash" => "-m --message --pathspec-from-file",
        "config" => "-f --file --type --default",
        "worktree" => "-b -B",
        "apply" | "am" => "-p -C --directory --exclude --include --whitespace",
        "submodule" => "-b --branch --name --reference --depth",
        "diff" | "log" | "show" | "format-patch" | "archive" => {
            "-o --output --output-directory -n --format -S -G --remote --exec --prefix"
        }
        _ => "",
    }
}

/// What stands in front of the subcommand.
struct Globals {
    sub_at: usize,
    /// The folder it runs in, or whose files it changes.
    folder: Option<Text>,
    aliases: Vec<(String, String)>,
    /// `clean` needs no `--force`.
    cleans_unforced: bool,
}

fn globals(walker: &mut Walker<'_>, call: &Call) -> Globals {
    const SPEC: Spec<'static> = Spec {
        values: "-c -C --git-dir --work-tree --namespace --config-env --super-prefix --attr-source --list-cmds",
        optional: "--exec-path",
        flags: "-p -P -h -v --paginate --no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --version --help",
        is_partial: false,
    };
    let words = call.rest();
    let mut found =
        Globals { sub_at: words.len(), folder: None, aliases: Vec::new(), cleans_unforced: false };
    found.set_by_environment(walker, call);
    for item in Options::new(words, SPEC) {
        let option = match item {
            Item::Operand(at) => {
                found.sub_at = at;
                break;
            }
            Item::Option(option) => option,
        };
        let (is_setting, is_variable) = (option.is("-c"), option.is("--config-env"));
        let is_programs = option.is("--exec-path");
        let is_folder = option.is("-C|--work-tree");
        let Some(value) = option.value else { continue };
        if is_setting {
            found.set(walker, call, &value);
        } else if is_variable {
            found.set_from_variable(walker, call, &value);
        } else if is_programs {
            // git runs its subcommands from there.
            walker.classify(call.command, Class::Unknown);
            walker.doubt(Doubt::Program, format!("--exec-path={}", value.text), call.span);
        } else if is_folder {
            found.folder = match found.folder.take() {
                // Each `-C` is relative to the one before.
                Some(mut folder) if !value.text.starts_with(['/', '~']) => {
                    folder.push_str("/");
                    folder.push(&value);
                    Some(folder)
                }
                _ => Some(value),
            };
        }
    }
    found
}

impl Globals {
    /// `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=key GIT_CONFIG_VALUE_0=value`, and what `git -c` hands to itself.
    fn set_by_environment(&mut self, walker: &mut Walker<'_>, call: &Call) {
        /// More settings than this are not read.
        const SETTINGS: usize = 16;
        let known = |walker: &Walker<'_>, name: &str| {
            walker.variable(name).and_then(|value| value.value().map(str::to_owned))
        };
        if walker.variable("GIT_CONFIG_COUNT").is_some() {
            for at in 0..SETTINGS {
                let Some(key) = known(walker, &format!("GIT_CONFIG_KEY_{at}")) else { break };
                self.set_from_variable(walker, call, &Text::known(format!("{key}=GIT_CONFIG_VALUE_{at}")));
            }
        }
        if let Some(settings) = known(walker, "GIT_CONFIG_PARAMETERS") {
            // Each is `'key=value'` or `'key'='value'`.
            let settings = settings.replace("'='", "=");
            for setting in settings.split('\'').filter(|setting| setting.contains('=')).take(SETTINGS) {
                self.set(walker, call, &Text::known(setting));
            }
        }
    }

    /// `--config-env=key=VARIABLE`
    fn set_from_variable(&mut self, walker: &mut Walker<'_>, call: &Call, setting: &Text) {
        let Some((key, variable)) = setting.text.split_once('=') else { return };
        let lower = key.to_ascii_lowercase();
        match walker.variable(variable).and_then(|value| value.value().map(str::to_owned)) {
            Some(value) => self.set(walker, call, &Text::known(format!("{key}={value}"))),
            None if lower.starts_with("alias.") || runs(&lower) => {
                walker.risk(RuleId::GitConfigRun, key, call.span);
            }
            None => {}
        }
    }

    /// `-c key=value`: an alias, or a setting whose value git runs.
    fn set(&mut self, walker: &mut Walker<'_>, call: &Call, setting: &Text) {
        let Some((key, value)) = setting.text.split_once('=') else { return };
        let key_lower = key.to_ascii_lowercase();
        if let Some(name) = key_lower.strip_prefix("alias.") {
            self.aliases.push((name.to_owned(), value.to_owned()));
        } else if key_lower == "clean.requireforce" {
            self.cleans_unforced = true;
        } else if runs(&key_lower) {
            let value = value.trim_start_matches('!').to_owned();
            if key_lower == "core.hookspath" {
                walker.risk(RuleId::GitConfigRun, key, call.span);
            } else if !value.is_empty() {
                walker.through("git", |walker| walker.named_program(&value, call.span, "git -c"));
            }
        }
    }
}
