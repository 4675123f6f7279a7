//! The programs beneath which an agent may run a command.

use super::programs::EDITORS;

/// Agent programs, by the name of the program or of the script that an interpreter runs.
pub(super) const AGENTS: &[&str] = &["claude", "codex", "gemini", "qwen", "copilot", "cursor-agent"];

/// Packages of agent programs, as they occur in the path of a script.
pub(super) const AGENT_PACKAGES: &[&str] =
    &["@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "@qwen-code/", "@github/copilot"];

/// Programs that run agent programs.
pub(super) const INTERPRETERS: &[&str] = &["node", "bun", "deno", "electron"];

/// Returns whether a process of this program may be an agent program: one, an interpreter or an editor.
pub(super) fn may_be_agent(program: &str) -> bool {
    [AGENTS, INTERPRETERS, EDITORS].iter().any(|table| table.contains(&program))
}

#[cfg(test)]
mod tests {
    use host::Host;
    use host::install::{Root, usage_evidence};

    use super::*;

    #[test]
    fn the_program_of_every_host_is_listed() {
        for evidence in Host::ALL.into_iter().flat_map(usage_evidence).filter(|it| it.root == Root::Path) {
            assert!(may_be_agent(evidence.name), "no table lists {}", evidence.name);
        }
    }
}
