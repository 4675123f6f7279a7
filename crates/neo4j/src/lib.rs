//! A client for the part of Bolt that the Neo4j capability needs: the handshake, and one query with one value.

mod address;
mod connection;
mod packstream;
mod probe;

pub use address::Address;
pub use probe::{Answer, Limits, Query, probe};
