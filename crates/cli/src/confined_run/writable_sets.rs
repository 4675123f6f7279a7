//! The folders that a command may write besides its scope: folders that tools fill, caches, temporary files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use confine::{CACHES, TOOL_FOLDERS, real_path};
use known_files::GitIgnore;

/// Folders to open, and those of them that do not exist yet.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Folders {
    pub(crate) open: Vec<PathBuf>,
    pub(crate) missing: Vec<PathBuf>,
}

/// Returns the ignored folders of tools, in the workspace and in the folders of packages inside it.
pub(crate) fn tool_folders(workspace: &Path, packages: &[PathBuf]) -> Folders {
    let mut folders = Folders::default();
    let mut places = vec![workspace.to_path_buf()];
    places.extend(packages.iter().filter(|it| it.starts_with(workspace) && *it != workspace).cloned());
    places.sort();
    places.dedup();
    let root_rules = [".gitignore", ".git/info/exclude"].map(|name| rules(&workspace.join(name)));
    for place in places {
        let own = if place == workspace { None } else { rules(&place.join(".gitignore")) };
        if own.is_none() && root_rules.iter().all(Option::is_none) {
            continue;
        }
        let relative = place.strip_prefix(workspace).unwrap_or(Path::new("")).to_string_lossy().into_owned();
        for tool in TOOL_FOLDERS {
            let from_root =
                if relative.is_empty() { tool.name.to_owned() } else { format!("{relative}/{}", tool.name) };
            let says = own.as_ref().and_then(|rules| rules.says_of_folder(tool.name));
            let says = says
                .or_else(|| root_rules.iter().flatten().find_map(|rules| rules.says_of_folder(&from_root)));
            if says != Some(true) {
                continue;
            }
            let folder = place.join(tool.name);
            match folder.symlink_metadata() {
                Ok(meta) if meta.is_dir() => folders.open.push(folder),
                Err(_) if tool.beside.iter().any(|file| place.join(file).exists()) => {
                    folders.open.push(folder.clone());
                    folders.missing.push(folder);
                }
                // A link leads elsewhere; a file is the user's own.
                _ => {}
            }
        }
    }
    folders
}

/// The number of folders between the workspace and the scope in which tools may work, such as the root of a package.
const MAX_PACKAGES: usize = 8;

/// Returns the folders between the workspace and the current folder or the scope: packages of a workspace have their own
/// tool folders.
pub(crate) fn packages(workspace: &Path, current: &Path, scope: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    // A folder of the scope is open as a whole, so only those around it matter.
    let around = scope.iter().filter_map(|path| path.parent());
    let current = Some(current).filter(|current| !scope.iter().any(|path| current.starts_with(path)));
    for path in around.chain(current) {
        for above in path.ancestors().take_while(|it| it.starts_with(workspace) && *it != workspace) {
            if found.len() < MAX_PACKAGES && !found.iter().any(|known| known == above) {
                found.push(above.to_path_buf());
            }
        }
    }
    found
}

/// Returns the cache folders below the home. One that does not exist is made if the command names its tool, or if the
/// tool has left other traces beside it.
pub(crate) fn caches(home: &Path, command: &[OsString], more: &[PathBuf]) -> Folders {
    let mut folders = Folders::default();
    let text: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    let is_named = |tool: &str| text.iter().any(|word| has_word(word, tool));
    // Most of them belong to tools that are not installed: one look per tool, not per folder.
    let mut tops: Vec<(&str, bool)> = Vec::new();
    for cache in CACHES {
        let top = cache.path.split('/').next().unwrap_or_default();
        let exists = tops.iter().find(|(known, _)| *known == top).map(|(_, exists)| *exists);
        let exists = exists.unwrap_or_else(|| {
            let exists = home.join(top).is_dir();
            tops.push((top, exists));
            exists
        });
        let path = exists.then(|| home.join(cache.path));
        if let Some(path) = path.filter(|path| path.symlink_metadata().is_ok()) {
            folders.open.extend(real_path(&path).ok().filter(|real| real.is_dir()));
        } else if is_named(cache.tool) || exists && !matches!(top, ".cache" | ".local" | "go") {
            let path = home.join(cache.path);
            folders.open.push(path.clone());
            folders.missing.push(path);
        }
    }
    folders.open.extend(more.iter().filter_map(|path| real_path(path).ok()));
    folders
}

/// Returns the folders for temporary files: those that programs use whatever the variable says, and that of the variable
/// if its place shows that it is one. A variable that names a project would open that project.
pub(crate) fn temporary(named: &Path) -> Vec<PathBuf> {
    let usual = ["/tmp", "/var/tmp"].map(PathBuf::from);
    let named = real_path(named).unwrap_or_default();
    let is_temporary = usual.iter().any(|it| named.starts_with(it))
        || named.starts_with("/run/user")
        || named.starts_with("/dev/shm")
        || named.file_name().is_some_and(|name| matches!(name.to_str(), Some("tmp" | "temp" | ".tmp" | "T")));
    let mut folders: Vec<PathBuf> = usual.iter().filter_map(|it| real_path(it).ok()).collect();
    if is_temporary && !folders.contains(&named) {
        folders.push(named);
    }
    folders
}

fn rules(file: &Path) -> Option<GitIgnore> {
    let bytes = store::plain_file::read(file).ok()?;
    Some(GitIgnore::parse(&String::from_utf8_lossy(&bytes)))
}

fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
        is_edge(text[..at].chars().next_back()) && is_edge(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn only_ignored_folders_of_tools_are_opened() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in ["target", "dist", "src", "pkg/node_modules", "secret"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join(".gitignore"), "target/\nnode_modules\n.venv\n.env\nsecret\nbuild\ncoverage\n")
            .unwrap();
        fs::write(root.join(".env"), "KEY=1").unwrap();
        fs::write(root.join("package.json"), "{}").unwrap();
        fs::write(root.join("coverage"), "a file").unwrap();
        let found = tool_folders(root, &[root.join("pkg")]);
        let names = |list: &[PathBuf]| {
            list.iter().map(|it| it.strip_prefix(root).unwrap().display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(&found.open), ["target", "node_modules", "build", "pkg/node_modules"]);
        assert_eq!(names(&found.missing), ["node_modules", "build"]);
        fs::remove_file(root.join(".gitignore")).unwrap();
        assert_eq!(tool_folders(root, &[]), Folders::default());
    }

    #[test]
    fn a_missing_cache_is_made_only_for_a_tool_in_use() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        fs::create_dir_all(home.join(".cargo/registry")).unwrap();
        let names = |command: &str| {
            let found = caches(&home, &[OsString::from(command)], &[]);
            found
                .missing
                .iter()
                .map(|it| it.strip_prefix(&home).unwrap().display().to_string())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(names("make"), ".cargo/git");
        assert_eq!(names("cd x && npm ci"), ".cargo/git .npm/_cacache .npm/_logs");
        assert_eq!(names("echo pnpm"), ".cargo/git .cache/pnpm .local/share/pnpm/store");
    }

    #[test]
    fn a_variable_that_names_a_project_opens_nothing() {
        let dir = tempfile::Builder::new().prefix("x").tempdir_in("/var").map(|it| it.path().to_path_buf());
        let project = dir.unwrap_or_else(|_| PathBuf::from("/usr"));
        assert!(!temporary(&project).contains(&project));
        assert!(temporary(Path::new("/tmp")).contains(&PathBuf::from("/tmp")));
    }
}
