//! One settings file and all of ours that may stand in it: hooks, the MCP server, or both.

use super::edit_error::EditError;
use super::plan::Plan;
use super::program::Program;
use super::register::register;
use super::registration::registrations;
use super::server::ServerPlan;
use super::server_entry::{register_server, registered_server, unregister_server};
use super::unregister::{Removed, unregister};
use crate::Host;

/// A settings file, and which parts of ours are meant.
#[derive(Debug, Clone, Copy)]
pub struct SettingsFile {
    /// The file, relative to the workspace, with `/`.
    pub file: &'static str,
    /// The hooks that belong into it.
    pub hooks: Option<&'static Plan>,
    /// The MCP server that belongs into it.
    pub server: Option<&'static ServerPlan>,
}

impl SettingsFile {
    /// Lists the files that serve any of these hosts, each once; those with hooks first.
    pub fn of(hosts: &[Host]) -> Vec<Self> {
        let concerns = |served: &[Host]| served.iter().any(|host| hosts.contains(host));
        let servers = || ServerPlan::ALL.into_iter().filter(|plan| concerns(plan.hosts));
        let mut files: Vec<Self> = Plan::ALL
            .into_iter()
            .filter(|plan| concerns(plan.hosts))
            .map(|plan| Self {
                server: servers().find(|server| server.file == plan.file),
                ..Self::with_hooks(plan)
            })
            .collect();
        for server in servers() {
            if files.iter().all(|known| known.file != server.file) {
                files.push(Self { file: server.file, hooks: None, server: Some(server) });
            }
        }
        files
    }

    /// Returns the file of a plan, as if it held nothing but hooks.
    pub fn with_hooks(plan: &'static Plan) -> Self {
        Self { file: plan.file, hooks: Some(plan), server: None }
    }

    /// Lists who reads it.
    pub fn hosts(&self) -> &'static [Host] {
        self.hooks.map(|plan| plan.hosts).or(self.server.map(|plan| plan.hosts)).unwrap_or_default()
    }

    /// Returns which parts of ours are in a text.
    pub fn found_in(&self, text: &str) -> Result<Self, EditError> {
        let hooks = match self.hooks {
            Some(plan) if !registrations(text)?.is_empty() => Some(plan),
            _ => None,
        };
        let server = match self.server {
            Some(plan) if registered_server(plan, text)?.is_some() => Some(plan),
            _ => None,
        };
        Ok(Self { hooks, server, ..*self })
    }

    /// Returns whether no part is meant.
    pub fn is_empty(&self) -> bool {
        self.hooks.is_none() && self.server.is_none()
    }

    /// Returns the program that our parts of a text start.
    pub fn program_in(&self, text: &str) -> Option<Program> {
        let hooks = self.hooks.and_then(|_| Some(registrations(text).ok()?.first()?.program.clone()));
        let server = || Some(registered_server(self.server?, text).ok()??.program);
        match hooks.or_else(server)?.as_str() {
            "steersman" => Some(Program::on_path()),
            path => Program::at(path).ok(),
        }
    }

    /// Returns the file with every part that is meant. Done twice, it changes nothing the second time.
    pub fn register(&self, existing: Option<&str>, program: &Program) -> Result<String, EditError> {
        let text = match self.hooks {
            Some(plan) => Some(register(plan, existing, program)?),
            None => existing.map(str::to_owned),
        };
        match self.server {
            Some(plan) => register_server(plan, text.as_deref(), program),
            None => Ok(text.unwrap_or_default()),
        }
    }

    /// Returns the file without the parts that are meant; in the reverse order, so that what was
    /// put in last is taken out first.
    pub fn unregister(&self, existing: &str) -> Result<Removed, EditError> {
        let without_server = match self.server {
            Some(plan) => unregister_server(plan, existing)?,
            None => Removed::Nothing,
        };
        let text = match &without_server {
            Removed::Nothing => existing,
            Removed::Text(text) => text,
            Removed::OnlyOurs { .. } => return Ok(without_server),
        };
        let without_hooks = match self.hooks {
            Some(plan) => unregister(plan, text)?,
            None => Removed::Nothing,
        };
        Ok(if without_hooks == Removed::Nothing { without_server } else { without_hooks })
    }
}
