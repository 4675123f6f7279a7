//! Reads the names in git's index by hand.
//!
//! WHY by hand: running git takes more than three milliseconds.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use event::AbsPath;
use store::git_dir;

/// The files of a workspace that git tracks, sorted by path.
///
/// WHY one buffer for all names: the index of a large repository has a hundred thousand.
#[derive(Debug, Clone, Default)]
pub struct GitIndex {
    names: String,
    files: Vec<Tracked>,
}

/// A tracked file.
#[derive(Debug, Clone)]
struct Tracked {
    name: Range<u32>,
    inode: u32,
    size: u32,
    changed: u32,
    changed_ns: u32,
    /// Whether a sparse checkout leaves it out.
    is_left_out: bool,
    /// The hash of the content in git; `None` for a conflict, which has several.
    blob: Option<[u8; BLOB]>,
}

/// The maximum size of an index.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

/// The length of the hash of a content.
const BLOB: usize = 20;

/// The size of the fields before the name of an entry: times, device, mode, size, hash and flags.
const FIXED: usize = 62;

impl GitIndex {
    /// Reads the index of a workspace. Returns an empty index if it does not exist or its format is
    /// unknown.
    pub fn of(workspace: &AbsPath) -> Self {
        let read = || read(&git_dir(workspace.child(".git").as_path())?);
        read().and_then(|bytes| Self::parse(&bytes)).unwrap_or_default()
    }

    /// Reads an index from a file. Returns an empty index if it does not exist or its format is unknown.
    pub fn in_file(file: &Path) -> Self {
        read_file(file).and_then(|bytes| Self::parse(&bytes)).unwrap_or_default()
    }

    /// Reads an index from a file. Returns `None` if it exists and does not show all tracked files.
    pub fn whole_in(file: &Path) -> Option<Self> {
        if let Err(error) = fs::metadata(file) {
            return (error.kind() == io::ErrorKind::NotFound).then(Self::default);
        }
        let bytes = read_file(file)?;
        let end = each_entry(&bytes, |_| {})?;
        (!is_shared(&bytes, end)?).then(|| Self::parse(&bytes)).flatten()
    }

    /// Returns the tracked files, relative to the root of the checkout.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| self.name_of(file))
    }

    /// Parses the entries that are files.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let mut index = Self::default();
        each_entry(bytes, |entry| {
            let Some(name) = std::str::from_utf8(entry.name).ok().filter(|_| entry.is_file) else { return };
            let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let start = place(index.names.len());
            index.names.push_str(name);
            index.files.push(Tracked {
                name: start..place(index.names.len()),
                inode: entry.inode,
                size: entry.size,
                changed: entry.changed,
                changed_ns: entry.changed_ns,
                is_left_out: !entry.belongs_on_disk,
                blob: entry.blob,
            });
        })?;
        Some(index)
    }

    /// Returns whether the index is empty or unknown.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns whether the index contains a file of the workspace.
    pub fn has(&self, file: &str) -> bool {
        self.find(file).is_some()
    }

    /// Returns the tracked files below a folder.
    pub(crate) fn below(&self, folder: &str) -> impl Iterator<Item = &str> {
        let prefix = format!("{folder}/");
        let from = self.files.partition_point(|file| self.name_of(file) < prefix.as_str());
        let files = self.files[from..].iter().map(|file| self.name_of(file));
        files.take_while(move |name| name.starts_with(&prefix))
    }

    /// Returns whether a file is the one that git recorded at this path: the same inode with the same
    /// content. Such a file was not moved here since.
    pub(crate) fn is_in_place(&self, file: &str, inode: u64, size: u64, content_ns: u128) -> bool {
        let Some(known) = self.find(file) else { return false };
        let low = |number: u64| u32::try_from(number & u64::from(u32::MAX)).unwrap_or_default();
        let seconds = u64::try_from(content_ns / 1_000_000_000).unwrap_or_default();
        let nanos = u32::try_from(content_ns % 1_000_000_000).unwrap_or_default();
        inode != 0
            && known.inode == low(inode)
            && known.size == low(size)
            && known.changed == low(seconds)
            && known.changed_ns == nanos
    }

    /// Returns whether a file on disk is as git recorded it, by size and times.
    pub fn is_unchanged(&self, workspace: &AbsPath, file: &str) -> bool {
        let state = crate::changes::state_of(workspace.join(file).as_path());
        state.is_ok_and(|(inode, size, content_ns)| self.is_in_place(file, inode, size, content_ns))
    }

    /// Returns the files whose content in git differs in a later index, and those that only one of the two has. Files with
    /// a conflict do not count.
    pub fn differences<'s>(&'s self, later: &'s Self) -> Vec<&'s str> {
        let mut found = Vec::new();
        let (mut old, mut new) = (self.files.iter().peekable(), later.files.iter().peekable());
        while old.peek().is_some() || new.peek().is_some() {
            let (old_name, new_name) =
                (old.peek().map(|it| self.name_of(it)), new.peek().map(|it| later.name_of(it)));
            let (name, was, is) = match (old_name, new_name) {
                (Some(was), Some(is)) if was == is => (was, old.next(), new.next()),
                (Some(was), is) if is.is_none_or(|is| was < is) => (was, old.next(), None),
                (_, is) => (is.unwrap_or_default(), None, new.next()),
            };
            let has_conflict = [was, is].iter().flatten().any(|it| it.blob.is_none());
            if !has_conflict && was.and_then(|it| it.blob) != is.and_then(|it| it.blob) {
                found.push(name);
            }
        }
        found
    }

    /// Returns the hash of a file's content in git, in hexadecimal digits.
    pub fn blob(&self, file: &str) -> Option<String> {
        let blob = self.find(file)?.blob?;
        Some(encoding::hex::encode(&blob))
    }

    /// Returns the files that do not exist on disk any more, in or below folders in which an entry
    /// was added or removed; `""` is the workspace itself. Those that a sparse checkout leaves out
    /// count only with `left_out`.
    pub fn missing<'s>(
        &'s self,
        workspace: &AbsPath,
        folders: &BTreeSet<String>,
        left_out: bool,
    ) -> Vec<&'s str> {
        let place = |path: &str| if path.is_empty() { workspace.clone() } else { workspace.join(path) };
        // One listing of a folder instead of a look at each of its files. Where names have several spellings, the disk
        // knows an unlisted one.
        let mut listed: HashMap<&str, HashSet<String>> = HashMap::new();
        let mut is_there = |folder: &'s str, entry: &'s str| {
            let names =
                listed.entry(folder).or_insert_with(|| crate::changes::names_in(place(folder).as_path()));
            let name = entry.rsplit_once('/').map_or(entry, |(_, name)| name);
            names.contains(name) || fs::symlink_metadata(place(entry).as_path()).is_ok()
        };
        // Most files share their folders.
        let mut known: HashMap<&str, bool> = HashMap::new();
        let mut missing = Vec::new();
        for file in self.files.iter().filter(|file| left_out || !file.is_left_out) {
            let name = self.name_of(file);
            let ends = name.match_indices('/').map(|(at, _)| at).chain([name.len()]);
            let mut folder = "";
            for end in ends {
                let entry = &name[..end];
                if folders.contains(folder) && !*known.entry(entry).or_insert_with(|| is_there(folder, entry))
                {
                    missing.push(name);
                    break;
                }
                folder = entry;
            }
        }
        missing
    }

    fn find(&self, file: &str) -> Option<&Tracked> {
        let at = self.files.binary_search_by(|known| self.name_of(known).cmp(file)).ok()?;
        self.files.get(at)
    }

    fn name_of(&self, file: &Tracked) -> &str {
        &self.names[file.name.start as usize..file.name.end as usize]
    }
}

/// Reads the index in git's folder. Returns `None` if it does not exist or is too large.
pub(super) fn read(git: &Path) -> Option<Vec<u8>> {
    read_file(&git.join("index"))
}

fn read_file(file: &Path) -> Option<Vec<u8>> {
    let meta = fs::metadata(file).ok()?;
    (meta.is_file() && meta.len() <= MAX_BYTES).then(|| fs::read(file).ok()).flatten()
}

/// Returns whether a part of the entries is in another file. Returns `None` if the rest of the index is not as expected, as in
/// a repository with longer hashes.
fn is_shared(bytes: &[u8], mut at: usize) -> Option<bool> {
    let mut is_shared = false;
    while at + BLOB < bytes.len() {
        let length = u32::from_be_bytes(bytes.get(at + 4..at + 8)?.try_into().ok()?);
        is_shared |= bytes.get(at..at + 4)? == b"link";
        at = at.checked_add(8)?.checked_add(usize::try_from(length).ok()?)?;
    }
    (at + BLOB == bytes.len()).then_some(is_shared)
}

/// An entry of the index.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) name: &'a [u8],
    /// When the file last changed, in seconds.
    pub(super) changed: u32,
    /// The nanoseconds of that time.
    changed_ns: u32,
    inode: u32,
    pub(super) size: u32,
    /// Whether it is a file or a link, not a submodule.
    is_file: bool,
    /// The hash of its content; `None` for a conflict.
    blob: Option<[u8; BLOB]>,
    /// Whether the file should be on disk.
    pub(super) belongs_on_disk: bool,
}

/// Parses all entries; returns the byte after the last.
pub(super) fn each_entry(bytes: &[u8], mut look: impl FnMut(&Entry<'_>)) -> Option<usize> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let version = number(4)?;
    let mut name: Vec<u8> = Vec::new();
    let mut at = 12;
    for _ in 0..number(8)? {
        let start = at;
        let mode = number(at + 24)?;
        let flags = u16::from_be_bytes(bytes.get(at + FIXED - 2..at + FIXED)?.try_into().ok()?);
        at += FIXED;
        let is_file = matches!(mode >> 12, 0o10 | 0o12);
        let mut belongs_on_disk = is_file;
        if flags & EXTENDED != 0 {
            let extended = u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
            belongs_on_disk &= extended & SKIP_WORKTREE == 0;
            at += 2;
        }
        match version {
            2 | 3 => name.clear(),
            // Names share a prefix with the one before.
            4 => {
                let (n_dropped, behind) = offset(bytes, at)?;
                name.truncate(name.len().checked_sub(n_dropped)?);
                at = behind;
            }
            _ => return None,
        }
        let length = memchr::memchr(0, bytes.get(at..)?)?;
        name.extend_from_slice(&bytes[at..at + length]);
        at += length + 1;
        if version < 4 {
            // Padded with at least one NUL to a multiple of eight.
            at = start + (at - start).next_multiple_of(8);
        }
        look(&Entry {
            name: &name,
            changed: number(start + 8)?,
            changed_ns: number(start + 12)?,
            inode: number(start + 20)?,
            size: number(start + 36)?,
            is_file,
            blob: if flags & STAGE == 0 {
                bytes.get(start + 40..start + 40 + BLOB)?.try_into().ok()
            } else {
                None
            },
            belongs_on_disk,
        });
    }
    Some(at)
}

/// The entry has two more bytes of flags.
const EXTENDED: u16 = 0x4000;

/// The entry is one side of a conflict.
const STAGE: u16 = 0x3000;

/// A sparse checkout omits the file.
const SKIP_WORKTREE: u16 = 0x4000;

/// Parses a number in git's variable-length encoding; returns it and the byte after it.
fn offset(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)? | usize::from(byte & 0x7f);
    }
    Some((value, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates an index as git writes it: mode, flags and name of each entry.
    fn index(version: u32, entries: &[(u32, u16, &str)]) -> Vec<u8> {
        let mut bytes = b"DIRC".to_vec();
        bytes.extend(version.to_be_bytes());
        bytes.extend(u32::try_from(entries.len()).unwrap().to_be_bytes());
        let mut before = "";
        for (mode, more, name) in entries {
            let start = bytes.len();
            bytes.extend([0; 24]);
            bytes.extend(mode.to_be_bytes());
            bytes.extend([0; 32]);
            let flags = u16::try_from(name.len()).unwrap() | if *more == 0 { 0 } else { EXTENDED };
            bytes.extend(flags.to_be_bytes());
            if *more != 0 {
                bytes.extend(more.to_be_bytes());
            }
            if version == 4 {
                let shared = before.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
                bytes.push(u8::try_from(before.len() - shared).unwrap());
                bytes.extend(&name.as_bytes()[shared..]);
                bytes.push(0);
            } else {
                bytes.extend(name.as_bytes());
                let padded = (bytes.len() - start + 1).next_multiple_of(8);
                bytes.resize(start + padded, 0);
            }
            before = name;
        }
        bytes.extend([7; 20]);
        bytes
    }

    const ENTRIES: [(u32, u16, &str); 6] = [
        (0o100_644, 0, "lib/src/b.ts"),
        (0o160_000, 0, "module"),
        (0o100_755, 0, "src/a"),
        (0o120_000, 0, "src/a.ts"),
        (0o100_644, SKIP_WORKTREE, "src/sparse.ts"),
        (0o100_644, 0, "src/äöü/ein langer Name"),
    ];

    fn names(bytes: &[u8]) -> Option<Vec<String>> {
        let index = GitIndex::parse(bytes)?;
        Some(index.files.iter().map(|file| index.name_of(file).to_owned()).collect())
    }

    #[test]
    fn every_file_is_read_in_every_format() {
        let all = ["lib/src/b.ts", "src/a", "src/a.ts", "src/sparse.ts", "src/äöü/ein langer Name"];
        for version in [2, 3, 4] {
            assert_eq!(names(&index(version, &ENTRIES)).unwrap(), all, "{version}");
            let index = GitIndex::parse(&index(version, &ENTRIES)).unwrap();
            assert_eq!(index.below("src").collect::<Vec<_>>(), all[1..], "{version}");
            assert_eq!(index.below("src/äöü").count(), 1);
            assert!(index.has("src/a") && !index.has("src") && !index.has("module"));
            let left_out: Vec<bool> = index.files.iter().map(|file| file.is_left_out).collect();
            assert_eq!(left_out, [false, false, false, true, false]);
        }
    }

    #[test]
    fn entries_of_another_content_differ() {
        let with = |entries: &[(u32, u16, &str)], changed: &str| {
            let mut index = GitIndex::parse(&index(2, entries)).unwrap();
            let names: Vec<String> = index.files.iter().map(|it| index.name_of(it).to_owned()).collect();
            for (file, name) in index.files.iter_mut().zip(names) {
                file.blob = Some([u8::from(name == changed); BLOB]);
            }
            index
        };
        let all = with(&ENTRIES, "");
        assert_eq!(all.differences(&with(&ENTRIES, "")), [""; 0]);
        assert_eq!(all.differences(&with(&ENTRIES, "src/a")), ["src/a"]);
        assert_eq!(all.differences(&with(&ENTRIES[..4], "")), ["src/sparse.ts", "src/äöü/ein langer Name"]);
        assert_eq!(with(&ENTRIES[2..], "").differences(&all), ["lib/src/b.ts"]);
        let mut conflict = with(&ENTRIES, "src/a");
        conflict.files[1].blob = None;
        assert_eq!(all.differences(&conflict), [""; 0]);
        assert_eq!(all.blob("src/a").unwrap().len(), 40);
    }

    #[test]
    fn an_index_cut_off_anywhere_or_unknown_has_no_names() {
        let whole = index(2, &ENTRIES);
        for end in 0..whole.len() - 20 {
            // The last entry may be complete except for its padding.
            assert!(names(&whole[..end]).is_none_or(|names| names.len() == 5), "{end}");
        }
        assert_eq!(names(&index(5, &ENTRIES)), None);
        assert!(!GitIndex::default().has("x"));
    }

    #[test]
    fn what_is_gone_is_found_where_something_came_or_went() {
        let folder = tempfile::tempdir().unwrap();
        let root = AbsPath::new(folder.path().canonicalize().unwrap()).unwrap();
        fs::create_dir_all(root.join("a/kept").as_path()).unwrap();
        fs::write(root.join("a/here").as_path(), "").unwrap();
        let names = ["a/gone/1", "a/gone/2", "a/here", "a/kept/gone", "b/gone", "gone"];
        let entries = names.map(|name| (0o100_644, if name == "b/gone" { SKIP_WORKTREE } else { 0 }, name));
        let index = GitIndex::parse(&index(3, &entries)).unwrap();
        let missing_with = |folders: &[&str], left_out| {
            let folders = folders.iter().map(|it| (*it).to_owned()).collect();
            index.missing(&root, &folders, left_out).join(" ")
        };
        let missing = |folders: &[&str]| missing_with(folders, true);
        assert_eq!(missing(&["a"]), "a/gone/1 a/gone/2");
        assert_eq!(missing(&["a/kept"]), "a/kept/gone");
        assert_eq!(missing(&[""]), "b/gone gone");
        assert_eq!(missing(&["src"]), "");
        assert_eq!(missing(&[]), "");
        assert_eq!(missing_with(&[""], false), "gone", "a sparse checkout leaves the other out");
    }
}
