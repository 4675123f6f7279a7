//! Finds paths and commands in the input of an unknown tool.
//!
//! Most tools of most programs use the same names for fields with a path or a command; checking all
//! of them is better than letting an unknown tool write anywhere.

use event::{Access, Dialect};
use serde_json::Value;

use super::input_facts::{InputFacts, texts};
use super::patch;
use super::tool::{self, TERMINAL};

const PATHS: [&str; 16] = [
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "target_file",
    "dirPath",
    "dir_path",
    "relative_path",
    "absolute_path",
    "old_path",
    "new_path",
    "paths",
    "replacements[].filePath",
    "edits[].file_path",
    "operations[].path",
    "files",
];
const PATCHES: [&str; 5] = ["input", "patch", "patchText", "diff", "command"];
const COMMANDS: [&str; 4] = ["command", "command_line", "cmd", "tool_info.command_line"];
/// Tools of any program whose `command` is a sub-action.
const EDITORS: [&str; 4] = ["memory", "str_replace_editor", "str_replace_based_edit_tool", "fs_write"];
const FOLDERS: [&str; 3] = ["cwd", "working_directory", "workdir"];

/// Reads all paths, patches and commands in the input of a tool.
pub(crate) fn read(name: &str, input: &Value) -> InputFacts {
    let mut facts = InputFacts::default();
    if EDITORS.contains(&name) {
        paths(input, tool::access(texts(input, "command").first().copied()), &mut facts);
        return facts;
    }
    both_ends(name, input, &mut facts);
    paths(input, access(name, input), &mut facts);
    if !texts(input, "command").iter().any(|text| text.contains("*** Begin Patch")) {
        command(name, input, &mut facts);
    }
    facts
}

/// Adds the command line, and its working folder.
pub(crate) fn command(name: &str, input: &Value, facts: &mut InputFacts) {
    for place in COMMANDS {
        facts.run(input, place, dialect(name));
    }
    if let Some(command) = &mut facts.command {
        let folder = FOLDERS.iter().find_map(|place| texts(input, place).first().copied());
        command.cwd = folder.map(str::to_owned);
    }
}

/// Adds the paths, all with the same access, and those of patches with their own.
pub(crate) fn paths(input: &Value, access: Access, facts: &mut InputFacts) {
    for place in PATHS {
        facts.touch_all(input, place, access);
    }
    if let Value::String(text) = input {
        patch::read(text, facts);
    }
    for place in PATCHES {
        for text in texts(input, place) {
            patch::read(text, facts);
        }
    }
}

/// Adds source and destination of a move or copy; no other tool has both.
fn both_ends(tool: &str, input: &Value, facts: &mut InputFacts) {
    if let ([from], [to]) = (texts(input, "source").as_slice(), texts(input, "destination").as_slice()) {
        let copies = first_word(tool).eq_ignore_ascii_case("copy");
        facts.touch(from, if copies { Access::Read } else { Access::Delete });
        facts.touch(to, Access::Write);
    }
}

/// WHY: an unknown tool writes, unless its name begins with a reading verb and its input contains
/// nothing to write.
fn access(tool: &str, input: &Value) -> Access {
    const LOOKING: [&str; 12] = [
        "read", "get", "list", "search", "find", "view", "show", "grep", "glob", "stat", "describe", "query",
    ];
    const GIVEN: [&str; 7] =
        ["content", "contents", "file_text", "new_string", "newString", "new_str", "edits"];
    let word = first_word(tool.strip_prefix("fs_").unwrap_or(tool));
    let is = |name: &&str| word.eq_ignore_ascii_case(name);
    if LOOKING.iter().any(is) && GIVEN.iter().all(|field| input.get(field).is_none()) {
        Access::Read
    } else if ["delete", "remove"].iter().any(is) {
        Access::Delete
    } else {
        Access::Write
    }
}

/// Returns `read` for `read_file`, `readFile` and `read-file`.
fn first_word(tool: &str) -> &str {
    let rest = tool.char_indices().skip(1);
    let end = rest.filter(|(_, letter)| !letter.is_ascii_lowercase()).map(|(index, _)| index).next();
    end.and_then(|end| tool.get(..end)).unwrap_or(tool)
}

fn dialect(tool: &str) -> Dialect {
    let name = tool.to_ascii_lowercase();
    if name.contains("powershell") || name.contains("pwsh") { Dialect::PowerShell } else { TERMINAL }
}
