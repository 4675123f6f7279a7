//! Probes a server within a time limit.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::Address;
use crate::connection::Connection;

/// The server's answer.
#[derive(Debug, Default)]
pub struct Answer {
    /// The handshake succeeded.
    pub reachable: bool,
    /// The first value of the query's first row.
    pub value: Option<String>,
    /// Why the query has no value.
    pub problem: Option<String>,
}

/// A query, and the user name and password to log in with first.
pub struct Query {
    /// The query in Cypher.
    pub cypher: String,
    /// `None` sends no credentials.
    pub login: Option<(String, String)>,
}

/// Time limits of [`probe`].
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For connecting and agreeing on a version.
    pub handshake: Duration,
    /// For each answer to the query.
    pub query: Duration,
    /// For everything together.
    pub total: Duration,
}

/// Connects to a server and runs at most one query.
///
/// WHY in a thread: looking up a host name has no time limit otherwise.
pub fn probe(address: Address, query: Option<Query>, limits: Limits) -> Answer {
    let (tell, hear) = mpsc::channel();
    let has_query = query.is_some();
    thread::spawn(move || {
        let Ok(mut connection) = Connection::open(&address, limits.handshake) else {
            let _ = tell.send(Answer::default());
            return;
        };
        let _ = tell.send(Answer { reachable: true, ..Answer::default() });
        let Some(Query { cypher, login }) = query else { return };
        let answered = connection.single_value(&cypher, login.as_ref(), limits.query);
        let (value, problem) = match answered {
            Ok(value) => (value, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let _ = tell.send(Answer { reachable: true, value, problem });
    });
    let began = Instant::now();
    let first = hear.recv_timeout(limits.handshake.min(limits.total)).unwrap_or_default();
    if !first.reachable || !has_query {
        return first;
    }
    let left = limits.total.saturating_sub(began.elapsed());
    let late = |_| Answer { problem: Some("the server did not answer in time".to_owned()), ..first };
    hear.recv_timeout(limits.query.saturating_mul(4).min(left)).unwrap_or_else(late)
}
