//! Gives the pages the findings of this program's commands.

use ::session::history;
use event::{AbsPath, CommandLine, SessionId};
use modules::intent::worked_intent;
use page::view::{Check, CommandReading, FileLine, Judged};
use serve::Inspection;

use crate::commands::{Place, automation, doctor, session, shell, trace};

/// The commands, called for one workspace.
#[derive(Debug)]
pub(super) struct PageInspection {
    /// The workspace.
    pub(super) place: Place,
}

impl Inspection for PageInspection {
    fn file_lines(&self, path: &str) -> Result<Option<Vec<FileLine>>, String> {
        let blamed = trace::blame_file(&self.place, path).map_err(|error| format!("{error:#}"))?;
        Ok(blamed.map(|blamed| blamed.lines))
    }

    fn reading(&self, command: &CommandLine, cwd: &AbsPath) -> Result<CommandReading, String> {
        shell::read_recorded(&self.place, command, cwd).map_err(|error| format!("{error:#}"))
    }

    fn manifest(&self) -> String {
        session::manifest_text(&self.place)
    }

    fn what_if(&self, session: SessionId, manifest: &str) -> Result<Judged, String> {
        session::what_if(&self.place, session, manifest)
    }

    fn intent_of(&self, session: SessionId) -> Option<String> {
        let state = history::snapshot(&self.place.workspace.session(session)).ok()?;
        worked_intent(&state).map(str::to_owned)
    }

    fn checks(&self) -> Vec<Check> {
        doctor::checks(&self.place)
    }

    fn switch(&self, automation: &str, enabled: bool) -> Result<(), String> {
        automation::switch_by_person(&self.place, automation, enabled).map_err(|error| format!("{error:#}"))
    }
}
