//! Every limit and default there is, under the name that errors give it.

use std::time::Duration;

/// How many runs of one automation may be at work at once, unless it says otherwise.
pub const DEFAULT_CONCURRENCY: u32 = 4;

/// The most runs of one automation that may be at work at once.
pub const MAX_CONCURRENCY: u32 = 1_000;

/// How long a run may take, unless the automation says otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

/// The shortest time limit a run may be given.
pub const MIN_TIMEOUT: Duration = Duration::from_secs(1);

/// The longest time limit a run may be given: a day.
pub const MAX_TIMEOUT: Duration = Duration::from_hours(24);

/// The pause before the first new try, unless the automation says otherwise.
pub const DEFAULT_BACKOFF: Duration = Duration::from_secs(1);

/// By how much each pause is longer than the one before, unless the automation says otherwise.
pub const DEFAULT_BACKOFF_FACTOR: f64 = 2.0;

/// The longest pause between two tries: an hour.
pub const MAX_BACKOFF: Duration = Duration::from_hours(1);

/// The most new tries after the first.
pub const MAX_RETRIES: u32 = 100;

/// The most automations that may lead to one another.
pub const MAX_CHAIN_DEPTH: usize = 10;

/// How often in a row an automation may be set off by one file, or repository, that changed during runs
/// it led to.
pub const MAX_ROUNDS: u32 = 5;

/// How often in a row an automation may be set off by any that did.
pub const MAX_ROUNDS_IN_ALL: u32 = 50;

/// A run that is shorter than this, and was set off by what changed during the run before it, wrote what
/// changes during it: a person would have to save in both of these moments.
pub const OWN_WORK: Duration = Duration::from_millis(500);

/// Within this time the same automation about the same file runs once, for the latest occurrence.
pub const COALESCE_WINDOW: Duration = Duration::from_millis(500);

/// A file that never comes to rest is answered to at least this often.
pub const COALESCE_AT_MOST: Duration = Duration::from_secs(5);

/// What happened while no server ran is answered to if it is not longer ago: a day.
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

/// The most automations in one file.
pub const MAX_AUTOMATIONS: usize = 1_000;

/// The most bytes a file of automations may have.
pub const MAX_FILE_BYTES: usize = 1 << 20;

/// The longest name of a trigger.
pub const MAX_TRIGGER_LENGTH: usize = 100;

/// The longest name of an MCP server or of its tool.
pub const MAX_TOOL_NAME_LENGTH: usize = 200;
