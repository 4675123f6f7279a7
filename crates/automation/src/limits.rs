//! Every limit and default of automations, under the name used in errors.

use std::time::Duration;

/// How many runs of one automation may be active at once, by default.
pub const DEFAULT_CONCURRENCY: u32 = 4;

/// The upper limit for `concurrency`.
pub const MAX_CONCURRENCY: u32 = 1_000;

/// The time limit of a run, by default.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

/// The shortest allowed time limit of a run.
pub const MIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The longest allowed time limit of a run: a day.
pub const MAX_TIMEOUT: Duration = Duration::from_hours(24);

/// The pause before the first retry, by default.
pub const DEFAULT_BACKOFF: Duration = Duration::from_secs(1);

/// The factor between two successive pauses, by default.
pub const DEFAULT_BACKOFF_FACTOR: f64 = 2.0;

/// The longest pause before a retry: an hour.
pub const MAX_BACKOFF: Duration = Duration::from_hours(1);

/// The highest allowed number of retries.
pub const MAX_RETRIES: u32 = 100;

/// The longest allowed chain of automations that trigger one another.
pub const MAX_CHAIN_DEPTH: usize = 10;

/// How often in a row changes of one file, or repository, at the same point of an automation's own runs may
/// trigger it.
pub const MAX_ROUNDS: u32 = 5;

/// The same for changes at differing points of its runs.
pub const MAX_UNALIKE_ROUNDS: u32 = 20;

/// How often in a row changes of any file during its own runs may trigger an automation.
pub const MAX_ROUNDS_IN_ALL: u32 = 50;

/// Runs shorter than this that keep changing the file they are about write it themselves: a user would have to
/// save at every one of these moments.
pub const OWN_WORK: Duration = Duration::from_millis(500);

/// Occurrences about one file within this time trigger an automation once, with the latest.
pub const COALESCE_WINDOW: Duration = Duration::from_millis(500);

/// A file that changes without pause triggers automations this often.
pub const COALESCE_AT_MOST: Duration = Duration::from_secs(5);

/// A starting server handles occurrences that it missed if they are not older than this: a day.
pub const CATCH_UP: Duration = Duration::from_hours(24);

/// The longest id of an automation, in characters.
pub const MAX_ID_LENGTH: usize = 100;

/// The longest name of an automation, in characters.
pub const MAX_HOOK_NAME_LENGTH: usize = 100;

/// The longest slash command, in characters.
pub const MAX_COMMAND_LENGTH: usize = 200;

/// The longest message of a commit, as a template, in characters.
pub const MAX_MESSAGE_TEMPLATE_LENGTH: usize = 500;

/// The longest title of an issue or a pull request, as a template, in characters.
pub const MAX_TITLE_TEMPLATE_LENGTH: usize = 200;

/// The longest body of an issue or a pull request, as a template, in characters.
pub const MAX_BODY_TEMPLATE_LENGTH: usize = 5_000;

/// The longest arguments for an agent, as a template, in characters.
pub const MAX_ARGUMENTS_LENGTH: usize = 1_000;

/// The longest name of an agent, in characters.
pub const MAX_AGENT_NAME_LENGTH: usize = 100;

/// The longest id of an agent, the part behind the colon.
pub const MAX_AGENT_ID_LENGTH: usize = 50;

/// The longest name of a template variable.
pub const MAX_TEMPLATE_VARIABLE_NAME_LENGTH: usize = 50;

/// The longest prompt, in characters.
pub const MAX_PROMPT_LENGTH: usize = 100_000;

/// The longest regular expression, in bytes.
pub const MAX_PATTERN_LENGTH: usize = 1_000;

/// The highest allowed number of automations in one file.
pub const MAX_AUTOMATIONS: usize = 1_000;

/// The largest allowed size of a file of automations.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The longest name of a trigger.
pub const MAX_TRIGGER_LENGTH: usize = 100;

/// The longest name of an MCP server or of its tool.
pub const MAX_TOOL_NAME_LENGTH: usize = 200;

/// How long rotated journals of runs are kept, by default: a month.
pub const DEFAULT_HISTORY_AGE: Duration = Duration::from_hours(30 * 24);

/// How many megabytes of rotated journals are kept, by default.
pub const DEFAULT_HISTORY_MEGABYTES: u64 = 1024;

/// The shortest allowed interval of a schedule.
pub const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// The highest allowed number of automations that one depends on.
pub const MAX_DEPENDENCIES: usize = 100;
