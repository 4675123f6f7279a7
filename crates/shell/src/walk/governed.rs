//! Governing files that a command reaches without naming them: by a pattern, through a link, or in a copied folder.

use super::{Act, Walker};
use crate::guard::governing::{self, GOVERNING, Reader};
use crate::guard::{RuleId, governing_pattern};
use crate::path::{Certainty, PathUse, is_within};
use crate::reading::Site;
use crate::span::Span;
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
        // Removing a link leaves what it leads to.
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
        let governs = |path: &str| governing::find(path).is_some_and(|reader| reader != Reader::Editor);
        let is_state = |path: &str| self.place.user_state.is_some_and(|state| is_within(path, state));
        if governs(&real) && !governs(&used.path) || is_state(&real) {
            self.risk(RuleId::AgentSettings, real, span);
        }
    }

    /// Records the governing files that come along when what lies in `source` is copied into `target`: those
    /// that would be replaced, and those of the workspace itself.
    pub(crate) fn copy_contents(&mut self, source: &Text, target: &Text, span: Span) {
        let (Some(from), Some(to)) = (self.exact(source), self.exact(target)) else { return };
        if !self.is_local() || from == to {
            return;
        }
        for known in GOVERNING.iter().filter(|known| known.of != Reader::Editor) {
            let replaced = format!("{to}/{}", known.path);
            if self.place.files.exists(&format!("{from}/{}", known.path))
                && (to == self.reading.workspace || self.place.files.exists(&replaced))
            {
                self.risk(RuleId::AgentSettings, replaced, span);
                return;
            }
        }
    }

    fn exact(&self, word: &Text) -> Option<String> {
        let (path, certainty) = self.resolve(word);
        (certainty == Certainty::Exact).then_some(path)
    }
}
