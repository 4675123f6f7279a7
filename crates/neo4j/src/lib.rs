//! A client for the part of Bolt that the Neo4j capability needs: the handshake, and one query with one value.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod address;
mod connection;
mod packstream;
mod probe;

pub use address::Address;
pub use probe::{Answer, Limits, Query, probe};
