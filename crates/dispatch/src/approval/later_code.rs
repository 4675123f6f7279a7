//! Files that programs run and agents obey later, unread by a person: hooks, settings, pipelines, instructions of agents.
//!
//! WHY they are left to the person even in scope: a scope such as `**` is about the work, and a write to one of them
//! changes who runs what the next time that git, an editor, a build server or an agent starts.

use event::AbsPath;
use modules::Context;

/// Names without a dot in front that are such files, in lower case.
const NAMES: [&str; 22] = [
    "agents.md",
    "agents.override.md",
    "appveyor.yml",
    "azure-pipelines.yml",
    "azure-pipelines.yaml",
    "bitbucket-pipelines.yml",
    "buildspec.yml",
    "claude.md",
    "claude.local.md",
    "cloudbuild.yaml",
    "cloudbuild.yml",
    "codeowners",
    "devcontainer.json",
    "gemini.md",
    "jenkinsfile",
    "lefthook.yaml",
    "lefthook.yml",
    "lefthook-local.yml",
    "qwen.md",
    "sitecustomize.py",
    "skill.md",
    "usercustomize.py",
];

/// Endings of such files.
const ENDINGS: [&str; 4] = [".pth", ".instructions.md", ".prompt.md", ".code-workspace"];

/// Returns whether a path of the workspace is such a file. Settings of programs have a dot in front, so a name or a folder
/// with one counts.
pub(super) fn is_at(context: &Context<'_>, path: &AbsPath) -> bool {
    let Ok(below) = path.as_path().strip_prefix(context.workspace.root().as_path()) else { return true };
    let mut steps = below.components().map(|step| step.as_os_str().to_string_lossy().to_lowercase());
    steps.any(|step| {
        step.starts_with('.')
            || step.starts_with('-')
            || NAMES.contains(&step.as_str())
            || ENDINGS.iter().any(|ending| step.ends_with(ending))
    })
}
