//! Names of MCP tools, in the spellings of hosts and users.

/// A server and a tool, either of which may be `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpName {
    /// The server; `*` means any.
    pub server: String,
    /// The tool; `*` means any, also at the end of a prefix.
    pub tool: String,
}

impl McpName {
    /// Parses `mcp__server__tool`, `mcp__server`, `server/tool`, `@server/tool` or `MCP:tool`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix("mcp__") {
            let (server, tool) = rest.split_once("__").unwrap_or((rest, "*"));
            return Self::of(server, tool);
        }
        if let Some(tool) = text.strip_prefix("MCP:") {
            return match tool.split_once('/') {
                Some((server, tool)) => Self::of(server, tool),
                None => Self::of("*", tool),
            };
        }
        // A server's name may contain a slash (`io.github.owner/server/tool`); a tool's may not.
        let (server, tool) = text.strip_prefix('@').unwrap_or(text).rsplit_once('/')?;
        Self::of(server, tool)
    }

    fn of(server: &str, tool: &str) -> Option<Self> {
        let is_name = |it: &str| !it.is_empty() && !it.contains(char::is_whitespace);
        (is_name(server) && is_name(tool)).then(|| Self { server: server.to_owned(), tool: tool.to_owned() })
    }

    /// Returns whether it certainly names this tool.
    pub(super) fn names(&self, server: &str, tool: &str) -> bool {
        // If the host does not report the server, only the tool's full name matches.
        let server_fits = if server.is_empty() {
            !self.tool.contains('*') || self.server == "*"
        } else {
            fits(&self.server, server)
        };
        server_fits && fits(&self.tool, tool)
    }

    /// Returns whether it may name this tool.
    pub(super) fn may_name(&self, server: &str, tool: &str) -> bool {
        (server.is_empty() || fits(&self.server, server)) && fits(&self.tool, tool)
    }
}

/// Returns whether a name matches a pattern with `*`.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (plain(pattern), plain(name));
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Replaces characters that hosts do not allow in names with `_`, as hosts do.
fn plain(name: &str) -> String {
    let plain = |it: char| if it.is_alphanumeric() || it == '*' { it.to_ascii_lowercase() } else { '_' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_read() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let name = McpName::parse(text);
            assert_eq!(name.as_ref().map(|it| (it.server.as_str(), it.tool.as_str())), expected, "{text}");
        };
        check("mcp__github__get_issue", Some(("github", "get_issue")));
        check("mcp__github__*", Some(("github", "*")));
        check("mcp__github", Some(("github", "*")));
        check("mcp__*", Some(("*", "*")));
        check("github/get_issue", Some(("github", "get_issue")));
        check("io.github.dev/server/*", Some(("io.github.dev/server", "*")));
        check("@git/commit", Some(("git", "commit")));
        check("MCP:get_issue", Some(("*", "get_issue")));
        check("Read", None);
        check("a b/c", None);
        check("/", None);
    }

    #[test]
    fn stars_stand_for_anything_and_odd_characters_for_each_other() {
        for (pattern, name, expected) in [
            ("*", "", true),
            ("get_*", "get_issue", true),
            ("get_*", "set_issue", false),
            ("*_issue", "get_issue", true),
            ("g*t*e", "get_issue", true),
            ("ab*ba", "aba", false),
            ("my-server", "my_server", true),
            ("a", "ab", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
