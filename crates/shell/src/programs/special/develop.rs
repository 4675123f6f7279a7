//! Build tools, linters and migrations whose options decide about their effects.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

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
    if args.word(0) == "install" {
        let args = Args::parse(call.rest(), "--root --git --index");
        for root in args.values("--root") {
            walker.write_path(root, call.span);
        }
        for source in args.values("--git|--index").iter().filter(|source| is_foreign_registry(&source.text)) {
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

/// Hosts of packages and of code that projects install from; a leading dot is any host of that domain.
const USUAL_HOSTS: [&str; 40] = [
    "pypi.org",
    ".pypi.org",
    "files.pythonhosted.org",
    "npmjs.org",
    ".npmjs.org",
    ".yarnpkg.com",
    ".npmmirror.com",
    "npm.pkg.github.com",
    ".jsr.io",
    ".pytorch.org",
    ".nvidia.com",
    ".anaconda.org",
    ".anaconda.com",
    "data.pyg.org",
    ".huggingface.co",
    "huggingface.co",
    "github.com",
    ".github.com",
    ".githubusercontent.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    ".sr.ht",
    ".googlesource.com",
    ".googleapis.com",
    ".pkg.dev",
    ".amazonaws.com",
    ".azure.com",
    ".jfrog.io",
    ".gemfury.com",
    ".cloudsmith.io",
    "rubygems.org",
    ".aliyun.com",
    ".tsinghua.edu.cn",
    ".ustc.edu.cn",
    ".douban.com",
    ".tencent.com",
    ".apache.org",
    ".python.org",
    ".readthedocs.io",
];

/// Returns whether an address is neither a usual source of packages nor this machine; an address without encryption
/// needs the host of a package index.
fn is_foreign_registry(address: &str) -> bool {
    if crate::network::is_local_url(address) || !address.contains("://") || address.contains('$') {
        return false;
    }
    let Some(host) = crate::guard::remote_host(address) else { return false };
    !USUAL_HOSTS.iter().any(|usual| match usual.strip_prefix('.') {
        Some(domain) => host.strip_suffix(domain).is_some_and(|front| front.ends_with('.')),
        None => host.eq_ignore_ascii_case(usual),
    })
}

/// Installing from a place that is not the usual one; into the system.
pub(crate) fn registry(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut sources: Vec<&str> = args
        .values("--index-url|--extra-index-url|-i|--registry|--find-links|-f|--source")
        .iter()
        .map(|source| source.text.as_str())
        .collect();
    // `npm config set registry ADDRESS`, `pip config set global.index-url ADDRESS`, `npm set registry=ADDRESS`.
    let sets = (args.word(0), args.word(1)) == ("config", "set") || matches!(args.word(0), "set" | "c");
    if sets && args.words().any(|word| word.contains("registry") || word.contains("index-url")) {
        sources.extend(args.words().filter_map(|word| word.find("http").map(|at| &word[at..])));
    }
    // The program that runs all scripts from now on.
    if sets && args.words().any(|word| word.starts_with("script-shell") || word == "shell") {
        walker.risk(RuleId::EnvironmentHook, "script-shell", call.span);
    }
    for source in sources.into_iter().filter(|source| is_foreign_registry(source)) {
        walker.risk(RuleId::ForeignRegistry, source, call.span);
    }
    // A package at an address: `npm i http://x/y.tgz`, `pip install git+https://x/y`.
    let installs = matches!(args.word(0), "install" | "i" | "add" | "in");
    for package in args.operands.iter().skip(1).filter(|_| installs) {
        // `git+https://…`, `name @ https://…`, `name@https://…`
        let Some(scheme) = package.text.find("://") else { continue };
        let start = package.text[..scheme].rfind(['@', '+', ' ']).map_or(0, |before| before + 1);
        let address = &package.text[start..];
        if address.starts_with("http") && is_foreign_registry(address) {
            walker.risk(RuleId::ForeignRegistry, package.text.clone(), call.span);
        }
    }
    // A script that the line gives a package runs later, often in the same line.
    if (args.word(0), args.word(1)) == ("pkg", "set") || args.word(0) == "set-script" {
        let scripts: Vec<String> = if args.word(0) == "set-script" {
            args.words().skip(2).map(str::to_owned).collect()
        } else {
            let set = args.words().skip(2).filter_map(|word| word.strip_prefix("scripts."));
            set.filter_map(|word| word.split_once('=')).map(|(_, script)| script.to_owned()).collect()
        };
        for script in scripts {
            walker.later(|walker| {
                walker.through("npm", |walker| {
                    drop(walker.text(&script, call.span, Origin::Text("package.json".to_owned())));
                });
            });
        }
    }
    if args.has("--break-system-packages") {
        walker.risk(RuleId::SystemInstall, "--break-system-packages", call.span);
    }
    None
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
