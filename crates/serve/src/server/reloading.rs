//! The configuration and the trust in it, read again when they change.

use std::time::{Duration, Instant, SystemTime};

use automation::WorkspaceSettings;
use engine::Roster;
use store::AutomationFiles;

use super::{Serving, showing};
use crate::note::Note;

/// What the files of the configuration look like: when they were written, and how long they are.
pub(super) type Stamps = Vec<Option<(SystemTime, u64)>>;

/// How long files that changed have to be left alone before they are read.
///
/// WHY: whoever writes a file in place empties it first. Read in between it declares nothing,
/// and what happens at that moment would set nothing off.
const AT_REST: Duration = Duration::from_millis(100);
/// How long if one of them is empty now.
const EMPTY_AT_REST: Duration = Duration::from_secs(1);

/// How long a judgement holds before it is made again.
const JUDGED_FOR: Duration = Duration::from_secs(2);

/// What the files looked like when they were last read, and since when they look different.
#[derive(Debug)]
pub(super) struct Reloading {
    read: Stamps,
    changed: Option<(Stamps, Instant)>,
}

impl Reloading {
    pub(super) fn new(read: Stamps) -> Self {
        Self { read, changed: None }
    }

    /// Returns whether the files are to be read again, or when to look at them next.
    fn look(&mut self, now: Stamps, moment: Instant) -> Result<bool, Instant> {
        if now == self.read {
            self.changed = None;
            return Ok(false);
        }
        let is_empty = now.iter().flatten().any(|(_, length)| *length == 0);
        let since = match &self.changed {
            Some((then, since)) if *then == now => *since,
            _ => moment,
        };
        let until = since + if is_empty { EMPTY_AT_REST } else { AT_REST };
        if moment < until {
            self.changed = Some((now, since));
            return Err(until);
        }
        *self = Self::new(now);
        Ok(true)
    }
}

impl Serving<'_> {
    /// Reads the configuration again if it has changed. Returns when to look next, if that is
    /// to be soon.
    pub(super) fn reload_if_changed(&mut self, moment: Instant) -> Option<Instant> {
        match self.reloading.look(stamps(&self.workspace), moment) {
            Ok(true) => self.reload(),
            // A person trusts, or stops trusting, without changing a file of the workspace.
            Ok(false) if self.objection.is_some() || self.judged + JUDGED_FOR <= moment => self.judge_trust(),
            Ok(false) => {}
            Err(next) => return Some(next),
        }
        None
    }

    fn reload(&mut self) {
        self.files = AutomationFiles::read(&self.workspace);
        let loaded = self.configuration.take_files(&self.files, self.workspace.root());
        for problem in &loaded.problems {
            self.tell(Note::warning("CONFIGURATION", problem.log_line()));
        }
        for kept in &loaded.kept {
            let message = format!("{} is not valid; what it said before still counts", kept.name());
            self.tell(Note::error("CONFIGURATION_KEPT", message));
        }
        let n = self.configuration.automations().filter(|it| it.enabled).count();
        self.rows = showing::rows(&self.configuration);
        self.only_show();
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

    /// Judges the files as they were read. Only what is trusted becomes a roster that may run.
    pub(super) fn judge_trust(&mut self) {
        let objection = match (self.setup.vouch)(&self.files) {
            Ok(_) if self.is_permitted => None,
            Ok(trusted) => {
                self.trusted.take(&trusted, self.workspace.root());
                self.engine.set_roster(Roster::trusted(&self.trusted, &self.setup.settings));
                self.is_permitted = true;
                None
            }
            Err(why) => {
                if self.is_permitted {
                    self.only_show();
                }
                Some(why)
            }
        };
        if objection != self.objection {
            match &objection {
                Some(why) => self.tell(Note::warning("NOT_TRUSTED", why.clone())),
                None => self.tell(Note::info("TRUSTED", "automations may run now")),
            }
            self.objection = objection;
        }
        self.judged = Instant::now();
    }

    /// Goes on with a roster that is matched and shown, of which nothing runs.
    fn only_show(&mut self) {
        let mut settings = self.setup.settings.clone();
        settings.set_automation(WorkspaceSettings::of(&self.files));
        self.engine.set_roster(Roster::shown(self.configuration.automations().cloned(), &settings));
        self.engine.set_settings(settings);
        self.is_permitted = false;
    }
}

/// Returns what the files of the configuration look like now.
pub(super) fn stamps(workspace: &store::Workspace) -> Stamps {
    let own = [workspace.akira_file(), workspace.gatomia_file(), workspace.config_file()];
    let of_hosts = store::McpFile::ALL.iter().map(|file| workspace.root().child(file.path));
    let stamp = |path: &event::AbsPath| {
        let meta = std::fs::metadata(path.as_path()).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    };
    own.into_iter().chain(of_hosts).map(|path| stamp(&path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_when_it_has_been_left_alone_and_an_empty_one_not_so_soon() {
        let at = |seconds: u64, length: u64| {
            vec![Some((SystemTime::UNIX_EPOCH + Duration::from_secs(seconds), length))]
        };
        let start = Instant::now();
        let mut reloading = Reloading::new(at(1, 9));
        assert_eq!(reloading.look(at(1, 9), start), Ok(false));
        assert_eq!(reloading.look(at(2, 0), start), Err(start + EMPTY_AT_REST));
        let later = start + AT_REST;
        assert_eq!(reloading.look(at(2, 0), later), Err(start + EMPTY_AT_REST), "it may be written just now");
        assert_eq!(reloading.look(at(2, 7), later), Err(later + AT_REST), "it was");
        assert_eq!(reloading.look(at(2, 7), later + AT_REST), Ok(true));
        assert_eq!(reloading.look(at(2, 7), later + AT_REST), Ok(false));
        assert_eq!(reloading.look(at(3, 0), later), Err(later + EMPTY_AT_REST));
        assert_eq!(reloading.look(at(3, 0), later + EMPTY_AT_REST), Ok(true), "it is meant to be empty");
        assert_eq!(reloading.look(vec![None], later), Err(later + AT_REST));
        assert_eq!(reloading.look(at(3, 0), later + AT_REST), Ok(false), "it came back as it was");
    }
}
