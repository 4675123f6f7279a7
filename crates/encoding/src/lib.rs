//! Bytes as text: base64, hexadecimal digits, JSON strings.
//!
//! WHY not a crate from outside: an attacker, a header or a script may mix both alphabets, omit the padding or cut
//! the last group, and a decoder from outside refuses each of these unless its input is rewritten first. The
//! rewriting is longer than the decoder.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod base64;
pub mod hex;
pub mod json;
