//! Imports automations from the files of other programs: Kiro's hooks and lefthook's commands.
//!
//! The result is JSON for `.akira/hooks.json`. Nothing is dropped silently: every part of a file that has no
//! counterpart here is reported with the reason.

mod kiro;
mod lefthook;
mod shell_command;

use serde_json::Value;

pub use kiro::kiro;
pub use lefthook::lefthook;

/// The automations of a file and the parts that have no counterpart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// The automations, as in `.akira/hooks.json`.
    pub hooks: Vec<Value>,
    /// The omissions and changes, each as a sentence that names the entry.
    pub remarks: Vec<String>,
}

/// Returns a name as an id: lower-case letters, digits and hyphens.
fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let text: String = name.chars().map(plain).collect();
    let parts: Vec<&str> = text.split('-').filter(|it| !it.is_empty()).collect();
    let id: String = parts.join("-").chars().take(crate::limits::MAX_ID_LENGTH).collect();
    if id.is_empty() { "imported".to_owned() } else { id }
}
