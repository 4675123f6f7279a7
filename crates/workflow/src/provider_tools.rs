//! An agent's tools in the words of the program that runs it.
//!
//! These flags are the first fence, kept by the program itself. The second is our hook, which
//! judges every single call by the definition, where the program has it registered.

use agent::policy::usable;
use agent::{Builtin, Definition, ProviderName, Tools};

/// The tools of one agent, as flags say it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct ProviderTools {
    /// What it may use without asking.
    pub(crate) approved: Vec<String>,
    /// What it may not use.
    pub(crate) denied: Vec<String>,
    /// Whether it may change files.
    pub(crate) writes: bool,
}

impl ProviderTools {
    pub(crate) fn of(definition: &Definition, provider: ProviderName) -> Self {
        let tools = &definition.tools;
        let usable = usable(tools);
        let writes = usable.contains(&Builtin::Write) || usable.contains(&Builtin::Edit);
        let not_blocked = agent::policy::usable(&Tools { allowed: None, ..tools.clone() });
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
        // One word may stand for several tools. What is blocked stays so under any word; what is
        // only not listed gives way to what is, and is left to the hook.
        denied.extend(unlisted.into_iter().filter(|it| !approved.contains(it)));
        if provider == ProviderName::Claude {
            // MCP tools have the same names everywhere in definitions and in Claude Code.
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
        ProviderName::Claude if builtin == Builtin::Bash && !commands.is_empty() => {
            return commands.iter().map(|it| format!("Bash({it}:*)")).collect();
        }
        ProviderName::Copilot if builtin == Builtin::Bash && !commands.is_empty() => {
            return commands.iter().map(|it| format!("shell({it}:*)")).collect();
        }
        ProviderName::Claude => &[builtin.as_str()],
        // Copilot asks about writing and running only.
        ProviderName::Copilot => match builtin {
            Builtin::Bash => &["shell"],
            Builtin::Write | Builtin::Edit => &["write"],
            _ => &[],
        },
        ProviderName::Gemini => match builtin {
            Builtin::Read => &["read_file", "read_many_files", "list_directory"],
            Builtin::Write => &["write_file"],
            Builtin::Edit => &["replace"],
            Builtin::Glob => &["glob"],
            Builtin::Grep => &["grep_search", "search_file_content"],
            Builtin::Bash => &["run_shell_command"],
            Builtin::WebFetch => &["web_fetch"],
            Builtin::WebSearch => &["google_web_search"],
        },
        // Codex has a sandbox and no list; a command of the user's has neither.
        ProviderName::Codex | ProviderName::Command => &[],
    };
    words.iter().map(|it| (*it).to_owned()).collect()
}
