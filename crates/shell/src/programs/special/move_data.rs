//! Archives and copies between machines.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use crate::guard::RuleId;
use crate::network::is_local_host;
use crate::programs::Args;
use crate::reading::Class;
use crate::reading::Origin;
use crate::text::{Taint, Text};
use crate::walk::{Call, Walker, base_name};

/// Returns the path of a member of an archive, or of a copied file, in the folder it is put into.
pub(super) fn below(folder: &Text, member: &str, is_pattern: bool) -> Text {
    let mut path = folder.clone();
    path.push_str("/");
    path.push_str(member.trim_end_matches('/'));
    path.glob |= is_pattern && member.contains(['*', '?', '[']);
    path
}

/// Returns whether the name of a member stands for all members.
pub(super) fn is_all(member: &str) -> bool {
    matches!(member.trim_start_matches("./"), "" | "." | "*" | "**" | "**/*")
}

/// An archive of something secret is as secret.
pub(super) fn keep_taint(walker: &mut Walker<'_>, archive: Option<&Text>, taint: Taint) {
    if let Some(archive) = archive {
        let path = walker.resolve(archive).0;
        walker.remember(&path, Text::unknown(archive.text.clone(), taint));
    }
}

pub(crate) fn zip(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let Some((archive, sources)) = args.operands.split_first() {
        walker.write_path(archive, call.span);
        let taint = sources.iter().fold(Taint::PRINTED, |taint, source| {
            taint.with(walker.taint_of_file(&walker.resolve(source).0))
        });
        keep_taint(walker, Some(archive), taint);
        for source in sources {
            walker.read_path(source, call.span);
            if args.has("-m|--move") {
                walker.delete_path(source, true, call.span);
            }
        }
    }
    let words = call.rest();
    let behind = words.iter().position(|word| matches!(word.text.as_str(), "-TT" | "--unzip-command"));
    let glued = || words.iter().find_map(|word| word.text.strip_prefix("--unzip-command="));
    if let Some(command) =
        behind.and_then(|at| words.get(at + 1)).map(|word| word.text.as_str()).or_else(glued)
    {
        let command = command.to_owned();
        walker.through("zip", |walker| walker.text(&command, call.span, Origin::Text("zip".to_owned())));
    }
    None
}

pub(crate) fn unzip(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    if let Some(archive) = args.operands.first() {
        walker.read_path(archive, call.span);
    }
    if args.has("-l|-t|-v|-Z|-p") {
        return Some(Class::ReadOnly);
    }
    let target = args.values("-d").first().map_or_else(|| Text::known("."), |target| (*target).clone());
    walker.write_path(&target, call.span);
    walker.unpacks_download(args.operands.first().copied(), &target);
    let members = args.operands.get(1..).unwrap_or_default();
    if !args.has("-n") && members.iter().all(|member| is_all(&member.text)) {
        walker.unpack_unnamed(&target, call.span);
    }
    for member in members {
        walker.write_path(&below(&target, &member.text, true), call.span);
    }
    None
}

/// Compressors replace their file unless they print.
pub(crate) fn compress(_: &mut Walker<'_>, _: &Call, args: &Args<'_>) -> Option<Class> {
    (args.has("-c|--stdout|--to-stdout|-l|--list|-t|--test") || args.operands.is_empty())
        .then_some(Class::ReadOnly)
}

pub(crate) fn rsync(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    for shell in args.values("-e|--rsh|--rsync-path") {
        if let Some(text) = shell.value() {
            walker.through("rsync", |walker| walker.named_program(text, call.span, "rsync"));
        }
    }
    let dry = args.has("-n|--dry-run");
    let Some((target, sources)) = args.operands.split_last() else { return Some(Class::ReadOnly) };
    let to = remote(target);
    let mut taint = Taint::NONE;
    for source in sources {
        if remote(source).is_none() {
            let path = walker.resolve(source).0;
            taint = taint.with(walker.taint_of_file(&path)).with(source.taint);
            walker.read_path(source, call.span);
            walker.sent.push(path);
        } else {
            walker.reading.network = true;
        }
    }
    walker.check_sent(false, to.as_deref().is_none_or(is_local_host) || dry, call.span);
    match to {
        Some(host) => {
            walker.reading.network = true;
            // A deployment leaves something out.
            let is_deployment =
                args.has("--exclude|--exclude-from|--include|--filter|-f|-F|-C|--cvs-exclude|--files-from");
            if taint.has(Taint::SECRET) && !is_local_host(&host) {
                walker.risk(RuleId::SecretExfiltration, host, call.span);
            } else if holds_workspace(walker, sources) && is_stranger(&host) && !is_deployment && !dry {
                walker.risk(RuleId::UploadWorkspace, host, call.span);
            } else if args.has("--delete|--delete-after|--delete-before|--delete-during|--delete-excluded")
                && !dry
            {
                walker.risk(RuleId::SyncDelete, target.text.clone(), call.span);
            }
        }
        None if !dry => {
            walker.write_path(target, call.span);
            for source in sources.iter().filter(|source| remote(source).is_none()) {
                if source.text.ends_with(['/', '.']) {
                    walker.copy_contents(source, target, call.span);
                } else {
                    walker.write_path(&below(target, base_name(&source.text), source.glob), call.span);
                }
            }
            if args.has("--delete|--delete-after|--delete-before|--delete-during|--delete-excluded") {
                let mut below = (*target).clone();
                below.push_str("/*");
                below.glob = true;
                let empty_source = sources
                    .iter()
                    .any(|source| source.text.contains("empty") || source.text.starts_with("/tmp/"));
                if empty_source {
                    walker.delete_path(&below, true, call.span);
                } else {
                    let inside = format!("{}/", walker.reading.workspace);
                    if !walker.resolve(target).0.starts_with(&inside) {
                        walker.risk(RuleId::SyncDelete, target.text.clone(), call.span);
                    }
                    let root = walker.resolve(target).0;
                    if matches!(root.as_str(), "/" | "/etc" | "/usr" | "/home") {
                        walker.delete_path(&below, true, call.span);
                    }
                }
            }
        }
        None => {}
    }
    if args.has("--remove-source-files") && !dry {
        for source in sources {
            walker.delete_path(source, true, call.span);
        }
    }
    Some(if dry { Class::ReadOnly } else { Class::Writes })
}

pub(crate) fn scp(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    walker.ssh_options(call);
    if call.name == "sftp" {
        super::transfer::transfer(walker, call, args);
    }
    for program in args.values("-S") {
        walker.through("scp", |walker| walker.named_program(&program.text, call.span, "scp"));
    }
    let (target, sources) = args.operands.split_last()?;
    let mut taint = Taint::NONE;
    for source in sources.iter().filter(|source| remote(source).is_none()) {
        let path = walker.resolve(source).0;
        taint = taint.with(walker.taint_of_file(&path)).with(source.taint);
        walker.read_path(source, call.span);
        walker.sent.push(path);
    }
    walker.check_sent(false, remote(target).as_deref().is_none_or(is_local_host), call.span);
    match remote(target) {
        Some(host) if taint.has(Taint::SECRET) => walker.risk(RuleId::SecretExfiltration, host, call.span),
        Some(host) if holds_workspace(walker, sources) && is_stranger(&host) => {
            walker.risk(RuleId::UploadWorkspace, host, call.span);
        }
        Some(_) => {}
        None if !sources.is_empty() => {
            walker.write_path(target, call.span);
        }
        None => {}
    }
    None
}

pub(crate) fn rclone(walker: &mut Walker<'_>, call: &Call, args: &Args<'_>) -> Option<Class> {
    match args.word(0) {
        "ls" | "lsd" | "lsl" | "lsf" | "size" | "cat" | "version" | "config" | "check" | "about" | "tree" => {
            Some(Class::ReadOnly)
        }
        "delete" | "purge" | "deletefile" | "rmdirs" => {
            walker.risk(RuleId::CloudDelete, args.word(1), call.span);
            Some(Class::Destructive)
        }
        _ => {
            for source in args.operands.iter().skip(1) {
                let path = walker.resolve(source).0;
                if remote(source).is_none() && walker.secrecy(&path).has(Taint::SECRET) {
                    walker.risk(RuleId::SecretExfiltration, path, call.span);
                }
            }
            // Files outside of the workspace that leave the machine.
            if args.operands.last().and_then(|target| remote(target)).is_some() {
                for source in args.operands.iter().skip(1).filter(|source| remote(source).is_none()) {
                    let path = walker.resolve(source).0;
                    walker.sent.push(path);
                }
                walker.check_sent(args.word(0) == "rcat", false, call.span);
            }
            let brings = matches!(args.word(0), "copy" | "copyto" | "sync" | "move" | "moveto" | "copyurl");
            // Names of remotes may have one letter.
            let target = args.operands.last().filter(|target| !target.text.contains(':'));
            if let Some(target) = target.filter(|_| brings) {
                walker.write_path(target, call.span);
            }
            None
        }
    }
}

/// Returns whether one of the local sources is the workspace or a folder around it.
fn holds_workspace(walker: &Walker<'_>, sources: &[&Text]) -> bool {
    sources.iter().filter(|source| remote(source).is_none()).any(|source| {
        let path = walker.resolve(source).0;
        path.starts_with('/') && crate::path::is_within(&walker.reading.workspace, &path)
    })
}

/// Returns whether a host is named by its address: a short name is one that the user set up.
pub(crate) fn is_stranger(host: &str) -> bool {
    (host.contains('.') || host.contains(':')) && !host.contains('$') && !is_local_host(host)
}

/// `host:path` or `user@host:path`; the host when it is one.
fn remote(word: &Text) -> Option<String> {
    let address = ["rsync://", "sftp://", "scp://"].iter().find_map(|scheme| word.text.strip_prefix(scheme));
    if let Some(address) = address {
        let host = address.split(['/', ':']).next().unwrap_or(address);
        return Some(host.rsplit('@').next().unwrap_or(host).to_owned());
    }
    let (host, _) = word.text.split_once(':')?;
    let host = host.rsplit('@').next().unwrap_or(host);
    (!host.is_empty() && !host.contains('/') && host.len() > 1 && !host.starts_with('.'))
        .then(|| host.to_owned())
}
