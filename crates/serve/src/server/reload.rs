//! Reloads the configuration and checks its trust when they change.

use std::time::{Duration, Instant, SystemTime};

use automation::WorkspaceSettings;
use automation::config::{EffectiveFiles, Loaded};
use engine::AutomationSet;
use store::{AutomationFiles, FileReading};

use super::Server;
use crate::note::Note;

/// The modification time and length of each configuration file.
pub(super) type Stamps = Vec<Option<(SystemTime, u64)>>;

/// How long changed files must stay unchanged before the server reads them.
///
/// WHY: an editor that writes a file in place empties it first. Read in between it declares nothing,
/// and an occurrence at that moment would trigger nothing.
const SETTLE_TIME: Duration = Duration::from_millis(100);
/// The same if one of them is empty.
const EMPTY_SETTLE_TIME: Duration = Duration::from_secs(1);

/// How often the server checks the trust of unchanged files.
const TRUST_CHECK_EVERY: Duration = Duration::from_secs(2);

/// The stamps of the files at the last read, and the time of their last change.
#[derive(Debug)]
pub(super) struct ReloadDebounce {
    read: Stamps,
    changed: Option<(Stamps, Instant)>,
}

impl ReloadDebounce {
    pub(super) fn new(read: Stamps) -> Self {
        Self { read, changed: None }
    }

    /// Returns whether to read the files again, or as an error when to check again.
    fn check(&mut self, now: Stamps, moment: Instant) -> Result<bool, Instant> {
        if now == self.read {
            self.changed = None;
            return Ok(false);
        }
        let is_empty = now.iter().flatten().any(|(_, length)| *length == 0);
        let since = match &self.changed {
            Some((then, since)) if *then == now => *since,
            _ => moment,
        };
        let until = since + if is_empty { EMPTY_SETTLE_TIME } else { SETTLE_TIME };
        if moment < until {
            self.changed = Some((now, since));
            return Err(until);
        }
        *self = Self::new(now);
        Ok(true)
    }
}

impl Server<'_> {
    /// Reloads the configuration if it has changed and settled. Returns when to check again if it has
    /// not settled.
    pub(super) fn reload_if_changed(&mut self, moment: Instant) -> Option<Instant> {
        match self.reload_debounce.check(stamps(&self.workspace), moment) {
            Ok(true) => self.reload(),
            // A user can grant or revoke trust without changing a file of the workspace.
            Ok(false) if self.objection.is_some() || self.trust_checked + TRUST_CHECK_EVERY <= moment => {
                self.check_trust();
            }
            Ok(false) => {}
            Err(next) => return Some(next),
        }
        None
    }

    fn reload(&mut self) {
        let effective = EffectiveFiles::of(
            AutomationFiles::read(&self.workspace),
            self.workspace.root(),
            // The stored copy of a file with secrets lacks them; the version in memory has them.
            &|name| (self.setup.trusted_version)(name).or_else(|| self.trusted_in_memory(name)),
        );
        self.files = effective.files().clone();
        let loaded = effective.load_into(&mut self.configuration, self.workspace.root());
        for note in notes_about(&loaded) {
            self.log(note);
        }
        self.file_problems = problems_of(&loaded);
        let n = self.configuration.automations().filter(|it| it.enabled).count();
        self.use_untrusted();
        self.check_trust();
        self.update_rows();
        self.watch_all();
        self.set_schedules();
        self.log(Note::info(
            "RELOADED",
            format!("{n} automation{s} enabled", s = if n == 1 { "" } else { "s" }),
        ));
        self.log_impediments();
    }

    /// Returns the file as this server last read it, if the user trusts it.
    fn trusted_in_memory(&self, name: &str) -> Option<String> {
        match self.files.reading(name)? {
            FileReading::Bytes(bytes) if self.is_permitted => String::from_utf8(bytes.clone()).ok(),
            _ => None,
        }
    }

    /// Logs the enabled automations that cannot run, with the reason.
    pub(super) fn log_impediments(&mut self) {
        let impeded = self.engine.automations().impeded();
        // `find_repositories` logs the impediments of commit triggers.
        let notes: Vec<Note> = impeded
            .filter(|(_, why)| why.code != engine::impediment::NO_COMMITS)
            .map(|(automation, why)| {
                Note::warning(why.code, format!("`{}` is off: {}; {}", automation.id, why.message, why.hint))
            })
            .collect();
        for note in notes {
            self.log(note);
        }
    }

    /// Checks the trust of the files as last read. Only trusted automations may run.
    pub(super) fn check_trust(&mut self) {
        let objection = match (self.setup.check_trust)(&self.files) {
            Ok(_) if self.is_permitted => None,
            Ok(trusted) => {
                self.trusted.take(&trusted, self.workspace.root());
                self.engine.set_automations(AutomationSet::trusted(&self.trusted, &self.setup.settings));
                self.is_permitted = true;
                None
            }
            Err(why) => {
                if self.is_permitted {
                    self.use_untrusted();
                }
                Some(why)
            }
        };
        if objection != self.objection {
            match &objection {
                Some(why) => self.log(Note::warning("NOT_TRUSTED", why.clone())),
                None => self.log(Note::info("TRUSTED", "automations may run now")),
            }
            self.objection = objection;
        }
        self.trust_checked = Instant::now();
    }

    /// Gives the engine automations that are matched and displayed but do not run.
    fn use_untrusted(&mut self) {
        let mut settings = self.setup.settings.clone();
        settings.set_automation(WorkspaceSettings::of(&self.files));
        self.engine.set_automations(AutomationSet::display_only(
            self.configuration.automations().cloned(),
            &settings,
        ));
        self.engine.set_settings(settings);
        self.is_permitted = false;
    }
}

/// Returns the notes about the files of automations: their problems, and which version applies.
pub(super) fn notes_about(loaded: &Loaded) -> Vec<Note> {
    let problems = loaded.problems.iter().map(|it| Note::warning("CONFIGURATION", it.log_line()));
    let code = if loaded.kept.is_empty() { "CONFIGURATION_INVALID" } else { "CONFIGURATION_KEPT" };
    let consequences = loaded.consequences().into_iter().map(|it| Note::error(code, it));
    problems.chain(consequences).collect()
}

/// Returns the problems of the files, with their consequences.
pub(super) fn problems_of(loaded: &Loaded) -> Vec<String> {
    let mut all = loaded.consequences();
    for problem in &loaded.problems {
        all.push(problem.log_line());
    }
    all
}

/// Returns the stamps of the configuration files.
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
        let mut debounce = ReloadDebounce::new(at(1, 9));
        assert_eq!(debounce.check(at(1, 9), start), Ok(false));
        assert_eq!(debounce.check(at(2, 0), start), Err(start + EMPTY_SETTLE_TIME));
        let later = start + SETTLE_TIME;
        assert_eq!(debounce.check(at(2, 0), later), Err(start + EMPTY_SETTLE_TIME), "a write may follow");
        assert_eq!(debounce.check(at(2, 7), later), Err(later + SETTLE_TIME), "the write came");
        assert_eq!(debounce.check(at(2, 7), later + SETTLE_TIME), Ok(true));
        assert_eq!(debounce.check(at(2, 7), later + SETTLE_TIME), Ok(false));
        assert_eq!(debounce.check(at(3, 0), later), Err(later + EMPTY_SETTLE_TIME));
        assert_eq!(debounce.check(at(3, 0), later + EMPTY_SETTLE_TIME), Ok(true), "the file stays empty");
        assert_eq!(debounce.check(vec![None], later), Err(later + SETTLE_TIME));
        assert_eq!(debounce.check(at(3, 0), later + SETTLE_TIME), Ok(false), "it was restored unchanged");
    }
}
