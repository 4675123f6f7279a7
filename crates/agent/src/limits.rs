//! All limits, with their names in errors.

use std::time::Duration;

/// The most bytes a definition file may have.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The deepest nesting of lists and mappings.
pub const MAX_DEPTH: usize = 32;

/// The most values in one file, including each repetition by an alias.
pub const MAX_NODES: usize = 20_000;

/// The longest regular expression, in bytes.
pub const MAX_PATTERN_LENGTH: usize = 1_000;

/// The longest name of an agent.
pub const MAX_AGENT_NAME_LENGTH: usize = 100;

/// The longest description of an agent.
pub const MAX_AGENT_DESCRIPTION_LENGTH: usize = 500;

/// The longest id of an agent, without the part before the colon.
pub const MAX_AGENT_ID_LENGTH: usize = 50;

/// The most agents from files, and the most from extensions.
pub const MAX_AGENTS_PER_SOURCE: usize = 100;

/// The most agents in total.
pub const MAX_TOTAL_AGENTS: usize = 200;

/// How long discovery may take.
pub const AGENT_DISCOVERY_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a watcher waits after a file's last change.
pub const FILE_WATCHER_DEBOUNCE: Duration = Duration::from_millis(500);

/// How often extension folders are scanned.
pub const EXTENSION_SCAN_INTERVAL: Duration = Duration::from_secs(10);
