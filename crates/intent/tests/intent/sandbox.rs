//! A temporary workspace.

use std::fs;
use std::path::Path;

use event::AbsPath;
use intent::{Intent, IntentsFile};

pub(crate) struct Sandbox {
    _dir: tempfile::TempDir,
    pub(crate) root: AbsPath,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(dir.path()).unwrap();
        let root = AbsPath::new(base.join("work")).unwrap();
        fs::create_dir_all(root.as_path()).unwrap();
        Self { _dir: dir, root }
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let sandbox = Self::new();
        for (path, content) in files {
            sandbox.write(path, content);
        }
        sandbox
    }

    /// Returns a path; `..` leads out of the workspace but stays in the sandbox.
    pub(crate) fn at(&self, path: &str) -> AbsPath {
        self.root.join(path)
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
        fs::write(path.as_path(), content).unwrap();
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, from: &str, to: impl AsRef<Path>) {
        let from = self.at(from);
        fs::create_dir_all(from.as_path().parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(to, from.as_path()).unwrap();
    }
}

/// Returns an intent with this scope.
pub(crate) fn intent(scope: &[&str]) -> Intent {
    let patterns: Vec<String> = scope.iter().map(|pattern| format!("{pattern:?}")).collect();
    let text = format!(
        "intents:\n  - id: INT-001\n    name: Test\n    status: IN_PROGRESS\n    owned_scope: [{}]\n",
        patterns.join(", ")
    );
    IntentsFile::parse(text.as_bytes()).unwrap().intents.remove(0)
}
