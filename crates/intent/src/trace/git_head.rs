//! Reads the checked-out commit from `.git` by hand.
//!
//! WHY by hand: running git takes more than three milliseconds. For an unsupported layout (reftable)
//! there is no commit, and the trace omits it.

use std::fs;
use std::io::Read;
use std::path::Path;

use event::AbsPath;
use store::{common_git_dir, git_dir_around};

use crate::FileSystemTime;

/// The maximum length of a chain of symbolic refs.
const MAX_HOPS: usize = 5;

/// The maximum size of a file of refs.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// Returns the hash of the commit that is checked out in a workspace or an ancestor folder.
pub fn git_head(workspace: &AbsPath) -> Option<String> {
    let git = git_dir_around(workspace.as_path())?;
    commit_of(&git, &common_git_dir(&git))
}

/// Returns the hash of the commit to which the `HEAD` of a git folder leads. The branches are in `shared`.
pub(crate) fn commit_of(git: &Path, shared: &Path) -> Option<String> {
    let mut content = read(&git.join("HEAD"))?;
    for _ in 0..MAX_HOPS {
        let text = content.trim();
        let Some(name) = text.strip_prefix("ref:").map(str::trim) else { return sha(text) };
        // A name with `..` could read any file.
        if name.split('/').any(|part| matches!(part, "" | "." | "..")) {
            return None;
        }
        let loose = read(&git.join(name)).or_else(|| read(&shared.join(name)));
        match loose {
            Some(next) => content = next,
            None => return packed(shared, name),
        }
    }
    None
}

/// Returns whether the checked-out commit was made or fetched since a moment. A commit in a pack counts as older.
pub fn is_head_new(workspace: &AbsPath, since: FileSystemTime) -> bool {
    let Some(git) = git_dir_around(workspace.as_path()) else { return false };
    let Some((folder, name)) =
        git_head(workspace).and_then(|sha| Some((sha.get(..2)?.to_owned(), sha.get(2..)?.to_owned())))
    else {
        return false;
    };
    let object = common_git_dir(&git).join("objects").join(folder).join(name);
    crate::changes::changed_at(&object).is_some_and(|at| at >= since.nanoseconds())
}

fn packed(git: &Path, name: &str) -> Option<String> {
    let text = read(&git.join("packed-refs"))?;
    let line =
        text.lines().find(|line| line.split_once(' ').is_some_and(|(_, ref_name)| ref_name == name))?;
    sha(line.split_once(' ')?.0)
}

/// Parses the hex digits of SHA-1 or SHA-256.
fn sha(text: &str) -> Option<String> {
    let plain = matches!(text.len(), 40 | 64) && text.bytes().all(|b| b.is_ascii_hexdigit());
    plain.then(|| text.to_owned())
}

fn read(path: &Path) -> Option<String> {
    let is_file = fs::metadata(path).is_ok_and(|meta| meta.is_file());
    let file = is_file.then(|| fs::File::open(path).ok()).flatten()?;
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHA: &str = "0123456789abcdef0123456789abcdef01234567";

    fn head(files: &[(&str, &str)], workspace: &str) -> Option<String> {
        let dir = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let root = dir.path().join(workspace);
        fs::create_dir_all(&root).unwrap();
        git_head(&AbsPath::new(root).unwrap())
    }

    #[test]
    fn the_commit_is_found_however_git_keeps_it() {
        let line = format!("{SHA}\n");
        let packed = format!("# pack-refs with: peeled\n{SHA} refs/heads/main\n^{SHA}\n");
        for (files, workspace) in [
            (&[("w/.git/HEAD", line.as_str())][..], "w"),
            (&[("w/.git/HEAD", "ref: refs/heads/main\n"), ("w/.git/refs/heads/main", &line)], "w"),
            (&[("w/.git/HEAD", "ref: refs/heads/main\n"), ("w/.git/refs/heads/main", &line)], "w/deep/er"),
            (&[("w/.git/HEAD", "ref: refs/heads/main\n"), ("w/.git/packed-refs", &packed)], "w"),
            (
                &[
                    ("t/.git", "gitdir: ../w/.git/worktrees/t\n"),
                    ("w/.git/worktrees/t/HEAD", "ref: refs/heads/topic\n"),
                    ("w/.git/worktrees/t/commondir", "../..\n"),
                    ("w/.git/refs/heads/topic", &line),
                ],
                "t",
            ),
        ] {
            assert_eq!(head(files, workspace).as_deref(), Some(SHA), "{files:?}");
        }
    }

    #[test]
    fn without_a_commit_there_is_none() {
        for files in [
            &[][..],
            &[("w/.git/HEAD", "ref: refs/heads/unborn\n")],
            &[("w/.git/HEAD", "ref: ../../secret\n"), ("secret", SHA)],
            &[("w/.git/HEAD", "ref: HEAD\n")],
            &[("w/.git/HEAD", "nonsense")],
            &[("w/.git", "gitdir: nowhere\n")],
        ] {
            assert_eq!(head(files, "w"), None, "{files:?}");
        }
    }
}
