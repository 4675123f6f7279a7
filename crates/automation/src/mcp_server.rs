//! The MCP servers that automations may call, from the settings of the workspace and of its agent programs.

use std::collections::BTreeMap;

use config_file::{JsonDialect, nearest, parse_json};
use event::AbsPath;
use serde_json::{Map, Value};
use store::{McpFile, TrustedPart};

use crate::WorkspaceSettings;
use crate::limits::MAX_FILE_BYTES;

/// A server that speaks MCP over its stdin and stdout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpServer {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Further variables of its environment.
    pub env: BTreeMap<String, String>,
}

/// Why a server cannot be called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadServer {
    /// No settings file declares it.
    #[error("unknown MCP server `{name}`{}; {}", did_you_mean(meant.as_ref()), places())]
    Unknown {
        /// Its name.
        name: String,
        /// A known server with a similar name.
        meant: Option<String>,
    },
    /// Its settings are invalid, or an automation cannot use them.
    #[error("the MCP server `{name}` in {file} {why}")]
    Unusable {
        /// Its name.
        name: String,
        /// The settings file.
        file: String,
        /// The fault.
        why: String,
    },
}

impl McpServer {
    /// Finds a server by its name: in the workspace's own settings, then in those of the agent
    /// programs. `variable` returns the values of environment variables.
    pub fn find(
        root: &AbsPath,
        settings: &WorkspaceSettings,
        name: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, BadServer> {
        let mut known = Vec::new();
        let own = (WorkspaceSettings::FILE, &settings.mcp_servers);
        let of_hosts = settings.host_servers.iter().map(|(file, servers)| (*file, servers));
        for (file, servers) in std::iter::once(own).chain(of_hosts) {
            if let Some(entry) = servers.get(name) {
                return Self::from_entry(entry, root, variable).map_err(|why| BadServer::Unusable {
                    name: name.to_owned(),
                    file: file.to_owned(),
                    why,
                });
            }
            known.extend(servers.keys().cloned());
        }
        let meant = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        Err(BadServer::Unknown { name: name.to_owned(), meant })
    }

    /// Reads the entry of a server in a settings file. Returns why it cannot be started.
    pub fn from_entry(
        entry: &Value,
        root: &AbsPath,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, String> {
        read(entry, &root.to_string(), variable)
    }

    /// Fills in the variables in a value of an entry, as agent programs do. Returns why it cannot.
    pub fn fill(
        text: &str,
        root: &AbsPath,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<String, String> {
        filled(text, &root.to_string(), variable)
    }
}

/// Returns the servers in the trusted part of a file. Returns no server if the part cannot be parsed.
///
/// WHY from that part: with a duplicate key, the trust check and this reader must see the same value.
pub(crate) fn servers_in(file: McpFile, part: TrustedPart) -> Map<String, Value> {
    let servers = match part {
        TrustedPart::Section(servers) => Some(servers),
        TrustedPart::Whole(bytes) => {
            let text = std::str::from_utf8(&bytes).ok().filter(|text| text.len() <= MAX_FILE_BYTES);
            let root = text.and_then(|it| parse_json(it, JsonDialect::WithComments).ok()).flatten();
            // `to_json` keeps the last of two equal keys.
            root.and_then(|it| it.to_json().get(file.key).cloned())
        }
    };
    match servers {
        Some(Value::Object(servers)) => servers,
        _ => Map::new(),
    }
}

fn read(entry: &Value, root: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<McpServer, String> {
    let text = |value: &Value| value.as_str().map(|it| filled(it, root, variable)).transpose();
    let Some(command) = entry.get("command").map(text).transpose()?.flatten().filter(|it| !it.is_empty())
    else {
        let is_remote = entry.get("url").is_some() || entry.get("httpUrl").is_some();
        return Err(if is_remote {
            "is a network server; automations can call only servers with a `command`".to_owned()
        } else {
            "has no `command`".to_owned()
        });
    };
    let wrong = |key: &str| format!("has an invalid `{key}`: the values must be strings");
    let args = match entry.get("args") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(args)) => {
            let args: Result<Option<Vec<String>>, String> = args.iter().map(text).collect();
            args?.ok_or_else(|| wrong("args"))?
        }
        Some(_) => return Err(wrong("args")),
    };
    let env = match entry.get("env") {
        None | Some(Value::Null) => BTreeMap::new(),
        Some(Value::Object(env)) => {
            let mut read = BTreeMap::new();
            for (name, value) in env {
                read.insert(name.clone(), text(value)?.ok_or_else(|| wrong("env"))?);
            }
            read
        }
        Some(_) => return Err(wrong("env")),
    };
    Ok(McpServer { command, args, env })
}

/// Fills in the variables that the agent programs fill in: `${workspaceFolder}`, `${env:NAME}`,
/// `${NAME}` and `${NAME:-default}`.
fn filled(text: &str, root: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("${") {
        out.push_str(&rest[..at]);
        let Some(end) = rest[at..].find('}') else { break };
        let inside = &rest[at + 2..at + end];
        rest = &rest[at + end + 1..];
        match inside.split_once(':') {
            _ if matches!(inside, "workspaceFolder" | "workspaceRoot" | "CLAUDE_PROJECT_DIR") => {
                out.push_str(root);
            }
            Some(("env", name)) => out.push_str(&variable(name).unwrap_or_default()),
            Some(("input", name)) => {
                return Err(format!("asks the user for `{name}`, which a background run cannot do"));
            }
            Some((name, default)) if default.starts_with('-') => {
                out.push_str(&variable(name).unwrap_or_else(|| default[1..].to_owned()));
            }
            Some(_) => return Err(format!("has an unknown variable `${{{inside}}}`")),
            None => match variable(inside) {
                Some(value) => out.push_str(&value),
                None => return Err(format!("needs the environment variable `{inside}`, which is not set")),
            },
        }
    }
    out.push_str(rest);
    Ok(out)
}

fn did_you_mean(meant: Option<&String>) -> String {
    meant.map(|meant| format!(", did you mean `{meant}`?")).unwrap_or_default()
}

fn places() -> String {
    let files: Vec<&str> = McpFile::ALL.iter().map(|file| file.path).collect();
    format!("declare servers in {} or `automation.mcpServers` of .ai/hooks/config.json", files.join(", "))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;
    use store::{AutomationFiles, Workspace};

    use super::*;

    fn variable(name: &str) -> Option<String> {
        (name == "TOKEN").then(|| "t0ken".to_owned())
    }

    fn find(files: &[(&str, &str)], name: &str) -> Result<McpServer, String> {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let settings = WorkspaceSettings {
            mcp_servers: json!({"own": {"command": "mine"}}).as_object().unwrap().clone(),
            ..WorkspaceSettings::of(&AutomationFiles::read(&workspace))
        };
        let found = McpServer::find(workspace.root(), &settings, name, &variable);
        found.map_err(|error| error.to_string().replace(&workspace.root().to_string(), "<root>"))
    }

    #[test]
    fn servers_are_found_where_agent_programs_keep_them() {
        for (file, text) in [
            (
                ".mcp.json",
                r#"{"mcpServers": {"docs": {"type": "stdio", "command": "docs", "args": ["-x"]}}}"#,
            ),
            (
                ".vscode/mcp.json",
                "{\"servers\": {\"docs\": {\"command\": \"docs\", \"args\": [\"-x\"],},},} // ours",
            ),
            (".cursor/mcp.json", r#"{"mcpServers": {"docs": {"command": "docs", "args": ["-x"]}}}"#),
            (".gemini/settings.json", r#"{"mcpServers": {"docs": {"command": "docs", "args": ["-x"]}}}"#),
        ] {
            let server = find(&[(file, text)], "docs").unwrap();
            assert_eq!(
                (server.command.as_str(), &server.args[..]),
                ("docs", &["-x".to_owned()][..]),
                "{file}"
            );
        }
        assert_eq!(find(&[], "own").unwrap().command, "mine");
    }

    #[test]
    fn variables_are_filled_in_as_the_agent_programs_do() {
        let text = r#"{"mcpServers": {"a": {"command": "${workspaceFolder}/run", "args": ["${TOKEN}", "${NO:-d}", "$x {y}"],
            "env": {"KEY": "${env:TOKEN}!"}}}}"#;
        let server = find(&[(".mcp.json", text)], "a").unwrap();
        assert!(server.command.ends_with("/run") && server.command.starts_with('/'), "{server:?}");
        assert_eq!(server.args, ["t0ken", "d", "$x {y}"]);
        assert_eq!(server.env["KEY"], "t0ken!");
    }

    #[test]
    fn what_cannot_be_called_says_why_and_where() {
        for (entry, why) in [
            (r#"{"url": "https://x"}"#, "is a network server"),
            ("{}", "has no `command`"),
            (r#"{"command": "x", "args": "y"}"#, "has an invalid `args`"),
            (r#"{"command": "x", "args": [1]}"#, "has an invalid `args`"),
            (r#"{"command": "${input:key}"}"#, "asks the user for `key`"),
            (r#"{"command": "${GONE}"}"#, "needs the environment variable `GONE`"),
        ] {
            let told =
                find(&[(".mcp.json", &format!(r#"{{"mcpServers": {{"a": {entry}}}}}"#))], "a").unwrap_err();
            assert!(told.starts_with(&format!("the MCP server `a` in .mcp.json {why}")), "{told}");
        }
        let told = find(&[(".mcp.json", r#"{"mcpServers": {"docs": {}}}"#)], "dosc").unwrap_err();
        assert!(
            told.starts_with("unknown MCP server `dosc`, did you mean `docs`?; declare servers in .mcp.json"),
            "{told}"
        );
        assert!(find(&[(".mcp.json", "broken")], "a").unwrap_err().starts_with("unknown MCP server `a`"));
    }
}
