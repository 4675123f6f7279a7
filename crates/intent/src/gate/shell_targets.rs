//! The paths that a command line writes, deletes or creates.

use event::{AbsPath, Access};
use shell::{Certainty, Doubt, PathUse, Reading, Site};

use super::shell_glob::matching;
use crate::unicode::composed;
use crate::{Intent, Reach, Scope, Target};

/// The targets of a command line.
pub(super) struct ShellTargets {
    /// The known paths.
    pub(super) targets: Vec<Target>,
    /// The unknown parts, in sentences.
    pub(super) unknown: Vec<String>,
}

/// Devices that discard everything written to them.
const SINKS: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty"];

/// Collects the targets of a command line on this machine.
pub(super) fn shell_targets(
    reading: &Reading,
    cwd: &AbsPath,
    intent: Option<&Intent>,
    scope: &Scope,
) -> ShellTargets {
    let mut found = ShellTargets { targets: Vec::new(), unknown: Vec::new() };
    let all = [
        (&reading.writes, Access::Write),
        (&reading.deletes, Access::Delete),
        (&reading.creates, Access::CreateDir),
    ];
    for (uses, access) in all {
        // A created path may be a link or an empty file: only a folder's name is judged as a folder.
        let is_meant =
            |used: &&PathUse| used.site == Site::Local && !is_sink(&used.path) && !is_gits_own(reading, used);
        for used in uses.iter().filter(is_meant) {
            let access = if access == Access::CreateDir && !makes_folder(reading, used) {
                Access::Write
            } else {
                access
            };
            found.add(used, access, cwd, intent, scope);
        }
    }
    if !scope.permits_temp_writes() && makes_temp_file(reading) {
        found.targets.push(Target::new(TEMP_FILE, cwd, Access::Write, Reach::Itself));
    }
    // A hard link gives write access to the original file.
    for used in reading.reads.iter().filter(|used| used.site == Site::Local && links_hard(reading, used)) {
        found.add(used, Access::Write, cwd, intent, scope);
    }
    for reason in &reading.unknown {
        // Paths were judged one by one above.
        if reason.kind != Doubt::Path {
            found.say(format!("{} (`{}`)", reason.kind.sentence(), reason.about));
        }
    }
    if !reading.parsed && found.unknown.is_empty() {
        found.say(Doubt::Unreadable.sentence().to_owned());
    }
    found
}

/// A temporary file whose name `mktemp` chooses.
const TEMP_FILE: &str = "/tmp/tmp.XXXXXXXXXX";

/// Returns whether a command line makes a temporary file whose name it does not choose. It counts as read-only: where every
/// intent may write there, nothing of the project changes.
pub fn makes_temp_file(reading: &Reading) -> bool {
    reading.commands.iter().filter(|command| command.program == "mktemp").any(|command| {
        let args: Vec<&str> = command.argv.iter().skip(1).map(|arg| arg.text.as_str()).collect();
        let has = |letter: char, words: &[&str]| {
            args.iter().any(|arg| (is_short(arg) && arg.contains(letter)) || words.contains(arg))
        };
        if has('u', &["--dry-run", "--help", "--version"]) {
            return false;
        }
        // A path that the line names is among the written ones.
        let names_folder = has('p', &[]) || args.iter().any(|arg| arg.starts_with("--tmpdir="));
        let names_file = args.iter().any(|arg| !arg.starts_with('-'));
        !names_folder && (!names_file || has('t', &["--tmpdir"]))
    })
}

/// Returns whether an argument is a bundle of one-letter options.
fn is_short(arg: &str) -> bool {
    arg.len() > 1 && arg.starts_with('-') && !arg.starts_with("--")
}

impl ShellTargets {
    fn add(&mut self, used: &PathUse, access: Access, cwd: &AbsPath, intent: Option<&Intent>, scope: &Scope) {
        let target = |path: &str, reach| Target::new(path, cwd, access, reach);
        let reach = if used.recursive { Reach::Below } else { Reach::Itself };
        match used.certainty {
            Certainty::Exact => self.targets.push(target(&used.path, reach)),
            Certainty::Pattern => match matching(&used.path) {
                Some(paths) if !paths.is_empty() => {
                    self.targets.extend(paths.iter().map(|path| target(path, reach)));
                }
                // The shell passes a pattern without matches unchanged.
                Some(_) => self.targets.push(target(&used.path, reach)),
                None => self.targets.push(target(folder_of(&used.path), Reach::Below)),
            },
            Certainty::Below => {
                let folder = folder_of(&used.path);
                let below = target(folder, Reach::Below);
                let relative =
                    scope.locate(&below).map(|located| composed(located.written.as_str()).into_owned());
                let possible = relative.is_ok_and(|folder| {
                    intent.is_some_and(|intent| {
                        intent.owned_scope.iter().any(|it| it.might_match_below(&folder))
                    })
                });
                let covered = intent.is_some_and(|intent| scope.check(&below, intent).is_ok());
                if possible && !covered {
                    self.say(format!("{} (`{}`)", Doubt::Path.sentence(), used.path));
                } else {
                    self.targets.push(below);
                }
            }
            Certainty::Unknown => self.say(format!("{} (`{}`)", Doubt::Path.sentence(), used.path)),
        }
    }

    fn say(&mut self, sentence: String) {
        if !self.unknown.contains(&sentence) {
            self.unknown.push(sentence);
        }
    }
}

fn is_sink(path: &str) -> bool {
    SINKS.contains(&path)
        || path.starts_with("/dev/fd/")
        || path.starts_with("/dev/tcp/")
        || path.starts_with("/dev/udp/")
}

/// Returns whether git itself writes in its own folder.
fn is_gits_own(reading: &Reading, used: &PathUse) -> bool {
    let is_git = reading.commands.get(used.command).is_some_and(|command| command.program == "git");
    is_git && used.path.split('/').any(|part| part == ".git")
}

fn makes_folder(reading: &Reading, used: &PathUse) -> bool {
    let program = reading.commands.get(used.command).map(|command| command.program.as_str());
    matches!(program, Some("mkdir" | "install" | "md" | "New-Item"))
}

fn links_hard(reading: &Reading, used: &PathUse) -> bool {
    let Some(command) = reading.commands.get(used.command) else { return false };
    let has = |letter: char, word: &str| {
        command.argv.iter().skip(1).any(|arg| {
            let short = arg.text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            short.is_some_and(|letters| letters.contains(letter))
                || (arg.text.len() > 3 && word.starts_with(&arg.text))
        })
    };
    match command.program.as_str() {
        "ln" => !has('s', "--symbolic"),
        "link" => true,
        "cp" => has('l', "--link"),
        _ => false,
    }
}

/// Returns the known folder: up to the last `/` before the first wildcard.
fn folder_of(path: &str) -> &str {
    let doubt = path.find(['*', '?', '[', '$', '`', '{']).unwrap_or(path.len());
    let slash = path[..doubt].rfind('/').unwrap_or(0);
    if slash == 0 { "/" } else { &path[..slash] }
}
