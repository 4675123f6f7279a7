//! A settings file with our hooks, our MCP server, or both.

use super::edit_error::EditError;
use super::hook_plan::HookPlan;
use super::program::Program;
use super::register::register;
use super::registration::registrations_in;
use super::server::ServerPlan;
use super::server_entry::{register_server, registered_server, unregister_server};
use super::unregister::{Removed, unregister};
use crate::Host;

/// A settings file, and a selection of our parts in it.
#[derive(Debug, Clone, Copy)]
pub struct SettingsFile {
    /// The file, with `/`: relative to the folder of its plan.
    pub file: &'static str,
    /// Our hooks in it.
    pub hooks: Option<&'static HookPlan>,
    /// Our MCP server in it.
    pub server: Option<&'static ServerPlan>,
}

impl SettingsFile {
    /// Lists the files that any of these hosts reads, each once; those with hooks first.
    pub fn of(hosts: &[Host]) -> Vec<Self> {
        let concerns = |served: &[Host]| served.iter().any(|host| hosts.contains(host));
        let servers = || ServerPlan::ALL.into_iter().filter(|plan| concerns(plan.hosts));
        let mut files: Vec<Self> = HookPlan::ALL
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

    /// Returns the file of a plan, with hooks only.
    pub fn with_hooks(plan: &'static HookPlan) -> Self {
        Self { file: plan.file, hooks: Some(plan), server: None }
    }

    /// Lists the hosts that read it.
    pub fn hosts(&self) -> &'static [Host] {
        self.hooks.map(|plan| plan.hosts).or(self.server.map(|plan| plan.hosts)).unwrap_or_default()
    }

    /// Returns our parts that a string contains.
    pub fn found_in(&self, text: &str) -> Result<Self, EditError> {
        let hooks = match self.hooks {
            Some(plan) if !registrations_in(plan.form, text)?.is_empty() => Some(plan),
            _ => None,
        };
        let server = match self.server {
            Some(plan) if registered_server(plan, text)?.is_some() => Some(plan),
            _ => None,
        };
        Ok(Self { hooks, server, ..*self })
    }

    /// Returns whether no part is selected.
    pub fn is_empty(&self) -> bool {
        self.hooks.is_none() && self.server.is_none()
    }

    /// Returns the program that our parts of a string start.
    pub fn program_in(&self, text: &str) -> Option<Program> {
        let hooks = self
            .hooks
            .and_then(|plan| Some(registrations_in(plan.form, text).ok()?.first()?.program.clone()));
        let server = || Some(registered_server(self.server?, text).ok()??.program);
        match hooks.or_else(server)?.as_str() {
            "steersman" => Some(Program::on_path()),
            path => Program::at(path).ok(),
        }
    }

    /// Returns the file with every selected part. Idempotent.
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

    /// Returns the file without the selected parts; removes them in the reverse order of insertion.
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
