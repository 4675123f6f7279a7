//! Orders of the editor extension that started this server.
//!
//! The extension proves itself twice: by the token that the server wrote to the pipe between them, and by being the
//! process at the other end of the connection. An agent that learns the token still cannot send from that process.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use asks::{Answer, Scope};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use event::SessionId;
use intent::{IntentId, Selection, Status, WorkspaceIntents};
use serde::Deserialize;
use serde_json::json;
use session::person::{ExtensionHost, PersonChanges};
use store::HoldOfAll;

use super::access::{Refusal, is_equal, random_hex};
use super::change::{self, Change};
use super::{Web, events, peer};

/// Trusts the workspace in the form with this fingerprint. Returns why it cannot.
pub type GrantTrust = dyn Fn(&str) -> Result<(), String> + Send + Sync;

/// The extension that started a server.
#[derive(Clone)]
pub struct Editor {
    /// Its process.
    host: ExtensionHost,
    /// The secret of its requests.
    token: String,
    /// Trusts the workspace.
    grant_trust: Arc<GrantTrust>,
}

impl Editor {
    /// Returns the extension of a process, with a new token.
    pub fn new(host: ExtensionHost, grant_trust: Arc<GrantTrust>) -> io::Result<Self> {
        Ok(Self { host, token: random_hex(32)?, grant_trust })
    }

    /// Returns the secret of its requests.
    pub fn token(&self) -> &str {
        &self.token
    }
}

impl fmt::Debug for Editor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Editor").field("host", &self.host).finish_non_exhaustive()
    }
}

/// An order, as the extension sends it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
enum OrderWire {
    Allow { ask: String, session: bool },
    Deny { ask: String, reason: Option<String> },
    Run { automation: String },
    Resume { automation: String },
    Cancel { run: String },
    Accept { request: String },
    Decline { request: String },
    Select { intent: String },
    Clear {},
    SetStatus { intent: String, status: String },
    Hold { session: Option<String>, reason: Option<String> },
    Release { session: Option<String> },
    Trust { fingerprint: String },
}

/// Returns the route.
pub(super) fn routes() -> Router<Arc<Web>> {
    Router::new().route("/api/v1/editor", post(order))
}

async fn order(
    State(web): State<Arc<Web>>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Json(order): Json<OrderWire>,
) -> Response {
    let worker = Arc::clone(&web);
    let done = tokio::task::spawn_blocking(move || {
        check(&worker, &headers, from).map_err(|refusal| (StatusCode::FORBIDDEN, refusal))?;
        carry_out(&worker, order).map_err(|refusal| (StatusCode::CONFLICT, refusal))
    });
    match done.await {
        Ok(Ok(())) => {
            events::look(&web).await;
            Json(json!({"done": true})).into_response()
        }
        Ok(Err((status, Refusal(why)))) => (status, Json(json!({"error": why}))).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn check(web: &Web, headers: &HeaderMap, from: SocketAddr) -> Result<(), Refusal> {
    let refuse = |why: &str| Err(Refusal(why.to_owned()));
    let Some(editor) = &web.editor else { return refuse("no editor extension started this server") };
    let token = headers.get(header::AUTHORIZATION).and_then(|it| it.to_str().ok()?.strip_prefix("Bearer "));
    if !token.is_some_and(|token| is_equal(token, &editor.token)) {
        return refuse("the token of the editor extension is missing or wrong");
    }
    if headers.contains_key(header::ORIGIN) {
        return refuse("web pages must not send orders");
    }
    let holders = peer::holders(from, web.access.port());
    if holders.is_empty() || !holders.iter().all(|pid| editor.host.is(*pid)) {
        return refuse("another process than the editor extension sent this order");
    }
    Ok(())
}

fn carry_out(web: &Web, order: OrderWire) -> Result<(), Refusal> {
    let change = match order {
        OrderWire::Allow { ask, session } => {
            let scope = if session { Scope::Session } else { Scope::Once };
            Change::Answer(ask, Answer::Allow { scope })
        }
        OrderWire::Deny { ask, reason } => {
            let reason = reason.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
            Change::Answer(ask, Answer::Deny { reason })
        }
        OrderWire::Run { automation } => Change::Run(automation),
        OrderWire::Resume { automation } => Change::Resume(automation),
        OrderWire::Cancel { run } => Change::Cancel(run),
        OrderWire::Accept { request } => Change::Accept(request),
        OrderWire::Decline { request } => Change::Decline(request),
        OrderWire::Select { intent } => return select(web, &intent_id(&intent)?),
        OrderWire::Clear {} => return clear(web),
        OrderWire::SetStatus { intent, status } => return set_status(web, &intent_id(&intent)?, &status),
        OrderWire::Hold { session, reason } => return hold(web, session.as_deref(), reason.as_deref()),
        OrderWire::Release { session } => return release(web, session.as_deref()),
        OrderWire::Trust { fingerprint } => return trust(web, &fingerprint),
    };
    change::make(web, &change)
}

fn intent_id(text: &str) -> Result<IntentId, Refusal> {
    IntentId::parse(text).map_err(|error| Refusal(error.to_string()))
}

fn select(web: &Web, id: &IntentId) -> Result<(), Refusal> {
    let intent = WorkspaceIntents::of(&web.workspace)
        .take_up(id)
        .map_err(|error| Refusal(format!("cannot select {id}: {error}")))?;
    let selection = Selection::new(intent.id, store::now());
    selection.write(&web.workspace).map_err(|error| Refusal(format!("cannot select {id}: {error}")))?;
    record_intents(web);
    record_selection(web);
    Ok(())
}

fn clear(web: &Web) -> Result<(), Refusal> {
    Selection::clear(&web.workspace)
        .map_err(|error| Refusal(format!("cannot deselect the intent: {error}")))?;
    record_selection(web);
    Ok(())
}

fn set_status(web: &Web, id: &IntentId, status: &str) -> Result<(), Refusal> {
    let status =
        Status::parse(status).ok_or_else(|| Refusal(format!("`{status}` is not a status of intents")))?;
    let changed = WorkspaceIntents::of(&web.workspace).set_status(id, status);
    changed.map_err(|error| Refusal(format!("cannot change the status of {id}: {error}")))?;
    record_intents(web);
    Ok(())
}

fn record_intents(web: &Web) {
    if let Some(user_state) = &web.user_state {
        PersonChanges::record_intents(&web.workspace, user_state);
    }
}

fn record_selection(web: &Web) {
    if let Some(user_state) = &web.user_state {
        PersonChanges::record_selection(&web.workspace, user_state);
    }
}

fn hold(web: &Web, session: Option<&str>, reason: Option<&str>) -> Result<(), Refusal> {
    let Some(named) = session else {
        let order = HoldOfAll::new(store::now().as_millis(), 0, reason);
        let saved = web.user_state.as_ref().map(|state| order.save(&web.workspace, state));
        return match saved {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => Err(Refusal(format!("cannot hold all sessions: {error}"))),
            None => Err(Refusal("cannot hold all sessions: the state folder is unknown".to_owned())),
        };
    };
    session::hold::hold((&web.workspace, web.user_state.as_ref()), session_id(named)?, 0, reason)
        .map_err(|error| Refusal(format!("cannot hold session {named}: {error}")))
}

/// Releases a session, or all of them and those that start later.
fn release(web: &Web, session: Option<&str>) -> Result<(), Refusal> {
    let one = |id: SessionId| {
        session::hold::release((&web.workspace, web.user_state.as_ref()), id)
            .map(drop)
            .map_err(|error| Refusal(format!("cannot release session {id}: {error}")))
    };
    if let Some(named) = session {
        return one(session_id(named)?);
    }
    if let Some(state) = &web.user_state {
        HoldOfAll::remove(&web.workspace, state)
            .map_err(|error| Refusal(format!("cannot release all sessions: {error}")))?;
    }
    let sessions = session::history::overviews(&web.workspace)
        .map_err(|error| Refusal(format!("cannot list the sessions: {error}")))?;
    sessions.iter().filter(|session| session.hold.is_in_force()).try_for_each(|session| one(session.id))
}

fn session_id(text: &str) -> Result<SessionId, Refusal> {
    SessionId::parse(text).ok_or_else(|| Refusal(format!("`{text}` is not the id of a session")))
}

fn trust(web: &Web, fingerprint: &str) -> Result<(), Refusal> {
    let editor =
        web.editor.as_ref().ok_or_else(|| Refusal("no editor extension started this server".to_owned()))?;
    (editor.grant_trust)(fingerprint).map_err(Refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_exactly() {
        let parse = |text: &str| serde_json::from_str::<OrderWire>(text).ok();
        assert_eq!(
            parse(r#"{"do":"allow","ask":"4f1c09ab","session":true}"#),
            Some(OrderWire::Allow { ask: "4f1c09ab".to_owned(), session: true })
        );
        assert_eq!(parse(r#"{"do":"clear"}"#), Some(OrderWire::Clear {}));
        assert_eq!(
            parse(r#"{"do":"set-status","intent":"INT-001","status":"COMPLETED"}"#),
            Some(OrderWire::SetStatus { intent: "INT-001".to_owned(), status: "COMPLETED".to_owned() })
        );
        assert_eq!(parse(r#"{"do":"release"}"#), Some(OrderWire::Release { session: None }));
        for bad in [r#"{"do":"allow","ask":"4f1c09ab"}"#, r#"{"do":"clear","x":1}"#, r#"{"do":"quit"}"#, "{}"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
