//! Runs a project's own `hook.mjs` in an embedded JavaScript engine.
//!
//! One [`Script`] is one module: [`Script::load`] compiles and evaluates it,
//! [`Script::handle`] asks it about one event. A module is somebody else's code,
//! so everything it can use up is bounded by [`Limits`] and everything it can get
//! wrong is a [`ScriptError`].
//!
//! INVARIANT: nothing here writes a file, opens a socket, starts a process, reads
//! the environment or prints. A module's only ways out are the action it returns
//! and the lines it logs; its only way in is reading below the workspace.
//!
//! INVARIANT: only source text is ever compiled. Bytecode found in a folder would
//! be loaded without any check by the engine, which is memory-unsafe.

mod context_object;
mod drive;
mod error;
mod fault;
mod fence;
mod globals;
mod imports;
mod intrinsics;
mod json;
mod limits;
mod logbook;
mod meta;
mod node;
mod posix_path;
mod realm;
mod rejections;
mod sandbox;
mod script;
mod timers;

pub use error::ScriptError;
pub use limits::Limits;
pub use logbook::{Level, LogLine};
pub use meta::Meta;
pub use sandbox::Sandbox;
pub use script::{Handled, Script};

/// The type declarations that let an editor complete `ctx` and the action.
///
/// Written as `steersman.d.ts` beside a `hook.mjs` that names them in a comment.
pub const TYPES: &str = include_str!("../types/steersman.d.ts");

/// The `hook.mjs` a new module starts from; every [`TEMPLATE_NAME`] in it is to be
/// replaced by the module's name.
pub const TEMPLATE: &str = include_str!("../types/template.mjs");

/// What stands for the module's name in [`TEMPLATE`].
pub const TEMPLATE_NAME: &str = "__NAME__";
