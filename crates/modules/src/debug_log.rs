//! `<module>/logs/debug.log`: the debug lines of a module.

use std::cell::RefCell;
use std::io::Write;

use redact::Redacted;
use store::{ModuleName, SessionDir, Workspace, no_follow};

/// Lines for the debug logs, buffered until the run is recorded.
#[derive(Debug, Default)]
pub struct DebugLog(RefCell<Vec<DebugLine>>);

/// One line for one module's debug log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugLine {
    /// The module.
    pub module: String,
    /// `debug`, `info`, `warn` or `error`.
    pub level: String,
    /// The line.
    pub text: String,
}

impl DebugLog {
    /// Adds a line.
    pub fn add(&self, module: &str, level: &str, text: String) {
        self.0.borrow_mut().push(DebugLine { module: module.into(), level: level.into(), text });
    }

    /// Takes the lines.
    pub fn take(&self) -> Vec<DebugLine> {
        self.0.take()
    }
}

/// Appends the lines to each module's own log. Ignores errors: the journal has the record of the run.
pub fn write(workspace: &Workspace, session: &SessionDir, lines: Vec<DebugLine>) {
    for line in lines {
        let Some(module) = ModuleName::new(&line.module) else { continue };
        let feature = session.feature(&module);
        let made =
            workspace.check_way_to(&feature.logs).and_then(|()| store::create_folder(feature.logs.as_path()));
        if made.is_err() {
            continue;
        }
        let text = Redacted::from_text(&line.text);
        let text = format!("{} {:5} {}\n", store::now(), line.level, text.as_str().replace('\n', "\\n"));
        let file = no_follow::options().append(true).create(true).open(feature.debug_log().as_path());
        let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
    }
}
