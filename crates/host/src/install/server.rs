//! The registration of our MCP server: one plan per settings file.

use serde_json::{Map, Value, json};

use super::program::Program;
use crate::Host;

/// The registration of the MCP server in one settings file.
#[derive(Debug)]
pub struct ServerPlan {
    /// The file, relative to the workspace, with `/`.
    pub file: &'static str,
    /// The hosts that read it.
    pub hosts: &'static [Host],
    /// The key of the servers.
    pub key: &'static str,
    /// The file's syntax.
    pub form: Form,
    /// Whether an entry has a `type`.
    pub typed: bool,
    /// Whether the entry must pass the workspace, since the host starts the server elsewhere.
    pub told_workspace: bool,
    /// Whether an entry has `"trust": true`, without which the host refuses the tools in headless mode.
    ///
    /// WHY: these hosts neither honour a hook's allow nor the tools' annotations.
    pub trusted: bool,
    /// Notes for the user, shown after registering.
    pub notes: &'static [&'static str],
}

/// The syntax of a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JSON with comments.
    Json,
    /// TOML.
    Toml,
}

/// The name of the server in every host. Hosts derive the names of its tools from it.
pub(super) const NAME: &str = "steersman";

/// The argument that starts the server; it identifies our entry.
pub(super) const VERB: &str = "mcp";

/// The variable for the project folder in VS Code and Cursor.
const FOLDER: &str = "${workspaceFolder}";

impl ServerPlan {
    /// All plans.
    pub const ALL: [&'static Self; 6] = [&CLAUDE_AND_COPILOT, &VSCODE, &CODEX, &GEMINI, &CURSOR, &QWEN];

    /// Returns the plan of a host. Returns `None` for `raw`, which is not a program.
    pub fn of(host: Host) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|plan| plan.hosts.contains(&host))
    }

    /// Returns the arguments of the program.
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
        if self.trusted {
            entry.insert("trust".into(), json!(true));
        }
        Value::Object(entry)
    }
}

/// Claude Code and Copilot CLI read the file at the root of a project.
const CLAUDE_AND_COPILOT: ServerPlan = ServerPlan {
    file: ".mcp.json",
    hosts: &[Host::ClaudeCode, Host::CopilotCli],
    key: "mcpServers",
    form: Form::Json,
    typed: true,
    told_workspace: false,
    trusted: false,
    notes: &["Copilot CLI loads the servers of .mcp.json only in a folder you trust"],
};

const VSCODE: ServerPlan = ServerPlan {
    file: ".vscode/mcp.json",
    hosts: &[Host::VsCode],
    key: "servers",
    form: Form::Json,
    typed: true,
    told_workspace: true,
    trusted: false,
    notes: &["VS Code asks once whether you trust the server"],
};

const CODEX: ServerPlan = ServerPlan {
    file: ".codex/config.toml",
    hosts: &[Host::Codex],
    key: "mcp_servers",
    form: Form::Toml,
    typed: false,
    told_workspace: false,
    trusted: false,
    notes: &["Codex reads the servers of a project only after you trust the project"],
};

const GEMINI: ServerPlan = ServerPlan {
    file: ".gemini/settings.json",
    hosts: &[Host::Gemini],
    key: "mcpServers",
    form: Form::Json,
    typed: false,
    told_workspace: false,
    trusted: true,
    notes: &[],
};

const CURSOR: ServerPlan = ServerPlan {
    file: ".cursor/mcp.json",
    hosts: &[Host::Cursor],
    key: "mcpServers",
    form: Form::Json,
    typed: false,
    told_workspace: true,
    trusted: false,
    notes: &["Cursor shows the server under Settings, MCP, where you must enable it once"],
};

const QWEN: ServerPlan = ServerPlan {
    file: ".qwen/settings.json",
    hosts: &[Host::Qwen],
    key: "mcpServers",
    form: Form::Json,
    typed: false,
    told_workspace: false,
    trusted: true,
    notes: &[
        "Qwen Code asks again about the server after a change of its entry (`qwen mcp approve steersman`)",
    ],
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
