//! The definitions of MCP servers in the files of agent programs: which file has them, and what of each identifies it.

use serde_json::{Map, Value, json};
use toml_edit::{DocumentMut, Item};

use crate::{Host, lenient_json};

/// A file that defines MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerFile {
    /// Its folder.
    pub base: ServerFileBase,
    /// Its path below that folder, with `/`.
    pub path: &'static str,
    /// The key of the servers.
    key: &'static str,
}

/// The folder of a file with MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerFileBase {
    /// The workspace.
    Workspace,
    /// The user's home.
    Home,
}

/// One server, as a file defines it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerDefinition {
    /// The name in the file.
    pub name: String,
    /// Program, arguments, names of variables and headers, address: all that decides what runs, without values of
    /// variables, which are secrets and change.
    pub identity: String,
    /// The entry as it is, to start the server.
    pub entry: Value,
}

/// The key of the servers in TOML; all other files are JSON.
const TOML_KEY: &str = "mcp_servers";

const fn project(path: &'static str, key: &'static str) -> ServerFile {
    ServerFile { base: ServerFileBase::Workspace, path, key }
}

const fn user(path: &'static str, key: &'static str) -> ServerFile {
    ServerFile { base: ServerFileBase::Home, path, key }
}

/// Returns the files from which a host loads servers.
pub fn server_files(host: Host) -> &'static [ServerFile] {
    const JSON: &str = "mcpServers";
    const CLAUDE: &[ServerFile] = &[project(".mcp.json", JSON), user(".claude.json", JSON)];
    const COPILOT: &[ServerFile] = &[
        project(".mcp.json", JSON),
        project(".github/mcp.json", JSON),
        project(".vscode/mcp.json", "servers"),
        user(".copilot/mcp-config.json", JSON),
    ];
    const VSCODE: &[ServerFile] = &[
        project(".vscode/mcp.json", "servers"),
        user(".config/Code/User/mcp.json", "servers"),
        user("Library/Application Support/Code/User/mcp.json", "servers"),
    ];
    const CODEX: &[ServerFile] =
        &[project(".codex/config.toml", TOML_KEY), user(".codex/config.toml", TOML_KEY)];
    const GEMINI: &[ServerFile] =
        &[project(".gemini/settings.json", JSON), user(".gemini/settings.json", JSON)];
    const QWEN: &[ServerFile] = &[project(".qwen/settings.json", JSON), user(".qwen/settings.json", JSON)];
    const CURSOR: &[ServerFile] = &[project(".cursor/mcp.json", JSON), user(".cursor/mcp.json", JSON)];
    match host {
        Host::ClaudeCode => CLAUDE,
        Host::CopilotCli => COPILOT,
        Host::VsCode => VSCODE,
        Host::Codex => CODEX,
        Host::Gemini => GEMINI,
        Host::Qwen => QWEN,
        Host::Cursor => CURSOR,
        Host::Raw => &[],
    }
}

/// Returns the servers that a file defines; `workspace` selects the user's servers of that project. A file that cannot be
/// parsed defines none: the host cannot load it either.
pub fn server_definitions(file: &ServerFile, content: &[u8], workspace: &str) -> Vec<ServerDefinition> {
    let servers = if file.key == TOML_KEY {
        toml_servers(&String::from_utf8_lossy(content), file.key).unwrap_or_default()
    } else {
        json_servers(file, content, workspace).unwrap_or_default()
    };
    let mut definitions: Vec<ServerDefinition> = servers
        .into_iter()
        .map(|(name, entry)| ServerDefinition { name, identity: identity(&entry).to_string(), entry })
        .collect();
    definitions.sort_by(|one, other| one.name.cmp(&other.name));
    definitions
}

fn json_servers(file: &ServerFile, content: &[u8], workspace: &str) -> Option<Map<String, Value>> {
    let document = lenient_json(content).ok()?;
    let local = document
        .get("projects")
        .and_then(|projects| projects.get(workspace))
        .and_then(|own| own.get(file.key));
    let objects = [document.get(file.key), local].into_iter().flatten().filter_map(Value::as_object);
    Some(objects.flatten().map(|(name, entry)| (name.clone(), entry.clone())).collect())
}

/// Returns whether a host's spelling of a server's name means this definition: hosts replace characters that their names of
/// tools cannot have.
pub fn names_server(spelled: &str, name: &str) -> bool {
    let plain = |text: &str| {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let (spelled, name) = (plain(spelled), plain(name));
    // `mcp_my_server_tool` cannot be split for certain: a part of the name is enough.
    spelled.is_empty() || spelled == name || !name.is_empty() && name.starts_with(&spelled)
}

fn identity(entry: &Value) -> Value {
    let mut kept = Map::new();
    let Some(fields) = entry.as_object() else { return entry.clone() };
    for (name, value) in fields {
        let value = match (name.as_str(), value) {
            // Only the names: the values are secrets.
            ("env" | "headers" | "http_headers" | "env_http_headers", Value::Object(values)) => {
                json!(values.keys().collect::<Vec<_>>())
            }
            (
                "command"
                | "args"
                | "url"
                | "httpUrl"
                | "serverUrl"
                | "type"
                | "transport"
                | "cwd"
                | "envFile"
                | "env_vars"
                | "bearer_token_env_var",
                value,
            ) => value.clone(),
            _ => continue,
        };
        kept.insert(name.clone(), value);
    }
    kept.sort_keys();
    Value::Object(kept)
}

/// Returns the servers in a TOML file, however its tables are written. Returns `None` if it cannot be parsed.
fn toml_servers(text: &str, key: &str) -> Option<Map<String, Value>> {
    let document = text.parse::<DocumentMut>().ok()?;
    let servers = document.get(key)?.as_table_like()?;
    Some(servers.iter().map(|(name, entry)| (name.to_owned(), toml_to_json(entry))).collect())
}

fn toml_to_json(item: &Item) -> Value {
    if let Some(table) = item.as_table_like() {
        return table.iter().map(|(name, item)| (name.to_owned(), toml_to_json(item))).collect();
    }
    item.as_value().map_or(Value::Null, toml_value_to_json)
}

fn toml_value_to_json(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => json!(text.value()),
        toml_edit::Value::Integer(number) => json!(number.value()),
        toml_edit::Value::Float(number) => json!(number.value()),
        toml_edit::Value::Boolean(truth) => json!(truth.value()),
        toml_edit::Value::Datetime(moment) => json!(moment.value().to_string()),
        toml_edit::Value::Array(values) => values.iter().map(toml_value_to_json).collect(),
        toml_edit::Value::InlineTable(table) => {
            table.iter().map(|(name, value)| (name.to_owned(), toml_value_to_json(value))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: ServerFile = project(".mcp.json", "mcpServers");
    const TOML: ServerFile = project(".codex/config.toml", TOML_KEY);

    fn of(file: &ServerFile, text: &str) -> Vec<(String, String)> {
        let found = server_definitions(file, text.as_bytes(), "/w");
        found.into_iter().map(|definition| (definition.name, definition.identity)).collect()
    }

    #[test]
    fn the_program_identifies_a_server_and_the_value_of_a_variable_does_not() {
        let with = |command: &str, token: &str| {
            of(
                &FILE,
                &format!(
                    r#"{{"mcpServers": {{"a": {{"command": "{command}", "env": {{"T": "{token}"}}}}}}}}"#
                ),
            )
        };
        assert_eq!(with("npx", "1"), with("npx", "2"));
        assert_ne!(with("npx", "1"), with("sh", "1"));
        let with = |command: &str, token: &str| {
            of(
                &TOML,
                &format!(
                    "[mcp_servers.a]\ncommand = \"{command}\"\nenv = {{ T = \"{token}\" }}\n[other]\nx = 1\n"
                ),
            )
        };
        assert_eq!(with("npx", "1"), with("npx", "2"));
        assert_ne!(with("npx", "1"), with("sh", "1"));
        assert_eq!(with("npx", "1").len(), 1);
    }

    #[test]
    fn a_server_in_toml_counts_however_its_table_is_written() {
        let plain = of(&TOML, "[mcp_servers.a]\ncommand = \"npx\"\nargs = [\"x\", \"y\"]\n");
        assert_eq!(plain, [("a".to_owned(), r#"{"args":["x","y"],"command":"npx"}"#.to_owned())]);
        for text in [
            "[ mcp_servers . a ]\nargs = [\n  \"x\",\n  \"y\",\n]\ncommand = 'npx'\n",
            "[mcp_servers]\na = { command = \"npx\", args = [\"x\", \"y\"] }\n",
            "mcp_servers.a.command = \"npx\"\nmcp_servers.a.args = [\"x\", \"y\"]\n",
            "mcp_servers = { a = { command = \"npx\", args = [\"x\", \"y\"] } }\n",
            "[mcp_servers.\"a\"]\ncommand = \"npx\"\nargs = [\"x\", \"y\"]\nstartup_timeout_sec = 20\n",
        ] {
            assert_eq!(of(&TOML, text), plain, "{text}");
        }
        assert_eq!(of(&TOML, "[mcp_servers.a"), []);
    }

    #[test]
    fn the_users_servers_of_a_project_count_there() {
        let text = r#"{"mcpServers": {"a": {"url": "https://a"}}, "projects": {"/w": {"mcpServers": {"b": {"command": "b"}}},
            "/other": {"mcpServers": {"c": {"command": "c"}}}}}"#;
        let names: Vec<String> = of(&FILE, text).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn a_name_is_known_in_every_spelling() {
        assert!(names_server("my_server", "my-server"));
        assert!(names_server("my", "my_server"));
        assert!(names_server("", "anything"));
        assert!(!names_server("other", "my-server"));
    }
}
