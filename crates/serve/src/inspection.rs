//! The findings on the pages that only the program's commands can make.

use std::fmt;

use event::{AbsPath, CommandLine, SessionId};
use page::view::{Check, CommandReading, FileLine, Judged};

/// The commands that the pages call. INVARIANT: only [`Self::switch`] changes something.
pub trait Inspection: fmt::Debug + Send + Sync {
    /// Returns every line of a file with its author; the path is relative to the workspace. Returns `None` if the file
    /// does not exist, and why it cannot be read otherwise.
    fn file_lines(&self, path: &str) -> Result<Option<Vec<FileLine>>, String>;

    /// Reads a recorded command line by the present rules and files. Returns why it cannot.
    fn reading(&self, command: &CommandLine, cwd: &AbsPath) -> Result<CommandReading, String>;

    /// Returns the text of the manifest in force.
    fn manifest(&self) -> String;

    /// Judges the events of a session again under the text of a manifest. Returns why it cannot.
    fn what_if(&self, session: SessionId, manifest: &str) -> Result<Judged, String>;

    /// Returns the intent under which a session worked last.
    fn intent_of(&self, session: SessionId) -> Option<String>;

    /// Checks registrations, configuration, modules and records; takes seconds.
    fn checks(&self) -> Vec<Check>;

    /// Enables or disables an automation in its file. The caller has checked that a person asks for it. Returns why it
    /// cannot.
    fn switch(&self, automation: &str, enabled: bool) -> Result<(), String>;
}
