//! Build tools, linters and migrations whose options decide about their effects.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use super::registries::is_foreign_registry;
use crate::guard::RuleId;
use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::text::Text;
use crate::walk::{Act, Call, Walker};

/// `cargo clean`, `cargo run -- …`, `cargo install`.
pub(crate) fn cargo(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "clean" {
        walker.touch(Act::Write, &Text::known("target"), call.span);
    }
    if matches!(args.word(0), "install" | "add") {
        let args = Args::parse(call.rest(), "--root --git --index");
        for root in args.values("--root") {
            walker.write_path(root, call.span);
        }
        let sources = args.values("--git|--index");
        for source in sources {
            if !is_foreign_registry(walker, &source.text) {
                continue;
            }
            walker.risk(RuleId::ForeignRegistry, source.text.clone(), call.span);
        }
    }
    if matches!(args.word(0), "new" | "init")
        && let Some(folder) = args.operands.get(1)
    {
        walker.touch(Act::Create, folder, call.span);
    }
    if args.word(0) == "publish" && args.has("--dry-run|-n") {
        return Some(Class::Unknown);
    }
    // `--config build.rustc-wrapper="/tmp/x"` runs that program for every crate.
    let runs = ["rustc-wrapper", "rustc-workspace-wrapper", ".runner", ".linker"];
    let words = call.rest().iter().map(|word| word.text.as_str());
    let mut settings = words.filter(|word| word.contains('=') && runs.iter().any(|key| word.contains(key)));
    if let Some(setting) = settings.next() {
        walker.risk(RuleId::EnvironmentHook, setting, call.span);
    }
    None
}

/// Formatters that only look when asked to check.
pub(crate) fn check_only(_: &mut Walker<'_>, _: &Call, args: &Args<'_>) -> Option<Class> {
    args.has("--check|--check-only|--diff").then_some(Class::ReadOnly)
}

/// `-w` writes, everything else prints.
pub(crate) fn gofmt(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if !args.has("-w|--write") {
        return Some(Class::ReadOnly);
    }
    for operand in &args.operands {
        walker.write_path(operand, call.span);
    }
    Some(Class::Writes)
}

pub(crate) fn clang_format(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if !args.has("-i") {
        return Some(Class::ReadOnly);
    }
    for operand in &args.operands {
        walker.write_path(operand, call.span);
    }
    Some(Class::Writes)
}

/// `--fix` and `--write` write; otherwise linters look.
pub(crate) fn fixer(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if !(args.has("--fix|--write|--apply|--fix-dangerously")
        || call.rest().iter().any(|word| word.text == "-w"))
    {
        return Some(Class::ReadOnly);
    }
    for operand in &args.operands {
        walker.write_path(operand, call.span);
    }
    Some(Class::Writes)
}

pub(crate) fn ruff(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let writes = args.has("--fix|--unsafe-fixes") || args.word(0) == "format" && !args.has("--check|--diff");
    if !writes {
        return Some(Class::ReadOnly);
    }
    for operand in args.operands.iter().skip(1) {
        walker.write_path(operand, call.span);
    }
    Some(Class::Writes)
}

pub(crate) fn tsc(_: &mut Walker<'_>, _: &Call, args: &Args<'_>) -> Option<Class> {
    (args.has("--noEmit|-v|--showConfig") || call_is_version(args)).then_some(Class::ReadOnly)
}

fn call_is_version(args: &Args<'_>) -> bool {
    args.has("--version")
}

/// `protoc --go_out=paths=source_relative:folder`: an option for each language.
pub(crate) fn protoc(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let outputs = call.rest().iter().filter_map(|word| word.text.split_once("_out="));
    let folders: Vec<&str> = outputs.map(|(_, value)| value.rsplit(':').next().unwrap_or(value)).collect();
    for folder in folders {
        walker.write_path(&Text::known(folder), call.span);
    }
    None
}

/// `objcopy a` changes `a` itself when no second file is named.
pub(crate) fn in_place_alone(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let [only] = args.operands.as_slice() {
        walker.write_path(only, call.span);
    }
    None
}

pub(crate) fn patchelf(_: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    call.rest().iter().any(|word| word.text.starts_with("--print-")).then_some(Class::ReadOnly)
}

/// Tasks of rake, rails, mix that throw a database away.
pub(crate) fn rails(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    for word in args.words() {
        match word {
            "db:drop" | "db:drop:all" | "ecto.drop" => walker.risk(RuleId::DatabaseDrop, word, call.span),
            "db:reset" | "db:migrate:reset" | "db:schema:load" | "db:truncate_all" | "db:setup"
            | "ecto.reset" | "db:purge" | "db:seed:replant" => {
                walker.risk(RuleId::DatabaseReset, word, call.span);
            }
            _ => {}
        }
    }
    None
}

pub(crate) fn django(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if matches!(args.word(0), "flush" | "reset_db" | "sqlflush") {
        walker.risk(RuleId::DatabaseReset, args.word(0), call.span);
    }
    None
}

/// Migration tools: subcommands that empty or drop a database.
pub(crate) fn migrations(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let words: Vec<&str> = args.words().collect();
    let (first, second) = (args.word(0), args.word(1));
    let reset = matches!((first, second), ("migrate" | "db", "reset") | ("downgrade", "base"))
        || matches!(first, "migrate:fresh" | "migrate:reset" | "migrate:refresh" | "db:migrate:undo:all")
        || first == "migrate:rollback" && args.has("--all")
        || args.has("--force-reset|--accept-data-loss");
    let drop =
        words.iter().any(|word| matches!(*word, "db:drop" | "db:wipe" | "schema:drop" | "database:drop"));
    if drop {
        walker.risk(RuleId::DatabaseDrop, words.join(" "), call.span);
    } else if reset {
        walker.risk(RuleId::DatabaseReset, words.join(" "), call.span);
    }
    None
}

pub(crate) fn dotnet(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let words: Vec<&str> = args.words().take(3).collect();
    match words.as_slice() {
        ["ef", "database", "drop"] => walker.risk(RuleId::DatabaseDrop, "dotnet ef database drop", call.span),
        ["nuget", "push", ..] => walker.risk(RuleId::Publish, "dotnet nuget push", call.span),
        ["nuget", "delete", ..] => walker.risk(RuleId::Unpublish, "dotnet nuget delete", call.span),
        _ => {}
    }
    None
}

/// Debuggers run shell commands that are given to them.
pub(crate) fn debugger(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    for word in call.rest() {
        let shell = word
            .text
            .strip_prefix("shell ")
            .or_else(|| word.text.strip_prefix('!'))
            .or_else(|| word.text.strip_prefix("platform shell "));
        if let Some(shell) = shell {
            let shell = shell.to_owned();
            walker.through(&call.name, |walker| {
                walker.text(&shell, call.span, Origin::Text(call.name.clone()))
            });
        }
    }
    (!call.rest().is_empty()).then_some(Class::Unknown)
}

pub(crate) fn dpkg(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-l|-L|-s|-S|--list|--status|--listfiles|--search|--print-architecture|--get-selections|--version|-c|-I") {
        return Some(Class::ReadOnly);
    }
    let rule =
        if args.has("-r|-P|--remove|--purge") { RuleId::SystemPackages } else { RuleId::SystemInstall };
    walker.risk(rule, call.name.clone(), call.span);
    None
}

/// `rpm -i`, `-U` and `-F` install, also bundled with `vh`; `-e` removes.
pub(crate) fn rpm(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.has("-q|-V|-K|--query|--verify|--checksig|--querytags|--showrc|--eval|-E|--version|--help") {
        return None;
    }
    if args.has("-e|--erase") {
        walker.risk(RuleId::SystemPackages, call.name.clone(), call.span);
    } else if args.has("-i|-U|-F|--install|--upgrade|--freshen|--reinstall") {
        walker.risk(RuleId::SystemInstall, call.name.clone(), call.span);
    }
    None
}

/// `hg --config hooks.update=COMMAND`, `alias.x=!COMMAND`: mercurial runs the value.
pub(crate) fn hg(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let values = Args::parse(call.rest(), "--config -m -R");
    let settings: Vec<String> =
        values.values("--config").into_iter().map(|setting| setting.text.clone()).collect();
    for setting in settings {
        let Some((key, value)) = setting.split_once('=') else { continue };
        if key.starts_with("hooks.") || key.starts_with("alias.") || key.starts_with("ui.ssh") {
            let line = value.trim_start_matches('!').to_owned();
            let origin = Origin::Text("hg".to_owned());
            walker.through("hg", |walker| drop(walker.text(&line, call.span, origin)));
        }
    }
    None
}

/// `svn revert -R` throws changes away. `svn delete URL` removes the folder from the server at once; of a path only the next commit does.
pub(crate) fn svn(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if args.word(0) == "revert" && args.has("-R|--recursive") {
        walker.risk(RuleId::GitDiscard, "svn revert -R", call.span);
    }
    let deletes = matches!(args.word(0), "delete" | "del" | "remove" | "rm");
    if let Some(address) = args.words().skip(1).find(|word| deletes && word.contains("://")) {
        walker.risk(RuleId::RemoteDelete, address.to_owned(), call.span);
    }
    None
}

pub(crate) fn pacman(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let mode = call.rest().first().map_or("", |word| word.text.as_str());
    if mode.starts_with("-Q") || mode.starts_with("-Ss") || mode.starts_with("-Si") {
        return Some(Class::ReadOnly);
    }
    walker.risk(
        if mode.starts_with("-R") { RuleId::SystemPackages } else { RuleId::SystemInstall },
        mode,
        call.span,
    );
    None
}
