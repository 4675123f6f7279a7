//! `.ai/hooks/workspace.json`: the names of the state's files and folders.

use std::path::Path;

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::workspace::HOOKS;
use crate::{FileError, ModuleName, Workspace, parse_json, read_text};

/// The pattern of a single file name, for editors.
#[cfg(feature = "schema")]
const SINGLE_NAME: &str = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$";

/// The layout file; a file or folder that it does not name has its default name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct LayoutFile {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The schema that editors check this file against.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The folder of everything steersman writes: below `.ai/`, and not `.ai/hooks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_root: Option<String>,
    /// The names of the files of a session.
    pub files: SessionFileNames,
    /// The names of the folders of a session.
    pub dirs: SessionFolderNames,
}

/// The names of the files of a session; each is a single file name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SessionFileNames {
    /// The session's state; `state.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub state: Option<String>,
    /// The journal of events; `events.jsonl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub events: Option<String>,
    /// The journal of the modules' artifacts; `registry.jsonl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub registry: Option<String>,
    /// The journal of prompts; `p.jsonl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub prompts: Option<String>,
}

/// The names of the folders of a session; each is a single folder name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct SessionFolderNames {
    /// Logs of modules; `logs`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = SINGLE_NAME)))]
    pub logs: Option<String>,
    /// The artifacts of modules; `output`.
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

/// A checked layout.
pub(crate) struct Layout {
    pub(crate) work_root: Option<String>,
    pub(crate) names: FileNames,
}

/// Reads the layout. Returns `None` if the file does not exist.
pub(crate) fn read(path: &AbsPath) -> Result<Option<Layout>, FileError> {
    let Some(text) = read_text(path)? else { return Ok(None) };
    let path = path.as_path();
    let LayoutFile { work_root, files, dirs, .. } = parse_json(path, &text, Workspace::FORMAT)?;
    if work_root.as_deref().is_some_and(|folder| !is_below_ai(folder)) {
        let right = "`workRoot` must be a folder below `.ai/` other than `.ai/hooks`, without `..`";
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

/// Returns whether a folder is below `.ai/`, so that a settings file cannot make hooks write into the
/// project's own files.
fn is_below_ai(folder: &str) -> bool {
    let rest = folder.strip_prefix(".ai/").filter(|rest| rest.split('/').all(is_single_name));
    rest.is_some() && !folder.starts_with(HOOKS)
}

fn single_name(path: &Path, text: &[u8], pointer: &str, name: String) -> Result<String, FileError> {
    if is_single_name(&name) {
        return Ok(name);
    }
    let key = pointer.rsplit('/').next().unwrap_or_default();
    Err(FileError::about(path, text, pointer, format!("`{key}` must be a single file name")))
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
