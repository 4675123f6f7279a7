//! The configuration and the trust in it, read again when they change.

use std::time::SystemTime;

use engine::Roster;

use super::Serving;
use crate::note::Note;

impl Serving<'_> {
    pub(super) fn reload_if_changed(&mut self) {
        let stamps = self.stamps();
        if stamps == self.stamp {
            // Trust is given elsewhere and changes no file of the workspace.
            if self.objection.is_some() {
                self.judge_trust();
            }
            return;
        }
        self.stamp = stamps;
        let loaded = self.configuration.reload(&self.workspace);
        for problem in &loaded.problems {
            self.tell(Note::warning("CONFIGURATION", problem.to_string()));
        }
        for kept in &loaded.kept {
            let message = format!("{} is not valid; what it said before still counts", kept.name());
            self.tell(Note::error("CONFIGURATION_KEPT", message));
        }
        let mut settings = self.setup.settings.clone();
        settings.set_automation((self.setup.automation)());
        let roster = Roster::new(self.configuration.automations().cloned(), &settings);
        let n = roster.automations().filter(|it| it.enabled).count();
        self.engine.set_settings(settings);
        self.engine.set_roster(roster);
        self.judge_trust();
        self.listen();
        self.tell(Note::info(
            "RELOADED",
            format!("{n} automation{s} enabled", s = if n == 1 { "" } else { "s" }),
        ));
        self.tell_of_impediments();
    }

    /// Says which automations are off although they are enabled, and why.
    pub(super) fn tell_of_impediments(&mut self) {
        let impeded = self.engine.roster().impeded();
        // What repositories lack is told when they are looked for.
        let notes: Vec<Note> = impeded
            .filter(|(_, why)| why.code != engine::impediment::NO_COMMITS)
            .map(|(automation, why)| {
                Note::warning(why.code, format!("`{}` is off: {}; {}", automation.id, why.message, why.hint))
            })
            .collect();
        for note in notes {
            self.tell(note);
        }
    }

    pub(super) fn judge_trust(&mut self) {
        let objection = (self.setup.objection)();
        if objection != self.objection {
            match &objection {
                Some(why) => self.tell(Note::warning("NOT_TRUSTED", why.clone())),
                None => self.tell(Note::info("TRUSTED", "automations may run now")),
            }
            self.objection = objection;
        }
        self.engine.set_may_begin(self.objection.is_none() && self.leaving.is_none());
    }

    /// Returns what the files of the configuration look like now.
    pub(super) fn stamps(&self) -> Vec<Option<(SystemTime, u64)>> {
        let files =
            [self.workspace.akira_file(), self.workspace.gatomia_file(), self.workspace.config_file()];
        let stamp = |path: &event::AbsPath| {
            let meta = std::fs::metadata(path.as_path()).ok()?;
            Some((meta.modified().ok()?, meta.len()))
        };
        files.iter().map(stamp).collect()
    }
}
