//! Expands a shell pattern to existing files.

use std::fs;

/// The maximum number of names to read.
const MAX_NAMES: usize = 10_000;

/// Returns the existing paths that an absolute pattern matches, including hidden names, which the
/// shell omits: that only makes the check stricter. Returns `None` if there are too many.
pub(super) fn matching(pattern: &str) -> Option<Vec<String>> {
    let mut left = MAX_NAMES;
    let mut found = vec![String::new()];
    for (index, segment) in pattern.split('/').enumerate() {
        if index == 0 {
            continue;
        }
        let mut deeper = Vec::new();
        for folder in &found {
            if segment == "**" {
                return None;
            }
            if !segment.contains(['*', '?', '[', '\\']) {
                deeper.push(format!("{folder}/{segment}"));
                continue;
            }
            let listed = if folder.is_empty() { "/" } else { folder };
            for entry in fs::read_dir(listed).into_iter().flatten().flatten() {
                left = left.checked_sub(1)?;
                let name = entry.file_name().to_string_lossy().into_owned();
                if fast_glob::glob_match(escaped(segment), &name) {
                    deeper.push(format!("{folder}/{name}"));
                }
            }
        }
        found = deeper;
    }
    found.retain(|path| fs::symlink_metadata(path).is_ok());
    found.sort();
    Some(found)
}

/// Escapes braces: the shell's were expanded already, so the rest are literal.
fn escaped(segment: &str) -> String {
    let plain = segment.replace('{', "\\{").replace('}', "\\}");
    if plain.starts_with('!') { format!("\\{plain}") } else { plain }
}
