//! The scripted model: a server on the loopback that speaks the protocols of the agent programs.
//!
//! A program sends the whole conversation with each request. The number of tool results in it says how far the
//! script got, so the server keeps no state per conversation and several conversations (a subagent's, one
//! that only asks for a title) do not confuse it.

mod chat_completions;
mod generate_content;
mod http;
mod messages;
mod responses;
mod script;
mod server_sent_events;

use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::{Context, Result};
use serde_json::{Value, json};

pub(crate) use script::{AGENT_ID, Arguments, Call, SUBAGENT_MARK, Script};

/// The text with which the model ends its turn.
pub(crate) const FINAL_TEXT: &str = "All done.";

/// The name of the only model that the server lists.
pub(crate) const MODEL_NAME: &str = "gpt-4.1";

/// A running server.
pub(crate) struct Model {
    /// The port on the loopback.
    pub(crate) port: u16,
    played: Arc<Mutex<Played>>,
}

/// The script in progress and the requests since it began.
#[derive(Default)]
struct Played {
    script: Script,
    requests: Vec<Request>,
    n_replies: usize,
}

/// One request for a reply.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The conversation that the program sent.
    pub(crate) conversation: Conversation,
    /// The whole request.
    pub(crate) body: Value,
    /// The tools that the model called; empty if it ended its turn.
    pub(crate) called: Vec<String>,
}

/// The parts of a conversation that decide the reply, read from any of the protocols.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Conversation {
    /// The names of the tools that the program offers.
    pub(crate) offered: Vec<String>,
    /// The user's messages as JSON; a subagent's contain [`SUBAGENT_MARK`].
    pub(crate) opening: String,
    /// The results of the tool calls so far.
    pub(crate) results: Vec<String>,
}

/// The model's reply, before a protocol encodes it.
#[derive(Clone, Debug)]
struct Reply {
    /// Counts the replies, so that every id is unique.
    number: usize,
    /// The calls, in parallel; none of them ends the turn with a string.
    calls: Vec<Call>,
    /// How long the prompt was, as the model reports it.
    n_tokens: u64,
    is_streamed: bool,
}

/// An encoded answer.
#[derive(Debug)]
struct Answer {
    status: u16,
    content_type: &'static str,
    body: String,
}

impl Answer {
    fn json(status: u16, body: &Value) -> Self {
        Self { status, content_type: "application/json", body: body.to_string() }
    }
}

impl Model {
    /// Starts the server on a free port.
    pub(crate) fn start() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).context("cannot listen on the loopback")?;
        let port = listener.local_addr().context("cannot read the port")?.port();
        let played = Arc::new(Mutex::new(Played::default()));
        let shared = Arc::clone(&played);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || converse(stream, &shared));
            }
        });
        Ok(Self { port, played })
    }

    /// Starts a script, and forgets the requests of the one before.
    pub(crate) fn play(&self, script: Script) {
        let mut played = lock(&self.played);
        played.script = script;
        played.requests.clear();
    }

    /// Returns the requests for a reply since the script began.
    pub(crate) fn requests(&self) -> Vec<Request> {
        lock(&self.played).requests.clone()
    }
}

fn lock(played: &Mutex<Played>) -> MutexGuard<'_, Played> {
    played.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers the requests of one connection until the program closes it.
fn converse(stream: TcpStream, played: &Mutex<Played>) {
    let Ok(mut connection) = http::Connection::new(stream) else { return };
    while let Ok(Some(request)) = connection.read() {
        let answer = answer(&request, played);
        if connection.write(answer.status, answer.content_type, &answer.body).is_err() {
            return;
        }
    }
}

/// Reads a conversation from the body of a request.
type Read = fn(&Value) -> Conversation;
/// Encodes a reply to the body of a request.
type Encode = fn(&Value, &Reply) -> Answer;

fn answer(request: &http::Request, played: &Mutex<Played>) -> Answer {
    let path = request.path.split('?').next().unwrap_or_default();
    if request.method == "GET" && path.ends_with("/models") {
        let model = json!({"id": MODEL_NAME, "object": "model", "created": 1, "owned_by": "script"});
        return Answer::json(200, &json!({"object": "list", "data": [model], "models": []}));
    }
    if request.method != "POST" {
        return Answer::json(404, &json!({"error": {"message": "not found"}}));
    }
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let asks_for_stream = body["stream"].as_bool().unwrap_or(false);
    let (read, encode, is_streamed): (Read, Encode, bool) = match path {
        _ if path.ends_with("/v1/messages") => (messages::read, messages::encode, asks_for_stream),
        _ if path.ends_with("/responses") => (responses::read, responses::encode, asks_for_stream),
        _ if path.ends_with("/chat/completions") => {
            (chat_completions::read, chat_completions::encode, asks_for_stream)
        }
        _ if path.ends_with(":generateContent") => (generate_content::read, generate_content::encode, false),
        _ if path.ends_with(":streamGenerateContent") => {
            (generate_content::read, generate_content::encode, true)
        }
        _ if path.ends_with("/count_tokens") => return Answer::json(200, &json!({"input_tokens": 100})),
        _ if path.ends_with(":countTokens") => return Answer::json(200, &json!({"totalTokens": 100})),
        _ => return Answer::json(404, &json!({"error": {"message": "not found"}})),
    };
    let conversation = read(&body);
    let mut played = lock(played);
    let calls = played.script.next_calls(&conversation);
    let n_tokens = played.script.take_n_tokens(&conversation, &calls);
    played.n_replies += 1;
    let called = calls.iter().map(|call| call.name.clone()).collect();
    let reply = Reply { number: played.n_replies, calls, n_tokens, is_streamed };
    let answer = encode(&body, &reply);
    played.requests.push(Request { conversation, body, called });
    answer
}

impl Reply {
    /// Returns the calls with the part of their ids that is unique among all calls.
    fn numbered(&self) -> impl Iterator<Item = (String, &Call)> {
        self.calls.iter().enumerate().map(|(index, call)| (format!("{:06}_{index}", self.number), call))
    }
}

/// Returns a tool result as plain text: a string as it is, an array of text blocks joined, anything else as JSON.
fn plain(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) if blocks.iter().all(|block| block["text"].is_string()) => {
            blocks.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        other => other.to_string(),
    }
}

/// Returns an array in a JSON value; empty if it is not an array.
fn items(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests;
