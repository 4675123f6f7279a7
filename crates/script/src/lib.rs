//! Runs a project's own `hook.mjs` in an embedded JavaScript engine.
//!
//! One [`Script`] is one module: [`Script::load`] compiles and evaluates it,
//! [`Script::handle`] runs it for one event. A module is third-party code,
//! so [`Limits`] bounds everything it can use up, and every error it can cause
//! is a [`ScriptError`].
//!
//! INVARIANT: this crate writes no file, opens no socket, starts no process, reads no
//! environment variable and prints nothing. A module's only outputs are the action it returns
//! and the lines it logs; its only input is reading below the workspace.
//!
//! INVARIANT: only source text is ever compiled. The engine would load bytecode found in a
//! folder without any check, which is memory-unsafe.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod confined_folder;
mod context_object;
mod engine_error;
mod error;
mod event_loop;
mod globals;
mod imports;
mod intrinsics;
mod json;
mod limits;
mod log_buffer;
mod meta;
mod node;
mod posix_path;
mod realm;
mod rejections;
mod sandbox;
mod script;
mod syntax;
mod timers;

pub use error::ScriptError;
pub use limits::Limits;
pub use log_buffer::{Level, LogLine};
pub use meta::Meta;
pub use sandbox::Sandbox;
pub use script::{Handled, Script};
pub use syntax::check_syntax;

/// The type declarations that let an editor complete `ctx` and the action.
///
/// Written as `steersman.d.ts` next to a `hook.mjs` that names them in a comment.
pub const TYPES: &str = include_str!("../types/steersman.d.ts");

/// The `hook.mjs` of a new module; the caller replaces every [`TEMPLATE_NAME`] in it
/// with the module's name.
pub const TEMPLATE: &str = include_str!("../types/template.mjs");

/// The placeholder for the module's name in [`TEMPLATE`].
pub const TEMPLATE_NAME: &str = "__NAME__";
