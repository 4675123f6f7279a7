//! Replaces secrets in text.
//!
//! Text for a log, a journal or a model must be a [`Redacted`], and only this filter
//! creates one. The kinds of credentials are data in `kinds/`, each with
//! examples that a test runs.
//!
//! How it works: `prefilter` finds anchors (`ghp_`, `://`, `oken`) in one pass; at each anchor
//! hand-written code reads the kind's format forwards. Deliberately absent: regular
//! expressions for the built-in kinds (compiling one costs more than scanning a
//! hundred kilobytes) and any decision by entropy alone (all hashes and ids would count as keys).
//!
//! INVARIANT: redacting twice changes nothing, and text without secrets is returned unchanged.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod assignment;
mod aws;
mod batch;
mod brackets;
mod class;
mod command_line;
mod filter;
mod fixpoint;
mod header;
mod jenkins;
mod json;
mod judge;
mod jwt;
mod key_shape;
mod kind;
mod kinds;
mod kubernetes;
mod name;
mod npmrc;
mod partial_match;
mod passphrase;
mod pem;
mod placeholder;
mod prefilter;
mod randomness;
mod redacted;
mod scan;
mod service_value;
mod spaced_password;
mod split_token;
mod stream;
mod text;
mod token;
mod url;
mod value;

#[cfg(test)]
mod tests;

pub use filter::{Filter, PatternError};
pub use json::{RedactedJson, owned, value};
pub use redacted::Redacted;
pub use stream::Stream;

/// The text that replaces a secret.
pub const REPLACEMENT: &str = "[REDACTED]";

/// Returns whether `part` occurs in `whole`. Both are short.
fn contains(whole: &[u8], part: &[u8]) -> bool {
    // WHY the first byte alone first: comparing slices is a call, and this runs for every value.
    let Some(first) = part.first() else { return true };
    whole.windows(part.len()).any(|window| window[0] == *first && window == part)
}
