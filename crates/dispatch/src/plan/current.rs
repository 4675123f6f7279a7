//! The plan that is in force in a session.

use std::io;

use event::AbsPath;
use serde_json::Value;
use store::{FileError, ModuleName, SessionDir, Workspace, plain_file};

use super::{Standing, checked_graph};
use crate::State;

/// The module whose output folder holds a plan that nobody has accepted.
pub(crate) const MODULE: &str = "planGraph-exec";

/// A plan is never larger than this; what is, is something else.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The plan in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Current {
    /// The file.
    pub path: AbsPath,
    /// What it says, and what became of it.
    pub standing: Standing,
}

/// Reads the plan in force: the accepted one, else the one the settings name, else the one in
/// the output folder of `planGraph-exec`. Nothing if there is none.
pub fn load(
    workspace: &Workspace,
    session: &SessionDir,
    state: &State,
    configured: Option<&str>,
) -> Result<Option<Current>, Vec<FileError>> {
    let accepted = state.plan.get("currentPath").and_then(Value::as_str);
    let named = accepted.or(configured).map(|path| workspace.root().join(path));
    let is_named = named.is_some();
    let lying = || session.feature(&ModuleName::new(MODULE)?).output_file("planGraph.json");
    let Some(path) = named.or_else(lying) else { return Ok(None) };
    if path.below(workspace.root()).is_err() {
        let problem = "the plan has to lie in the workspace";
        return Err(vec![FileError::about(path.as_path(), b"", "", problem)]);
    }
    let text = match read(workspace, &path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !is_named => return Ok(None),
        Err(source) => return Err(vec![FileError::Read { path: path.as_path().to_path_buf(), source }]),
        Ok(text) => text,
    };
    let graph = checked_graph(path.as_path(), &text)?;
    Ok(Some(Current { standing: Standing::new(graph, &state.plan), path }))
}

/// Reads a file that an agent wrote. What leads out of the workspace, is no file or has no
/// reasonable end is an error.
pub(crate) fn read(workspace: &Workspace, path: &AbsPath) -> io::Result<Vec<u8>> {
    let text = plain_file::read(path.as_path())?;
    // Looked at after the file was found: mostly there is none, and that has to be cheap.
    workspace.check_way_to(path)?;
    if text.len() > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "has more than 4 MB"));
    }
    Ok(text)
}
