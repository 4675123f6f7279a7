//! The state that the callbacks of one running module share.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Instant;

use event::Deadline;
use store::TrustedScripts;

use crate::confined_folder::ConfinedFolder;
use crate::globals::Installed;
use crate::log_buffer::{LogBuffer, LogLine};
use crate::rejections::Rejection;
use crate::timers::Timers;
use crate::{Limits, Sandbox, ScriptError};

/// The most refused imports that are recorded.
const MAX_REFUSED: usize = 16;

/// The Rust side of a module's execution environment.
pub(crate) struct Realm {
    pub(crate) limits: Limits,
    pub(crate) imports: ConfinedFolder,
    pub(crate) scripts: Rc<TrustedScripts>,
    pub(crate) workspace: ConfinedFolder,
    pub(crate) deadline: Cell<Deadline>,
    /// Set once the realm has stopped the engine; its later errors are meaningless.
    pub(crate) interrupted: Cell<bool>,
    pub(crate) log_buffer: RefCell<LogBuffer>,
    pub(crate) timers: RefCell<Timers>,
    pub(crate) rejections: RefCell<Vec<Rejection>>,
    pub(crate) installed: Cell<Installed>,
    pub(crate) n_imports: Cell<usize>,
    /// Refused imports, with the message thrown into the module.
    refused: RefCell<Vec<(String, ScriptError)>>,
}

impl Realm {
    pub(crate) fn new(sandbox: Sandbox) -> Self {
        Self {
            log_buffer: RefCell::new(LogBuffer::new(&sandbox.limits)),
            limits: sandbox.limits,
            imports: ConfinedFolder::at(sandbox.imports),
            scripts: sandbox.scripts,
            workspace: ConfinedFolder::at(sandbox.workspace),
            deadline: Cell::new(sandbox.deadline),
            interrupted: Cell::new(false),
            timers: RefCell::default(),
            rejections: RefCell::default(),
            installed: Cell::default(),
            n_imports: Cell::new(0),
            refused: RefCell::default(),
        }
    }

    /// Returns whether the module must stop, and records it.
    pub(crate) fn time_is_up(&self) -> bool {
        if self.deadline.get().has_passed(Instant::now()) {
            self.interrupted.set(true);
        }
        self.interrupted.get()
    }

    /// Returns the log lines so far and starts a new log.
    pub(crate) fn take_logs(&self) -> Vec<LogLine> {
        self.log_buffer.replace(LogBuffer::new(&self.limits)).into_lines()
    }

    /// Records a refused import and returns the message to throw into the module.
    pub(crate) fn refuse(&self, error: ScriptError) -> String {
        let text = error.to_string();
        let mut refused = self.refused.borrow_mut();
        // A module may retry in a loop for as long as it runs.
        if refused.len() == MAX_REFUSED {
            refused.remove(0);
        }
        refused.push((text.clone(), error));
        text
    }

    /// Returns the refused import whose message is `text`; `None` if there is no such import.
    pub(crate) fn refused_import(&self, text: &str) -> Option<ScriptError> {
        let mut refused = self.refused.borrow_mut();
        let index = refused.iter().position(|(thrown, _)| thrown == text)?;
        Some(refused.swap_remove(index).1)
    }
}
