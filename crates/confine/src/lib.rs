//! Confinement of a command: the kernel refuses every write outside the scope.
//!
//! A [`Request`] names the files that the command may write. [`ConfinementPlan::of`] turns it into an ordered list of mounts, as plain
//! data. [`enter`] carries the plan out on the calling process, which then executes the command in its place.
//!
//! INVARIANT: nothing here prints or reads the environment. Only `linux/` contains `unsafe`.
//! INVARIANT: a step that fails is an error or a coarser [`Backend`], never a silent gap.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod backend;
mod cache_folders;
mod governing_names;
#[cfg(unix)]
mod leftover_scan;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other_systems;
mod path_bytes;
mod plan;
mod request;
mod scope_survey;
mod sockets;
mod tool_folders;
mod tree;

pub use backend::{Backend, Confined, EnterError, Obstacle, Support};
pub use cache_folders::{CACHES, Cache};
#[cfg(unix)]
pub use leftover_scan::{LeftBehind, LeftKind, LeftoverScan};
#[cfg(target_os = "linux")]
pub use linux::{
    CommandEnd, NamespaceKeeper, SignalDispositions, Supervised, after_exit, enter, execute, holds_sockets,
    listeners, real_path, set_variable, supervise, support,
};
#[cfg(not(target_os = "linux"))]
pub use other_systems::{
    CommandEnd, NamespaceKeeper, Supervised, after_exit, enter, holds_sockets, listeners, real_path,
    supervise, support,
};
pub use path_bytes::is_within;
pub use plan::{ConfinementPlan, Layers, Mount, MountKind, Overlay};
pub use request::{HiddenFiles, Network, Request};
pub use sockets::Listener;
pub use tool_folders::{TOOL_FOLDERS, ToolFolder};
pub use tree::{Disk, Entry, HardLinks, Kind, Tree};
