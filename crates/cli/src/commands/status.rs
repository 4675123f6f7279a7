//! `steersman status [--json]`
//!
//! With `--json`: `{"workspace", "registered": [{"host", "files"}], "modules", "intents": {"n", "selected", "mode"} or null,
//! "plan": {"file", "nodes", "complete"} or null, "activeAgent", "trusted", "server", "sessions", "waiting": [text]}`;
//! sessions as in `session list --json`.

use ::session::history::{Overview, overviews};
use anyhow::Context;
use event::plain_name;
use host::install::{HookPlan, SettingsFile};
use intent::{Selection, WorkspaceIntents};
use modules::{IntentMode, IntentSettings};
use plan::{Node, NodeStatus};
use project_config::{AgentsSettings, Config, Manifest};
use serde_json::{Value, json};
use store::TrustStatus;

use super::level::Level;
use super::{Place, automation, hosts, session};
use crate::change::read_text;
use crate::environment::{self, UserFile};
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::{self, moment, text};

/// Show the rules in force here, the last sessions, open questions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Print JSON: {workspace, registered, modules, intents, plan, activeAgent, trusted, server, sessions, waiting}
    #[arg(long)]
    json: bool,
}

/// How many sessions are shown.
const SESSIONS: usize = 3;

/// Everything on the screen.
struct Status {
    registered: Vec<(String, Vec<String>)>,
    modules: Vec<String>,
    intents: Option<IntentsInForce>,
    plan: Option<PlanInForce>,
    active_agent: Option<String>,
    trusted: Option<&'static str>,
    server: Option<u32>,
    sessions: Vec<Overview>,
    waiting: Vec<String>,
}

/// The intents that govern the workspace.
struct IntentsInForce {
    n_declared: usize,
    selected: Option<String>,
    mode: &'static str,
}

/// The plan that governs the calls.
struct PlanInForce {
    file: String,
    n_nodes: usize,
    n_complete: usize,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let status = Status::of(place)?;
    if args.json {
        output::json(&status.to_json(place))?;
    } else {
        status.print(place);
    }
    Ok(Exit::Fine)
}

impl Status {
    fn of(place: &Place) -> anyhow::Result<Self> {
        let config = Config::load(&place.workspace).unwrap_or_default();
        let manifest = Manifest::load(&place.workspace).unwrap_or_default();
        let mut sessions = overviews(&place.workspace).context("cannot list the sessions")?;
        let mut status = Self {
            registered: registered(place),
            modules: running(&manifest),
            intents: intents(place, &config),
            plan: plan_in_force(place),
            active_agent: config.typed::<AgentsSettings>("agents").unwrap_or_default().active,
            trusted: trusted(place),
            server: serve::Lock::holder(&place.workspace).map(|server| server.pid),
            sessions: Vec::new(),
            waiting: Vec::new(),
        };
        status.waiting = status.find_waiting(place, &sessions);
        sessions.truncate(SESSIONS);
        status.sessions = sessions;
        Ok(status)
    }

    /// Lists the steps that wait for a person.
    fn find_waiting(&self, place: &Place, sessions: &[Overview]) -> Vec<String> {
        let mut waiting = Vec::new();
        if self.registered.is_empty() {
            waiting.push("no agent program calls steersman here: run `steersman init`".to_owned());
        }
        for held in sessions.iter().filter(|session| session.hold.is_in_force()) {
            waiting.push(format!("session {} is held: run `steersman release {}`", held.id, held.id));
        }
        if let Some(intents) = &self.intents
            && intents.n_declared == 0
        {
            waiting.push("the intents file lists no intents: run `steersman intent new`".to_owned());
        }
        if matches!(self.trusted, Some("no" | "changed")) {
            waiting.push("scripts or automations do not run until you run `steersman trust`".to_owned());
        }
        let applied = automation::Applied::read(place);
        let broken = applied.loaded.consequences();
        waiting.extend(broken.into_iter().map(|it| format!("{it}: run `steersman automation validate`")));
        let queue = ::automation::queue::read(&place.workspace).unwrap_or_default();
        let n_queued = queue.n_open();
        if n_queued > 0 && self.server.is_none() {
            let runs = text::counted(n_queued, "queued run waits", "queued runs wait");
            waiting.push(format!("{runs} for `steersman serve`"));
        }
        let n_events = applied.n_waiting(&queue);
        if n_events > 0 && self.server.is_none() {
            let events = text::counted(n_events, "emitted event waits", "emitted events wait");
            waiting.push(format!("{events} for `steersman serve`"));
        }
        waiting
    }

    fn print(&self, place: &Place) {
        let row = |name: &str, text: &str| {
            output::field(&format!("{} ", paint(FAINT, &format!("{name:<11}"))), text);
        };
        row("workspace", &place.workspace.root().to_string());
        if self.registered.is_empty() {
            row("registered", "nowhere");
        }
        for (n, (host, files)) in self.registered.iter().enumerate() {
            row(if n == 0 { "registered" } else { "" }, &format!("{host}: {}", files.join(", ")));
        }
        row("modules", &self.modules.join(", "));
        if let Some(intents) = &self.intents {
            let selected = intents
                .selected
                .as_deref()
                .map_or_else(|| "none selected for the workspace".to_owned(), |id| format!("{id} selected"));
            row("intents", &format!("{} declared, {selected}, mode {}", intents.n_declared, intents.mode));
        }
        if let Some(plan) = &self.plan {
            row("plan", &format!("{}: {} of {} nodes complete", plan.file, plan.n_complete, plan.n_nodes));
        }
        if let Some(agent) = &self.active_agent {
            row("agent", &format!("{} governs the tools of every session", text::one_line(agent)));
        }
        if let Some(trusted) = self.trusted {
            row("trusted", trusted);
        }
        if let Some(pid) = self.server {
            row("serve", &format!("running (process {pid})"));
        }
        let now = store::now();
        for (n, session) in self.sessions.iter().enumerate() {
            let ago = session.last_event.map_or_else(|| "–".to_owned(), |at| moment::ago(at, now));
            let host = session.host.as_deref().map(text::one_line).unwrap_or_default();
            let calls = if session.tool_calls == 1 { "call" } else { "calls" };
            let line = format!(
                "{}  {host}  {ago}: {} {calls}, {} denied, {} asked",
                paint(STRONG, &session.id.to_string()),
                session.tool_calls,
                session.denies,
                session.asks
            );
            row(if n == 0 { "sessions" } else { "" }, &line);
        }
        if self.sessions.is_empty() {
            row("sessions", "none yet");
        }
        for (n, text) in self.waiting.iter().enumerate() {
            row(if n == 0 { "to do" } else { "" }, text);
        }
    }

    fn to_json(&self, place: &Place) -> Value {
        let registered: Vec<Value> =
            self.registered.iter().map(|(host, files)| json!({ "host": host, "files": files })).collect();
        let intents = self
            .intents
            .as_ref()
            .map(|it| json!({ "n": it.n_declared, "selected": it.selected, "mode": it.mode }));
        let plan = self
            .plan
            .as_ref()
            .map(|it| json!({ "file": it.file, "nodes": it.n_nodes, "complete": it.n_complete }));
        let sessions: Vec<Value> = self.sessions.iter().map(session::overview_json).collect();
        json!({
            "workspace": place.workspace.root().to_string(), "registered": registered, "modules": self.modules,
            "intents": intents, "plan": plan, "activeAgent": self.active_agent, "trusted": self.trusted,
            "server": self.server, "sessions": sessions, "waiting": self.waiting,
        })
    }
}

/// Lists the agent programs and the settings files in which they call steersman.
pub(crate) fn registered(place: &Place) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let local = [HookPlan::LOCAL];
    for level in [Level::Project, Level::User, Level::Managed] {
        let own: &[&'static HookPlan] = if level == Level::Project { &local } else { &[] };
        for plan in level.plans().into_iter().chain(own.iter().copied()) {
            let found_at = match level {
                Level::Project => Some((place.workspace.root().join(plan.file), plan.file.to_owned())),
                Level::User => UserFile::of(plan.file).map(|own| (own.path(), own.shown())),
                Level::Managed => Some(environment::managed_file(plan.file)),
            };
            let Some((path, file)) = found_at else { continue };
            let Ok(Some(text)) = read_text(&path) else { continue };
            let is_ours = SettingsFile::with_hooks(plan).found_in(&text).is_ok_and(|parts| !parts.is_empty());
            if is_ours {
                let titles = hosts::titles(plan.hosts);
                match found.iter_mut().find(|(host, _)| *host == titles) {
                    Some((_, files)) => files.push(file),
                    None => found.push((titles, vec![file])),
                }
            }
        }
    }
    found
}

/// Lists the built-in modules that run, then the project's own.
fn running(manifest: &Manifest) -> Vec<String> {
    let is_on = |name: &str, by_default: bool| {
        manifest.modules.get(name).map_or(by_default, |entry| entry.enabled != Some(false))
    };
    let profiles = || modules::ALL.iter().map(|module| module.profile());
    let is_of_project = |name: &str| profiles().all(|profile| profile.name != name);
    let own = manifest.modules.keys().filter(|name| is_of_project(name) && is_on(name, false));
    let built_in = profiles().filter(|profile| is_on(profile.name, profile.on_by_default));
    built_in
        .map(|profile| plain_name(profile.name).to_owned())
        .chain(own.map(|name| text::one_line(name)))
        .collect()
}

/// Returns the valid plan of the latest session that has one, else the one that the settings name.
fn plan_in_force(place: &Place) -> Option<PlanInForce> {
    let (file, progress) = super::plan::in_force(place)?;
    let nodes = &progress.graph.nodes;
    let is_complete = |node: &&Node| progress.status(node) == NodeStatus::Complete;
    Some(PlanInForce { file, n_nodes: nodes.len(), n_complete: nodes.iter().filter(is_complete).count() })
}

fn intents(place: &Place, config: &Config) -> Option<IntentsInForce> {
    let intents = WorkspaceIntents::of(&place.workspace);
    if !intents.file().as_path().exists() {
        return None;
    }
    let n_declared = intents.read().ok().flatten().map_or(0, |it| it.intents.len());
    let selected = Selection::read(&place.workspace).ok().flatten().map(|it| it.intent_id.to_string());
    let settings: IntentSettings = config.typed(IntentSettings::SECTION).unwrap_or_default();
    let mode = match settings.mode {
        IntentMode::Enforce => "enforce",
        IntentMode::Observe => "observe",
    };
    Some(IntentsInForce { n_declared, selected, mode })
}

/// Returns whether the user trusts the workspace's automations. Returns `None` if it has none.
fn trusted(place: &Place) -> Option<&'static str> {
    let has_automations = automation::Applied::read(place).configuration.automations().next().is_some();
    let status = automation::standing(place).ok().filter(|_| has_automations)?;
    Some(match status {
        TrustStatus::Trusted => "yes",
        TrustStatus::Never => "no",
        TrustStatus::Changed { .. } => "changed",
    })
}
