//! A step of the pipeline.

use event::{EventName, Verdict};

use crate::{Action, Context, Memo};

/// What the pipeline has to know of a module before it runs it (contract §7, §13, §14).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// Unique; the manifest's key and the name of its folder.
    pub name: &'static str,
    /// The events it answers to.
    pub supports: &'static [EventName],
    /// Lower runs first.
    pub priority: i64,
    /// May run while a tool call waits.
    pub hot_path_safe: bool,
    /// Its failure denies.
    pub critical: bool,
    /// Runs unless the manifest says otherwise.
    pub on_by_default: bool,
}

/// A module that could not do its work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ModuleFailure(pub String);

/// A built-in step of the pipeline.
pub trait Module: Sync {
    /// Says what it is and when it runs.
    fn profile(&self) -> &Profile;

    /// Judges the event.
    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure>;

    /// Records what was decided in the end. Its decision and rewrites are not read: the
    /// verdict stands.
    fn conclude(&self, _context: &Context<'_>, _concluded: &Concluded<'_>) -> Action {
        Action::default()
    }
}

/// The end of a pipeline's deliberation.
#[derive(Debug, Clone, Copy)]
pub struct Concluded<'a> {
    /// What the host will be told.
    pub verdict: &'a Verdict,
    /// The module whose word decided, if any had one.
    pub decided_by: Option<&'a str>,
    /// What the module told itself when it judged the event.
    pub memo: &'a Memo,
}
