//! The proof that a command line is harmless.

use std::path::Path;

use event::{AbsPath, CommandLine, Dialect};
use host::user_rules::CallFacts;
use modules::Context;
use shell::guard::{Policy, judge};
use shell::{Certainty, Class, PathUse, Reading, Simple, Site};

use super::Basis;
use super::call_paths::{inside, is_secret};
use super::folder_survey::{self, Survey};

/// Programs that read files or only compute, of which a command may consist. WHY a list besides the reading's class: a
/// program may change nothing and still show what is not the workspace's: variables, processes, containers, accounts.
const PROGRAMS: &[&str] = &[
    "[",
    "ack",
    "ag",
    "arch",
    "awk",
    "b2sum",
    "base64",
    "basename",
    "bat",
    "cal",
    "cat",
    "cd",
    "cksum",
    "cmp",
    "column",
    "comm",
    "command",
    "cut",
    "date",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "expand",
    "expr",
    "false",
    "fd",
    "fgrep",
    "file",
    "find",
    "fmt",
    "fold",
    "gawk",
    "git",
    "grep",
    "head",
    "hexdump",
    "iconv",
    "join",
    "jq",
    "ls",
    "mawk",
    "md5sum",
    "nice",
    "nl",
    "nproc",
    "numfmt",
    "od",
    "paste",
    "pr",
    "printf",
    "pwd",
    "readlink",
    "realpath",
    "rev",
    "rg",
    "sed",
    "seq",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "shasum",
    "shuf",
    "sleep",
    "sort",
    "stat",
    "strings",
    "tac",
    "tail",
    "test",
    "time",
    "timeout",
    "tokei",
    "tr",
    "tree",
    "true",
    "tsort",
    "type",
    "uname",
    "unexpand",
    "uniq",
    "wc",
    "which",
    "xargs",
    "xxd",
    "yq",
    "zcat",
    "zgrep",
];

/// Programs that write the files that their words name, and nothing else.
const WRITERS: [&str; 4] = ["cp", "mkdir", "tee", "touch"];

/// Programs that show the content of every file below a folder.
const SEARCH_CONTENT: [&str; 7] = ["grep", "egrep", "fgrep", "zgrep", "ag", "ack", "rg"];

/// Programs that only name the files in a folder.
const LIST_NAMES: [&str; 14] = [
    "ls", "tree", "du", "stat", "test", "[", "file", "cd", "realpath", "find", "fd", "basename", "dirname",
    "pwd",
];

/// Returns the basis of a harmless command line, with its facts. Returns `None` without a proof.
pub(super) fn of(context: &Context<'_>, command: &CommandLine) -> Option<(Basis, CallFacts)> {
    if command.dialect != Dialect::Posix || !context.earlier_lines().is_empty() {
        return None;
    }
    if sets_variable(&command.text) {
        return None;
    }
    let reading = context.reading(command);
    let is_calm = reading.parsed
        && reading.unknown.is_empty()
        && reading.risks.is_empty()
        && !reading.network
        && !reading.privilege
        && !reading.runs_fetched_code
        && !reading.shell_changes.has_definitions
        && reading.shell_changes.variables.iter().all(|name| is_plain_variable(name))
        // By the default rules: a project's own levels do not make a command harmless.
        && judge(reading, &Policy::default()).reasons.is_empty();
    if !is_calm || reading.commands.is_empty() {
        return None;
    }
    let mut facts = CallFacts::default();
    for (index, command) in reading.commands.iter().enumerate() {
        add_command(context, command, &mut facts)?;
        let names_paths = reading.reads.iter().any(|path| path.command == index);
        if !names_paths && SEARCH_CONTENT.contains(&command.program.as_str()) && is_recursive(command) {
            add_searched_folder(context, command, &mut facts)?;
        }
    }
    facts.commands.push(command.text.split_whitespace().map(str::to_owned).collect());
    for path in &reading.reads {
        add_read(context, reading, path, &mut facts)?;
    }
    let basis = match reading.class {
        Class::ReadOnly if has_no_changes(reading) => Basis::ReadOnly,
        Class::Writes if reading.deletes.is_empty() => {
            for path in reading.writes.iter().chain(&reading.creates) {
                add_write(context, path, &mut facts)?;
            }
            let proof = context.command.proof()?;
            if facts.writes.is_empty() || proof.intent_id.is_none() || !proof.knows_its_files {
                return None;
            }
            Basis::InScope
        }
        _ => return None,
    };
    Some((basis, facts))
}

/// Returns whether a line sets a variable that may change what a program runs or reads: `PATH=/tmp:$PATH ls`.
fn sets_variable(line: &str) -> bool {
    const HARMLESS: [&str; 8] =
        ["LC_ALL", "LANG", "TZ", "NO_COLOR", "COLUMNS", "FORCE_COLOR", "CLICOLOR", "TERM"];
    let words = line.split(|letter: char| letter.is_whitespace() || ";|&(){}`".contains(letter));
    words.filter_map(|word| word.split_once('=')).any(|(name, _)| {
        let name = name.trim_end_matches('+');
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        is_name && !HARMLESS.contains(&name) && !is_plain_variable(name)
    })
}

/// Returns whether a variable has a meaning only for the line that sets it, as in `for f in src/*; do head "$f"; done`:
/// programs read variables in capital letters, and zsh ties some others to them (`path` is `PATH`).
fn is_plain_variable(name: &str) -> bool {
    const TIED: [&str; 9] = [
        "argv",
        "fignore",
        "histchars",
        "prompt",
        "psvar",
        "pipestatus",
        "status",
        "watch",
        "zsh_eval_context",
    ];
    let is_lower = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_';
    name.bytes().all(is_lower) && !name.contains("path") && !name.contains("proxy") && !TIED.contains(&name)
}

fn has_no_changes(reading: &Reading) -> bool {
    let only_null = |paths: &[PathUse]| paths.iter().all(|path| is_null(&path.path));
    only_null(&reading.writes) && only_null(&reading.creates) && reading.deletes.is_empty()
}

/// Returns whether a path is a stream or the file that takes and gives nothing.
pub(super) fn is_null(path: &str) -> bool {
    matches!(path, "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/stdin" | "/dev/tty")
}

/// Adds the words of a command. Returns `None` if one of them is unknown, or may be a path outside of the workspace or
/// of a secret.
fn add_command(context: &Context<'_>, command: &Simple, facts: &mut CallFacts) -> Option<()> {
    let is_plain = command.is_itself
        && command.site == Site::Local
        && !command.program.is_empty()
        && (PROGRAMS.contains(&command.program.as_str())
            || WRITERS.contains(&command.program.as_str())
            || shows_version(command))
        && !shows_environment(command)
        && command.argv.iter().all(|word| word.known);
    if !is_plain {
        return None;
    }
    let folder = AbsPath::new(command.cwd.as_deref()?).ok()?;
    inside(context, &folder, ".")?;
    for word in command.argv.iter().skip(1) {
        if is_doubtful_word(context, &folder, &word.text) {
            return None;
        }
    }
    let words = command.via.iter().cloned().chain(command.argv.iter().map(|word| word.text.clone()));
    facts.commands.push(words.collect());
    Some(())
}

/// Subcommands of git that look only at the repository. WHY a list: others ask a server (`ls-remote`, `remote show`) or
/// show addresses and settings, which may have tokens.
const LOCAL_GIT: [&str; 25] = [
    "--version",
    "blame",
    "branch",
    "cat-file",
    "check-ignore",
    "count-objects",
    "describe",
    "diff",
    "diff-tree",
    "for-each-ref",
    "grep",
    "log",
    "ls-files",
    "ls-tree",
    "merge-base",
    "name-rev",
    "reflog",
    "rev-list",
    "rev-parse",
    "shortlog",
    "show",
    "show-ref",
    "stash",
    "status",
    "tag",
];

fn is_local_git(command: &Simple) -> bool {
    let words = command.argv.iter().skip(1).map(|word| word.text.as_str());
    let mut words = words.skip_while(|word| matches!(*word, "--no-pager" | "-P" | "--no-optional-locks"));
    words.next().is_some_and(|word| LOCAL_GIT.contains(&word))
}

/// Returns whether a program that only reads files is made to show variables or settings, or to read by its own code.
fn shows_environment(command: &Simple) -> bool {
    let has = |parts: &[&str]| {
        let mut words = command.argv.iter().skip(1);
        words.any(|word| parts.iter().any(|part| word.text.to_lowercase().contains(part)))
    };
    match command.program.as_str() {
        "jq" | "yq" => has(&["env", "input_filename", "load"]),
        "awk" | "gawk" | "mawk" => has(&["getline", "environ", "system"]),
        "git" => !is_local_git(command),
        _ => false,
    }
}

/// Adds the working folder of a search that names no path. Returns `None` if the search may show a secret.
fn add_searched_folder(context: &Context<'_>, command: &Simple, facts: &mut CallFacts) -> Option<()> {
    let folder = inside(context, &AbsPath::new(command.cwd.as_deref()?).ok()?, ".")?;
    if folder_survey::of(context, &folder, skips_hidden(command)) != Survey::Harmless {
        return None;
    }
    facts.folders.push(folder.to_string());
    Some(())
}

fn shows_version(command: &Simple) -> bool {
    let words: Vec<&str> = command.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    matches!(words.as_slice(), ["--version" | "-v" | "-V" | "version"])
}

/// Returns whether a search without a path reads the files of its folder.
fn is_recursive(command: &Simple) -> bool {
    !command.program.ends_with("grep")
        || command.argv.iter().skip(1).any(|word| {
            let text = word.text.as_str();
            text.contains("recursive") || text.starts_with('-') && text.contains(['r', 'R'])
        })
}

/// Returns whether a search leaves out files whose names begin with a dot.
fn skips_hidden(command: &Simple) -> bool {
    let shows = |text: &str| {
        text.starts_with("--hidden")
            || text.starts_with("--no-ignore")
            || text.starts_with("--unrestricted")
            || text.starts_with('-') && !text.starts_with("--") && text.contains(['u', '.'])
    };
    command.program == "rg" && !command.argv.iter().skip(1).any(|word| shows(&word.text))
}

/// Returns whether a word may name a path outside of the workspace or a secret. WHY although the reading has the paths
/// of a command: it lists what is sure to be read, and a program may read more.
pub(super) fn is_doubtful_word(context: &Context<'_>, folder: &AbsPath, word: &str) -> bool {
    if word.contains("://") {
        return true;
    }
    // `--file=PATH`, `REVISION:PATH`, `@PATH`, `open("PATH")`
    let pieces = word.split(|letter: char| letter.is_whitespace() || "=:@,;|&<>\"'`(){}[]".contains(letter));
    pieces.filter(|piece| !piece.is_empty()).any(|piece| is_doubtful_piece(context, folder, piece))
}

fn is_doubtful_piece(context: &Context<'_>, folder: &AbsPath, piece: &str) -> bool {
    if piece.starts_with('~') || is_secret(context, &folder.join(piece)) {
        return true;
    }
    if is_null(piece) {
        return false;
    }
    if piece.split('/').any(|step| step == "..") && inside(context, folder, piece).is_none() {
        return true;
    }
    // An absolute path, alone or behind letters: `-I/usr/include`, `r/etc/passwd`. Where no entry of the root has the
    // name, as in the pattern `/error/`, nothing can be read.
    let is_rooted = |at: usize| {
        let before = piece[..at].rsplit(['/']).next().unwrap_or_default();
        let continues_relative =
            at > 0 && (before.is_empty() || exists(&folder.join(&piece[..at]).to_string()));
        let first = piece[at + 1..].split('/').next().unwrap_or_default();
        !continues_relative && !first.is_empty() && exists(&format!("/{first}"))
    };
    let mut slashes = piece.match_indices('/').map(|(at, _)| at);
    if let Some(at) = slashes.find(|at| is_rooted(*at)) {
        let Ok(path) = AbsPath::new(&piece[at..]) else { return true };
        if !path.as_path().starts_with(context.workspace.root().as_path()) {
            return true;
        }
    }
    let path = folder.join(piece);
    exists(&path.to_string()) && inside(context, folder, piece).is_none_or(|real| is_secret(context, &real))
}

/// Returns whether a path leads to something, or to a link.
fn exists(path: &str) -> bool {
    Path::new(path).symlink_metadata().is_ok()
}

fn add_read(context: &Context<'_>, reading: &Reading, path: &PathUse, facts: &mut CallFacts) -> Option<()> {
    if path.site != Site::Local {
        return None;
    }
    // The pattern `/error/` of a stream editor may look like a path; where the root has no such entry, nothing is read.
    let first = path.path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_nowhere = !first.is_empty() && path.path.starts_with('/') && !exists(&format!("/{first}"));
    if is_null(&path.path) || is_nowhere {
        return Some(());
    }
    let real = match path.certainty {
        Certainty::Exact => inside(context, context.folder(), &path.path)?,
        Certainty::Pattern => {
            // The files are in the folder in front of the first star.
            let fixed = path.path.split(['*', '?', '[', '{']).next()?;
            let folder = inside(context, context.folder(), &fixed[..=fixed.rfind('/')?])?;
            if folder_survey::of(context, &folder, false) != Survey::Harmless {
                return None;
            }
            folder
        }
        Certainty::Below | Certainty::Unknown => return None,
    };
    if is_secret(context, &real) {
        return None;
    }
    if real.as_path().is_dir() {
        let command = reading.commands.get(path.command);
        let is_listed = command.is_some_and(|command| LIST_NAMES.contains(&command.program.as_str()));
        let hidden = command.is_some_and(skips_hidden);
        if !is_listed && folder_survey::of(context, &real, hidden) != Survey::Harmless {
            return None;
        }
        facts.folders.push(real.to_string());
    }
    facts.reads.push(real.to_string());
    Some(())
}

fn add_write(context: &Context<'_>, path: &PathUse, facts: &mut CallFacts) -> Option<()> {
    if is_null(&path.path) {
        return Some(());
    }
    if path.site != Site::Local || path.certainty != Certainty::Exact || path.recursive {
        return None;
    }
    facts.writes.push(inside(context, context.folder(), &path.path)?.to_string());
    Some(())
}
