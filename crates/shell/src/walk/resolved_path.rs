//! Resolves the words of a command to paths: `..` as the kernel does, and as `cd` does.
//!
//! WHY twice: the kernel follows a link before it looks for the folder above, so `cp x link/../y` writes next to the
//! link's target. The shell's `cd link/..` removes both names from the text.

use super::Walker;
use crate::path::{self, Certainty, normalise};
use crate::reading::Site;
use crate::text::Text;

impl Walker<'_> {
    /// Resolves a word to a path where the current command runs, as the kernel would.
    pub(crate) fn resolve(&self, target: &Text) -> (String, Certainty) {
        self.resolve_with(target, &|path| self.without_dots(path))
    }

    /// Resolves the folder of a `cd`, which may be unknown.
    pub(super) fn resolve_folder(&self, folder: &Text, is_physical: bool) -> Option<String> {
        let known =
            |(path, certainty): (String, Certainty)| (certainty != Certainty::Unknown).then_some(path);
        let by_kernel = || known(self.resolve(folder));
        if is_physical {
            let path = by_kernel()?;
            return Some(self.behind_links(&path).unwrap_or(path));
        }
        let by_text = known(self.resolve_with(folder, &|path| Some(normalise(path))))?;
        if !has_parent_step(&folder.text) || self.site != Site::Local || self.place.files.is_dir(&by_text) {
            return Some(by_text);
        }
        // bash goes where the kernel leads if the text names no folder.
        match by_kernel() {
            Some(path) if !self.place.files.is_dir(&path) => Some(by_text),
            other => other,
        }
    }

    /// Removes the dots of an absolute path as the kernel does. Returns `None` behind a link that the line made.
    pub(crate) fn without_dots(&self, path: &str) -> Option<String> {
        if self.site != Site::Local || !has_parent_step(path) {
            return Some(normalise(path));
        }
        let mut folder = String::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => folder = self.folder_above(&folder)?,
                name => {
                    folder.push('/');
                    folder.push_str(name);
                }
            }
        }
        Some(if folder.is_empty() { "/".to_owned() } else { folder })
    }

    fn resolve_with(&self, target: &Text, clean: path::Clean<'_>) -> (String, Certainty) {
        let home = if self.site == Site::Local { self.reading.home.as_str() } else { "/root" };
        let (mut path, certainty) = path::resolve(target, self.state.cwd.as_deref(), home, clean);
        // A path below a link that the line made leads to the link's target.
        for (name, linked) in &self.state.links {
            if let Some(rest) = path.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix('/')) {
                path = normalise(&format!("{linked}/{rest}"));
            }
        }
        (path, certainty)
    }

    /// Returns the folder above `folder`, without a slash at its end.
    fn folder_above(&self, folder: &str) -> Option<String> {
        let (above, name) = folder.rsplit_once('/').unwrap_or_default();
        if self.state.links.iter().any(|(link, _)| path::is_within(folder, link)) {
            return None;
        }
        let Some(real) = self.place.files.behind_links(folder) else { return Some(above.to_owned()) };
        // Only the last name decides: behind a link further up, the text stays as the user writes it.
        let real_above = self.place.files.behind_links(above);
        if real == format!("{}/{name}", real_above.as_deref().unwrap_or(above)) {
            return Some(above.to_owned());
        }
        let real = self.spelled_as_workspace(real);
        Some(real.rsplit_once('/').unwrap_or_default().0.to_owned())
    }

    /// Follows the links of a path. Returns `None` without a link.
    fn behind_links(&self, path: &str) -> Option<String> {
        self.place.files.behind_links(path).map(|real| self.spelled_as_workspace(real))
    }

    /// Spells a path in the workspace as the workspace is spelled, which may itself be behind a link.
    fn spelled_as_workspace(&self, real: String) -> String {
        let workspace = self.reading.workspace.as_str();
        let behind = self.place.files.behind_links(workspace).filter(|_| !path::is_within(&real, workspace));
        match behind.and_then(|behind| real.strip_prefix(behind.as_str()).map(str::to_owned)) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{workspace}{rest}"),
            _ => real,
        }
    }
}

fn has_parent_step(path: &str) -> bool {
    path.split('/').any(|part| part == "..")
}
