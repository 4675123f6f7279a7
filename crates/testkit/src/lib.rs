//! Test support for several crates: a temporary workspace, a host that calls the real binary,
//! payloads recorded from real hosts, and a JSON Schema validator.
//!
//! INVARIANT: a function here fails the test at once instead of returning an error, and no
//! shipped crate depends on this one.
#![expect(clippy::expect_used, clippy::panic, reason = "a helper that fails must fail its test")]

mod answer;
mod bolt_server;
pub mod browser;
mod call;

pub mod payload;
mod property;
mod sandbox;
pub mod schema;
mod session_files;
pub mod state_files;
mod tree;

pub use answer::Answer;
pub use bolt_server::BoltServer;
pub use call::Call;
pub use property::{in_the_long_run, is_long_run, prove, prove_slowly};
pub use sandbox::Sandbox;
pub use session_files::SessionFiles;

pub use tree::Tree;
