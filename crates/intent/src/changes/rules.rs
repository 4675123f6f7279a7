//! The ignore rules of git in a folder: its own, and those of every folder above.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::IgnoreFile;

/// The name of a file with ignore rules.
pub(super) const RULES_FILE: &str = ".gitignore";

/// The largest file of rules that is read.
const MAX_BYTES: u64 = 256 * 1024;

/// The rules of one folder, and those of the folders above.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    innermost: Option<Arc<Level>>,
}

#[derive(Debug)]
struct Level {
    /// The folder to which the rules are relative; `""` is the workspace.
    folder: String,
    rules: IgnoreFile,
    above: Option<Arc<Level>>,
}

impl Rules {
    /// Adds the rules of a folder.
    pub(super) fn with(&self, folder: &str, text: &str) -> Self {
        let rules = IgnoreFile::parse(text);
        if rules.is_empty() {
            return self.clone();
        }
        let level = Level { folder: folder.to_owned(), rules, above: self.innermost.clone() };
        Self { innermost: Some(Arc::new(level)) }
    }

    /// Returns whether the rules ignore a path itself, regardless of its ancestors.
    pub(super) fn ignore(&self, path: &str, is_folder: bool) -> bool {
        let mut level = self.innermost.as_deref();
        while let Some(it) = level {
            let from = if it.folder.is_empty() {
                Some(path)
            } else {
                path.strip_prefix(it.folder.as_str()).and_then(|rest| rest.strip_prefix('/'))
            };
            if let Some(says) = from.and_then(|from| it.rules.says(from, is_folder)) {
                return says;
            }
            level = it.above.as_deref();
        }
        false
    }
}

/// Reads a file of rules. Returns `None` if git would not read it.
pub(super) fn text_of(file: &Path) -> Option<String> {
    let meta = fs::symlink_metadata(file).ok()?;
    let is_plain = meta.is_file() && meta.len() <= MAX_BYTES;
    is_plain.then(|| fs::read(file).ok()).flatten().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
