//! Asks a server of the first HTTP transport: one stream of events brings all answers, and its first event says where
//! the questions go.

use std::io::{BufRead, BufReader, Read};

use serde_json::{Value, json};
use ureq::http::Uri;
use ureq::{Agent, BodyReader};

use super::http::{MAX_ANSWER, MAX_PAGES, failure, refusal};
use super::{ListError, ListSettings};
use crate::attempt::with_sources;

/// The protocol version with this transport.
const VERSION: &str = "2024-11-05";

/// A connection: the stream of answers, and where to ask.
struct Connection<'a> {
    agent: &'a Agent,
    headers: &'a [(String, String)],
    settings: ListSettings<'a>,
    stream: BufReader<std::io::Take<BodyReader<'static>>>,
    endpoint: String,
}

/// Returns the tools of the server whose stream is at `address`.
pub(super) fn tools(
    agent: &Agent,
    address: &str,
    headers: &[(String, String)],
    settings: ListSettings<'_>,
) -> Result<Vec<Value>, ListError> {
    let mut request = agent.get(address).header("accept", "text/event-stream");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let answer = request.call().map_err(|error| failure(error, settings))?;
    refusal(answer.status().as_u16())?;
    let stream = BufReader::new(answer.into_body().into_reader().take(MAX_ANSWER));
    let mut connection = Connection { agent, headers, settings, stream, endpoint: String::new() };
    connection.endpoint = connection.announced(address)?;
    let client = json!({"name": "steersman", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client});
    connection.ask(1, "initialize", &params)?;
    connection.post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
    let mut tools = Vec::new();
    let mut cursor = None;
    for page in 0..MAX_PAGES {
        let params = cursor.map_or_else(|| json!({}), |cursor: Value| json!({"cursor": cursor}));
        let result = connection.ask(page + 2, "tools/list", &params)?;
        tools.extend(result["tools"].as_array().cloned().unwrap_or_default());
        cursor = result.get("nextCursor").filter(|cursor| cursor.is_string()).cloned();
        if cursor.is_none() {
            return Ok(tools);
        }
    }
    Err(ListError(format!("it has more than {MAX_PAGES} pages of tools")))
}

impl Connection<'_> {
    /// Returns the address that the first event names; it must be of the same server, which gets the headers.
    fn announced(&mut self, address: &str) -> Result<String, ListError> {
        let (_, data) = self.event(|kind, _| kind == "endpoint")?;
        let foreign = || ListError("its stream names the address of another server".to_owned());
        let base: Uri = address.parse().map_err(|_| foreign())?;
        let (Some(scheme), Some(host)) = (base.scheme_str(), base.authority()) else { return Err(foreign()) };
        let origin = format!("{scheme}://{host}");
        if data.starts_with('/') && !data.starts_with("//") {
            return Ok(format!("{origin}{data}"));
        }
        let named: Uri = data.parse().map_err(|_| foreign())?;
        let is_same = named.scheme() == base.scheme() && named.authority() == base.authority();
        if is_same { Ok(data) } else { Err(foreign()) }
    }

    fn ask(&mut self, id: usize, method: &str, params: &Value) -> Result<Value, ListError> {
        self.post(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        let parsed = |data: &str| serde_json::from_str::<Value>(data).ok();
        let is_answer = |_: &str, data: &str| parsed(data).is_some_and(|message| message["id"] == json!(id));
        let (_, data) = self.event(is_answer)?;
        let mut message = parsed(&data).unwrap_or_default();
        if let Some(error) = message.get("error") {
            let why = error["message"].as_str().unwrap_or("no reason given");
            return Err(ListError(format!("it answers `{method}` with an error: {why}")));
        }
        Ok(message["result"].take())
    }

    fn post(&self, message: &Value) -> Result<(), ListError> {
        let mut request = self.agent.post(&self.endpoint).header("content-type", "application/json");
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        let answer = request.send(message.to_string()).map_err(|error| failure(error, self.settings))?;
        refusal(answer.status().as_u16())
    }

    /// Reads the stream up to the first event that `is_wanted` by its kind and data.
    fn event(&mut self, is_wanted: impl Fn(&str, &str) -> bool) -> Result<(String, String), ListError> {
        let mut kind = String::new();
        let mut line = String::new();
        loop {
            line.clear();
            let n = self.stream.read_line(&mut line).map_err(|error| ListError(with_sources(&error)))?;
            if n == 0 {
                return Err(ListError("its stream ended before the answer".to_owned()));
            }
            let text = line.trim_end();
            if let Some(name) = text.strip_prefix("event:") {
                name.trim().clone_into(&mut kind);
            } else if let Some(data) = text.strip_prefix("data:").map(str::trim)
                && is_wanted(&kind, data)
            {
                return Ok((kind, data.to_owned()));
            } else if text.is_empty() {
                kind.clear();
            }
        }
    }
}
