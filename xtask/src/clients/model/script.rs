//! The tool calls that the model makes.

use serde_json::Value;

use super::Conversation;

/// Marks the prompt of a subagent, so that its conversation follows its own script.
pub(crate) const SUBAGENT_MARK: &str = "SUBAGENT-TASK";

/// Stands in the arguments of a call for the id of the subagent that an earlier call returned.
pub(crate) const AGENT_ID: &str = "{agent_id}";

/// One tool call in the spelling of one program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    /// The tool.
    pub(crate) name: String,
    /// The namespace in which Codex offers tools of MCP servers.
    pub(crate) namespace: Option<&'static str>,
    /// The input.
    pub(crate) arguments: Arguments,
    /// Whether the program accepts the call although the request does not list the tool: programs load the
    /// tools of MCP servers late.
    pub(crate) is_deferred: bool,
    /// Whether the model makes this call together with the one before it, in one reply.
    pub(crate) is_parallel: bool,
}

/// The input of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Arguments {
    /// Named values.
    Object(Value),
    /// A string, for tools with their own grammar.
    Text(String),
}

impl Call {
    /// Returns a call of a tool that the program always offers.
    pub(crate) fn new(name: &str, arguments: Value) -> Self {
        Self {
            name: name.to_owned(),
            namespace: None,
            arguments: Arguments::Object(arguments),
            is_deferred: false,
            is_parallel: false,
        }
    }

    /// Makes the call together with the one before it, in one reply.
    pub(crate) fn in_parallel(mut self) -> Self {
        self.is_parallel = true;
        self
    }

    /// Returns the arguments as JSON; a string becomes a string.
    pub(crate) fn json(&self) -> Value {
        match &self.arguments {
            Arguments::Object(value) => value.clone(),
            Arguments::Text(text) => text.as_str().into(),
        }
    }
}

/// The calls of the main conversation and of its subagent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    /// The calls of the main conversation.
    pub(crate) calls: Vec<Call>,
    /// The calls of a conversation that contains [`SUBAGENT_MARK`].
    pub(crate) subagent: Vec<Call>,
    /// The lengths of the prompt that the model reports, one after the other, from its last call on; all others are short.
    pub(crate) long_prompts: Vec<u64>,
}

/// The number of tokens of a short prompt.
const SHORT_PROMPT: u64 = 100;

impl Script {
    /// Returns the length of the prompt that the model reports with these calls.
    ///
    /// WHY each once: a program that shortens the conversation leaves out the results, so the script restarts.
    pub(super) fn take_n_tokens(&mut self, conversation: &Conversation, calls: &[Call]) -> u64 {
        let is_main = !conversation.opening.contains(SUBAGENT_MARK);
        let is_late = conversation.results.len() + calls.len() >= self.calls.len();
        let is_offered_tools = !conversation.offered.is_empty();
        let long = if is_main && is_late && is_offered_tools { self.long_prompts.pop() } else { None };
        long.unwrap_or(SHORT_PROMPT)
    }

    /// Returns the next calls of a conversation: one, and those that are made in parallel to it.
    ///
    /// Returns none at the end of the script, and if the program does not offer the tool: it then asks for
    /// a title, a classification or a summary.
    pub(super) fn next_calls(&self, conversation: &Conversation) -> Vec<Call> {
        let calls = if conversation.opening.contains(SUBAGENT_MARK) { &self.subagent } else { &self.calls };
        let Some([first, others @ ..]) = calls.get(conversation.results.len()..) else { return Vec::new() };
        let is_offered = conversation.offered.contains(&first.name);
        if !is_offered && (!first.is_deferred || conversation.offered.is_empty()) {
            return Vec::new();
        }
        let parallel = others.iter().take_while(|call| call.is_parallel);
        [first].into_iter().chain(parallel).map(|call| with_agent_id(call, &conversation.results)).collect()
    }
}

/// Returns the call with the latest id of a subagent in the place of [`AGENT_ID`].
fn with_agent_id(call: &Call, results: &[String]) -> Call {
    let mut call = call.clone();
    let id = |result: &String| {
        let result: Value = serde_json::from_str(result).ok()?;
        result["agent_id"].as_str().map(str::to_owned)
    };
    if let (Arguments::Object(arguments), Some(id)) = (&mut call.arguments, results.iter().rev().find_map(id))
    {
        replace(arguments, &id);
    }
    call
}

fn replace(value: &mut Value, id: &str) {
    match value {
        Value::String(text) if text == AGENT_ID => id.clone_into(text),
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, id)),
        Value::Object(fields) => fields.values_mut().for_each(|value| replace(value, id)),
        _ => {}
    }
}
