//! The paths of tools that read or write files themselves.

use event::{AbsPath, Access, ToolCall, ToolKind};
use host::user_rules::CallFacts;
use modules::Context;
use modules::call_folder::real_folder;
use shell::guard::{Around, Change, Policy, of_file};

use super::Basis;
use super::folder_survey::{self, Survey};

/// Returns the basis of a call whose paths are all in the workspace and show no secret, with its facts.
pub(super) fn of(context: &Context<'_>, call: &ToolCall) -> Option<(Basis, CallFacts)> {
    let mut facts = CallFacts::default();
    for touch in &call.touches {
        let path = inside(context, context.folder(), &touch.path)?;
        match touch.access {
            Access::Read => add_read(context, &path, call.kind == ToolKind::Search, &mut facts)?,
            Access::Write | Access::CreateDir => facts.writes.push(path.to_string()),
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
            add_read(context, &folder, true, &mut facts)?;
            Some((Basis::ReadOnly, facts))
        }
        ToolKind::Read | ToolKind::Search if facts.writes.is_empty() && !facts.reads.is_empty() => {
            Some((Basis::ReadOnly, facts))
        }
        _ => None,
    }
}

/// Adds a path that is read. Returns `None` if it is a secret, or a folder that shows one.
fn add_read(context: &Context<'_>, path: &AbsPath, shows_content: bool, facts: &mut CallFacts) -> Option<()> {
    if is_secret(context, path) {
        return None;
    }
    if path.as_path().is_dir() {
        if shows_content && folder_survey::of(context, path, true) != Survey::Harmless {
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
    if path.contains(['*', '?', '[', '{', '$', '`', '\0']) || path.starts_with('~') {
        return None;
    }
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
