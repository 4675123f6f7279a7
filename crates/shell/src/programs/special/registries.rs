//! Where packages come from: the usual registries, those of a company, and all others.

use crate::guard::RuleId;
use crate::limits::MAX_SCRIPT_BYTES;
use crate::programs::Args;
use crate::reading::{Class, Origin};
use crate::walk::{Call, Walker};

/// Files below the home in which package managers keep the address of a registry.
const USER_SETTINGS: [&str; 11] = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".bunfig.toml",
    ".pip/pip.conf",
    ".config/pip/pip.conf",
    ".config/uv/uv.toml",
    ".pypirc",
    ".cargo/config.toml",
    ".bundle/config",
    ".condarc",
];

/// Such files of a project.
const PROJECT_SETTINGS: [&str; 11] = [
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    "bunfig.toml",
    "pip.conf",
    "pyproject.toml",
    "uv.toml",
    "Pipfile",
    "requirements.txt",
    ".cargo/config.toml",
    "Gemfile",
];

/// Hosts whose names begin well-known Go modules.
const GO_HOSTS: [&str; 40] = [
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "golang.org",
    ".golang.org",
    "go.dev",
    "gopkg.in",
    "go.uber.org",
    "k8s.io",
    ".k8s.io",
    "honnef.co",
    "mvdan.cc",
    "gotest.tools",
    ".gotest.tools",
    "cuelang.org",
    "rsc.io",
    "gorm.io",
    "entgo.io",
    "goa.design",
    "go.etcd.io",
    "go.mongodb.org",
    "go.opentelemetry.io",
    "go.k6.io",
    "go.step.sm",
    "buf.build",
    "connectrpc.com",
    "cloud.google.com",
    ".googleapis.com",
    "gonum.org",
    "modernc.org",
    "4d63.com",
    "dagger.io",
    "sigs.k8s.io",
    "istio.io",
    "knative.dev",
    "gioui.org",
    "fyne.io",
    "filippo.io",
    "tailscale.com",
];

/// A module, formula or tap at a host that is not a usual one: its code runs here.
pub(crate) fn go(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if (args.word(0), args.has("-w")) == ("env", true) {
        let proxy = args.words().find_map(|word| word.strip_prefix("GOPROXY=")).map(str::to_owned);
        let foreign =
            proxy.filter(|proxy| proxy.split([',', '|']).any(|part| is_foreign_registry(walker, part)));
        if let Some(address) = foreign {
            walker.risk(RuleId::ForeignRegistry, address, call.span);
        }
        return None;
    }
    if !matches!(args.word(0), "run" | "install" | "get" | "tool") {
        return None;
    }
    let foreign = args.words().skip(1).find(|module| {
        let address = module.split_once("://").map_or(*module, |(_, address)| address);
        let host = address.split(['/', '@']).next().unwrap_or(address);
        let is_module =
            module.contains('/') && host.contains('.') && !host.starts_with('.') && !module.contains('$');
        is_module
            && !host.ends_with(".go")
            && !is_usual(host, &GO_HOSTS)
            && !is_usual(host, &USUAL_HOSTS)
            && !names_module(walker, host)
    });
    if let Some(module) = foreign.map(str::to_owned) {
        walker.risk(RuleId::ForeignRegistry, module, call.span);
    }
    None
}

/// Returns whether the project's `go.mod` names modules of this host.
fn names_module(walker: &Walker<'_>, host: &str) -> bool {
    let path = format!("{}/go.mod", walker.reading.workspace);
    walker.state_content(&path).is_none()
        && walker
            .place
            .files
            .read(&path, MAX_SCRIPT_BYTES)
            .is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(&format!("{host}/")))
}

/// `brew install ADDRESS`, `brew tap NAME ADDRESS`.
pub(crate) fn brew(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let takes_address =
        matches!(args.word(0), "install" | "reinstall" | "upgrade" | "tap" | "cask" | "bundle");
    let foreign = args
        .words()
        .skip(1)
        .find(|word| takes_address && word.contains("://") && is_foreign_registry(walker, word))
        .map(str::to_owned);
    if let Some(address) = foreign {
        walker.risk(RuleId::ForeignRegistry, address, call.span);
    }
    None
}

/// Hosts of packages and of code that projects install from; a leading dot is any host of that domain.
const USUAL_HOSTS: [&str; 42] = [
    "flathub.org",
    ".flathub.org",
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
pub(crate) fn is_foreign_registry(walker: &Walker<'_>, address: &str) -> bool {
    if crate::network::is_local_url(address) || !address.contains("://") || address.contains('$') {
        return false;
    }
    let Some(host) = crate::guard::remote_host(address) else { return false };
    !is_usual(host, &USUAL_HOSTS) && !is_configured(walker, host)
}

/// Returns whether a host is one of these, or of one of these domains (`.domain`).
fn is_usual(host: &str, usual: &[&str]) -> bool {
    usual.iter().any(|usual| match usual.strip_prefix('.') {
        Some(domain) => host.strip_suffix(domain).is_some_and(|front| front.ends_with('.')),
        None => host.eq_ignore_ascii_case(usual),
    })
}

/// Returns whether a settings file of the user or the project names this host: a company's own registry.
fn is_configured(walker: &Walker<'_>, host: &str) -> bool {
    let (home, project) = (&walker.reading.home, &walker.reading.workspace);
    let names = |folder: &str, files: &[&str]| {
        files.iter().any(|file| {
            let path = format!("{folder}/{file}");
            // A file that this line wrote proves nothing.
            walker.state_content(&path).is_none()
                && walker
                    .place
                    .files
                    .read(&path, MAX_SCRIPT_BYTES)
                    .is_some_and(|bytes| String::from_utf8_lossy(&bytes).contains(host))
        })
    };
    names(home, &USER_SETTINGS) || names(project, &PROJECT_SETTINGS)
}

/// Installing from a place that is not the usual one; into the system.
pub(crate) fn registry(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    let mut sources: Vec<&str> = args
        .values("--index-url|--extra-index-url|-i|--registry|--find-links|-f|--source|-s|--index|--default-index|-c|--channel")
        .iter()
        .map(|source| source.text.as_str())
        .collect();
    // `npm config set registry ADDRESS`, `pip config set global.index-url ADDRESS`, `npm set registry=ADDRESS`.
    let sets = (args.word(0), args.word(1)) == ("config", "set") || matches!(args.word(0), "set" | "c");
    let names_registry = |word: &str| {
        let word = word.to_ascii_lowercase();
        ["registry", "index-url", "repositories", "mirror"].iter().any(|part| word.contains(part))
            || word.starts_with("repo.")
            || matches!(word.as_str(), "source" | "channels" | "default_channels" | "channel_alias")
    };
    let sets = sets
        || (args.word(0), args.word(1)) == ("source", "add")
        || args.word(0) == "config" && call.name == "poetry"
        || args.word(0) == "config"
            && matches!(call.name.as_str(), "conda" | "mamba")
            && args.has("--add|--set|--append|--prepend")
        || args.word(0) == "config" && matches!(call.name.as_str(), "composer" | "bundle");
    if sets
        && (args.words().any(names_registry)
            || args.values("--add|--set|--append|--prepend").iter().any(|word| names_registry(&word.text)))
    {
        sources.extend(args.words().filter_map(|word| word.find("http").map(|at| &word[at..])));
    }
    // `gem sources --add ADDRESS`; a proxy sees and answers every request from now on.
    let adds_source = args.word(0) == "sources" && args.has("-a|--add")
        || matches!(args.word(0), "remote-add" | "add-repo");
    if adds_source || sets && args.words().any(|word| word.contains("proxy")) {
        sources.extend(args.words().filter_map(|word| word.find("http").map(|at| &word[at..])));
        sources.extend(args.values("-a|--add").iter().map(|source| source.text.as_str()));
    }
    // The program that runs all scripts from now on.
    let runs = |word: &str| {
        let word = word.split('=').next().unwrap_or(word).to_ascii_lowercase();
        matches!(
            word.as_str(),
            "script-shell" | "shell" | "yarn-path" | "yarnpath" | "node-options" | "init-module"
        )
    };
    if let Some(setting) = args.words().find(|word| sets && runs(word)) {
        walker.risk(RuleId::EnvironmentHook, setting, call.span);
    }
    let foreign: Vec<&str> =
        sources.into_iter().filter(|source| is_foreign_registry(walker, source)).collect();
    for source in foreign {
        walker.risk(RuleId::ForeignRegistry, source, call.span);
    }
    // A package at an address: `npm i http://x/y.tgz`, `pip install git+https://x/y`.
    let is_install = |word: &str| matches!(word, "install" | "i" | "add" | "in");
    let installs =
        is_install(args.word(0)) || matches!(args.word(0), "pip" | "tool") && is_install(args.word(1));
    for package in args.operands.iter().skip(1).filter(|_| installs) {
        // `git+https://…`, `name @ https://…`, `name@https://…`
        let Some(scheme) = package.text.find("://") else { continue };
        let start = package.text[..scheme].rfind(['@', '+', ' ']).map_or(0, |before| before + 1);
        let address = &package.text[start..];
        let is_remote = ["http", "ssh://", "git://", "ftp"].iter().any(|scheme| address.starts_with(scheme));
        if is_remote && is_foreign_registry(walker, address) {
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
