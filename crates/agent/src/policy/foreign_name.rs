//! The names of tool groups in agent files of VS Code, Copilot and Claude Code.

use super::tool_pattern::Group::{self, Builtin, Harmless, Subagent};
use crate::tool_name::Builtin::{Bash, Edit, Glob, Grep, Read, WebFetch, WebSearch, Write};

const READS: &[Group] = &[Builtin(Read), Builtin(Glob)];
const SEARCHES: &[Group] = &[Builtin(Read), Builtin(Glob), Builtin(Grep)];
const EDITS: &[Group] = &[Builtin(Write), Builtin(Edit)];
const RUNS: &[Group] = &[Builtin(Bash)];
const FETCHES: &[Group] = &[Builtin(WebFetch), Builtin(WebSearch)];
const DELEGATES: &[Group] = &[Subagent];
const TALKS: &[Group] = &[Harmless];

const ROWS: &[(&[Group], &[&str])] = &[
    (READS, &["read", "readfile", "notebookread", "problems", "view", "ls"]),
    (
        SEARCHES,
        &[
            "search",
            "codebase",
            "usages",
            "findtestfiles",
            "searchresults",
            "changes",
            "textsearch",
            "filesearch",
            "listdirectory",
            "grep",
            "glob",
        ],
    ),
    (
        EDITS,
        &[
            "edit",
            "editfiles",
            "multiedit",
            "write",
            "notebookedit",
            "createfile",
            "createdirectory",
            "new",
            "editnotebook",
            "editnotebooks",
        ],
    ),
    (
        RUNS,
        &[
            "execute",
            "shell",
            "bash",
            "powershell",
            "runcommands",
            "runtasks",
            "runtests",
            "runinterminal",
            "terminal",
            "runnotebooks",
            "runcommand",
            "runtask",
            "createandruntask",
        ],
    ),
    (FETCHES, &["web", "fetch", "websearch", "webfetch", "githubrepo", "opensimplebrowser"]),
    (DELEGATES, &["agent", "custom-agent", "task", "runsubagent"]),
    (
        TALKS,
        &[
            "todo",
            "todos",
            "todowrite",
            "vscode",
            "vscodeapi",
            "extensions",
            "testfailure",
            "terminallastcommand",
            "terminalselection",
            "think",
            "exitplanmode",
            "askuserquestion",
        ],
    ),
];

/// Returns the groups of a name in a foreign list, ignoring case.
pub(super) fn groups(name: &str) -> Option<&'static [Group]> {
    let lower = name.to_ascii_lowercase();
    // `edit/editFiles` is a tool of the set `edit`.
    let (set, tool) = lower.split_once('/').unwrap_or(("", &lower));
    let find = |word: &str| ROWS.iter().find(|(_, names)| names.contains(&word)).map(|(groups, _)| *groups);
    let own_set =
        matches!(set, "" | "read" | "search" | "edit" | "execute" | "web" | "agent" | "vscode" | "todo");
    if !own_set {
        return None;
    }
    if set == "execute" || set == "edit" {
        return find(set);
    }
    find(tool).or_else(|| find(set))
}
