//! `.ai/hooks/workspace.json`: what the files and folders of the state are called.

use std::path::Path;

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::workspace::HOOKS;
use crate::{FileError, ModuleName, Workspace, parse_json, read_text};

/// What a single name looks like, for editors.
#[cfg(feature = "schema")]
const SINGLE_NAME: &str = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

/// The layout file; what it does not name has the documents' own name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct LayoutFile {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// What editors check this file against.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The folder below which everything is written: below `.ai/`, and not `.ai/hooks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_root: Option<String>,
    /// What the files of a session are called.
    pub files: SessionFileNames,
    /// What the folders of a session are called.
    pub dirs: SessionFolderNames,
}

/// What the files of a session are called; each a single file name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SessionFileNames {
    /// Where the session stands; `state.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub state: Option<String>,
    /// What happened; `events.jsonl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub events: Option<String>,
    /// What modules made; `registry.jsonl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub registry: Option<String>,
    /// What was asked; `p.jsonl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub prompts: Option<String>,
}

/// What the folders of a session are called; each a single folder name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SessionFolderNames {
    /// Logs of modules; `logs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub logs: Option<String>,
    /// What modules made; `output`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub output: Option<String>,
}

/// The names in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileNames {
    pub(crate) state: String,
    pub(crate) events: String,
    pub(crate) registry: String,
    pub(crate) prompts: String,
    pub(crate) logs: String,
    pub(crate) output: String,
}

/// A layout that leads nowhere it should not.
pub(crate) struct Layout {
    pub(crate) work_root: Option<String>,
    pub(crate) names: FileNames,
}

/// Reads the layout, if there is one.
pub(crate) fn read(path: &AbsPath) -> Result<Option<Layout>, FileError> {
    let Some(text) = read_text(path)? else { return Ok(None) };
    let path = path.as_path();
    let LayoutFile { work_root, files, dirs, .. } = parse_json(path, &text, Workspace::FORMAT)?;
    if work_root.as_deref().is_some_and(|folder| !is_below_ai(folder)) {
        let right = "`workRoot` has to be a folder below `.ai/` other than `.ai/hooks`, without `..`";
        return Err(FileError::about(path, &text, "/workRoot", right));
    }
    let mut names = FileNames::default();
    for (pointer, slot, given) in [
        ("/files/state", &mut names.state, files.state),
        ("/files/events", &mut names.events, files.events),
        ("/files/registry", &mut names.registry, files.registry),
        ("/files/prompts", &mut names.prompts, files.prompts),
        ("/dirs/logs", &mut names.logs, dirs.logs),
        ("/dirs/output", &mut names.output, dirs.output),
    ] {
        let Some(name) = given else { continue };
        *slot = single_name(path, &text, pointer, name)?;
    }
    Ok(Some(Layout { work_root, names }))
}

/// Everything stays below `.ai/`, so that a settings file can never make hooks write among
/// the project's own files.
fn is_below_ai(folder: &str) -> bool {
    let rest = folder.strip_prefix(".ai/").filter(|rest| rest.split('/').all(is_single_name));
    rest.is_some() && !folder.starts_with(HOOKS)
}

fn single_name(path: &Path, text: &[u8], pointer: &str, name: String) -> Result<String, FileError> {
    if is_single_name(&name) {
        return Ok(name);
    }
    let key = pointer.rsplit('/').next().unwrap_or_default();
    Err(FileError::about(path, text, pointer, format!("`{key}` has to be a single file name")))
}

fn is_single_name(name: &str) -> bool {
    ModuleName::new(name).is_some()
}

impl Default for FileNames {
    fn default() -> Self {
        Self {
            state: "state.json".into(),
            events: "events.jsonl".into(),
            registry: "registry.jsonl".into(),
            prompts: "p.jsonl".into(),
            logs: "logs".into(),
            output: "output".into(),
        }
    }
}
