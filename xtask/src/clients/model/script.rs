//! The tool calls that the model makes, one per turn.

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
}

/// The input of a tool call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Arguments {
    /// Named values.
    Object(Value),
    /// A text, for tools with a grammar of their own.
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
        }
    }

    /// Returns the arguments as JSON; a text becomes a string.
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
}

impl Script {
    /// Returns the next call of a conversation.
    ///
    /// Returns `None` at the end of the script, and if the program does not offer the tool: it then asks for
    /// a title, a classification or a summary.
    pub(super) fn next_call(&self, conversation: &Conversation) -> Option<Call> {
        let calls = if conversation.opening.contains(SUBAGENT_MARK) { &self.subagent } else { &self.calls };
        let call = calls.get(conversation.results.len())?;
        let is_offered = conversation.offered.contains(&call.name);
        let accepts = is_offered || call.is_deferred && !conversation.offered.is_empty();
        accepts.then(|| with_agent_id(call, &conversation.results))
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
