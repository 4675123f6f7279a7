//! The files that a sealed command must not read: everything but the system, toolchains and the workspace without its secrets.
//!
//! INVARIANT: the tables name what stays visible. A place that no table names is hidden.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use confine::HiddenFiles;
use redact::Redacted;
use shell::guard::{Around, Change, Policy, of_file};

/// The folders of the root that hold programs, libraries and settings of the system.
const SYSTEM: [&str; 15] = [
    "bin", "dev", "etc", "gnu", "lib", "lib32", "lib64", "libx32", "nix", "opt", "proc", "sbin", "snap",
    "sys", "usr",
];

/// Parts of other folders that belong to the system.
const SYSTEM_PARTS: [&str; 8] = [
    "/home/linuxbrew/.linuxbrew",
    "/run/current-system",
    "/run/opengl-driver",
    "/run/wrappers",
    "/var/cache/fontconfig",
    "/var/lib/gems",
    "/var/lib/snapd",
    "/var/lib/ghc",
];

/// The folders for temporary files: the command gets its own.
const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

/// Folders of the home that hold programs and libraries, and no keys. Caches are open besides.
const TOOLCHAINS: [&str; 47] = [
    ".asdf",
    ".bun/bin",
    ".cabal/packages",
    ".cabal/store",
    ".cargo/bin",
    ".conda/envs",
    ".deno/bin",
    ".dotnet",
    ".elan",
    ".fnm",
    ".foundry/bin",
    ".gem/ruby",
    ".ghcup",
    ".goenv",
    ".gradle/jdks",
    ".gradle/wrapper",
    ".jenv",
    ".julia/artifacts",
    ".julia/packages",
    ".juliaup",
    ".local/bin",
    ".local/lib",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pipx/venvs",
    ".local/share/pnpm",
    ".local/share/uv",
    ".m2/wrapper",
    ".nodenv",
    ".npm-global",
    ".npm-packages",
    ".nvm",
    ".opam",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".rvm",
    ".sdkman/candidates",
    ".stack/programs",
    ".swiftly",
    ".volta",
    ".wasmtime/bin",
    "anaconda3",
    "go/bin",
    "go/pkg",
    "miniconda3",
    "miniforge3",
];

/// Settings of the home that builds depend on. They are visible if no secret is in them.
const SETTINGS: [&str; 4] = [".cargo/config", ".cargo/config.toml", ".config/git/config", ".gitconfig"];

/// Folders of the system in which files may be for some users only.
const WITH_PRIVATE_FILES: [&str; 2] = ["/etc", "/opt"];

/// The depth to which those are looked through.
const MAX_DEPTH: usize = 3;

/// The most entries that steersman reads, in the workspace and in the system.
const MAX_ENTRIES: usize = 20_000;

/// Folders of the workspace whose files are not the project's own.
const SKIPPED: [&str; 4] = [".git", "node_modules", "target", ".venv"];

/// Returns the files to hide. Returns why they cannot be hidden if the workspace is too large to look for secrets, or holds the
/// home.
pub(crate) fn hidden_files(
    workspace: &Path,
    home: Option<&Path>,
    user_state: Option<&Path>,
) -> Result<HiddenFiles, String> {
    if home.is_some_and(|home| home.starts_with(workspace)) {
        return Err("the workspace contains the home folder".to_owned());
    }
    let mut hidden = HiddenFiles { folders: private_folders(), ..HiddenFiles::default() };
    hidden.folders.extend(home.map(Path::to_path_buf));
    hidden.emptied = TEMPORARY.map(PathBuf::from).into_iter().filter(|path| is_real_folder(path)).collect();
    hidden.folders.retain(|path| !hidden.emptied.contains(path));
    hidden.shown = shown(workspace, home);
    let around = Around {
        workspace: workspace.to_str().ok_or("its path is not UTF-8")?,
        home: home.and_then(Path::to_str),
        user_state: user_state.and_then(Path::to_str),
        moved_settings: &[],
    };
    hidden.secrets = secrets_of(workspace, &around)?;
    let config = workspace.join(".git/config");
    if has_secret(&config) {
        hidden.secrets.push(config);
    }
    for folder in WITH_PRIVATE_FILES {
        match unshared_in(Path::new(folder)) {
            Some(found) => hidden.secrets.extend(found),
            None => hidden.folders.push(PathBuf::from(folder)),
        }
    }
    Ok(hidden)
}

/// Returns the folders of the root that are not the system's.
fn private_folders() -> Vec<PathBuf> {
    let entries = fs::read_dir("/").into_iter().flatten().flatten();
    let is_private = |name: &std::ffi::OsStr| !SYSTEM.iter().any(|system| name == *system);
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.filter(|entry| is_private(&entry.file_name())).map(|entry| entry.path()).collect()
}

fn shown(workspace: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let mut shown = vec![workspace.to_path_buf()];
    shown.extend(SYSTEM_PARTS.map(PathBuf::from));
    if let Some(home) = home {
        shown.extend(TOOLCHAINS.map(|path| home.join(path)));
        shown.extend(SETTINGS.map(|path| home.join(path)).into_iter().filter(|path| !has_secret(path)));
    }
    // The executor follows no link on the way.
    shown.retain(|path| confine::real_path(path).is_ok_and(|real| real == *path));
    shown
}

fn is_real_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
}

/// Returns the files of the workspace that show secrets, by their names.
fn secrets_of(workspace: &Path, around: &Around<'_>) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![workspace.to_path_buf()];
    let mut n_left = MAX_ENTRIES;
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // A folder that another process removed, such as the helper of an earlier command.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(format!("cannot read `{}`: {error}", folder.display())),
        };
        for entry in entries.flatten() {
            n_left = n_left.checked_sub(1).ok_or("the workspace has too many files to search for secrets")?;
            let path = entry.path();
            let text = path.to_str().ok_or_else(|| format!("`{}` is not UTF-8", path.display()))?;
            if of_file(text, Change::Read, around, &Policy::default()).is_some() {
                found.push(path);
                continue;
            }
            let is_skipped = entry.file_name().to_str().is_some_and(|name| SKIPPED.contains(&name));
            if !is_skipped && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            }
        }
    }
    Ok(found)
}

/// Returns whether a file has a secret in it, or cannot be read although it exists.
fn has_secret(file: &Path) -> bool {
    match store::plain_file::read(file) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes);
            Redacted::from_text(&text).as_str() != text
        }
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// Returns the entries of a folder that are not for everyone. Returns `None` if it has too many to look at.
fn unshared_in(folder: &Path) -> Option<Vec<PathBuf>> {
    const READ: u32 = 0o004;
    const ENTER: u32 = 0o005;
    let mut found = Vec::new();
    let mut folders = vec![(folder.to_path_buf(), 1)];
    let mut n_left = MAX_ENTRIES;
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            n_left = n_left.checked_sub(1)?;
            let Ok(meta) = entry.path().symlink_metadata() else { continue };
            let mode = meta.permissions().mode();
            let is_shared = if meta.is_dir() { mode & ENTER == ENTER } else { mode & READ == READ };
            if meta.is_symlink() {
                continue;
            }
            if !is_shared {
                found.push(entry.path());
            } else if meta.is_dir() && depth < MAX_DEPTH {
                folders.push((entry.path(), depth + 1));
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_the_workspace_are_found_and_other_files_stay_visible() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for file in [
            "src/main.rs",
            ".env",
            "pkg/.env.local",
            "pkg/.env.example",
            "deploy/id_rsa",
            "node_modules/x/.env",
            ".git/config",
        ] {
            fs::create_dir_all(root.join(file).parent().unwrap()).unwrap();
            fs::write(root.join(file), "x").unwrap();
        }
        let token = format!("[remote \"o\"]\n\turl = https://u:{}@example.org/x\n", "q8Zr5Tn2Lw9Kx4Vb7");
        fs::write(root.join(".git/config"), token).unwrap();
        let hidden = hidden_files(&root, None, None).unwrap();
        let mut own: Vec<_> = hidden
            .secrets
            .iter()
            .filter_map(|path| Some(path.strip_prefix(&root).ok()?.display().to_string()))
            .collect();
        own.sort();
        assert_eq!(own, [".env", ".git/config", "deploy/id_rsa", "pkg/.env.local"]);
        assert!(hidden.shown.contains(&root), "{:?}", hidden.shown);
        assert!(hidden.emptied.contains(&PathBuf::from("/tmp")));
    }

    #[test]
    fn folders_of_the_root_are_private_unless_a_table_names_them() {
        let private = private_folders();
        for folder in ["/usr", "/etc", "/proc", "/dev"] {
            assert!(!private.contains(&PathBuf::from(folder)), "{folder}");
        }
        for folder in ["/home", "/root", "/var"].into_iter().filter(|path| is_real_folder(Path::new(path))) {
            assert!(private.contains(&PathBuf::from(folder)), "{folder}");
        }
    }

    #[test]
    fn a_workspace_that_holds_the_home_cannot_be_sealed() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("home");
        assert!(hidden_files(dir.path(), Some(&home), None).is_err());
        assert!(hidden_files(&home, Some(&home), None).is_err());
    }

    /// A folder in the table that held keys would show them.
    #[test]
    fn no_visible_part_of_the_home_is_a_store_of_credentials() {
        let around = Around { workspace: "/w", home: Some("/home/u"), user_state: None, moved_settings: &[] };
        for path in TOOLCHAINS {
            let path = format!("/home/u/{path}");
            assert_eq!(of_file(&path, Change::Read, &around, &Policy::default()).map(|_| ()), None, "{path}");
        }
    }
}
