//! Where the folders of a workspace were when they were last scanned: the hash of each path with the folder's inode.
//!
//! WHY: a renamed folder brings its files along, whose own times stay as they are, and no time tells a renamed folder
//! from one in which an entry was added. A folder with the recorded inode at the recorded path was not renamed.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};

use event::AbsPath;
use store::plain_file;

use super::{folder_entries, hash_of as hash_of_bytes};

/// The recorded folders, sorted by the hash of their path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderRecord {
    places: Vec<(u64, u64)>,
}

/// The first bytes of the file; another format has others.
const MAGIC: &[u8; 8] = b"folders1";

/// More folders than a file of some megabytes can hold.
const MAX_FOLDERS: usize = 500_000;

/// Folders that no scan visits.
const UNSCANNED: [&str; 1] = [".git"];

impl FolderRecord {
    /// Reads the record of a workspace, with the hash of its bytes. Returns `None` if it does not exist or cannot be
    /// used.
    pub fn read(file: &AbsPath) -> Option<(Self, String)> {
        let bytes = plain_file::read(file.as_path()).ok()?;
        let pairs = bytes.strip_prefix(MAGIC)?;
        if pairs.len() % 16 != 0 {
            return None;
        }
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let places = pairs.chunks_exact(16).map(|pair| (number(&pair[..8]), number(&pair[8..]))).collect();
        Some((Self { places }, hash_of_bytes(&bytes)))
    }

    /// Lists the folders of a workspace, for at most `time`: a first record, before anything was scanned.
    pub fn of_workspace(root: &AbsPath, time: Duration) -> Self {
        let until = Instant::now().checked_add(time);
        let mut record = Self::default();
        let mut waiting = vec![String::new()];
        while let Some(path) = waiting.pop() {
            if until.is_some_and(|until| Instant::now() > until) {
                break;
            }
            let folder = if path.is_empty() { root.clone() } else { root.join(&path) };
            for (name, inode, is_folder) in folder_entries::names(folder.as_path()).unwrap_or_default() {
                if !is_folder || UNSCANNED.contains(&name.as_str()) {
                    continue;
                }
                let below = if path.is_empty() { name } else { format!("{path}/{name}") };
                record.add(&below, inode);
                waiting.push(below);
            }
        }
        record.sort();
        record
    }

    /// Adds a folder; [`Self::sort`] makes it findable.
    pub(super) fn add(&mut self, path: &str, inode: u64) {
        if self.places.len() < MAX_FOLDERS {
            self.places.push((hash_of(path), inode));
        }
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.places.append(&mut other.places);
    }

    pub(super) fn sort(&mut self) {
        self.places.sort_unstable();
        self.places.dedup();
    }

    /// Returns the recorded inode of the folder at a path.
    pub(super) fn inode_at(&self, path: &str) -> Option<u64> {
        let hash = hash_of(path);
        let at = self.places.partition_point(|(known, _)| *known < hash);
        self.places.get(at).filter(|(known, _)| *known == hash).map(|(_, inode)| *inode)
    }

    /// Writes the record. Ignores errors: the next scan then takes more folders for renamed.
    pub fn write(&self, file: &AbsPath) {
        let _ = file.as_path().parent().map_or(Ok(()), store::create_folder);
        let _ = store::write_shared(file.as_path(), &self.bytes());
    }

    /// Returns the hash of the bytes that [`Self::write`] writes.
    pub fn hash(&self) -> String {
        hash_of_bytes(&self.bytes())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(MAGIC.len() + self.places.len() * 16);
        bytes.extend_from_slice(MAGIC);
        for (hash, inode) in &self.places {
            bytes.extend_from_slice(&hash.to_le_bytes());
            bytes.extend_from_slice(&inode.to_le_bytes());
        }
        bytes
    }
}

/// Returns the hash of a path; the same in every process of one build.
fn hash_of(path: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    Path::new(path).hash(&mut hasher);
    hasher.finish()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_is_known_at_its_path_until_another_takes_its_place() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        for folder in ["a/b", "c", ".git/x"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        let file = root.child("record");
        assert_eq!(FolderRecord::read(&file), None);
        let record = FolderRecord::of_workspace(&root, Duration::from_secs(9));
        record.write(&file);
        assert_eq!(FolderRecord::read(&file), Some((record.clone(), record.hash())));
        let inode = |path: &str| folder_entries::state(&dir.path().join(path)).unwrap().inode;
        assert_eq!(record.inode_at("a/b"), Some(inode("a/b")));
        assert_eq!((record.inode_at("a/c"), record.inode_at(".git/x")), (None, None));
        fs::rename(dir.path().join("c"), dir.path().join("a/b/c")).unwrap();
        assert_eq!(record.inode_at("c"), Some(inode("a/b/c")));
        fs::write(file.as_path(), "folders1odd").unwrap();
        assert_eq!(FolderRecord::read(&file), None);
    }
}
