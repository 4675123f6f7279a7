//! The agent programs that fire hooks: what each sends, what it reads back, and
//! where it keeps the settings that name us.
//!
//! INVARIANT: only this crate knows a wire field name. Everything above sees an
//! [`event::Event`] come in and hands an [`event::Verdict`] out.

mod host;
pub mod install;

pub use host::Host;
