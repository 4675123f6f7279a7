//! The files a shell's pattern stands for.

use std::fs;

/// How many names are looked at before the answer is given up.
const MAX_NAMES: usize = 10_000;

/// Returns the existing paths an absolute pattern matches; nothing if there are too many to tell.
/// Hidden names are among them although the shell leaves them out, which only asks for more.
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

/// Braces were expanded already; what is left of them is plain.
fn escaped(segment: &str) -> String {
    let plain = segment.replace('{', "\\{").replace('}', "\\}");
    if plain.starts_with('!') { format!("\\{plain}") } else { plain }
}
