//! The paths of tools that read or write files themselves.

use event::{AbsPath, Access, ToolCall, ToolKind};
use host::Reach;
use host::user_rules::CallFacts;
use modules::Context;
use modules::call_folder::real_folder;
use shell::guard::{Around, Change, Policy, of_file};

use super::folder_survey::{self, Shown, Survey};
use super::{Basis, later_code, name_pattern};

/// Returns the basis of a call whose paths are all in the workspace and show no secret, with its facts.
pub(super) fn of(context: &Context<'_>, call: &ToolCall) -> Option<(Basis, CallFacts)> {
    let mut facts = CallFacts::default();
    let search = search(context, call)?;
    for touch in &call.touches {
        let path = inside(context, context.folder(), &touch.path)?;
        match touch.access {
            Access::Read => add_read(context, &path, &search, &mut facts)?,
            Access::Write | Access::CreateDir => add_write(context, &path, &mut facts)?,
            // What is deleted is lost.
            Access::Delete => return None,
        }
    }
    match call.kind {
        ToolKind::Write if !facts.writes.is_empty() => {
            let proof = context.command.proof()?;
            (proof.intent_id.is_some() && proof.knows_its_files).then_some((Basis::InScope, facts))
        }
        // A search without a path is one in the working folder.
        ToolKind::Search if facts.reads.is_empty() => {
            let folder = inside(context, context.folder(), ".")?;
            add_read(context, &folder, &search, &mut facts)?;
            Some((Basis::ReadOnly, facts))
        }
        ToolKind::Read | ToolKind::Search if facts.writes.is_empty() && !facts.reads.is_empty() => {
            Some((Basis::ReadOnly, facts))
        }
        _ => None,
    }
}

/// The part of a folder that a tool shows.
enum Search {
    /// The names in it.
    Names,
    /// The content of files.
    Content(Shown),
}

/// Returns the folders that a call lists. Returns `None` if its patterns may lead out of the workspace, or its tool is not
/// known well enough.
fn search(context: &Context<'_>, call: &ToolCall) -> Option<Search> {
    match (&call.kind, host::reach(context.host, call)) {
        (ToolKind::Search, Some(Reach::Files { patterns, folders, .. })) => {
            let from = folders.first().map_or(".", String::as_str);
            let from = inside(context, context.folder(), from)?;
            patterns.iter().all(|pattern| stays_inside(context, &from, pattern)).then_some(Search::Names)
        }
        (ToolKind::Search, Some(Reach::Content { includes, .. })) => {
            // Hosts search files whose names begin with a dot too.
            let endings = |include: &String| {
                name_pattern::extension(context, include).or_else(|| name_pattern::of_kind(include))
            };
            let all: Option<Vec<Vec<String>>> = includes.iter().map(endings).collect();
            let is_outward = |include: &String| include.contains("..") || include.starts_with(['/', '~']);
            if includes.iter().any(is_outward) {
                return None;
            }
            Some(Search::Content(match all {
                Some(endings) if !endings.is_empty() => Shown::Ending(endings.concat()),
                _ => Shown::All,
            }))
        }
        (ToolKind::Search, _) => None,
        // A tool that reads every file of a pattern.
        (_, Some(Reach::Files { patterns, .. })) if !patterns.is_empty() => None,
        _ => Some(Search::Names),
    }
}

/// Returns whether every name that a pattern can match is in the workspace.
fn stays_inside(context: &Context<'_>, from: &AbsPath, pattern: &str) -> bool {
    let leaves = pattern.split(['/', '{', '}', ',']).any(|step| step == "..")
        || pattern.starts_with('~')
        || pattern.contains("{/")
        || pattern.contains(",/")
        || pattern.contains("..");
    let fixed = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
    let folder = fixed.rfind('/').map_or("", |at| &fixed[..=at]);
    !leaves && inside(context, from, if folder.is_empty() { "." } else { folder }).is_some()
}

/// Adds a path that is written. Returns `None` for a file that a program runs or an agent obeys later.
pub(super) fn add_write(context: &Context<'_>, path: &AbsPath, facts: &mut CallFacts) -> Option<()> {
    if later_code::is_at(context, path) {
        return None;
    }
    facts.writes.push(path.to_string());
    Some(())
}

/// Adds a path that is read. Returns `None` if it is a secret, or a folder that shows one.
fn add_read(context: &Context<'_>, path: &AbsPath, search: &Search, facts: &mut CallFacts) -> Option<()> {
    if is_secret(context, path) || is_stream(path) {
        return None;
    }
    if path.as_path().is_dir() {
        if let Search::Content(shown) = search
            && folder_survey::of(context, path, shown) != Survey::Harmless
        {
            return None;
        }
        facts.folders.push(path.to_string());
    }
    facts.reads.push(path.to_string());
    Some(())
}

/// Resolves a path and its links. Returns `None` if it is outside of the workspace.
pub(super) fn inside(context: &Context<'_>, folder: &AbsPath, path: &str) -> Option<AbsPath> {
    // A pattern that a tool expands itself is not one path.
    if path.contains(['*', '?', '[', '{', '$', '`', '\0']) || path.starts_with('~') || path.contains("://") {
        return None;
    }
    resolved(context, folder, path)
}

/// Resolves the links of a path that has no signs of patterns, or whose signs are letters of a name. Returns `None` if it
/// is outside of the workspace.
pub(super) fn resolved(context: &Context<'_>, folder: &AbsPath, path: &str) -> Option<AbsPath> {
    let root = context.workspace.root();
    let real = real_folder(root, folder, Some(path));
    real.as_path().starts_with(root.as_path()).then_some(real)
}

/// Returns whether a file is one that shows secrets, by the default rules: a project's own levels do not make it
/// harmless.
pub(super) fn is_secret(context: &Context<'_>, path: &AbsPath) -> bool {
    let (workspace, path) = (context.workspace.root().to_string(), path.to_string());
    let around = Around {
        workspace: &workspace,
        home: context.home.and_then(|home| home.as_path().to_str()),
        user_state: context.user_state.and_then(|state| state.as_path().to_str()),
        // They govern writes; here only reads are judged.
        moved_settings: &[],
    };
    of_file(&path, Change::Read, &around, &Policy::default()).is_some() || shell::may_show_secret(&path)
}

/// Returns whether a path leads to a pipe, a socket or a device: a read of one may never end.
pub(super) fn is_stream(path: &AbsPath) -> bool {
    path.as_path().metadata().is_ok_and(|meta| !meta.is_file() && !meta.is_dir())
}
