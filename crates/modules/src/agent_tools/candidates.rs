//! The agents that may govern a session, in order of precedence.

use serde_json::Value;

use crate::Context;

/// An agent that may govern, and its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate<'a> {
    pub(super) name: &'a str,
    pub(super) named_by: NamedBy,
}

/// The source of an agent's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedBy {
    /// The host: the call comes from a subagent of this type.
    Host,
    /// `steersman agent run`, which started the host.
    Run,
    /// `agents.active` of `config.json`.
    Config,
}

impl Candidate<'_> {
    /// Returns whether the agent may lack a definition file.
    pub(super) fn may_be_the_hosts(&self) -> bool {
        self.named_by == NamedBy::Host
    }
}

/// Returns the candidates, and a warning about an invalid setting.
pub(super) fn candidates<'a>(context: &'a Context<'_>) -> (Vec<Candidate<'a>>, Option<String>) {
    let kind = context.event.agent.as_ref().and_then(|agent| agent.kind.as_deref());
    let (active, complaint) = active(context.config.section("agents"));
    let sources = [
        (kind, NamedBy::Host),
        (context.running_agent, NamedBy::Run),
        // `steersman agent run` overrides the default agent.
        (active.filter(|_| context.running_agent.is_none()), NamedBy::Config),
    ];
    let named = sources.into_iter().filter_map(|(name, named_by)| {
        let name = name.map(str::trim).filter(|name| !name.is_empty())?;
        Some(Candidate { name, named_by })
    });
    (named.collect(), complaint)
}

fn active(section: &Value) -> (Option<&str>, Option<String>) {
    match section.get("active") {
        None | Some(Value::Null) => (None, None),
        Some(Value::String(name)) => (Some(name), None),
        Some(_) => {
            let complaint =
                "`agents.active` in config.json is ignored: it must be the name of an agent, as a string";
            (None, Some(complaint.to_owned()))
        }
    }
}
