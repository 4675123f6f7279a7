//! Asks about an MCP server whose definition the user has not accepted.
//!
//! A hook sees neither descriptions nor schemas of a server's tools. It sees how the host starts the server, so that is
//! pinned: program, arguments, names of variables, address. `steersman mcp pins accept` records all definitions.

use event::{AbsPath, ToolKind};
use host::install::SettingsVariable;
use host::{Host, ServerFileBase, names_server, server_definitions, server_files};
use serde_json::{Map, Value, json};
use shell::Files;
use shell::guard::{Level, MovedSettings};
use store::{Fingerprint, McpPins, PinState, fingerprint};

use super::file_tool::Outcome;
use super::{Disk, NAME};
use crate::Context;

/// The key of the definitions with which the session has called tools.
const KEY: &str = "servers";

/// A settings file beyond this size is not read: Claude Code keeps its history in one.
const MAX_FILE: usize = 8 * 1024 * 1024;

/// The definition of a server and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinedServer {
    /// The name in the file.
    pub name: String,
    /// The file.
    pub file: String,
    /// Identifies the server among all files.
    pub key: String,
    /// The hash of its definition.
    pub definition: Fingerprint,
    /// The definition, without secrets.
    pub identity: String,
    /// The entry as it is.
    pub entry: Value,
}

/// The places of the user's own settings of agent programs.
#[derive(Debug, Clone, Copy)]
pub struct UserSettings<'a> {
    /// The home; `None` if it is unknown.
    pub home: Option<&'a AbsPath>,
    /// Where variables move settings to.
    pub moved: &'a [MovedSettings],
}

impl UserSettings<'_> {
    /// Returns where the settings of a file are that is usually in the home. A file that replaces an administrator's has
    /// the same settings.
    fn paths_of(&self, file: &str) -> Vec<AbsPath> {
        let moved = |usual: &str| {
            let found = self.moved.iter().find(|it| it.usual == usual);
            found.and_then(|it| AbsPath::new(&it.path).ok())
        };
        let in_folder = SettingsVariable::of(file)
            .and_then(|variable| Some(moved(variable.folder)?.join(variable.in_folder(file))));
        let own = in_folder.or_else(|| self.home.map(|home| home.join(file)));
        own.into_iter().chain(moved(file)).collect()
    }
}

/// Returns the servers that a host would load in a workspace, our own left out.
pub fn defined_servers(
    host: Host,
    workspace: &AbsPath,
    user: UserSettings<'_>,
    files: &dyn Files,
) -> Vec<DefinedServer> {
    let mut servers = Vec::new();
    let places = server_files(host).iter().flat_map(|file| {
        let paths = match file.base {
            ServerFileBase::Workspace => vec![workspace.join(file.path)],
            ServerFileBase::Home => user.paths_of(file.path),
        };
        paths.into_iter().map(move |path| (file, path.to_string()))
    });
    for (file, path) in places {
        let Some(content) = files.read(&path, MAX_FILE) else { continue };
        for found in server_definitions(file, &content, &workspace.to_string()) {
            if found.name == OURS {
                continue;
            }
            let definition = fingerprint([found.identity.as_bytes()]);
            let key = format!("{path}#{}", found.name);
            servers.push(DefinedServer {
                name: found.name,
                file: path.clone(),
                key,
                definition,
                identity: found.identity,
                entry: found.entry,
            });
        }
    }
    servers
}

/// The registered name of our own server.
const OURS: &str = "steersman";

/// Asks about each definition behind a call that neither the user nor this session has accepted.
pub(super) fn judge(context: &Context<'_>, kind: &ToolKind, outcome: &mut Outcome) {
    for (server, state) in unaccepted(context, kind) {
        let what = if state == PinState::Changed { "has changed" } else { "is new" };
        outcome.add(
            Level::Ask,
            format!(
                "The definition of the MCP server `{}` in {} {what}: {}. It is not accepted yet. Instead: ask the user to \
                 check it and to run `steersman mcp pins accept`.",
                server.name,
                server.file,
                server.identity.trim().chars().take(200).collect::<String>(),
            ),
        );
    }
}

/// Returns the patch that remembers that a call ran, so the user permitted its server for this session.
pub(super) fn permitted(context: &Context<'_>, kind: &ToolKind) -> Map<String, Value> {
    let servers: Map<String, Value> = unaccepted(context, kind)
        .into_iter()
        .map(|(server, _)| (server.key, json!(server.definition.to_string())))
        .collect();
    if servers.is_empty() {
        return Map::new();
    }
    Map::from_iter([("features".to_owned(), json!({NAME: {KEY: servers}}))])
}

fn unaccepted(context: &Context<'_>, kind: &ToolKind) -> Vec<(DefinedServer, PinState)> {
    let ToolKind::Mcp { server: spelled, .. } = kind else { return Vec::new() };
    let Some(user_state) = context.user_state else { return Vec::new() };
    if spelled == OURS {
        return Vec::new();
    }
    let user = UserSettings { home: context.home, moved: context.moved_settings };
    let mut servers = defined_servers(context.host, context.workspace.root(), user, &Disk);
    servers.retain(|server| names_server(spelled, &server.name));
    if servers.is_empty() {
        return Vec::new();
    }
    // A file that cannot be read must not switch the question off.
    let pins = McpPins::load(user_state).unwrap_or_default();
    let own = context.state.features.get(NAME).and_then(|own| own.get(KEY));
    let in_session = |server: &DefinedServer| {
        own.and_then(|own| own.get(&server.key)?.as_str()) == Some(server.definition.to_string().as_str())
    };
    let state = |server: DefinedServer| {
        let state = pins.state(&server.key, &server.definition);
        (server, state)
    };
    servers
        .into_iter()
        .filter(|server| !in_session(server))
        .map(state)
        .filter(|(_, state)| *state != PinState::Accepted)
        .collect()
}
