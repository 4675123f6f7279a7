//! Systems without a mechanism to confine a command.

use crate::{Confined, ConfinementPlan, EnterError, Listener, Support};

/// Fails: nothing confines a command here.
pub fn enter(_plan: &ConfinementPlan) -> Result<Confined, EnterError> {
    Err(EnterError::NoBackend(Vec::new()))
}

/// The way to a helper process, which no command has here.
#[derive(Debug)]
pub enum NamespaceKeeper {}

impl NamespaceKeeper {
    /// Does nothing.
    pub fn keep(self) {}
}

/// Does nothing: no command runs confined here.
pub fn after_exit(_reports: bool, _work: impl FnOnce() + 'static) -> Option<NamespaceKeeper> {
    None
}

/// Returns that the kernel does not keep a command from sockets.
pub fn holds_sockets() -> bool {
    false
}

/// Returns no sockets: no command runs confined here.
pub fn listeners() -> Vec<Listener> {
    Vec::new()
}

/// Returns that nothing is supported.
pub fn support() -> Support {
    Support { backend: None, obstacles: Vec::new(), landlock: 0 }
}

/// Returns the path without links of something that exists.
pub fn real_path(path: &std::path::Path) -> std::io::Result<std::path::PathBuf> {
    path.canonicalize()
}

/// Which of two processes returned from [`supervise`].
#[derive(Debug)]
pub enum Supervised {
    /// The child process, which becomes the command.
    Command,
    /// The parent process, which waited for it.
    Parent(CommandEnd),
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandEnd(u8);

impl CommandEnd {
    /// Returns the exit code.
    pub const fn exit_code(self) -> u8 {
        self.0
    }
}

/// Fails: no command runs confined here.
pub fn supervise() -> std::io::Result<Supervised> {
    Err(std::io::ErrorKind::Unsupported.into())
}
