//! The scope of a confined command: named paths, an intent, or the workspace.

use std::path::{Path, PathBuf};

use confine::is_within;
use event::AbsPath;
use intent::{Intent, IntentId, IntentLookup, Selection};
use modules::IntentSettings;
use store::Workspace;

use super::Refusal;
use super::command_line::CommandLine;
use crate::environment;
use crate::exit::Exit;

/// The paths of a scope, free of links.
#[derive(Debug, Default)]
pub(crate) struct ChosenScope {
    pub(crate) open: Vec<PathBuf>,
    pub(crate) missing: Vec<PathBuf>,
    pub(crate) shut: Vec<PathBuf>,
}

/// Chooses the scope. Inside a governed session it is at most that of the intent in force.
pub(crate) fn choose(
    line: &CommandLine,
    folder: &Path,
    workspace: &Workspace,
) -> Result<ChosenScope, Refusal> {
    if let Some(session) = &line.session {
        // The hook has chosen.
        return match &line.intent {
            _ if session.opens_nothing => Ok(ChosenScope::default()),
            Some(id) => Ok(of_intent(&find(id, workspace)?, workspace)),
            None => named(&[workspace.root().as_path().to_path_buf()], folder, workspace),
        };
    }
    let is_governed = workspace.intents_file().as_path().exists();
    let ceiling = if is_governed && environment::is_in_session() { Some(selected(workspace)?) } else { None };
    if ceiling.is_some() && !line.state.is_empty() {
        return Err(Refusal::new(
            Exit::No,
            "cannot make the folders of `--state` writable: this session may write only the scope of its intent",
            "leave `--state` out",
        ));
    }
    if !line.write.is_empty() {
        let mut scope = named(&line.write, folder, workspace)?;
        if let Some(intent) = &ceiling {
            check(&mut scope, intent.as_ref(), workspace)?;
        }
        return Ok(scope);
    }
    if let Some(id) = &line.intent {
        let intent = find(id, workspace)?;
        if ceiling.is_some_and(|ceiling| ceiling.is_none_or(|it| it.id != intent.id)) {
            return Err(Refusal::new(
                Exit::No,
                format!("cannot run under {id}: this session has not selected it"),
                "select the intent first, or leave `--intent` out",
            ));
        }
        return Ok(of_intent(&intent, workspace));
    }
    if !is_governed {
        return named(&[workspace.root().as_path().to_path_buf()], folder, workspace);
    }
    match ceiling.map_or_else(|| selected(workspace), Ok)? {
        Some(intent) => Ok(of_intent(&intent, workspace)),
        None => Err(Refusal::new(
            Exit::No,
            "cannot choose a scope: this workspace has intents and none is selected",
            "pass `--intent ID` or `--write PATH`, or run `steersman intent select ID`",
        )),
    }
}

fn selected(workspace: &Workspace) -> Result<Option<Intent>, Refusal> {
    let selection = Selection::read(workspace)
        .map_err(|error| Refusal::new(Exit::World, error.to_string(), "run `steersman intent select ID`"))?;
    selection.map(|selection| find(selection.intent_id.as_str(), workspace)).transpose()
}

fn find(id: &str, workspace: &Workspace) -> Result<Intent, Refusal> {
    let no = |what: String| Refusal::new(Exit::No, what, "run `steersman intent list`");
    let id = IntentId::parse(id).map_err(|error| no(error.to_string()))?;
    let cache = environment::user_state().map(|state| workspace.intent_cache_dir(&state));
    match IntentLookup::in_file(&workspace.intents_file(), &id, cache.as_ref()) {
        Ok(IntentLookup::Found(intent)) => Ok(*intent),
        Ok(IntentLookup::NoSuchIntent) => Err(no(format!("cannot find the intent {id}"))),
        Ok(IntentLookup::NoFile) => Err(no("cannot find the intents: this workspace has none".to_owned())),
        Err(error) => Err(Refusal::new(Exit::No, error.to_string(), "run `steersman intent list`")),
    }
}

fn of_intent(intent: &Intent, workspace: &Workspace) -> ChosenScope {
    let paths = IntentSettings::of(workspace).scope(workspace).writable_paths(intent);
    ChosenScope { open: paths.open, missing: paths.missing, shut: paths.shut }
}

/// Refuses paths that are out of scope of the intent in force, and keeps shut what it keeps shut.
fn check(scope: &mut ChosenScope, intent: Option<&Intent>, workspace: &Workspace) -> Result<(), Refusal> {
    let Some(intent) = intent else {
        let what = "cannot write anything: this session has no intent";
        return Err(Refusal::new(Exit::No, what, "select an intent first"));
    };
    let ceiling = of_intent(intent, workspace);
    for path in &scope.open {
        let is_open = ceiling.open.iter().any(|open| path.starts_with(open));
        if !is_open || ceiling.shut.iter().any(|shut| path.starts_with(shut)) {
            return Err(Refusal::new(
                Exit::No,
                format!("cannot open `{}`: it is out of scope of {}", path.display(), intent.id),
                "name a path in the scope, or ask the user to expand it",
            ));
        }
    }
    scope.shut.extend(ceiling.shut);
    Ok(())
}

/// Folders that no scope may be: with them, confinement would mean nothing.
const TOO_WIDE: [&str; 8] = ["/", "/proc", "/sys", "/dev", "/etc", "/usr", "/run", "/boot"];

/// Resolves named paths. One that does not exist is a folder to make, unless its name has an ending.
fn named(paths: &[PathBuf], folder: &Path, workspace: &Workspace) -> Result<ChosenScope, Refusal> {
    let mut scope = ChosenScope::default();
    let home = environment::home();
    let home = home.as_ref().map(AbsPath::as_path);
    for path in paths {
        let given = folder.join(path);
        let Resolved { path: real, exists } = look(&given).map_err(|error| {
            Refusal::new(Exit::No, format!("cannot resolve `{}`: {error}", path.display()), "check the path")
        })?;
        if leads_over_planted_link(&given, &real, workspace.root().as_path()) {
            return Err(Refusal::new(
                Exit::No,
                format!("cannot open `{}`: it leads over a link to `{}`", path.display(), real.display()),
                "name the folder itself; a command that ran before may have left the link",
            ));
        }
        if is_too_wide(&real, home) && home.is_none_or(|home| home.as_os_str() != real.as_os_str()) {
            return Err(Refusal::new(
                Exit::Usage,
                format!("cannot confine to `{}`: it contains the system or the home folder", real.display()),
                "name the folders that the command needs to write",
            ));
        }
        if !exists && (real.extension().is_none() || ends_with_slash(path)) {
            scope.missing.push(real.clone());
        }
        scope.open.push(real);
    }
    Ok(scope)
}

/// Returns whether a path holds the system or the home folder.
pub(crate) fn is_too_wide(path: &Path, home: Option<&Path>) -> bool {
    TOO_WIDE.iter().any(|wide| path.as_os_str() == *wide) || home.is_some_and(|home| is_within(home, path))
}

fn ends_with_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/")
}

/// Returns whether a link on the way to a path lies where confined commands write: in the workspace, or among temporary
/// files. An earlier command that was confined to a part of them may have left it, to have another one open more.
fn leads_over_planted_link(given: &Path, real: &Path, workspace: &Path) -> bool {
    let Ok(mut clean) = AbsPath::new(given) else { return true };
    if clean.as_path() == real {
        return false;
    }
    let mut open = super::writable_sets::temporary(&environment::temporary_folder());
    open.push(workspace.to_path_buf());
    // The home may lie among temporary files; it is read-only.
    let home = environment::home();
    for _ in 0..MAX_LINKS {
        let depth = |folder: &Path| folder.as_os_str().len();
        let is_around = |folder: &&Path| clean.as_path().starts_with(folder);
        let around = open.iter().map(PathBuf::as_path).filter(is_around).map(depth).max();
        let closed = home.as_ref().map(AbsPath::as_path).filter(is_around).map(depth);
        // What differs from its real path here does so by a link below, or by one that is gone by now.
        if around > closed {
            return true;
        }
        let links = |path: &&Path| path.symlink_metadata().is_ok_and(|meta| meta.is_symlink());
        let above: Vec<&Path> = clean.as_path().ancestors().collect();
        let Some(link) = above.into_iter().rev().find(links) else { return clean.as_path() != real };
        let rest = clean.as_path().strip_prefix(link).unwrap_or(Path::new(""));
        let target = link.read_link().unwrap_or_default();
        let next = link.parent().unwrap_or(link).join(target).join(rest);
        let Ok(next) = AbsPath::new(next) else { return true };
        if next.as_path() == real {
            return false;
        }
        clean = next;
    }
    true
}

/// As many links as the system follows.
const MAX_LINKS: usize = 40;

/// A path without links.
struct Resolved {
    path: PathBuf,
    exists: bool,
}

/// Resolves the links of the part of a path that exists.
pub(crate) fn resolve(path: &Path) -> std::io::Result<PathBuf> {
    look(path).map(|resolved| resolved.path)
}

fn look(path: &Path) -> std::io::Result<Resolved> {
    let clean = AbsPath::new(path).map_err(|_| std::io::Error::from(std::io::ErrorKind::InvalidInput))?;
    match confine::real_path(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let (Some(parent), Some(name)) = (clean.as_path().parent(), clean.as_path().file_name()) else {
                return Err(error);
            };
            // A program that creates the file would follow a link to nowhere.
            if path.symlink_metadata().is_ok() {
                return Err(error);
            }
            Ok(Resolved { path: look(parent)?.path.join(name), exists: false })
        }
        found => Ok(Resolved { path: found?, exists: true }),
    }
}
