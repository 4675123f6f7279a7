//! Compares the tools that an MCP server offers with those the user accepted.

use std::collections::BTreeSet;
use std::time::Duration;

use engine::{ListSettings, ToolList, list_tools};
use modules::shell_guard::DefinedServer;
use runner::Environment;
use similar::TextDiff;
use store::McpPins;

use crate::commands::Place;
use crate::environment;

/// The result of a comparison.
pub(in crate::commands) enum Comparison {
    /// The tools are the accepted ones.
    Same,
    /// The user accepted the server before its tools were listed.
    NeverListed(ToolList),
    /// Some tools differ.
    Changed(ToolList, Vec<ToolChange>),
    /// Why the tools could not be listed.
    NotListed(String),
}

impl Comparison {
    /// Returns whether nothing is known to differ: a server that does not answer cannot be compared.
    pub(in crate::commands) fn is_same(&self) -> bool {
        matches!(self, Self::Same | Self::NotListed(_))
    }
}

/// A tool that differs from the accepted one.
pub(in crate::commands) struct ToolChange {
    /// Its name.
    pub(in crate::commands) name: String,
    /// The lines of a unified diff of the description that a model reads.
    pub(in crate::commands) diff: String,
}

/// Starts or calls a server, lists its tools and compares them.
pub(in crate::commands) fn compare(
    server: &DefinedServer,
    pins: &McpPins,
    place: &Place,
    timeout: Duration,
) -> Comparison {
    let environment = Environment::from_variables(environment::variables());
    let settings = ListSettings { root: place.workspace.root(), environment: &environment, timeout };
    let tools = match list_tools(&server.entry, settings) {
        Ok(tools) => tools,
        Err(error) => return Comparison::NotListed(error.to_string()),
    };
    let Some(known) = pins.tools(&server.key) else { return Comparison::NeverListed(tools) };
    let changes = changes(known, &tools);
    if changes.is_empty() { Comparison::Same } else { Comparison::Changed(tools, changes) }
}

fn changes(known: &ToolList, tools: &ToolList) -> Vec<ToolChange> {
    let names: BTreeSet<&String> = known.keys().chain(tools.keys()).collect();
    let change = |name: &String| {
        let (before, after) = (known.get(name), tools.get(name));
        let text = |side: Option<&String>| side.cloned().unwrap_or_default();
        let (before_text, after_text) = (text(before), text(after));
        let diff = TextDiff::from_lines(&before_text, &after_text);
        let diff = diff.unified_diff().context_radius(1).to_string();
        (before != after).then(|| ToolChange { name: name.clone(), diff })
    };
    names.into_iter().filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn added_removed_and_changed_tools_differ_and_others_do_not() {
        let list = |tools: &[(&str, &str)]| -> ToolList {
            tools.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
        };
        let known = list(&[("gone", "a\n"), ("same", "b\n"), ("other", "c\n")]);
        let tools = list(&[("same", "b\n"), ("other", "d\n"), ("new", "e\n")]);
        let found: Vec<(String, bool)> =
            changes(&known, &tools).into_iter().map(|it| (it.name, it.diff.contains("-c\n+d\n"))).collect();
        let expected = [("gone", false), ("new", false), ("other", true)];
        assert_eq!(found, expected.map(|(name, is_other)| (name.to_owned(), is_other)));
    }
}
