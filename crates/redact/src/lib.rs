//! Text with its secrets taken out.
//!
//! Whatever reaches a log, a journal or a model is a [`Redacted`], and the only way to make one
//! is through this filter. The kinds of credentials are data in `kinds/`, each with
//! examples that a test runs.
//!
//! How it works: `prefilter` finds anchors (`ghp_`, `://`, `oken`) in one pass; at each
//! the kind's shape is read, forwards and by hand. What is deliberately absent: regular
//! expressions for the built-in kinds (compiling one costs more than scanning a
//! hundred kilobytes) and any judgement by entropy alone (hashes and ids would all be taken for keys).
//!
//! INVARIANT: redacting twice changes nothing, and text without secrets comes back as it was.

mod assignment;
mod aws;
mod base64;
mod class;
mod command_line;
mod filter;
mod header;
mod joint;
mod json;
mod judge;
mod jwt;
mod kind;
mod kinds;
mod name;
mod passphrase;
mod pem;
mod placeholder;
mod prefilter;
mod randomness;
mod redacted;
mod scan;
mod settle;
mod stream;
mod text;
mod token;
mod unfinished;
mod url;
mod value;

#[cfg(test)]
mod tests;

pub use filter::{Filter, PatternError};
pub use json::{RedactedJson, owned, value};
pub use redacted::Redacted;
pub use stream::Stream;

/// What stands in the place of a secret.
pub const REPLACEMENT: &str = "[REDACTED]";

/// Says whether `part` occurs in `whole`. Both are short.
fn contains(whole: &[u8], part: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}
