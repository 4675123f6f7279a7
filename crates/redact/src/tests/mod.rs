//! Tests that see the inside: the table of kinds and the borders of a stream.

mod kinds;
mod stream;
mod template;
