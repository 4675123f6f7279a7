//! Archives and copies between machines.

#![expect(clippy::unnecessary_wraps, reason = "all looks have one signature")]

use crate::guard::RuleId;
use crate::network::is_local_host;
use crate::programs::Args;
use crate::reading::Class;
use crate::reading::Origin;
use crate::text::{Taint, Text};
use crate::walk::{Call, Walker};

pub(crate) fn tar(walker: &mut Walker<'_>, call: &Call, _: &Args<'_>) -> Option<Class> {
    let words = call.rest();
    let letters = tar_letters(words);
    let long =
        |name: &str| words.iter().any(|word| word.text == name || word.text.starts_with(&format!("{name}=")));
    let value = |flag: &str, name: &str| {
        words.iter().enumerate().find_map(|(index, word)| {
            if word.text == flag || word.text == name {
                words.get(index + 1).cloned()
            } else {
                word.text.strip_prefix(&format!("{name}=")).map(Text::known)
            }
        })
    };
    for word in words {
        let action = [
            "--checkpoint-action=exec=",
            "--to-command=",
            "--use-compress-program=",
            "--rsh-command=",
            "--info-script=",
        ]
        .iter()
        .find_map(|prefix| word.text.strip_prefix(prefix));
        if let Some(command) = action {
            let command = command.to_owned();
            walker.through("tar", |walker| walker.text(&command, call.span, Origin::Text("tar".to_owned())));
        }
    }
    if let Some(program) = value("-I", "--use-compress-program").or_else(|| value("-F", "--info-script")) {
        walker.through("tar", |walker| walker.text(&program.text, call.span, Origin::Text("tar".to_owned())));
    }
    let folder = value("-C", "--directory");
    let found = tar_archive(words);
    let archive = found.as_ref().map(|(archive, _)| archive);
    let archive_at = found.as_ref().map(|(_, behind)| *behind);
    if letters.contains('x') || long("--extract") || long("--get") {
        let target = folder.unwrap_or_else(|| Text::known("."));
        walker.write_path(&target, call.span);
        if let Some(archive) = archive.filter(|archive| archive.text != "-") {
            walker.read_path(archive, call.span);
        }
        return Some(Class::Writes);
    }
    if letters.contains(['c', 'r', 'u']) || long("--create") || long("--append") || long("--update") {
        if let Some(archive) = archive.filter(|archive| archive.text != "-") {
            walker.write_path(archive, call.span);
        }
        let skip = archive_at.unwrap_or(1);
        let mut taint = Taint::PRINTED;
        for source in words.iter().skip(skip).filter(|word| !word.text.starts_with('-')) {
            let path = walker.resolve(source).0;
            taint = taint.with(walker.taint_of_file(&path));
            walker.read_path(source, call.span);
        }
        keep_taint(walker, archive, taint);
        if long("--remove-files") {
            for source in words.iter().skip(skip).filter(|word| !word.text.starts_with('-')) {
                walker.delete_path(source, true, call.span);
            }
        }
        return Some(if archive.is_some_and(|archive| archive.text != "-") {
            Class::Writes
        } else {
            Class::ReadOnly
        });
    }
    Some(Class::ReadOnly)
}

/// The letters of `tar xzf a` and of `tar -x -z -f a`, without what is attached to one of them.
fn tar_letters(words: &[Text]) -> String {
    let is_cluster = |(at, word): &(usize, &Text)| {
        let text = word.text.as_str();
        text.starts_with('-') && !text.starts_with("--")
            || *at == 0 && !text.starts_with('-') && text.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let clusters = words.iter().enumerate().filter(is_cluster);
    clusters.fold(String::new(), |mut letters, (_, word)| {
        let text = word.text.trim_start_matches('-');
        // Behind a letter that takes a value stands the value.
        let end = text.find(['f', 'C', 'T', 'X', 'I', 'b', 'F', 'V', 'g', 'N', 'K']);
        letters.push_str(&text[..end.map_or(text.len(), |at| at + 1)]);
        letters
    })
}

/// The archive, and the place of the first word behind it.
fn tar_archive(words: &[Text]) -> Option<(Text, usize)> {
    words.iter().enumerate().find_map(|(at, word)| {
        let text = word.text.as_str();
        let next = || words.get(at + 1).map(|archive| (archive.clone(), at + 2));
        if let Some(name) = text.strip_prefix("--file=") {
            return Some((word.slice(text.len() - name.len(), text.len()), at + 1));
        }
        if text == "--file" {
            return next();
        }
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        if let Some(letters) = letters {
            let f = letters.find(['f', 'C', 'T', 'X', 'I', 'b', 'F', 'V', 'g', 'N', 'K'])?;
            if !letters[f..].starts_with('f') {
                return None;
            }
            let behind = f + 2;
            return if behind < text.len() { Some((word.slice(behind, text.len()), at + 1)) } else { next() };
        }
        let is_old = at == 0 && text.contains('f') && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_old { next() } else { None }
    })
}

/// An archive of something secret is as secret.
fn keep_taint(walker: &mut Walker<'_>, archive: Option<&Text>, taint: Taint) {
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
    if let Some(at) = words.iter().position(|word| matches!(word.text.as_str(), "-TT" | "--unzip-command"))
        && let Some(command) = words.get(at + 1)
    {
        let command = command.text.clone();
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
        } else {
            walker.reading.network = true;
        }
    }
    match to {
        Some(host) => {
            walker.reading.network = true;
            if taint.has(Taint::SECRET) && !is_local_host(&host) {
                walker.risk(RuleId::SecretExfiltration, host, call.span);
            } else if args.has("--delete|--delete-after|--delete-before|--delete-during|--delete-excluded")
                && !dry
            {
                walker.risk(RuleId::SyncDelete, target.text.clone(), call.span);
            }
        }
        None if !dry => {
            walker.write_path(target, call.span);
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
    for program in args.values("-S") {
        walker.through("scp", |walker| walker.named_program(&program.text, call.span, "scp"));
    }
    let (target, sources) = args.operands.split_last()?;
    let mut taint = Taint::NONE;
    for source in sources.iter().filter(|source| remote(source).is_none()) {
        let path = walker.resolve(source).0;
        taint = taint.with(walker.taint_of_file(&path)).with(source.taint);
        walker.read_path(source, call.span);
    }
    match remote(target) {
        Some(host) if taint.has(Taint::SECRET) => walker.risk(RuleId::SecretExfiltration, host, call.span),
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

/// `host:path` or `user@host:path`; the host when it is one.
fn remote(word: &Text) -> Option<String> {
    let (host, _) = word.text.split_once(':')?;
    let host = host.rsplit('@').next().unwrap_or(host);
    (!host.is_empty() && !host.contains('/') && host.len() > 1 && !host.starts_with('.'))
        .then(|| host.to_owned())
}
