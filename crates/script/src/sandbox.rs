//! What one module is allowed to see and how long it may take.

use std::path::PathBuf;
use std::rc::Rc;

use event::Deadline;
use store::TrustedScripts;

use crate::Limits;

/// The walls around one module.
#[derive(Debug, Clone)]
pub struct Sandbox {
    /// The folder that imports may not leave: `.ai/hooks`.
    pub imports: PathBuf,
    /// The files in it that a person trusts. Source text comes from here and never from the disk.
    pub scripts: Rc<TrustedScripts>,
    /// The folder that `node:fs` may read, and the module's working directory.
    pub workspace: PathBuf,
    /// When the module is interrupted.
    pub deadline: Deadline,
    /// Everything else that is bounded.
    pub limits: Limits,
}
