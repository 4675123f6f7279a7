//! What can be found in the input of a tool that no table knows.
//!
//! Fields that carry a path or a command are called the same by most tools of most
//! programs; asking for all of them is better than to let an unknown tool write where
//! it likes.

use event::{Access, Dialect};
use serde_json::Value;

use super::findings::{Findings, texts};
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
/// Tools whose `command` is a sub-action, whoever offers them.
const EDITORS: [&str; 4] = ["memory", "str_replace_editor", "str_replace_based_edit_tool", "fs_write"];
const FOLDERS: [&str; 3] = ["cwd", "working_directory", "workdir"];

/// Reads everything a tool of this name may be telling.
pub(crate) fn read(name: &str, input: &Value) -> Findings {
    let mut findings = Findings::default();
    if EDITORS.contains(&name) {
        paths(input, tool::access(texts(input, "command").first().copied()), &mut findings);
        return findings;
    }
    both_ends(name, input, &mut findings);
    paths(input, access(name, input), &mut findings);
    if !texts(input, "command").iter().any(|text| text.contains("*** Begin Patch")) {
        command(name, input, &mut findings);
    }
    findings
}

/// Adds the command line, and the folder it is run in.
pub(crate) fn command(name: &str, input: &Value, findings: &mut Findings) {
    for place in COMMANDS {
        findings.run(input, place, dialect(name));
    }
    if let Some(command) = &mut findings.command {
        let folder = FOLDERS.iter().find_map(|place| texts(input, place).first().copied());
        command.cwd = folder.map(str::to_owned);
    }
}

/// Adds the paths, all with the same access, and those of patches with their own.
pub(crate) fn paths(input: &Value, access: Access, findings: &mut Findings) {
    for place in PATHS {
        findings.touch_all(input, place, access);
    }
    if let Value::String(text) = input {
        patch::read(text, findings);
    }
    for place in PATCHES {
        for text in texts(input, place) {
            patch::read(text, findings);
        }
    }
}

/// Adds what is moved or copied, and where to; no other tool names both.
fn both_ends(tool: &str, input: &Value, findings: &mut Findings) {
    if let ([from], [to]) = (texts(input, "source").as_slice(), texts(input, "destination").as_slice()) {
        let copies = first_word(tool).eq_ignore_ascii_case("copy");
        findings.touch(from, if copies { Access::Read } else { Access::Delete });
        findings.touch(to, Access::Write);
    }
}

/// WHY: a tool nobody knows writes, unless its name begins with a word for looking and
/// it is given nothing to write.
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

/// Returns `read` of `read_file`, `readFile` and `read-file`.
fn first_word(tool: &str) -> &str {
    let rest = tool.char_indices().skip(1);
    let end = rest.filter(|(_, letter)| !letter.is_ascii_lowercase()).map(|(index, _)| index).next();
    end.and_then(|end| tool.get(..end)).unwrap_or(tool)
}

fn dialect(tool: &str) -> Dialect {
    let name = tool.to_ascii_lowercase();
    if name.contains("powershell") || name.contains("pwsh") { Dialect::PowerShell } else { TERMINAL }
}
