//! The changes that a person can make through the page.

use std::net::SocketAddr;

use asks::{Answer, AskId};
use automation::queue::{self, Entry, QueuedRun};
use automation::{AutomationId, Occurrence, OccurrenceKind};
use axum::http::HeaderMap;
use intent::{ExpansionRequest, ExpansionRequests, WorkspaceIntents};
use session::person::PersonChanges;

use super::access::Refusal;
use super::{Web, peer};

/// A change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Change {
    /// Runs an automation now.
    Run(String),
    /// Enables or disables an automation.
    Switch(String, bool),
    /// Lets a paused automation run again.
    Resume(String),
    /// Cancels a run.
    Cancel(String),
    /// Accepts an agent's request for a wider scope.
    Accept(String),
    /// Declines such a request.
    Decline(String),
    /// Answers an ask.
    Answer(String, Answer),
}

impl Change {
    /// Returns the page that shows the result.
    pub(super) const fn page(&self) -> &'static str {
        match self {
            Self::Run(_) | Self::Switch(..) | Self::Resume(_) | Self::Cancel(_) => "/automations",
            Self::Answer(..) => "/asks",
            Self::Accept(_) | Self::Decline(_) => "/intents",
        }
    }
}

/// Checks that a request comes from one of our pages, in a browser with our cookie, that a person uses.
pub(super) fn check(web: &Web, headers: &HeaderMap, from: SocketAddr) -> Result<(), Refusal> {
    web.access.check_origin(headers)?;
    if !web.access.has_cookie(headers) {
        return Err(Refusal("this browser has not opened the link that `serve` printed".to_owned()));
    }
    check_person(web, from)
}

/// Checks that every process behind a connection is a person's.
pub(super) fn check_person(web: &Web, from: SocketAddr) -> Result<(), Refusal> {
    let holders = peer::holders(from, web.access.port());
    if holders.is_empty() {
        return Err(Refusal("steersman cannot see which program sent this request".to_owned()));
    }
    for pid in holders {
        session::person::check_process(&web.workspace, web.user_state.as_ref(), pid, None).map_err(
            |refusal| {
                session::person::record_refusal(&web.workspace, "page", &refusal);
                Refusal(format!(
                    "{refusal}; start the browser yourself, before the agent or with `steersman serve --open`"
                ))
            },
        )?;
    }
    Ok(())
}

/// Makes a change. Returns why it cannot.
pub(super) fn make(web: &Web, change: &Change) -> Result<(), Refusal> {
    let now = store::now();
    let entry = match change {
        Change::Run(id) => {
            let id = known(web, id)?;
            if let Some(why) = &web.snapshots.get().objection {
                return Err(Refusal(why.clone()));
            }
            let kind = OccurrenceKind::Custom {
                name: Occurrence::MANUAL.to_owned(),
                path: None,
                data: serde_json::Map::new(),
            };
            Entry::Queued { run: QueuedRun::new(now, id, Occurrence::new(now, kind)) }
        }
        Change::Switch(id, enabled) => {
            return web.inspection.switch(known(web, id)?.as_str(), *enabled).map_err(Refusal);
        }
        Change::Resume(id) => Entry::Resumed { hook: known(web, id)? },
        Change::Cancel(id) => {
            let queue = queue::read(&web.workspace)
                .map_err(|error| Refusal(format!("cannot read the queue: {error}")))?;
            let run = queue.open().find(|run| run.queued.id.as_str() == id);
            let run = run.ok_or_else(|| Refusal("this run is not queued or running any more".to_owned()))?;
            Entry::CancelAsked { run: run.queued.id.clone(), by: None }
        }
        Change::Answer(id, answer) => return answer_ask(web, id, answer),
        Change::Accept(key) => return accept(web, &request(web, key)?),
        Change::Decline(key) => {
            let declined = ExpansionRequests::of(&web.workspace).decline(&request(web, key)?, now);
            return declined.map_err(|error| Refusal(format!("cannot decline the request: {error}")));
        }
    };
    queue::append(&web.workspace, now, [entry])
        .map_err(|error| Refusal(format!("cannot write the queue: {error}")))
}

/// Passes a person's answer to the hook that waits. The hook checks that a person started this server.
fn answer_ask(web: &Web, id: &str, answer: &Answer) -> Result<(), Refusal> {
    let root = web.workspace.root().to_string();
    let open = AskId::parse(id).and_then(|id| asks::find(web.user_state.as_ref()?, &id));
    let open = open.filter(|open| open.ask.workspace == root);
    let mut open =
        open.ok_or_else(|| Refusal("no hook waits for an answer to this ask any more".to_owned()))?;
    open.answer(answer).map_err(|error| Refusal(error.to_string()))
}

fn request(web: &Web, key: &str) -> Result<ExpansionRequest, Refusal> {
    let intents = WorkspaceIntents::of(&web.workspace).read().map_err(|error| Refusal(error.to_string()))?;
    let intents = intents.map(|file| file.intents).unwrap_or_default();
    let open =
        ExpansionRequests::of(&web.workspace).open(&intents).map_err(|error| Refusal(error.to_string()))?;
    let found = open.into_iter().find(|request| request.key() == key);
    found.ok_or_else(|| Refusal("this request was answered already".to_owned()))
}

fn accept(web: &Web, request: &ExpansionRequest) -> Result<(), Refusal> {
    let expanded = WorkspaceIntents::of(&web.workspace).expand(&request.intent_id, &request.pattern);
    expanded.map_err(|error| Refusal(format!("cannot widen the scope: {error}")))?;
    if let Some(user_state) = &web.user_state {
        PersonChanges::record_intents(&web.workspace, user_state);
    }
    Ok(())
}

fn known(web: &Web, id: &str) -> Result<AutomationId, Refusal> {
    let is_known = web.snapshots.get().automations.iter().any(|it| it.id == id);
    let id = AutomationId::new(id).ok().filter(|_| is_known);
    id.ok_or_else(|| Refusal("no automation has this id".to_owned()))
}
