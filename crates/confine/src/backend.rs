//! The mechanisms that confine a command, from the best down, and why one does not work here.

use std::fmt;
use std::io;

/// A mechanism of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A private mount namespace: exact.
    Namespace,
    /// Landlock rules: no read-only parts below a writable folder, times and modes of files stay changeable.
    Landlock,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Namespace => "namespace",
            Self::Landlock => "landlock",
        })
    }
}

/// Why a mechanism does not work here.
#[derive(Debug)]
pub struct Obstacle {
    /// The mechanism.
    pub backend: Backend,
    /// The call or condition that failed.
    pub step: &'static str,
    /// The error of the system.
    pub error: io::Error,
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.backend, self.step, self.error)
    }
}

/// The mechanisms that confine the process from now on.
#[derive(Debug)]
pub struct Confined {
    /// The mechanism.
    pub backend: Backend,
    /// Why no better one.
    pub obstacles: Vec<Obstacle>,
    /// The folder for temporary files that the command must use, if not the usual one.
    pub temporary: Option<std::path::PathBuf>,
}

/// The mechanisms that this machine supports.
#[derive(Debug)]
pub struct Support {
    /// The best mechanism that works; `None` if none does.
    pub backend: Option<Backend>,
    /// Why each better one does not work.
    pub obstacles: Vec<Obstacle>,
    /// The version of Landlock; 0 without.
    pub landlock: u32,
}

/// Why the process cannot be confined.
#[derive(Debug, thiserror::Error)]
pub enum EnterError {
    /// No mechanism works here.
    #[error("this kernel offers no mechanism for confinement ({})", list(.0))]
    NoBackend(Vec<Obstacle>),
    /// A step failed after the point of no return.
    #[error("{step}: {source}")]
    Step {
        /// The step.
        step: &'static str,
        /// The error of the system.
        source: io::Error,
    },
}

fn list(obstacles: &[Obstacle]) -> String {
    obstacles.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
