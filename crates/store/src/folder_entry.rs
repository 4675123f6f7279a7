//! Creates folders and removes files, for all crates.

use std::fs;
use std::io;
use std::path::Path;

use crate::atomic::keep_others_out;

/// Creates a folder and the missing ones above it.
#[expect(clippy::disallowed_methods, reason = "this crate writes files")]
pub fn create_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Creates a folder that only the user may open, and the missing ones above it. Fails if a link is at its place.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    create_folder(path)?;
    // The permissions of the link's target are not ours to change.
    if !path.symlink_metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    keep_others_out(path)
}

/// Links a file into a folder of links, and removes the oldest links so that at most this many remain.
#[expect(clippy::disallowed_methods, reason = "this crate writes files")]
pub fn link_among_newest(file: &Path, link: &Path, most: usize) -> io::Result<()> {
    let folder = link.parent().ok_or(io::ErrorKind::InvalidInput)?;
    create_folder(folder)?;
    fs::hard_link(file, link)?;
    // The content's time is the original's: the order in which git wrote them.
    let links = fs::read_dir(folder)?.flatten();
    let mut links: Vec<_> =
        links.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
    links.sort();
    links.retain(|(_, path)| path != link);
    let n_surplus = (links.len() + 1).saturating_sub(most);
    links.iter().take(n_surplus).try_for_each(|(_, path)| remove_file(path).map(drop))
}

/// Removes a file. Returns `false` if it does not exist: of two processes that remove it, one gets `true`.
#[expect(clippy::disallowed_methods, reason = "this crate writes files")]
pub fn remove_file(path: &Path) -> io::Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_private_folder_is_no_link() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let (other, link) = (dir.path().join("other"), dir.path().join("link"));
        fs::create_dir(&other).unwrap();
        fs::set_permissions(&other, fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink(&other, &link).unwrap();
        assert!(create_private_folder(&link).is_err());
        assert_eq!(fs::metadata(&other).unwrap().permissions().mode() & 0o777, 0o755);
        create_private_folder(&dir.path().join("own")).unwrap();
        assert_eq!(fs::metadata(dir.path().join("own")).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_folder_of_links_keeps_the_newest() {
        let dir = tempfile::tempdir().unwrap();
        let (file, folder) = (dir.path().join("file"), dir.path().join("links"));
        for n in 0..5_u32 {
            // Replaced, as git does it.
            let new = dir.path().join("new");
            fs::write(&new, n.to_string()).unwrap();
            fs::rename(&new, &file).unwrap();
            link_among_newest(&file, &folder.join(n.to_string()), 3).unwrap();
            assert_eq!(fs::read_to_string(folder.join(n.to_string())).unwrap(), n.to_string());
        }
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 3);
        assert!(folder.join("4").exists());
    }

    #[test]
    fn a_file_is_removed_once_and_a_folder_never() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("a/b");
        create_folder(&folder).unwrap();
        create_folder(&folder).unwrap();
        let file = folder.join("c");
        fs::write(&file, "x").unwrap();
        assert!(!remove_file(&file.join("below")).unwrap());
        assert!(remove_file(&file).unwrap());
        assert!(!remove_file(&file).unwrap());
        assert!(remove_file(&folder).is_err());
    }
}
