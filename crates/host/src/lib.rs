//! The agent programs that fire hooks: what each sends, what it reads back, and
//! where it keeps the settings that name us.
//!
//! A payload is [`recognise`]d, [`parse`]d into an [`event::Event`], judged
//! elsewhere, and the [`event::Verdict`] is [`render`]ed in the words of the host.
//! The [`capability`] table says beforehand what a host can carry out.
//!
//! INVARIANT: only this crate knows a wire field name. Everything above sees an
//! [`event::Event`] come in and hands an [`event::Verdict`] out. Nothing here reads
//! the environment, a file or a clock.

mod capability;
mod capability_table;
mod claude_code;
mod claude_shape;
mod codex;
mod copilot;
mod cursor;
mod ellipsis;
mod fields;
mod flavour;
mod forgiving_json;
mod gemini;
mod hints;
mod host;
pub mod install;
mod moment;
mod outcome;
mod parse;
mod plan;
mod protocol;
mod qwen;
pub mod raw;
mod received;
mod recognise;
mod render;
mod tools;
mod verb;
mod vscode;
mod wire;

pub use capability::{Support, can, capability};
pub use capability_table::{capability_summary, capability_table};
pub use forgiving_json::forgiving_json;
pub use hints::Hints;
pub use host::Host;
pub use moment::Moment;
pub use parse::parse;
pub use protocol::Protocol;
pub use received::{Heard, ParseError, Received};
pub use recognise::recognise;
pub use render::{Rendered, render};
pub use tools::{Narrow, Reach, narrow, reach, tool_call, tool_names};
pub use verb::Verb;
pub use wire::Wire;
