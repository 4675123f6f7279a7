//! An agent's tools as the flags of its program spell them.
//!
//! The program itself enforces these flags. Our hook, where registered, additionally checks
//! every call against the definition.

use host::AgentCli;

use crate::policy::usable;
use crate::{Builtin, Definition, ProviderName, Tools};

/// The tools of one agent as flag values.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProviderTools {
    /// Tools it may use without approval.
    pub approved: Vec<String>,
    /// Tools it must not use.
    pub denied: Vec<String>,
    /// Whether it may change files.
    pub writes: bool,
}

impl ProviderTools {
    /// Returns the flags for an agent and the program that runs it.
    pub fn of(definition: &Definition, provider: ProviderName) -> Self {
        let tools = &definition.tools;
        let usable = usable(tools);
        let writes = usable.contains(&Builtin::Write) || usable.contains(&Builtin::Edit);
        let not_blocked = crate::policy::usable(&Tools { allowed: None, ..tools.clone() });
        let whole = |builtin: Builtin| names(builtin, provider, &Tools::default());
        let mut approved = Vec::new();
        let mut unlisted = Vec::new();
        let mut denied = Vec::new();
        for builtin in Builtin::ALL {
            if usable.contains(&builtin) {
                approved.extend(names(builtin, provider, tools));
            } else if not_blocked.contains(&builtin) {
                unlisted.extend(whole(builtin));
            } else {
                denied.extend(whole(builtin));
            }
        }
        // One flag value may stand for several tools. A blocked tool stays blocked under any value; a
        // tool that is merely unlisted yields to a listed one, and the hook checks it.
        denied.extend(unlisted.into_iter().filter(|it| !approved.contains(it)));
        if provider == ProviderName::Cli(AgentCli::Claude) {
            // Definitions and Claude Code use the same names for MCP tools.
            let is_mcp = |it: &&String| it.starts_with("mcp__");
            approved.extend(tools.allowed.iter().flatten().filter(is_mcp).cloned());
            denied.extend(tools.blocked.iter().filter(is_mcp).cloned());
        }
        for list in [&mut approved, &mut denied] {
            list.sort();
            list.dedup();
        }
        approved.retain(|it| !denied.contains(it));
        Self { approved, denied, writes }
    }
}

fn names(builtin: Builtin, provider: ProviderName, tools: &Tools) -> Vec<String> {
    let commands = &tools.bash_filter.allowed_commands;
    let words: &[&str] = match provider {
        ProviderName::Cli(AgentCli::Claude) if builtin == Builtin::Bash && !commands.is_empty() => {
            return commands.iter().map(|it| format!("Bash({it}:*)")).collect();
        }
        ProviderName::Cli(AgentCli::Copilot) if builtin == Builtin::Bash && !commands.is_empty() => {
            return commands.iter().map(|it| format!("shell({it}:*)")).collect();
        }
        ProviderName::Cli(AgentCli::Claude) => &[builtin.as_str()],
        // Copilot requires approval for writing and running only.
        ProviderName::Cli(AgentCli::Copilot) => match builtin {
            Builtin::Bash => &["shell"],
            Builtin::Write | Builtin::Edit => &["write"],
            _ => &[],
        },
        ProviderName::Cli(AgentCli::Gemini) => match builtin {
            Builtin::Read => &["read_file", "read_many_files", "list_directory"],
            Builtin::Write => &["write_file"],
            Builtin::Edit => &["replace"],
            Builtin::Glob => &["glob"],
            Builtin::Grep => &["grep_search", "search_file_content"],
            Builtin::Bash => &["run_shell_command"],
            Builtin::WebFetch => &["web_fetch"],
            Builtin::WebSearch => &["google_web_search"],
        },
        // Codex has a sandbox and no tool list; a user's own command has neither.
        ProviderName::Cli(AgentCli::Codex) | ProviderName::Command => &[],
    };
    words.iter().map(|it| (*it).to_owned()).collect()
}
