//! Where each host is told of our MCP server: one plan per settings file.

use serde_json::{Map, Value, json};

use super::program::Program;
use crate::Host;

/// Everything about the MCP server in one settings file.
#[derive(Debug)]
pub struct ServerPlan {
    /// The file, relative to the workspace, with `/`.
    pub file: &'static str,
    /// Who reads it.
    pub hosts: &'static [Host],
    /// The key below which servers stand by their names.
    pub key: &'static str,
    /// What the file is written in.
    pub form: Form,
    /// Whether an entry says how it is spoken to.
    pub typed: bool,
    /// Whether the server has to be told the workspace, since the host starts it elsewhere.
    pub told_workspace: bool,
    /// What a person has to know or do; shown after registering.
    pub notes: &'static [&'static str],
}

/// What a settings file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JSON with comments.
    Json,
    /// TOML.
    Toml,
}

/// The name the server has with every host. Hosts make the names of its tools of it.
pub(super) const NAME: &str = "steersman";

/// The word behind the program that starts the server; an entry is ours by it.
pub(super) const VERB: &str = "mcp";

/// What VS Code and Cursor put the folder of the project in place of.
const FOLDER: &str = "${workspaceFolder}";

impl ServerPlan {
    /// Every plan.
    pub const ALL: [&'static Self; 6] = [&CLAUDE_AND_COPILOT, &VSCODE, &CODEX, &GEMINI, &CURSOR, &QWEN];

    /// Returns the plan that serves this host; `raw` is no program to register with.
    pub fn of(host: Host) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|plan| plan.hosts.contains(&host))
    }

    /// Returns the words behind the program.
    pub(super) fn args(&self) -> Vec<&'static str> {
        if self.told_workspace { vec![VERB, "--workspace", FOLDER] } else { vec![VERB] }
    }

    /// Returns the entry.
    pub(super) fn entry(&self, program: &Program) -> Value {
        let mut entry = Map::new();
        if self.typed {
            entry.insert("type".into(), json!("stdio"));
        }
        entry.insert("command".into(), json!(program.path()));
        entry.insert("args".into(), json!(self.args()));
        Value::Object(entry)
    }
}

/// Claude Code reads the file at the root of a project, and so does Copilot CLI.
const CLAUDE_AND_COPILOT: ServerPlan = ServerPlan {
    file: ".mcp.json",
    hosts: &[Host::ClaudeCode, Host::CopilotCli],
    key: "mcpServers",
    form: Form::Json,
    typed: true,
    told_workspace: false,
    notes: &[
        "Claude Code asks once whether you trust the servers of .mcp.json; Copilot CLI loads them only in a folder you trust",
    ],
};

const VSCODE: ServerPlan = ServerPlan {
    file: ".vscode/mcp.json",
    hosts: &[Host::VsCode],
    key: "servers",
    form: Form::Json,
    typed: true,
    told_workspace: true,
    notes: &["VS Code asks once whether you trust the server"],
};

const CODEX: ServerPlan = ServerPlan {
    file: ".codex/config.toml",
    hosts: &[Host::Codex],
    key: "mcp_servers",
    form: Form::Toml,
    typed: false,
    told_workspace: false,
    notes: &["Codex reads the servers of a project only after you trust the project"],
};

const GEMINI: ServerPlan = ServerPlan {
    file: ".gemini/settings.json",
    hosts: &[Host::Gemini],
    key: "mcpServers",
    form: Form::Json,
    typed: false,
    told_workspace: false,
    notes: &[],
};

const CURSOR: ServerPlan = ServerPlan {
    file: ".cursor/mcp.json",
    hosts: &[Host::Cursor],
    key: "mcpServers",
    form: Form::Json,
    typed: false,
    told_workspace: true,
    notes: &["Cursor shows the server under Settings, MCP, where it has to be switched on once"],
};

const QWEN: ServerPlan = ServerPlan {
    file: ".qwen/settings.json",
    hosts: &[Host::Qwen],
    key: "mcpServers",
    form: Form::Json,
    typed: false,
    told_workspace: false,
    notes: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_but_raw_has_exactly_one_plan() {
        for host in Host::ALL {
            let plans = ServerPlan::ALL.iter().filter(|plan| plan.hosts.contains(&host)).count();
            assert_eq!(plans, usize::from(host != Host::Raw), "{host}");
        }
    }
}
