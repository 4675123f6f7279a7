//! The table of layers: every crate, its layer, and the crates it may import.
//!
//! INVARIANT: an edge goes to a lower layer only. The tests below hold the table
//! itself to that, so no entry here can permit an import between siblings.

/// One crate of the workspace and its place.
pub(crate) struct Layer {
    /// The package.
    pub(crate) package: &'static str,
    /// Its layer; `WORKSHOP` for a crate that is never shipped.
    pub(crate) level: u8,
    /// The crates of this workspace it may import.
    pub(crate) may_import: &'static [&'static str],
    /// The only packages from outside it may import, where that is a promise.
    pub(crate) outside: Option<&'static [&'static str]>,
}

/// The level of crates that are built for tests and chores only.
pub(crate) const WORKSHOP: u8 = u8::MAX;

/// The crate whose import is fine in `[dev-dependencies]` everywhere.
pub(crate) const TESTKIT: &str = "testkit";

const BELOW_MODULES: &[&str] = &[
    "event",
    "redact",
    "shell",
    "config-file",
    "store",
    "host",
    "intent",
    "agent",
    "automation",
    "memory",
    "neo4j",
    "session",
    "plan",
    "project-config",
    "session-summary",
];

const BELOW_DISPATCH: &[&str] = &[
    "event",
    "redact",
    "shell",
    "config-file",
    "store",
    "host",
    "intent",
    "automation",
    "script",
    "memory",
    "session",
    "plan",
    "project-config",
    "session-summary",
    "watchdog",
    "modules",
    "asks",
];

const BELOW_ENGINE: &[&str] = &["host", "event", "redact", "store", "agent", "automation", "runner"];

const BELOW_SERVE: &[&str] = &[
    "asks",
    "encoding",
    "event",
    "redact",
    "store",
    "intent",
    "agent",
    "automation",
    "runner",
    "script",
    "session",
    "plan",
    "project-config",
    "timeline",
    "engine",
    "page",
    "workflow",
];

const BELOW_MCP: &[&str] = &["event", "store", "intent", "modules"];

/// Every crate that is not a program.
const LIBRARIES: &[&str] = &[
    "arena",
    "encoding",
    "known-files",
    "confine",
    "event",
    "redact",
    "shell",
    "config-file",
    "store",
    "host",
    "intent",
    "agent",
    "automation",
    "runner",
    "script",
    "memory",
    "neo4j",
    "session",
    "plan",
    "project-config",
    "session-summary",
    "timeline",
    "watchdog",
    "modules",
    "asks",
    "dispatch",
    "engine",
    "page",
    "workflow",
    "serve",
    "mcp",
];

/// The layers, from the bottom up.
pub(crate) const LAYERS: &[Layer] = &[
    Layer { package: "arena", level: 0, may_import: &[], outside: Some(&["libc"]) },
    Layer { package: "encoding", level: 0, may_import: &[], outside: None },
    Layer { package: "known-files", level: 0, may_import: &[], outside: Some(&["fast-glob"]) },
    // No IO, no clock, no wire format: it may know what a JSON value is, nothing more.
    Layer { package: "event", level: 0, may_import: &[], outside: Some(&["serde_json"]) },
    Layer { package: "redact", level: 1, may_import: &["encoding"], outside: None },
    Layer { package: "shell", level: 1, may_import: &["encoding", "known-files", "event"], outside: None },
    Layer { package: "config-file", level: 1, may_import: &[], outside: None },
    // System calls and tables: it knows neither intents nor sessions.
    Layer {
        package: "confine",
        level: 1,
        may_import: &["known-files"],
        outside: Some(&["libc", "thiserror"]),
    },
    Layer {
        package: "store",
        level: 2,
        may_import: &["encoding", "known-files", "event", "redact", "config-file"],
        outside: None,
    },
    Layer { package: "host", level: 2, may_import: &["event", "shell", "config-file"], outside: None },
    Layer {
        package: "intent",
        level: 3,
        may_import: &["encoding", "known-files", "event", "store", "shell", "redact", "config-file"],
        outside: None,
    },
    Layer {
        package: "agent",
        level: 3,
        may_import: &["event", "store", "shell", "config-file", "host"],
        outside: None,
    },
    Layer {
        package: "automation",
        level: 3,
        may_import: &["event", "store", "redact", "config-file", "host"],
        outside: None,
    },
    // Processes and their output; the caller decides the purpose of a run.
    Layer { package: "runner", level: 3, may_import: &["redact", "host"], outside: None },
    Layer { package: "script", level: 3, may_import: &["encoding", "event", "store"], outside: None },
    Layer {
        package: "memory",
        level: 3,
        may_import: &["event", "redact", "config-file", "store"],
        outside: None,
    },
    Layer { package: "neo4j", level: 3, may_import: &[], outside: Some(&["serde_json"]) },
    Layer {
        package: "session",
        level: 3,
        may_import: &["encoding", "event", "redact", "store", "host"],
        outside: None,
    },
    Layer {
        package: "plan",
        level: 4,
        may_import: &["event", "config-file", "store", "session"],
        outside: None,
    },
    // Types of files, and their checks; `modules` applies them.
    Layer {
        package: "project-config",
        level: 4,
        may_import: &["event", "config-file", "shell", "store", "host", "automation"],
        outside: None,
    },
    Layer {
        package: "watchdog",
        level: 4,
        may_import: &["event", "store", "session"],
        outside: Some(&["libc"]),
    },
    // A socket between a hook and a person; nothing about the question.
    Layer {
        package: "asks",
        level: 4,
        may_import: &["encoding", "event", "redact", "store", "session"],
        outside: Some(&["rustix", "schemars", "serde", "serde_json", "thiserror"]),
    },
    Layer { package: "timeline", level: 4, may_import: &["event", "session", "host"], outside: None },
    Layer { package: "session-summary", level: 4, may_import: &["event", "store", "session"], outside: None },
    Layer {
        package: "workflow",
        level: 4,
        may_import: &["event", "redact", "config-file", "store", "host", "agent", "runner"],
        outside: None,
    },
    Layer { package: "engine", level: 4, may_import: BELOW_ENGINE, outside: None },
    Layer { package: "modules", level: 5, may_import: BELOW_MODULES, outside: None },
    Layer { package: "dispatch", level: 6, may_import: BELOW_DISPATCH, outside: None },
    // Pure: no files, no HTTP. `serve` fills the view models.
    Layer { package: "page", level: 5, may_import: &["automation", "timeline"], outside: None },
    Layer { package: "serve", level: 6, may_import: BELOW_SERVE, outside: None },
    Layer { package: "mcp", level: 6, may_import: BELOW_MCP, outside: None },
    Layer { package: "steersman", level: 7, may_import: LIBRARIES, outside: None },
    Layer { package: TESTKIT, level: WORKSHOP, may_import: LIBRARIES, outside: None },
    Layer { package: "xtask", level: WORKSHOP, may_import: LIBRARIES, outside: None },
];

/// Packages from outside that few crates wrap for all others, so that their options and formats are spelled once, and
/// that no event compiles a regular expression unless a file of the project contains one.
const IMPORTERS: &[(&str, &[&str])] = &[
    ("axum", &["serve"]),
    ("clap", &["steersman"]),
    ("granit-parser", &["config-file"]),
    ("jsonc-parser", &["config-file"]),
    ("maud", &["page"]),
    ("notify", &["serve"]),
    ("regex", &["agent", "redact"]),
    ("regex-lite", &["project-config"]),
    ("rquickjs", &["script"]),
    ("rusqlite", &["serve"]),
    ("toml_edit", &["host"]),
    ("ureq", &["engine"]),
];

/// Returns the only crates that may import a package from outside; `None` if every crate may.
pub(crate) fn importers(package: &str) -> Option<&'static [&'static str]> {
    IMPORTERS.iter().find(|(name, _)| *name == package).map(|(_, crates)| *crates)
}

/// Returns the place of a package, if it has one.
pub(crate) fn of(package: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.package == package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edge_the_table_permits_goes_to_a_lower_layer() {
        for layer in LAYERS {
            for import in layer.may_import {
                let below = of(import).unwrap_or_else(|| panic!("`{import}` has no layer"));
                assert!(below.level < layer.level, "{} -> {import}", layer.package);
            }
        }
    }

    #[test]
    fn a_package_stands_in_the_table_once() {
        for layer in LAYERS {
            let n_places = LAYERS.iter().filter(|it| it.package == layer.package).count();
            assert_eq!(n_places, 1, "{}", layer.package);
        }
    }
}
