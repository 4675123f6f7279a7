//! Checks whether a Neo4j database is reachable (contract §11).
//!
//! Off unless `config.json` names one. The state caches the answer for five minutes, so hardly any event pays for it, and
//! `PreToolUse` never does.

use std::time::{Duration, Instant};

use event::EventName;
use neo4j::{Address, Limits, Query};
use serde_json::{Map, Value, json};

use super::neo4j_settings::Settings;
use crate::Context;

/// The section of `config.json`, and of the state's `cap`.
pub const NAME: &str = "neo4j";

/// How long an answer is valid.
const GOOD_FOR_MS: u64 = 5 * 60 * 1000;

/// The part of the budget that other modules need.
const MARGIN: Duration = Duration::from_millis(100);

/// The result of the check.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The patch of the state; empty without a check.
    pub patch: Map<String, Value>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
}

/// Checks whether the database is reachable, unless the answer is cached or the event is `PreToolUse`.
pub(crate) fn look(context: &Context<'_>) -> Found {
    let event = context.event.name();
    if !matches!(event, EventName::SessionStart | EventName::PostToolUse | EventName::Stop) {
        return Found::default();
    }
    let settings: Settings = match context.config.typed(NAME) {
        Ok(settings) => settings,
        Err(error) => {
            let warning = format!("cannot check `{NAME}`: {error}");
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
            return Found { warnings: vec![format!("cannot check `{NAME}`: {error}")], ..Found::default() };
        }
    };
    // On `PostToolUse` only the handshake is made.
    let asks = event != EventName::PostToolUse && settings.schema_query.is_some();
    let login = settings.login(context.workspace);
    let left = context.deadline.left(Instant::now()).saturating_sub(MARGIN);
    let handshake = Duration::from_millis(settings.timeout_ms);
    let mut warnings = Vec::new();
    let query = settings.schema_query.filter(|_| asks).and_then(|cypher| match login {
        Ok(login) => Some(Query { cypher, login }),
        Err(problem) => {
            warnings.push(format!("`{NAME}`: cannot read the schema version: {problem}"));
            None
        }
    });
    let query_limit = Duration::from_millis(settings.query_timeout_ms);
    let answer = neo4j::probe(address, query, Limits { handshake, query: query_limit, total: left });
    warnings
        .extend(answer.problem.map(|problem| format!("`{NAME}`: cannot read the schema version: {problem}")));
    let mut cap = json!({"enabled": true, "reachable": answer.reachable, "lastCheckTs": now});
    // The known schema version stays until the next query.
    if asks {
        cap["schemaVersion"] = json!(answer.value);
    }
    Found { patch: patch(&cap), warnings }
}

/// Returns the patch for a session whose project removed its database.
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
