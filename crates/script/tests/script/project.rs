//! A throw-away project with modules in it.

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use event::{AbsPath, Deadline};
use script::{Handled, Limits, Sandbox, Script, ScriptError};
use serde_json::{Value, json};
use store::{ScriptFiles, Timestamp, Trust, TrustedScripts, Workspace};

static N_PROJECTS: AtomicUsize = AtomicUsize::new(0);

/// A folder with `.ai/hooks/features/probe/hook.mjs` in it.
pub(crate) struct Project {
    pub(crate) root: PathBuf,
    pub(crate) limits: Limits,
    pub(crate) budget: Duration,
}

impl Project {
    /// Makes a project whose module has this source text.
    pub(crate) fn new(source: &str) -> Self {
        let number = N_PROJECTS.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("steersman-script-{}-{number}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let root = root.canonicalize().unwrap();
        let project = Self { root, limits: Limits::default(), budget: Duration::from_secs(20) };
        project.write(".ai/hooks/features/probe/hook.mjs", source);
        project
    }

    /// Makes a project whose module does this in `handle(eventName, ctx)`.
    pub(crate) fn handling(body: &str) -> Self {
        Self::new(&format!(
            "export default {{ name: 'probe', supports: ['PreToolUse'],\nasync handle(eventName, ctx) {{\n{body}\n}} }};"
        ))
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Trusts the scripts as they are now.
    pub(crate) fn trusted(&self) -> TrustedScripts {
        let root = AbsPath::new(&self.root).unwrap();
        let files = ScriptFiles::read(&Workspace::at(root.clone())).unwrap();
        let mut trust = Trust::default();
        trust.grant(&root, &files.fingerprint(), Timestamp::from_millis(1));
        trust.vouch_scripts(&root, files).unwrap()
    }

    pub(crate) fn load(&self) -> Result<Script, ScriptError> {
        self.load_trusted(self.trusted())
    }

    /// Loads the module out of scripts that were judged before.
    pub(crate) fn load_trusted(&self, scripts: TrustedScripts) -> Result<Script, ScriptError> {
        let hooks = self.root.join(".ai/hooks");
        let sandbox = Sandbox {
            imports: hooks.clone(),
            scripts: Rc::new(scripts),
            workspace: self.root.clone(),
            deadline: Deadline::after(Instant::now(), self.budget),
            limits: self.limits.clone(),
        };
        Script::load(&hooks.join("features/probe/hook.mjs"), sandbox)
    }

    /// Loads the module and asks it about an event.
    pub(crate) fn ask(&self, ctx: &Value) -> Result<Handled, ScriptError> {
        self.load()?.handle("PreToolUse", ctx)
    }

    /// Returns the action for an empty event, or the error's text.
    pub(crate) fn outcome(&self) -> Result<Value, String> {
        self.ask(&json!({})).map(|handled| handled.action).map_err(|error| error.to_string())
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        // A leftover in the temporary folder is not worth failing for.
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Runs the body of a `handle` and compares the action.
#[track_caller]
pub(crate) fn check(body: &str, expected: Value) {
    assert_eq!(Project::handling(body).outcome(), Ok(expected), "{body}");
}

/// Runs the body of a `handle` and compares the error's text.
#[track_caller]
pub(crate) fn check_error(body: &str, expected: &str) {
    assert_eq!(Project::handling(body).outcome(), Err(expected.to_owned()), "{body}");
}
