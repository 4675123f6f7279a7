//! Asks a server over HTTP: one POST for each message; the answer is a JSON object or a stream of events.

use std::io::{BufRead, BufReader, Read};

use serde_json::{Value, json};
use ureq::http::Response;
use ureq::{Agent, Body};

use super::{ListError, ListSettings, sse};
use crate::attempt::with_sources;

/// How many bytes of an answer are read.
pub(super) const MAX_ANSWER: u64 = 16 << 20;
/// The most pages of a list.
pub(super) const MAX_PAGES: usize = 64;
/// The protocol version that steersman speaks.
const VERSION: &str = "2025-06-18";
/// The header with the session that the server opened.
const SESSION: &str = "mcp-session-id";

/// A session with a server.
struct Session<'a> {
    agent: Agent,
    address: String,
    headers: Vec<(String, String)>,
    id: Option<String>,
    settings: ListSettings<'a>,
}

pub(super) fn tools(
    address: &str,
    entry: &Value,
    settings: ListSettings<'_>,
) -> Result<Vec<Value>, ListError> {
    let agent: Agent = Agent::config_builder()
        .timeout_global(Some(settings.timeout))
        .http_status_as_error(false)
        // A redirection could send the headers, which hold secrets, to another server.
        .max_redirects(0)
        .build()
        .into();
    let address = settings.filled(address)?;
    let headers = headers(entry, settings)?;
    if entry.get("type").or_else(|| entry.get("transport")).and_then(Value::as_str) == Some("sse") {
        return sse::tools(&agent, &address, &headers, settings);
    }
    let mut session = Session { agent, address, headers, id: None, settings };
    let client = json!({"name": "steersman", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client});
    if let Err(error) = session.request(1, "initialize", &params) {
        // A server of the first transport refuses the question and offers a stream instead; its error says less than
        // the one of the usual transport.
        let older = sse::tools(&session.agent, &session.address, &session.headers, settings);
        return older.map_err(|_| error);
    }
    session.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    let tools = session.all_tools();
    session.close();
    tools
}

/// Returns the headers of an entry, with the values of the variables that they name.
fn headers(entry: &Value, settings: ListSettings<'_>) -> Result<Vec<(String, String)>, ListError> {
    let mut headers = Vec::new();
    let texts = |key: &str| {
        let values = entry.get(key).and_then(Value::as_object).into_iter().flatten();
        values.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
    };
    for (name, value) in texts("headers").chain(texts("http_headers")) {
        headers.push((name, settings.filled(&value)?));
    }
    let variable = |name: &str| {
        let missing = || ListError(format!("it needs the environment variable `{name}`, which is not set"));
        settings.variable(name).ok_or_else(missing)
    };
    for (name, source) in texts("env_http_headers") {
        headers.push((name, variable(&source)?));
    }
    if let Some(source) = entry.get("bearer_token_env_var").and_then(Value::as_str) {
        headers.push(("authorization".to_owned(), format!("Bearer {}", variable(source)?)));
    }
    Ok(headers)
}

impl Session<'_> {
    fn all_tools(&self) -> Result<Vec<Value>, ListError> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for page in 0..MAX_PAGES {
            let params = cursor.map_or_else(|| json!({}), |cursor: Value| json!({"cursor": cursor}));
            let (result, _) = self.ask(page + 2, "tools/list", &params)?;
            tools.extend(result["tools"].as_array().cloned().unwrap_or_default());
            cursor = result.get("nextCursor").filter(|cursor| cursor.is_string()).cloned();
            if cursor.is_none() {
                return Ok(tools);
            }
        }
        Err(ListError(format!("it has more than {MAX_PAGES} pages of tools")))
    }

    /// Sends a request and remembers the session that the server opens.
    fn request(&mut self, id: usize, method: &str, params: &Value) -> Result<Value, ListError> {
        let (result, session) = self.ask(id, method, params)?;
        self.id = session.or(self.id.take());
        Ok(result)
    }

    fn ask(&self, id: usize, method: &str, params: &Value) -> Result<(Value, Option<String>), ListError> {
        let answer = self.post(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let header = |name: &str| answer.headers().get(name)?.to_str().ok().map(str::to_owned);
        let session = header(SESSION);
        let is_stream = header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
        let mut message = read(answer, is_stream, id)?;
        if let Some(error) = message.get("error") {
            let why = error["message"].as_str().unwrap_or("no reason given");
            return Err(ListError(format!("it answers `{method}` with an error: {why}")));
        }
        Ok((message["result"].take(), session))
    }

    fn post(&self, message: &Value) -> Result<Response<Body>, ListError> {
        let mut request = self
            .agent
            .post(&self.address)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", VERSION);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(id) = &self.id {
            request = request.header(SESSION, id);
        }
        let answer = request.send(message.to_string()).map_err(|error| failure(error, self.settings))?;
        refusal(answer.status().as_u16()).map(|()| answer)
    }

    /// Ends the session. Ignores errors: a server may end it by itself.
    fn close(&self) {
        let Some(id) = &self.id else { return };
        let mut request = self.agent.delete(&self.address).header(SESSION, id);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let _ = request.call();
    }
}

/// Describes a request that got no answer.
pub(super) fn failure(error: ureq::Error, settings: ListSettings<'_>) -> ListError {
    match error {
        ureq::Error::Timeout(_) => {
            ListError(format!("it does not answer within {} s", settings.timeout.as_secs()))
        }
        other => ListError(with_sources(&other)),
    }
}

/// Returns an error for the status of a refused request.
pub(super) fn refusal(status: u16) -> Result<(), ListError> {
    match status {
        200..=299 => Ok(()),
        401 | 403 => Err(ListError("it refuses steersman: only the agent program has its login".to_owned())),
        status => Err(ListError(format!("it answers with the status {status}"))),
    }
}

/// Reads the answer with this id; other messages may precede it in a stream.
fn read(answer: Response<Body>, is_stream: bool, id: usize) -> Result<Value, ListError> {
    let mut body = answer.into_body().into_reader().take(MAX_ANSWER);
    if !is_stream {
        let mut text = String::new();
        body.read_to_string(&mut text).map_err(|error| ListError(with_sources(&error)))?;
        return serde_json::from_str(&text).map_err(|_| ListError("its answer is not JSON".to_owned()));
    }
    for line in BufReader::new(body).lines() {
        let line = line.map_err(|error| ListError(with_sources(&error)))?;
        let Some(data) = line.strip_prefix("data:") else { continue };
        let message: Option<Value> = serde_json::from_str(data.trim_start()).ok();
        if let Some(message) = message.filter(|message| message["id"] == json!(id)) {
            return Ok(message);
        }
    }
    Err(ListError("its stream ended before the answer".to_owned()))
}
