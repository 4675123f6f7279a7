//! Every tool name that a list of tools may have.

use agent::ToolNames;
use host::Host;

/// Returns the names of every host's tools and the project's own.
pub fn known_tools(custom: &[String]) -> ToolNames {
    // The contract's own host knows the tools of all.
    ToolNames::new(host::tool_names(Host::Raw)).with(custom.iter().cloned())
}
