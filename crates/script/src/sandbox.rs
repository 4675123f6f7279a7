//! The access rights and the deadline of one module.

use std::path::PathBuf;
use std::rc::Rc;

use event::Deadline;
use store::TrustedScripts;

use crate::Limits;

/// The access and the limits of one module.
#[derive(Debug, Clone)]
pub struct Sandbox {
    /// The folder that imports must not leave: `.ai/hooks`.
    pub imports: PathBuf,
    /// The files in it that a person trusts. Source text comes from here and never from the disk.
    pub scripts: Rc<TrustedScripts>,
    /// The folder that `node:fs` may read, and the module's working directory.
    pub workspace: PathBuf,
    /// The time at which the module is interrupted.
    pub deadline: Deadline,
    /// The size limits.
    pub limits: Limits,
}
