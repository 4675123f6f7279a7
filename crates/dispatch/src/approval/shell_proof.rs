//! The proof that a command line is harmless.

use std::path::Path;

use event::{AbsPath, CommandLine, Dialect};
use host::user_rules::CallFacts;
use modules::Context;
use shell::guard::{Policy, judge};
use shell::{Arg, Certainty, Class, PathUse, Reading, Simple, Site};

use super::call_paths::{self, inside, is_secret};
use super::folder_survey::{self, Shown, Survey};
use super::{Basis, git_read, name_pattern, option_list};

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
    if sets_variable(&command.text) || !is_closed(context, &command.text)? {
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
        add_command(context, command, reading.class, &mut facts)?;
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

/// Parameters of the shell that tell nothing but the state of the line.
const OWN_PARAMETERS: [&str; 3] = ["?", "#", "PWD"];

/// Returns whether a line uses no variable that it has not set, tests no file outside of the workspace, and ends.
fn is_closed(context: &Context<'_>, line: &str) -> Option<bool> {
    let around = shell::surroundings(line)?;
    let is_own = |name: &String| OWN_PARAMETERS.contains(&name.as_str());
    Some(
        !around.is_open_ended
            && around.parameters.iter().all(is_own)
            && !around.words.iter().any(|word| is_doubtful_word(context, context.folder(), word)),
    )
}

/// Returns whether a line sets a variable that may change what a program runs or reads: `PATH=/tmp:$PATH ls`.
fn sets_variable(line: &str) -> bool {
    const HARMLESS: [&str; 8] =
        ["LC_ALL", "LANG", "TZ", "NO_COLOR", "COLUMNS", "FORCE_COLOR", "CLICOLOR", "TERM"];
    let words = line.split(|letter: char| letter.is_whitespace() || ";|&(){}`".contains(letter));
    words.filter_map(|word| word.split_once('=')).any(|(name, value)| {
        let name = name.trim_end_matches('+');
        // Some of them may also be the path of a file: `TZ=Europe/Berlin`, `TZ=/etc/passwd`.
        let is_plain = !value.starts_with(['/', ':', '.'])
            && !value.contains("..")
            && value.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.+@,/".contains(letter));
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        is_name && !(HARMLESS.contains(&name) && is_plain) && !is_plain_variable(name)
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
fn add_command(context: &Context<'_>, command: &Simple, class: Class, facts: &mut CallFacts) -> Option<()> {
    let is_plain = command.is_itself
        && command.site == Site::Local
        && !command.program.is_empty()
        && !shows_environment(command)
        && command.argv.iter().all(|word| word.known)
        // Another priority than that of the shell.
        && !command.via.iter().any(|program| program == "nice");
    if !is_plain {
        return None;
    }
    let folder = AbsPath::new(command.cwd.as_deref()?).ok()?;
    inside(context, &folder, ".")?;
    match command.program.as_str() {
        "git" => git_read::add(context, command, facts)?,
        "find" => option_list::permits_find(command).then_some(())?,
        _ => (option_list::permits(command) || option_list::shows_version(command)).then_some(())?,
    }
    for word in command.argv.iter().skip(1) {
        if is_doubtful_word(context, &folder, &word.text) {
            return None;
        }
    }
    if !expands_to_names(context, command, &folder, class) {
        return None;
    }
    let words = command.via.iter().cloned().chain(command.argv.iter().map(|word| word.text.clone()));
    facts.commands.push(words.collect());
    if command.program == "[" {
        let words = command.argv.iter().skip(1).map(|word| word.text.clone());
        facts.commands.push(std::iter::once("test".to_owned()).chain(words).collect());
    }
    Some(())
}

/// Programs that take any number of files, and nothing else among them: a pattern of names is then a list of reads.
const READ_MANY: [&str; 45] = [
    "ack",
    "ag",
    "awk",
    "b2sum",
    "bat",
    "cat",
    "cksum",
    "column",
    "cut",
    "diff",
    "du",
    "echo",
    "egrep",
    "expand",
    "fgrep",
    "file",
    "fmt",
    "fold",
    "gawk",
    "grep",
    "head",
    "hexdump",
    "jq",
    "ls",
    "mawk",
    "md5sum",
    "nl",
    "od",
    "paste",
    "printf",
    "rg",
    "sed",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "shasum",
    "sort",
    "stat",
    "strings",
    "tac",
    "tail",
    "tree",
    "wc",
];

/// Programs that do more than read, and to which a pattern of names is nothing but names: in a loop, one at a time.
const TAKE_NAMES: [&str; 7] = ["[", "basename", "dirname", "git", "readlink", "realpath", "test"];

/// Programs of which the first word is not a file.
const FIRST_IS_CODE: [&str; 11] =
    ["ack", "ag", "awk", "egrep", "fgrep", "gawk", "grep", "jq", "mawk", "rg", "sed"];

/// Programs of which a word may be any text, with the signs of patterns in it.
const FREE_TEXT: [&str; 8] = ["expr", "fd", "find", "git", "test", "tr", "xargs", "["];

/// Returns whether the patterns among the words, and the words that another command supplies, can only be names of files to
/// read.
fn expands_to_names(context: &Context<'_>, command: &Simple, folder: &AbsPath, class: Class) -> bool {
    let program = command.program.as_str();
    let words = command.argv.get(1..).unwrap_or_default();
    let takes_many = READ_MANY.contains(&program);
    // `@(a|b)` and its like are patterns in some shells.
    let is_extended = |word: &Arg| ["@(", "!(", "+(", "?(", "*("].iter().any(|sign| word.text.contains(sign));
    let is_free = FREE_TEXT.contains(&program)
        || FIRST_IS_CODE.contains(&program)
        || matches!(program, "echo" | "printf" | "yq");
    if !is_free && words.iter().any(is_extended) {
        return false;
    }
    let first_operand = words.iter().position(|word| !word.text.starts_with('-'));
    if command.via.iter().any(|wrapper| wrapper == "xargs") {
        let is_reader = takes_many || matches!(program, "basename" | "dirname" | "realpath" | "xargs");
        // Without code of its own, the first name would be the code.
        let has_code = !FIRST_IS_CODE.contains(&program) || first_operand.is_some_and(|at| !words[at].glob);
        if !is_reader || !has_code || folder_survey::has_dashed_name(context, folder, true) {
            return false;
        }
    }
    let mut patterns = words.iter().enumerate().filter(|(_, word)| word.glob).peekable();
    if patterns.peek().is_none() {
        return true;
    }
    let is_safe = |(index, word): (usize, &Arg)| {
        let may_be_option = word.text.starts_with(['*', '?', '[', '@', '!', '+', '-']);
        (takes_many || TAKE_NAMES.contains(&program))
            && !(FIRST_IS_CODE.contains(&program) && first_operand == Some(index))
            // What an earlier command of the line creates is not there yet.
            && (!may_be_option || class == Class::ReadOnly && !folder_survey::has_dashed_name(context, folder, false))
    };
    patterns.all(is_safe)
}

/// Returns whether a program that only reads files is made to show variables or settings, or to read by its own code.
fn shows_environment(command: &Simple) -> bool {
    let has = |parts: &[&str]| {
        let mut words = command.argv.iter().skip(1);
        words.any(|word| parts.iter().any(|part| word.text.to_lowercase().contains(part)))
    };
    match command.program.as_str() {
        "jq" | "yq" => {
            has(&["env", "input_filename", "load", "import", "include", "modulemeta", "input_line"])
        }
        "awk" | "gawk" | "mawk" => {
            has(&["getline", "environ", "system", "argv", "argc", "procinfo", "symtab", "@"])
        }
        _ => false,
    }
}

/// Adds the working folder of a search that names no path. Returns `None` if the search may show a secret.
fn add_searched_folder(context: &Context<'_>, command: &Simple, facts: &mut CallFacts) -> Option<()> {
    let folder = inside(context, &AbsPath::new(command.cwd.as_deref()?).ok()?, ".")?;
    if folder_survey::of(context, &folder, &shown_by(context, command)) != Survey::Harmless {
        return None;
    }
    facts.folders.push(folder.to_string());
    Some(())
}

/// Returns whether a search without a path reads the files of its folder.
fn is_recursive(command: &Simple) -> bool {
    !command.program.ends_with("grep")
        || command.argv.iter().skip(1).any(|word| {
            let text = word.text.as_str();
            text.contains("recursive") || text.starts_with('-') && text.contains(['r', 'R'])
        })
}

/// Returns which files below a folder a search shows.
fn shown_by(context: &Context<'_>, command: &Simple) -> Shown {
    let shows_hidden = |text: &str| {
        text.starts_with("--hidden")
            || text.starts_with("--no-ignore")
            || text.starts_with("--unrestricted")
            || text.starts_with('-') && !text.starts_with("--") && text.contains(['u', '.'])
    };
    let words: Vec<&str> = command.argv.iter().skip(1).map(|word| word.text.as_str()).collect();
    if command.program != "rg" || words.iter().any(|word| shows_hidden(word)) {
        return Shown::All;
    }
    // A pattern or a kind that fits shows a file whose name begins with a dot.
    let Some(values) = option_list::values(command) else { return Shown::All };
    let mut endings = Vec::new();
    for (option, value) in values {
        let found = match option.as_str() {
            "g" | "--glob" | "--iglob" if value.starts_with('!') => Some(Vec::new()),
            "g" | "--glob" | "--iglob" => name_pattern::extension(context, &value),
            "t" | "--type" => name_pattern::of_kind(&value),
            _ => Some(Vec::new()),
        };
        let Some(found) = found else { return Shown::All };
        endings.extend(found);
    }
    Shown::Visible(endings)
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
            if folder_survey::of(context, &folder, &Shown::All) != Survey::Harmless {
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
        let shown = command.map_or(Shown::All, |command| shown_by(context, command));
        if !is_listed && folder_survey::of(context, &real, &shown) != Survey::Harmless {
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
    let real = inside(context, context.folder(), &path.path)?;
    call_paths::add_write(context, &real, facts)
}
