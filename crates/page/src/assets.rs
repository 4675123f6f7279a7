//! The style sheet, the script and the icon, embedded in the program.

use std::hash::{DefaultHasher, Hash, Hasher};

/// An embedded file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// Its path on the server.
    pub path: &'static str,
    /// Its media type.
    pub media_type: &'static str,
    /// Its content.
    pub content: &'static str,
}

/// The style sheet.
pub const STYLE: Asset =
    Asset { path: "/assets/style.css", media_type: "text/css", content: include_str!("assets/style.css") };
/// The script of live updates.
pub const SCRIPT: Asset =
    Asset { path: "/assets/live.js", media_type: "text/javascript", content: include_str!("assets/live.js") };
/// The icon.
pub const ICON: Asset =
    Asset { path: "/assets/icon.svg", media_type: "image/svg+xml", content: include_str!("assets/icon.svg") };

/// All of them.
pub const ALL: [Asset; 3] = [STYLE, SCRIPT, ICON];

impl Asset {
    /// Returns its address with a version, so that browsers keep it until it changes.
    pub fn address(&self) -> String {
        let mut hasher = DefaultHasher::new();
        self.content.hash(&mut hasher);
        format!("{}?v={:x}", self.path, hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_assets_together_are_small() {
        let bytes: usize = ALL.iter().map(|asset| asset.content.len()).sum();
        assert!(bytes < 24_000, "{bytes} bytes");
    }
}
