//! The meaning of a field by its name, and by what its tool is for.

use super::program::ToolName;

/// The meaning of the value of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Path,
    Address,
    Command,
    Code,
    Statement,
    Query,
    /// A search for words: a statement only if it cannot be anything else.
    Question,
    /// Text for people or for a file: never a path, however it looks.
    Prose,
    Other,
}

impl Key {
    /// Returns whether a string of this name that is JSON may be an input by itself, not text for a file or for people.
    pub(super) fn is_data(name: &str) -> bool {
        let lower = name.to_ascii_lowercase();
        ["params", "parameters", "arguments", "args", "input", "payload", "options", "request", "json"]
            .iter()
            .any(|known| lower.ends_with(known))
    }

    /// Reads `filePath`, `file_path` and `target-file` alike: the last words count. `runs_code` if something is known
    /// that runs code.
    pub(super) fn of(name: &str, tool: &ToolName, runs_code: bool) -> Self {
        let mut plain = String::new();
        for letter in name.chars().filter(char::is_ascii_alphanumeric) {
            plain.push(letter.to_ascii_lowercase());
        }
        let ends = |words: &[&str]| words.iter().any(|word| plain.ends_with(word));
        match plain.as_str() {
            "script" | "source" | "program" if runs_code => Self::Code,
            "command" | "cmd" | "commandline" | "commands" | "shellcommand" | "bash" | "shell"
            | "commandtorun" | "exec" | "script" => Self::Command,
            "python" | "javascript" | "snippet" | "expression" => Self::Code,
            "run" if !tool.is_search() => Self::Command,
            _ if ends(&["command", "cmd", "commandline"]) => Self::Command,
            // Text for a terminal.
            "input" | "text" | "data" | "keys" | "stdin" | "line" if tool.is_terminal() => Self::Command,
            "sql" | "statement" | "statements" | "sqlquery" | "ddl" => Self::Statement,
            "query" | "queries" | "q" if tool.is_search() => Self::Question,
            "query" | "queries" | "q" => Self::Query,
            "text" | "content" | "body" | "input" if tool.is_database() => Self::Query,
            "content" | "contents" | "text" | "body" | "message" | "description" | "prompt" | "title"
            | "filetext" | "newstring" | "oldstring" | "newstr" | "oldstr" | "newtext" | "oldtext"
            | "data" | "summary" | "comment" | "pattern" | "regex" => Self::Prose,
            "url" | "href" | "endpoint" | "link" | "website" | "webpage" | "address" => Self::Address,
            _ if ends(&["url", "urls", "href"]) => Self::Address,
            _ if ends(&["code"]) => Self::Code,
            _ if ends(&[
                "path",
                "paths",
                "file",
                "files",
                "filename",
                "dir",
                "directory",
                "folder",
                "uri",
                "dest",
            ]) || matches!(
                plain.as_str(),
                "source" | "destination" | "target" | "from" | "to" | "location"
            ) =>
            {
                Self::Path
            }
            _ => Self::Other,
        }
    }
}
