//! The section `automation` of `.ai/hooks/config.json`: what holds for all automations of a workspace.

use serde_json::{Map, Value};

use store::AutomationFiles;

use crate::limits::MAX_CONCURRENCY;
use crate::{RunnerChoice, mcp_server};

/// What holds for all automations of a workspace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorkspaceSettings {
    /// Who runs a prompt of an automation that names nobody.
    pub runner: Option<RunnerChoice>,
    /// How many runs of all automations may be at work at once; without it, twice the cores.
    pub max_concurrency: Option<u32>,
    /// MCP servers for automations only, by their names.
    pub mcp_servers: Map<String, Value>,
    /// The files in which agent programs name theirs, with the servers of each.
    pub host_servers: Vec<(&'static str, Map<String, Value>)>,
}

impl WorkspaceSettings {
    /// The section's key.
    pub const SECTION: &str = "automation";

    /// Reads what the files of a workspace say of all its automations.
    pub fn of(files: &AutomationFiles) -> Self {
        let (mut settings, _) = Self::from_json(&files.settings().unwrap_or_default());
        settings.host_servers =
            files.mcp_servers().map(|(file, part)| (file.path, mcp_server::servers_in(file, part))).collect();
        settings
    }

    /// Reads the section; what cannot be used counts as not there, and is told as a sentence.
    pub fn from_json(section: &Value) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let runner = section.get("runner").filter(|it| !it.is_null()).and_then(|value| {
            let read = RunnerChoice::from_json(value);
            read.map_err(|error| problems.push(format!("`automation.runner` {error}; {}", error.hint))).ok()
        });
        let max_concurrency = section.get("maxConcurrency").filter(|it| !it.is_null()).and_then(|value| {
            let number = value.as_u64().and_then(|it| u32::try_from(it).ok());
            let fits = number.filter(|it| (1..=MAX_CONCURRENCY).contains(it));
            if fits.is_none() {
                problems.push(format!(
                    "`automation.maxConcurrency` is a whole number from 1 to {MAX_CONCURRENCY}, not `{value}`"
                ));
            }
            fits
        });
        let mcp_servers = match section.get("mcpServers") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(servers)) => servers.clone(),
            Some(_) => {
                problems.push("`automation.mcpServers` is an object: a server under each name".to_owned());
                Map::new()
            }
        };
        (Self { runner, max_concurrency, mcp_servers, host_servers: Vec::new() }, problems)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::CliRunner;

    #[test]
    fn what_is_set_is_read_and_nothing_set_is_the_default() {
        let (settings, problems) = WorkspaceSettings::from_json(
            &json!({"runner": "codex", "maxConcurrency": 3, "mcpServers": {"a": {"command": "x"}}}),
        );
        assert_eq!(settings.runner, Some(RunnerChoice::Cli(CliRunner::Codex)));
        assert_eq!((settings.max_concurrency, settings.mcp_servers.len()), (Some(3), 1));
        assert_eq!(problems, [""; 0]);
        assert_eq!(WorkspaceSettings::from_json(&Value::Null), (WorkspaceSettings::default(), vec![]));
    }

    #[test]
    fn what_cannot_be_used_is_told_and_left_out() {
        for (section, why) in [
            (json!({"runner": 7}), "`automation.runner` is neither a name nor an object"),
            (
                json!({"maxConcurrency": 0}),
                "`automation.maxConcurrency` is a whole number from 1 to 1000, not `0`",
            ),
            (json!({"maxConcurrency": "4"}), "`automation.maxConcurrency` is a whole number"),
            (json!({"mcpServers": []}), "`automation.mcpServers` is an object"),
        ] {
            let (settings, problems) = WorkspaceSettings::from_json(&section);
            assert_eq!(settings, WorkspaceSettings::default());
            assert!(problems[0].starts_with(why), "{problems:?}");
        }
    }
}
