//! The names git has in its index, read by hand.
//!
//! WHY by hand: asking git costs more than three milliseconds. Names stand in the index as they
//! are, except in its fourth format; there no name is found.

use std::fs;

use event::AbsPath;
use memchr::memmem;

/// The index of a workspace.
#[derive(Debug, Clone, Default)]
pub struct GitIndex(Vec<u8>);

/// A larger index is not searched.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

impl GitIndex {
    /// Reads the index of a workspace; one that is not there has no names.
    pub fn of(workspace: &AbsPath) -> Self {
        let path = workspace.child(".git").child("index");
        let small = fs::metadata(path.as_path()).is_ok_and(|meta| meta.is_file() && meta.len() <= MAX_BYTES);
        Self(small.then(|| fs::read(path.as_path()).ok()).flatten().unwrap_or_default())
    }

    /// Returns whether a file of the workspace is in it.
    pub fn has(&self, file: &str) -> bool {
        // A name is closed by a NUL, and begins after the two bytes that say how long it is.
        let name = [file.as_bytes(), b"\0"].concat();
        let mut at = memmem::find_iter(&self.0, &name);
        at.any(|at| {
            let flags = at.checked_sub(2).and_then(|from| self.0.get(from..at));
            flags.is_some_and(|flags| {
                let length = usize::from(u16::from_be_bytes([flags[0], flags[1]]) & 0xfff);
                length == file.len().min(0xfff)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_names_are_found() {
        let mut bytes = b"DIRC....".to_vec();
        for name in ["src/a.ts", "lib/src/b.ts"] {
            bytes.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
            bytes.extend(name.as_bytes());
            bytes.extend([0; 4]);
        }
        let index = GitIndex(bytes);
        for (name, there) in [
            ("src/a.ts", true),
            ("lib/src/b.ts", true),
            ("src/b.ts", false),
            ("a.ts", false),
            ("src/a", false),
            ("src/a.tsx", false),
        ] {
            assert_eq!(index.has(name), there, "{name}");
        }
        assert!(!GitIndex::default().has("x"));
    }
}
