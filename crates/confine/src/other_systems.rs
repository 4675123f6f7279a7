//! Systems without a mechanism to confine a command.

use crate::{Confined, EnterError, Plan, Support};

/// Fails: nothing confines a command here.
pub fn enter(_plan: &Plan) -> Result<Confined, EnterError> {
    Err(EnterError::NoBackend(Vec::new()))
}

/// Does nothing: no command runs confined here.
pub fn after_exit(_work: impl FnOnce() + 'static) {}

/// Returns that the kernel does not keep a command from sockets.
pub fn holds_sockets() -> bool {
    false
}

/// Returns that nothing is supported.
pub fn support() -> Support {
    Support { backend: None, obstacles: Vec::new(), landlock: 0 }
}
