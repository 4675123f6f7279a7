//! Which agents may govern a session, in the order in which they are asked for.

use serde_json::Value;

use crate::Context;

/// An agent that may govern, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate<'a> {
    pub(super) name: &'a str,
    pub(super) said_by: SaidBy,
}

/// Who says that an agent governs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SaidBy {
    /// The host: the call comes from a subagent of this type.
    Host,
    /// `steersman agent run`, which started the host.
    Run,
    /// `agents.active` of `config.json`.
    Config,
}

impl Candidate<'_> {
    /// Returns whether no file need define it.
    pub(super) fn may_be_the_hosts(&self) -> bool {
        self.said_by == SaidBy::Host
    }
}

/// Returns the candidates, and what is wrong with the setting.
pub(super) fn candidates<'a>(context: &'a Context<'_>) -> (Vec<Candidate<'a>>, Option<String>) {
    let kind = context.event.agent.as_ref().and_then(|agent| agent.kind.as_deref());
    let (active, complaint) = active(context.config.section("agents"));
    let said = [
        (kind, SaidBy::Host),
        (context.running_agent, SaidBy::Run),
        // Whoever starts an agent by hand has chosen another than the usual one.
        (active.filter(|_| context.running_agent.is_none()), SaidBy::Config),
    ];
    let named = said.into_iter().filter_map(|(name, said_by)| {
        let name = name.map(str::trim).filter(|name| !name.is_empty())?;
        Some(Candidate { name, said_by })
    });
    (named.collect(), complaint)
}

fn active(section: &Value) -> (Option<&str>, Option<String>) {
    match section.get("active") {
        None | Some(Value::Null) => (None, None),
        Some(Value::String(name)) => (Some(name), None),
        Some(_) => {
            let complaint =
                "`agents.active` in config.json is ignored: it has to be the name of an agent, a text";
            (None, Some(complaint.to_owned()))
        }
    }
}
