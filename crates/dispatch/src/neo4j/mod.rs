//! Whether a Neo4j database is there to be used (contract §11).
//!
//! Off unless `config.json` names one. The answer is kept in the state for five minutes, so
//! hardly any event pays for it, and a tool call that waits never does.

mod address;
mod connection;
mod packstream;
mod settings;

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use event::EventName;
use serde_json::{Map, Value, json};

use crate::Context;
use address::Address;
use connection::Connection;
pub use settings::Settings;

/// The section of `config.json`, and of the state's `cap`.
pub const NAME: &str = "neo4j";

/// How long an answer is good for.
const GOOD_FOR_MS: u64 = 5 * 60 * 1000;

/// What is left of the budget for everybody else.
const MARGIN: Duration = Duration::from_millis(100);

/// What was found out.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The patch of the state; empty if nothing was looked at.
    pub patch: Map<String, Value>,
    /// What the person has to be told.
    pub warnings: Vec<String>,
}

/// Looks whether the database is there, unless that is known, or a call waits.
pub(crate) fn look(context: &Context<'_>) -> Found {
    let event = context.event.name();
    if !matches!(event, EventName::SessionStart | EventName::PostToolUse | EventName::Stop) {
        return Found::default();
    }
    let settings: Settings = match context.config.typed(NAME) {
        Ok(settings) => settings,
        Err(error) => {
            let warning = format!("`{NAME}` is not looked at: {error}");
            return Found { warnings: vec![warning], ..Found::default() };
        }
    };
    let Some(uri) = &settings.uri else { return taken_away(context) };
    let now = store::now().as_millis();
    let known = context.state.cap.get(NAME).and_then(|cap| cap.get("lastCheckTs")).and_then(Value::as_u64);
    if known.is_some_and(|at| now.saturating_sub(at) < GOOD_FOR_MS) {
        return Found::default();
    }
    let address = match Address::parse(uri) {
        Ok(address) => address,
        Err(problem) => {
            let error = context.config.about("/neo4j/uri", problem);
            return Found {
                warnings: vec![format!("`{NAME}` is not looked at: {error}")],
                ..Found::default()
            };
        }
    };
    // While the result of a tool waits, only the handshake is made.
    let asks = event != EventName::PostToolUse && settings.schema_query.is_some();
    let login = settings.login(context.workspace);
    let left = context.deadline.left(Instant::now()).saturating_sub(MARGIN);
    let handshake = Duration::from_millis(settings.timeout_ms);
    let mut warnings = Vec::new();
    let question = settings.schema_query.filter(|_| asks).and_then(|query| match login {
        Ok(login) => Some(Question { query, login }),
        Err(problem) => {
            warnings.push(format!("`{NAME}`: the schema is not known: {problem}"));
            None
        }
    });
    let limits = Limits { handshake, query: Duration::from_millis(settings.query_timeout_ms), left };
    let outcome = ask(address, question, limits);
    warnings.extend(outcome.problem.map(|problem| format!("`{NAME}`: the schema is not known: {problem}")));
    let mut cap = json!({"enabled": true, "reachable": outcome.reachable, "lastCheckTs": now});
    // What was known of the schema stays known until it is asked for again.
    if asks {
        cap["schemaVersion"] = json!(outcome.version);
    }
    Found { patch: patch(&cap), warnings }
}

/// Returns the patch for a session whose project has no database any longer.
fn taken_away(context: &Context<'_>) -> Found {
    let was_there = context.state.cap.get(NAME).and_then(|cap| cap.get("enabled")).and_then(Value::as_bool);
    if was_there == Some(true) {
        let cap = json!({"enabled": false, "reachable": false, "schemaVersion": null});
        return Found { patch: patch(&cap), warnings: Vec::new() };
    }
    Found::default()
}

fn patch(cap: &Value) -> Map<String, Value> {
    Map::from_iter([("cap".to_owned(), json!({NAME: cap}))])
}

/// What came of asking the server.
#[derive(Debug, Default)]
struct Outcome {
    reachable: bool,
    version: Option<String>,
    problem: Option<String>,
}

/// What the server is asked beside the handshake, and by whom.
struct Question {
    query: String,
    login: Option<(String, String)>,
}

/// How long everything may take.
#[derive(Clone, Copy)]
struct Limits {
    handshake: Duration,
    query: Duration,
    left: Duration,
}

/// Asks in a thread of its own: looking up a name has no time limit otherwise.
fn ask(address: Address, question: Option<Question>, limits: Limits) -> Outcome {
    let (tell, hear) = mpsc::channel();
    let asks = question.is_some();
    thread::spawn(move || {
        let Ok(mut connection) = Connection::open(&address, limits.handshake) else {
            let _ = tell.send(Outcome::default());
            return;
        };
        let _ = tell.send(Outcome { reachable: true, ..Outcome::default() });
        let Some(Question { query, login }) = question else { return };
        let answered = connection.single_value(&query, login.as_ref(), limits.query);
        let (version, problem) = match answered {
            Ok(version) => (version, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let _ = tell.send(Outcome { reachable: true, version, problem });
    });
    let began = Instant::now();
    let first = hear.recv_timeout(limits.handshake.min(limits.left)).unwrap_or_default();
    if !first.reachable || !asks {
        return first;
    }
    let left = limits.left.saturating_sub(began.elapsed());
    let late = |_| Outcome { problem: Some("there was no answer in time".to_owned()), ..first };
    hear.recv_timeout(limits.query.saturating_mul(4).min(left)).unwrap_or_else(late)
}
