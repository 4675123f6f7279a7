//! A step of the pipeline.

use event::{EventName, Verdict};
use session::Emitted;

use crate::{Action, Carryover, Context};

/// The static description of a module, for the pipeline (contract §7, §13, §14).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Unique; the manifest's key and the name of its folder.
    pub name: &'static str,
    /// Its effect in one line, as `steersman module list` prints it.
    pub about: &'static str,
    /// The events that it handles.
    pub supports: &'static [EventName],
    /// Lower runs first.
    pub priority: i64,
    /// Whether it may run on `PreToolUse`.
    pub hot_path_safe: bool,
    /// Whether its failure denies.
    pub critical: bool,
    /// Whether it runs without an entry in the manifest.
    pub on_by_default: bool,
}

/// Why a module failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ModuleFailure(pub String);

/// A built-in step of the pipeline.
pub trait Module: Sync {
    /// Returns its static description.
    fn profile(&self) -> &Profile;

    /// Judges the event.
    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure>;

    /// Completes the writes of an earlier run that was killed. Runs before the event is judged.
    fn recover(&self, _context: &Context<'_>) {}

    /// Records the final verdict. The pipeline ignores the decision and rewrites of this action.
    fn conclude(&self, _context: &Context<'_>, _concluded: &Concluded<'_>) -> Action {
        Action::default()
    }

    /// Writes the files that count only once the journal announces them. `carryover` is the value that `conclude` returned for itself. Returns
    /// further records for the journal.
    fn committed(&self, _context: &Context<'_>, _carryover: &Carryover) -> Vec<Emitted> {
        Vec::new()
    }
}

/// The result of the pipeline.
#[derive(Debug, Clone, Copy)]
pub struct Concluded<'a> {
    /// The final verdict.
    pub verdict: &'a Verdict,
    /// The module that decided; `None` if all abstained.
    pub decided_by: Option<&'a str>,
    /// The value that the module's `handle` returned for itself.
    pub carryover: &'a Carryover,
}
