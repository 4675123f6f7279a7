//! YAML with the place of every value, within limits.
//!
//! INVARIANT: reading costs at most a fixed number of values and a fixed depth,
//! whatever the text says: aliases are counted as what they repeat.

mod node;
mod read;
mod scalar;

pub(crate) use node::{Data, Entry, Node};
pub(crate) use read::read;
