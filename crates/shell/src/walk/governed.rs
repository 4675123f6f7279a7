//! Governing files that a command reaches without naming them: by a pattern, through a link, or in a copied folder.

use super::{Act, Call, Walker};
use crate::guard::governing::{self, GOVERNING, MovedSettings, Reader};
use crate::guard::{RuleId, governing_pattern};
use crate::path::{Certainty, PathUse, is_within};
use crate::reading::{Site, Span};
use crate::text::Text;

/// Links are followed for this many paths of a line; a line with more of them names generated files.
const MAX_FOLLOWED_PATHS: usize = 64;

impl Walker<'_> {
    /// Records a risk if a path that is changed leads to a governing file under another name.
    pub(super) fn check_disguise(&mut self, act: Act, used: &PathUse, span: Span) {
        if act == Act::Read || used.site != Site::Local || !used.path.starts_with('/') {
            return;
        }
        if used.certainty == Certainty::Pattern {
            let files = self.place.files;
            if let Some(named) = governing_pattern::named_by(&used.path, |path| files.exists(path)) {
                return self.risk(RuleId::AgentSettings, named, span);
            }
        }
        if let Some(named) = governing_pattern::named_by_groups(&used.path) {
            return self.risk(RuleId::AgentSettings, named, span);
        }
        let n_changed = self.reading.writes.len() + self.reading.deletes.len() + self.reading.creates.len();
        let followed = match used.certainty {
            _ if n_changed > MAX_FOLLOWED_PATHS => return,
            Certainty::Unknown => return,
            Certainty::Exact => used.path.as_str(),
            Certainty::Pattern | Certainty::Below => {
                let end = used.path.find(['*', '?', '[', '$', '`']).unwrap_or(used.path.len());
                used.path[..end].rsplit_once('/').map_or("", |(folder, _)| folder)
            }
        };
        // Removing a link leaves its target.
        let (followed, name) = match (act, followed.rsplit_once('/')) {
            (Act::Delete { .. }, Some((folder, name))) if used.certainty == Certainty::Exact => {
                (folder, name)
            }
            _ => (followed, ""),
        };
        if followed.is_empty() {
            return;
        }
        let Some(mut real) = self.place.files.behind_links(followed) else { return };
        if !name.is_empty() {
            real = format!("{real}/{name}");
        }
        let moved = self.place.moved_settings;
        let find = |path: &str| governing::find(path).or_else(|| MovedSettings::find(moved, path));
        let governs = |path: &str| find(path).is_some_and(|reader| reader != Reader::Shared);
        let is_state = |path: &str| self.place.user_state.is_some_and(|state| is_within(path, state));
        if governs(&real) && !governs(&used.path) || is_state(&real) {
            self.risk(RuleId::AgentSettings, real, span);
        }
    }

    /// Records the governing files that come along with the content of `source` when it is copied into `target`:
    /// those that would be replaced, and those of the workspace itself.
    pub(crate) fn copy_contents(&mut self, source: &Text, target: &Text, span: Span) {
        let (Some(from), Some(to)) = (self.exact(source), self.exact(target)) else { return };
        if !self.is_local() || from == to {
            return;
        }
        for known in GOVERNING.iter().filter(|known| known.of != Reader::Shared) {
            let replaced = format!("{to}/{}", known.path);
            if self.place.files.exists(&format!("{from}/{}", known.path))
                && (to == self.reading.workspace || self.place.files.exists(&replaced))
            {
                self.risk(RuleId::AgentSettings, replaced, span);
                return;
            }
        }
    }

    /// Records a risk if files of unknown names are unpacked into a folder with governing files.
    ///
    /// WHY not our session state: it lies in every workspace, so every archive would be asked about.
    pub(crate) fn unpack_unnamed(&mut self, folder: &Text, span: Span) {
        let Some(folder) = self.exact(folder).filter(|_| self.is_local()) else { return };
        let known = GOVERNING.iter().filter(|known| known.of != Reader::Shared && known.path != ".ai/tmp");
        let mut files = known.map(|known| format!("{}/{}", folder.trim_end_matches('/'), known.path));
        if let Some(file) = files.find(|file| self.place.files.exists(file)) {
            self.risk(RuleId::AgentSettingsUnpacked, file, span);
        }
    }

    /// Records a risk if a program without a row in the tables gets a governing file as a word: it may edit the file
    /// in place.
    pub(super) fn check_passed_files(&mut self, call: &Call) {
        if !self.is_local() {
            return;
        }
        for word in call.rest() {
            let value = match word.text.strip_prefix('-').and_then(|_| word.text.find('=')) {
                Some(at) => word.slice(at + 1, word.text.len()),
                None => word.clone(),
            };
            if !value.text.starts_with('.') && !value.text.contains("/.") {
                continue;
            }
            let path = self.resolve(&value).0;
            if governing::find(&path).is_some_and(|reader| reader != Reader::Shared) {
                self.risk(RuleId::AgentSettingsPassed, path, call.span);
                return;
            }
        }
    }

    pub(super) fn exact(&self, word: &Text) -> Option<String> {
        let (path, certainty) = self.resolve(word);
        (certainty == Certainty::Exact).then_some(path)
    }
}
