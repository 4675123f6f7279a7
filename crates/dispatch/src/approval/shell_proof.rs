//! The proof that a command line is harmless.

use event::{AbsPath, CommandLine, Dialect};
use host::user_rules::CallFacts;
use modules::Context;
use shell::guard::{Policy, judge};
use shell::{Arg, Certainty, Class, PathUse, Reading, Simple, Site};

use super::call_paths::{self, inside, is_secret, is_stream};
use super::doubtful_word::{exists, is_doubtful_word, is_null, names_device};
use super::folder_survey::{self, Shown, Survey};
use super::{
    Basis, endless, expansion, fed_names, git_read, name_pattern, option_list, plain_text, version_query,
};

/// Programs that show the content of every file below a folder.
const SEARCH_CONTENT: [&str; 7] = ["grep", "egrep", "fgrep", "zgrep", "ag", "ack", "rg"];

/// Programs that only name the files in a folder.
const LIST_NAMES: [&str; 15] = [
    "ls", "tree", "df", "du", "stat", "test", "[", "file", "cd", "realpath", "find", "fd", "basename",
    "dirname", "pwd",
];

/// Returns the basis of a harmless command line, with its facts. Returns `None` without a proof.
pub(super) fn of(context: &Context<'_>, command: &CommandLine) -> Option<(Basis, CallFacts)> {
    if command.dialect != Dialect::Posix || !context.earlier_lines().is_empty() {
        return None;
    }
    if sets_variable(&command.text) || endless::is_line(&command.text) || !is_closed(context, &command.text)?
    {
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
    if !is_calm || reading.commands.is_empty() || makes_repository(reading) {
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
    let leads_away = |word: &String| {
        is_doubtful_word(context, context.folder(), word)
            || expansion::is_pattern(word) && expansion::of(context, context.folder(), word).is_none()
    };
    Some(
        !around.is_open_ended
            && around.parameters.iter().all(is_own)
            && !names_device(line)
            && !around.words.iter().any(leads_away),
    )
}

/// Names of files and folders that make a folder a repository of git, or change what git runs in it.
const OF_REPOSITORY: [&str; 8] =
    ["head", "config", "config.worktree", "objects", "refs", "hooks", "commondir", "index"];

/// Returns whether a line that starts git also writes a file that a repository consists of: git would obey settings that
/// are not there yet.
fn makes_repository(reading: &Reading) -> bool {
    let is_of_repository = |path: &PathUse| {
        path.path.split('/').any(|step| OF_REPOSITORY.contains(&step.to_ascii_lowercase().as_str()))
    };
    reading.commands.iter().any(|command| command.program == "git")
        && reading.writes.iter().chain(&reading.creates).any(is_of_repository)
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

/// Adds the words of a command. Returns `None` if one of them is unknown, or may be a path outside of the workspace or
/// of a secret.
fn add_command(context: &Context<'_>, command: &Simple, class: Class, facts: &mut CallFacts) -> Option<()> {
    let is_plain = command.is_itself
        && command.site == Site::Local
        && !command.program.is_empty()
        && !shows_environment(command)
        && !endless::is_command(command)
        && command.argv.iter().all(|word| word.known || plain_text::is_exit_code(command, &word.text))
        // `ls.exe` is another program.
        && !command.argv.first().is_some_and(|word| word.text.to_ascii_lowercase().ends_with(".exe"))
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
        _ => {
            (option_list::permits(command) || version_query::is_in(context, command, &folder))
                .then_some(())?;
        }
    }
    let texts = plain_text::positions(command);
    for (at, word) in command.argv.iter().enumerate().skip(1) {
        let is_doubtful = !texts.contains(&at) && is_doubtful_word(context, &folder, &word.text);
        if is_doubtful || word.glob && expansion::of(context, &folder, &word.text).is_none() {
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
    let Some(sorted) = option_list::sorted_words(command) else { return Shown::All };
    if command.program.ends_with("grep") {
        let included = sorted.values.iter().filter(|(option, _)| option == "--include");
        let endings: Option<Vec<_>> =
            included.map(|(_, value)| name_pattern::extension(context, value)).collect();
        return endings
            .filter(|endings| !endings.is_empty())
            .map_or(Shown::All, |endings| Shown::Ending(endings.concat()));
    }
    let mut words = command.argv.iter().skip(1);
    if command.program != "rg" || words.any(|word| shows_hidden(&word.text)) {
        return Shown::All;
    }
    // A pattern or a kind that fits shows a file whose name begins with a dot.
    let mut endings = Vec::new();
    for (option, value) in sorted.values {
        let found = match option.as_str() {
            "g" | "--glob" | "--iglob" if value.starts_with('!') => Some(Vec::new()),
            "g" | "--glob" | "--iglob" => name_pattern::extension(context, value),
            "t" | "--type" => name_pattern::of_kind(value),
            _ => Some(Vec::new()),
        };
        let Some(found) = found else { return Shown::All };
        endings.extend(found);
    }
    Shown::Visible(endings)
}

fn add_read(context: &Context<'_>, reading: &Reading, path: &PathUse, facts: &mut CallFacts) -> Option<()> {
    if path.site != Site::Local {
        return None;
    }
    // The pattern `/error/` of a stream editor may look like a path; where the root has no such entry, nothing is read.
    let first = path.path.trim_start_matches('/').split('/').next().unwrap_or_default();
    let is_nowhere = !first.is_empty()
        && path.certainty == Certainty::Exact
        && path.path.starts_with('/')
        && !exists(&format!("/{first}"));
    if is_null(&path.path) || is_nowhere {
        return Some(());
    }
    let command = reading.commands.get(path.command);
    match path.certainty {
        Certainty::Exact => {
            let real = inside(context, context.folder(), &path.path)?;
            add_file(context, command, &real, facts)
        }
        // Any file below, as the names that another command supplies.
        Certainty::Pattern if path.path.ends_with("/**") => {
            let folder = path.path.trim_end_matches("**");
            let folder = inside(context, context.folder(), folder)?;
            let is_harmless =
                folder_survey::of(context, &folder, &fed_names::of(context, reading)) == Survey::Harmless;
            add_folder(&folder, facts);
            is_harmless.then_some(())
        }
        Certainty::Pattern => {
            let files = expansion::of(context, context.folder(), &path.path)?;
            files.iter().try_for_each(|file| add_file(context, command, file, facts))
        }
        Certainty::Below | Certainty::Unknown => None,
    }
}

/// Adds a file or folder that a command reads. Returns `None` if that shows a secret, or does not end.
fn add_file(
    context: &Context<'_>,
    command: Option<&Simple>,
    real: &AbsPath,
    facts: &mut CallFacts,
) -> Option<()> {
    let only_names = command.is_some_and(|command| LIST_NAMES.contains(&command.program.as_str()));
    // Also where only the name is shown: it may become a word of another command.
    if is_secret(context, real) || !only_names && is_stream(real) {
        return None;
    }
    if !real.as_path().is_dir() {
        facts.reads.push(real.to_string());
        return Some(());
    }
    let shown = command.map_or(Shown::All, |command| shown_by(context, command));
    if !only_names && folder_survey::of(context, real, &shown) != Survey::Harmless {
        return None;
    }
    add_folder(real, facts);
    Some(())
}

fn add_folder(folder: &AbsPath, facts: &mut CallFacts) {
    facts.folders.push(folder.to_string());
    facts.reads.push(folder.to_string());
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
