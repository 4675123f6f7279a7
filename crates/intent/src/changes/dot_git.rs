//! Judges a `.git` that a walk meets: only git changes it, so nothing in it is in any scope.
//!
//! The repository at the top is not walked: [`super::Watched`] compares its files by content. Of the repositories below
//! it, submodules and clones, the files count that decide which programs git runs and what it reads, if they are as new as
//! the call. Of both, entries at the top count under names that git does not use.

use std::path::Path;

use known_files::{GIT_OF_CHECKOUT, GIT_SHARED, is_git_name};

use super::folder_entries::{self, EntryState};
use super::git_refs::Head;
use super::strays;
use crate::Scope;

/// Returns the changed files of a `.git` below the workspace at this path. Of a repository that was made since the moment
/// only hooks count: git makes none but examples.
pub(super) fn changed_files(scope: &Scope, path: &str, state: &EntryState, moment: u128) -> Vec<String> {
    let file = scope.root().join(path);
    if !state.is_folder {
        let is_changed = state.newest_ns >= moment && !is_own_submodule(scope, file.as_path());
        return if is_changed { vec![path.to_owned()] } else { Vec::new() };
    }
    let is_made = store::creation_time(&file).is_some_and(|birth| birth >= moment);
    let mut changed = Vec::new();
    if !is_made {
        let strays = strays::since(file.as_path(), path, moment, is_git_name);
        changed.extend(strays.into_iter().map(|(path, _)| path));
    }
    let is_top = !path.contains('/');
    if is_top {
        return changed;
    }
    for name in GIT_SHARED.into_iter().chain(GIT_OF_CHECKOUT).filter(|name| !is_made || *name == HOOKS) {
        let below = file.as_path().join(name);
        let Ok(state) = folder_entries::state(&below) else { continue };
        let names: Vec<String> = if state.is_folder {
            let all = folder_entries::names(&below).unwrap_or_default().into_iter().map(|(name, ..)| name);
            all.filter(|name| !name.ends_with(".sample")).map(|below| format!("{name}/{below}")).collect()
        } else {
            vec![name.to_owned()]
        };
        let is_new = |name: &String| {
            folder_entries::state(&file.as_path().join(name)).is_ok_and(|state| state.newest_ns >= moment)
        };
        changed.extend(names.into_iter().filter(is_new).map(|name| format!("{path}/{name}")));
    }
    let head = format!("{path}/HEAD");
    let is_head_new =
        folder_entries::state(&file.as_path().join("HEAD")).is_ok_and(|state| state.newest_ns >= moment);
    if !is_made
        && is_head_new
        && Head::of(file.as_path(), file.as_path()).is_some_and(|head| !head.is_logged())
    {
        changed.push(head);
    }
    changed
}

/// The folder of the programs that git runs.
const HOOKS: &str = "hooks";

/// Returns whether a `.git` file names a submodule's folder in the workspace's own repository, where git puts them.
fn is_own_submodule(scope: &Scope, dot_git: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let own = store::git_dir(&scope.root().as_path().join(".git")).map(|git| store::common_git_dir(&git));
    let modules = own.and_then(|own| real(&own.join("modules")));
    let named = store::git_dir(dot_git).and_then(|git| real(&git));
    named.zip(modules).is_some_and(|(named, modules)| named.starts_with(modules))
}
