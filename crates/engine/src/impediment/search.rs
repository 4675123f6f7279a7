//! Searches the machine for the agents and programs that automations need.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ffi::OsStr;

use automation::{Action, Automation, RunnerChoice};

use super::{Impediment, without_runner};
use crate::action::{self, KnownAgents};
use crate::settings::Settings;

/// Finds the impediments of many automations. Reads the files of the agents once, and looks for each program once: an
/// answer is as old as the search.
#[derive(Debug)]
pub struct ImpedimentSearch<'a> {
    settings: &'a Settings,
    agents: OnceCell<KnownAgents>,
    /// The answers so far: many automations share a runner.
    found: RefCell<HashMap<String, Option<Impediment>>>,
}

impl<'a> ImpedimentSearch<'a> {
    /// Starts a search with nothing found yet.
    pub fn new(settings: &'a Settings) -> Self {
        Self { settings, agents: OnceCell::new(), found: RefCell::default() }
    }

    /// Returns the impediment of an automation, in its declaration or on this machine. Returns `None` if it can run.
    pub fn of(&self, automation: &Automation) -> Option<Impediment> {
        super::of(automation, self.settings).or_else(|| self.on_this_machine(automation))
    }

    /// Returns the impediment that only a look at the machine finds: a missing agent, an agent without a program, or a
    /// program that is not installed. Returns `None` if the automation can run.
    pub fn on_this_machine(&self, automation: &Automation) -> Option<Impediment> {
        let needed = match &automation.action {
            Action::Custom(custom) => format!("{:?} {:?}", custom.agent, custom.kind),
            Action::Command { argv, .. } => format!("{:?}", argv.first()),
            other => other.word().to_owned(),
        };
        let key = format!("{needed} {:?}", automation.runner);
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone();
        }
        let found = self.find(automation);
        self.found.borrow_mut().insert(key, found.clone());
        found
    }

    fn find(&self, automation: &Automation) -> Option<Impediment> {
        let settings = self.settings;
        if let Action::Custom(custom) = &automation.action {
            let agents = self.agents.get_or_init(|| KnownAgents::discover(settings, &|| false));
            let own = agents
                .find(settings, &custom.agent)
                .and_then(|entry| action::own_program(&entry, custom.kind));
            match own {
                Err((code, message)) => {
                    let hint = "run `steersman agent list` for the agents of this project";
                    return Some(Impediment { code, message, hint, is_invalid: false });
                }
                // An agent whose own program is not installed is not available.
                Ok(Some(_)) => return None,
                Ok(None) if runner_of(automation, settings).is_none() => return Some(without_runner()),
                Ok(None) => {}
            }
        }
        let program = needed_program(automation, settings)?;
        let root = settings.workspace.root().as_path();
        runner::find(OsStr::new(&program), &settings.environment, root).is_none().then(|| Impediment {
            code: "CLI_NOT_INSTALLED",
            message: format!("the program `{program}` is not installed"),
            hint: "install it, or name another runner or program",
            is_invalid: false,
        })
    }
}

fn runner_of<'a>(automation: &'a Automation, settings: &'a Settings) -> Option<&'a RunnerChoice> {
    automation.runner.as_ref().or(settings.default_runner.as_ref())
}

/// Returns the program that an automation starts, if its file names one.
fn needed_program(automation: &Automation, settings: &Settings) -> Option<String> {
    match &automation.action {
        Action::Git(_) => Some("git".to_owned()),
        Action::GitHub(_) => Some("gh".to_owned()),
        Action::Mcp(_) => None,
        Action::Command { argv, .. } => {
            argv.first().map(|it| it.as_str().to_owned()).filter(|it| !it.contains("${"))
        }
        Action::Prompt { .. } | Action::Agent { .. } | Action::Custom(_) => {
            match runner_of(automation, settings)? {
                RunnerChoice::Cli(runner) => Some(runner.cli.as_str().to_owned()),
                RunnerChoice::Command { argv } => argv.first().cloned(),
                RunnerChoice::Http { .. } => None,
            }
        }
    }
}
