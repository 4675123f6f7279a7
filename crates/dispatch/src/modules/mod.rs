//! The built-in modules, one rule each.

mod session;

use crate::Module;

/// Every built-in module; the manifest and their priorities decide which run and when.
pub const ALL: &[&dyn Module] = &[&session::Session];
