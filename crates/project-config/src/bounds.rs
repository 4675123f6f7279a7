//! The section `graph-pretooluse` of `config.json`: the rules for unbounded reads and searches, and their limits.

mod rule;
mod section;
mod settings;

pub use rule::Rule;
pub use settings::{Level, Levels, Preset, Settings};

/// The section's name, which is also the module's.
pub const NAME: &str = "graph-pretooluse";
