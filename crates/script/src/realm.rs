//! What the callbacks of one running module share.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use event::Deadline;
use store::TrustedScripts;

use crate::fence::Fence;
use crate::globals::Installed;
use crate::logbook::{LogLine, Logbook};
use crate::rejections::Rejection;
use crate::timers::Timers;
use crate::{Limits, Sandbox, ScriptError};

/// How many refused imports are remembered.
const MAX_REFUSED: usize = 16;

/// The world one module runs in, seen from the Rust side.
pub(crate) struct Realm {
    pub(crate) limits: Limits,
    pub(crate) imports: Fence,
    pub(crate) scripts: Rc<TrustedScripts>,
    pub(crate) workspace: Fence,
    pub(crate) deadline: Cell<Deadline>,
    /// Set once the engine was told to stop; whatever it reports after that is noise.
    pub(crate) interrupted: Cell<bool>,
    pub(crate) logbook: RefCell<Logbook>,
    pub(crate) timers: RefCell<Timers>,
    pub(crate) rejections: RefCell<Vec<Rejection>>,
    pub(crate) installed: Cell<Installed>,
    pub(crate) n_imports: Cell<usize>,
    /// Imports that were refused, with the text that was thrown into the module.
    refused: RefCell<Vec<(String, ScriptError)>>,
}

impl Realm {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self {
            logbook: RefCell::new(Logbook::new(&sandbox.limits)),
            limits: sandbox.limits,
            imports: Fence::around(sandbox.imports),
            scripts: sandbox.scripts,
            workspace: Fence::around(sandbox.workspace),
            deadline: Cell::new(sandbox.deadline),
            interrupted: Cell::new(false),
            timers: RefCell::default(),
            rejections: RefCell::default(),
            installed: Cell::default(),
            n_imports: Cell::new(0),
            refused: RefCell::default(),
        }
    }

    /// Returns whether the module has to stop, and remembers it.
    pub(crate) fn time_is_up(&self) -> bool {
        if self.deadline.get().has_passed(Instant::now()) {
            self.interrupted.set(true);
        }
        self.interrupted.get()
    }

    /// Returns the lines logged so far and begins a new log.
    pub(crate) fn take_logs(&self) -> Vec<LogLine> {
        self.logbook.replace(Logbook::new(&self.limits)).into_lines()
    }

    /// Remembers why an import was refused and returns what to throw into the module.
    pub(crate) fn refuse(&self, error: ScriptError) -> String {
        let text = error.to_string();
        let mut refused = self.refused.borrow_mut();
        // A module may try, catch and try again for as long as it runs.
        if refused.len() == MAX_REFUSED {
            refused.remove(0);
        }
        refused.push((text.clone(), error));
        text
    }

    /// Returns the refusal that was thrown as `text`, unless the module had caught it.
    pub(crate) fn refusal(&self, text: &str) -> Option<ScriptError> {
        let mut refused = self.refused.borrow_mut();
        let index = refused.iter().position(|(thrown, _)| thrown == text)?;
        Some(refused.swap_remove(index).1)
    }
}
