//! The built-in tools of specification 003, and the corresponding tools of each host.
//!
//! One row per tool: its name in definitions, its kind in the hosts' tables, and its names in hosts.
//! A name in two rows does the work of both tools.

use std::collections::BTreeSet;

use event::ToolKind;

/// A built-in tool of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Builtin {
    /// Reads files.
    Read,
    /// Creates and replaces files.
    Write,
    /// Changes files that exist.
    Edit,
    /// Finds files by name.
    Glob,
    /// Searches in files.
    Grep,
    /// Runs command lines.
    Bash,
    /// Fetches a page.
    WebFetch,
    /// Searches the web.
    WebSearch,
}

struct Row {
    builtin: Builtin,
    name: &'static str,
    also: &'static [&'static str],
}

const ROWS: [Row; 8] = [
    Row {
        builtin: Builtin::Read,
        name: "Read",
        also: &[
            "read_file",
            "view_image",
            "view",
            "read",
            "read_many_files",
            "NotebookRead",
            "fs_read",
            "get_errors",
            "list_dir",
            "list_directory",
            "LS",
            "ls",
            "list_files",
        ],
    },
    Row {
        builtin: Builtin::Write,
        name: "Write",
        also: &[
            "create_file",
            "write_file",
            "create",
            "write",
            "write_to_file",
            "create_directory",
            "Delete",
            "delete",
            "create_new_jupyter_notebook",
            "create_new_workspace",
            "fs_write",
            "str_replace_editor",
            "memory",
        ],
    },
    Row {
        builtin: Builtin::Edit,
        name: "Edit",
        also: &[
            "MultiEdit",
            "NotebookEdit",
            "replace_string_in_file",
            "multi_replace_string_in_file",
            "insert_edit_into_file",
            "edit_notebook_file",
            "edit",
            "str_replace",
            "insert",
            "StrReplace",
            "EditNotebook",
            "replace",
            "replace_in_file",
            "edit_file",
            "str_replace_editor",
            "fs_write",
            "memory",
        ],
    },
    Row {
        builtin: Builtin::Glob,
        name: "Glob",
        also: &["file_search", "glob", "list_dir", "list_directory", "LS", "ls", "list_files"],
    },
    Row {
        builtin: Builtin::Grep,
        name: "Grep",
        also: &[
            "grep_search",
            "grep",
            "rg",
            "semantic_search",
            "list_code_usages",
            "search_file_content",
            "search_files",
            "codebase_search",
            "Search",
            "SemanticSearch",
        ],
    },
    Row {
        builtin: Builtin::Bash,
        name: "Bash",
        also: &["PowerShell", "bash", "powershell", "Shell", "run_in_terminal", "run_shell_command"],
    },
    Row {
        builtin: Builtin::WebFetch,
        name: "WebFetch",
        also: &["fetch_webpage", "web_fetch", "webfetch", "github_repo", "open_simple_browser"],
    },
    Row {
        builtin: Builtin::WebSearch,
        name: "WebSearch",
        also: &["web_search", "google_web_search", "websearch"],
    },
];

/// Names that every project may use in addition to those of its hosts.
const OTHER: [&str; 11] = [
    "Task",
    "Agent",
    "TodoWrite",
    "TodoRead",
    "NotebookEdit",
    "NotebookRead",
    "MultiEdit",
    "LS",
    "PowerShell",
    "ExitPlanMode",
    "apply_patch",
];

impl Builtin {
    /// All built-in tools.
    pub const ALL: [Self; 8] = [
        Self::Read,
        Self::Write,
        Self::Edit,
        Self::Glob,
        Self::Grep,
        Self::Bash,
        Self::WebFetch,
        Self::WebSearch,
    ];

    /// Returns its name in definitions.
    pub const fn as_str(self) -> &'static str {
        ROWS[self as usize].name
    }

    /// Returns the tool with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.builtin)
    }

    /// Returns the built-in tools whose work a host's tool does, by its name and kind.
    ///
    /// A tool that is in no row does the work of every tool of its kind.
    pub(crate) fn behind(name: &str, kind: &ToolKind) -> Vec<Self> {
        let of_kind: &[Self] = match kind {
            ToolKind::Read => &[Self::Read],
            ToolKind::Write => &[Self::Write, Self::Edit],
            ToolKind::Shell => &[Self::Bash],
            ToolKind::Search => &[Self::Glob, Self::Grep],
            ToolKind::Fetch => &[Self::WebFetch, Self::WebSearch],
            ToolKind::Subagent | ToolKind::Mcp { .. } | ToolKind::Harmless | ToolKind::Unknown => &[],
        };
        // Names select among tools of one kind; they never change the kind. Only listing a folder
        // counts as reading for some hosts and as searching for others.
        let fits = |it: &Self| of_kind.contains(it) || (*it == Self::Glob && *kind == ToolKind::Read);
        let named = |row: &&Row| row.name == name || row.also.contains(&name);
        let by_name: Vec<Self> = ROWS.iter().filter(named).map(|row| row.builtin).filter(fits).collect();
        if by_name.is_empty() { of_kind.to_vec() } else { by_name }
    }
}

/// All names that a tool list may contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolNames {
    names: BTreeSet<String>,
}

impl Default for ToolNames {
    /// Returns the names that are known without any host.
    fn default() -> Self {
        Self::new([] as [&str; 0])
    }
}

impl ToolNames {
    /// Creates a set with the names of the hosts' tools.
    pub fn new<N: Into<String>>(hosts: impl IntoIterator<Item = N>) -> Self {
        let mut names: BTreeSet<String> = hosts.into_iter().map(Into::into).collect();
        names.extend(
            ROWS.iter().flat_map(|row| row.also.iter().chain([&row.name])).map(|it| (*it).to_owned()),
        );
        names.extend(OTHER.map(str::to_owned));
        Self { names }
    }

    /// Adds the project's own tools.
    #[must_use]
    pub fn with<N: Into<String>>(mut self, custom: impl IntoIterator<Item = N>) -> Self {
        self.names.extend(custom.into_iter().map(Into::into));
        self
    }

    /// Returns whether a tool has this name.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns all names, sorted.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}
