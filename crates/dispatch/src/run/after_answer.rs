//! The steps of a run after its answer: they delay only this process.

use event::{Detail, EventName};
use watchdog::Alarm;

use super::event_run::EventRun;

impl EventRun<'_> {
    /// Records the agent program, for the check that only a person may do some things. At every event: another program
    /// may continue a session without announcing it, and a command may have removed the record.
    pub(super) fn record_host(&self) {
        let starts_session = self.event.name() == EventName::SessionStart;
        let is_real = matches!(self.alarm, Alarm::Armed);
        if let Some(state) = self.launch.user_state.as_ref().filter(|_| is_real) {
            session::person::record_host(&self.workspace, state, &self.session.dir, starts_session);
        }
    }

    /// Compares the host's own transcript with the journal when the main agent stops, in a separate process.
    pub(super) fn check_coverage(&self) {
        if !matches!(self.event.detail, Detail::Stop { .. }) || !matches!(self.alarm, Alarm::Armed) {
            return;
        }
        let transcripts = self.launch.home.as_ref().zip(host::transcript_folder(self.host));
        let has_any = transcripts.is_some_and(|(home, folder)| home.join(folder).as_path().is_dir());
        if has_any && self.session.journal.is_some() {
            (self.launch.check_coverage)(&self.workspace, self.session.id);
        }
    }
}
