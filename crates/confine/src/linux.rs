//! Carries a plan out on the calling process.

mod after_exit;
mod backend_choice;
mod descriptors;
mod devices;
mod folder_list;
mod landlock;
mod mounts;
mod namespace;
mod overlay;
mod pid_namespace;
mod program;
mod seccomp;
mod socket_answers;
mod socket_diag;
mod supervisor;
mod system;
mod user_namespace;

pub(crate) use self::folder_list::for_each_entry;
pub use after_exit::{NamespaceKeeper, after_exit};
pub use backend_choice::{enter, support};
pub use landlock::holds_sockets;
pub use program::{SignalDispositions, execute, set_variable};
pub use socket_diag::listeners;
pub use supervisor::{CommandEnd, Supervised, supervise};
pub use system::real_path;

use std::io;

/// A step that failed.
#[derive(Debug)]
pub(crate) struct Failure {
    step: &'static str,
    error: io::Error,
}

/// Names the step of a failed call.
trait Step<T> {
    fn step(self, step: &'static str) -> Result<T, Failure>;
}

impl<T> Step<T> for io::Result<T> {
    fn step(self, step: &'static str) -> Result<T, Failure> {
        self.map_err(|error| Failure { step, error })
    }
}
