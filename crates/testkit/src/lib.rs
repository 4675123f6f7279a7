//! What the tests of several crates share: a workspace to throw away, a host that calls the
//! real binary, payloads as recorded from the real hosts, and a real JSON Schema validator.
//!
//! INVARIANT: a helper here fails the test on the spot. None of them returns an error, and
//! none of them is ever part of what is shipped.
#![expect(clippy::expect_used, clippy::panic, reason = "a helper that fails has to fail its test")]

mod answer;
mod bolt_server;
mod call;
pub mod kept_files;
pub mod payload;
mod property;
mod sandbox;
pub mod schema;
mod session_files;
mod thorough;
mod tree;

pub use answer::Answer;
pub use bolt_server::BoltServer;
pub use call::Call;
pub use property::{prove, prove_slowly};
pub use sandbox::Sandbox;
pub use session_files::SessionFiles;
pub use thorough::{in_the_long_run, is_long_run};
pub use tree::Tree;
