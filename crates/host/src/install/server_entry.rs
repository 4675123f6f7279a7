//! Adds, finds and removes our MCP server in a settings file.

use super::command_line::is_our_name;
use super::edit_error::EditError;
use super::program::Program;
use super::server::{Form, ServerPlan, VERB};
use super::unregister::Removed;
use super::{server_json, server_toml};

/// Our server in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerRegistration {
    /// The program to start: a bare name or a path.
    pub program: String,
    /// Its line, from 1.
    pub line: usize,
}

/// Returns the settings file with our server. Idempotent.
pub fn register_server(
    plan: &ServerPlan,
    existing: Option<&str>,
    program: &Program,
) -> Result<String, EditError> {
    match plan.form {
        Form::Json => server_json::register(plan, existing, program),
        Form::Toml => server_toml::register(plan, existing, program),
    }
}

/// Returns the settings file without our server: the file as it was before [`register_server`], if it
/// has not changed since.
pub fn unregister_server(plan: &ServerPlan, existing: &str) -> Result<Removed, EditError> {
    match plan.form {
        Form::Json => server_json::unregister(plan, existing),
        Form::Toml => server_toml::unregister(plan, existing),
    }
}

/// Finds our server in a settings file.
pub fn registered_server(plan: &ServerPlan, text: &str) -> Result<Option<ServerRegistration>, EditError> {
    match plan.form {
        Form::Json => server_json::registered(plan, text),
        Form::Toml => server_toml::registered(plan, text),
    }
}

/// Returns whether a command is ours: our program with the server's argument.
pub(super) fn is_ours(command: &str, first_arg: Option<&str>) -> bool {
    is_our_name(command) && first_arg == Some(VERB)
}
