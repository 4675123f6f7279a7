//! How much is read before a line counts as unknown.
//!
//! INVARIANT: every limit turns the whole line into *unknown*; none of them
//! cuts the line and judges the rest.

/// Characters of one command line.
pub const MAX_CHARS: usize = 128 * 1024;

/// Words of one command line, counted wherever they stand.
pub const MAX_WORDS: usize = 16 * 1024;

/// Levels of nesting: substitutions, groups, compound commands.
pub const MAX_LEVELS: usize = 64;

/// Steps into one another while following commands: each level of the line costs
/// about three, `bash -c`, `eval`, functions and scripts that are entered cost more.
pub(crate) const MAX_FOLLOWED: usize = 320;

/// Scripts within scripts.
pub(crate) const MAX_SCRIPT_DEPTH: usize = 6;

/// Bytes of a script file that is read because it is run.
pub(crate) const MAX_SCRIPT_BYTES: usize = 256 * 1024;

/// Bytes of text that are parsed for one line, all entered scripts together.
pub(crate) const MAX_PARSED_BYTES: usize = 2 * 1024 * 1024;

/// Simple commands that are recorded for one line.
pub(crate) const MAX_COMMANDS: usize = 20_000;

/// Values that are tried for one variable (loops, branches).
pub(crate) const MAX_ALTERNATIVES: usize = 12;

/// Words one brace or glob expansion may become.
pub(crate) const MAX_EXPANDED: usize = 256;

/// Bytes of a value that is computed without running anything.
pub(crate) const MAX_VALUE_BYTES: usize = 256 * 1024;

/// Variables that are followed.
pub(crate) const MAX_VARIABLES: usize = 1024;

/// Copies of variables made for subshells.
pub(crate) const MAX_WORK: usize = 500_000;

/// Questions to git about one line.
pub(crate) const MAX_GIT_QUESTIONS: usize = 12;
