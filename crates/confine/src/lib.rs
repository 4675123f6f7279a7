//! Confinement of a command: the kernel refuses every write outside the scope.
//!
//! A [`Request`] names what the command may write. [`Plan::of`] turns it into an ordered list of mounts, as plain
//! data. [`enter`] carries the plan out on the calling process, which then executes the command in its place.
//!
//! INVARIANT: nothing here prints or reads the environment. Only `linux/` contains `unsafe`.
//! INVARIANT: a step that fails is an error or a coarser [`Backend`], never a silent gap.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod backend;
mod cache_folders;
mod git_ignore;
mod governing_names;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other_systems;
mod plan;
mod request;
mod scope_survey;
mod sockets;
mod tool_folders;
mod tree;

pub use backend::{Backend, Confined, EnterError, Obstacle, Support};
pub use cache_folders::{CACHES, Cache};
pub use git_ignore::GitIgnore;
#[cfg(target_os = "linux")]
pub use linux::{SignalDispositions, after_exit, enter, execute, holds_sockets, set_variable, support};
#[cfg(not(target_os = "linux"))]
pub use other_systems::{after_exit, enter, holds_sockets, support};
pub use plan::{Mount, MountKind, Plan};
pub use request::{Network, Request};
pub use sockets::{Listener, listeners};
pub use tool_folders::{TOOL_FOLDERS, ToolFolder};
pub use tree::{Disk, Entry, Kind, Tree};
