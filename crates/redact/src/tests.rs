//! Tests of internals: the table of kinds and the boundaries of a stream.

mod kinds;
mod stream;
mod template;
