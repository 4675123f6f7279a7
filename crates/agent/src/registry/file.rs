//! The files agents are defined in: found, and read within the limits.

use config_file::{Code, Problem, Source};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::thread;

use crate::code;
use crate::definition::Format;
use crate::limits::MAX_FILE_BYTES;
use crate::load::{Loaded, load};
use crate::tool_name::ToolNames;

/// The deepest folder that is looked into.
const MAX_FOLDERS_DEEP: usize = 16;

/// A file that defines an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it is called in messages: its way from the workspace.
    pub shown: String,
    /// Its format.
    pub format: Format,
}

/// Finds the files of a workspace in the order in which they take precedence.
///
/// `directory` is the folder of the project's own agents below `.rawko/`. `stop` is asked now
/// and then and ends the search; what was found until then is returned.
pub fn agent_files(workspace: &Path, directory: &str, stop: &dyn Fn() -> bool) -> Vec<AgentFile> {
    look_for(workspace, directory, stop).files
}

/// What was found, and the folders it was looked for in.
pub(super) struct Found {
    pub(super) files: Vec<AgentFile>,
    pub(super) folders: Vec<PathBuf>,
}

/// Finds the files and remembers the folders: a file that comes or goes changes its folder.
pub(super) fn look_for(workspace: &Path, directory: &str, stop: &dyn Fn() -> bool) -> Found {
    let own = workspace.join(".rawko").join(directory);
    let mut files = Vec::new();
    let mut folders = Vec::new();
    let mut add = |folder: &Path, depth: usize, formats: &[Format], forced: Option<Format>| {
        for path in below(folder, depth, stop, &mut folders) {
            let relative = path.strip_prefix(workspace).unwrap_or(&path);
            let shown = relative.to_string_lossy().replace('\\', "/");
            let format = Format::of(&shown).filter(|it| formats.contains(it) && !is_about_the_folder(&path));
            if let Some(format) = format.map(|it| forced.unwrap_or(it)) {
                files.push(AgentFile { path, shown, format });
            }
        }
    };
    add(&own, 0, &[Format::WorkflowYaml, Format::WorkflowMarkdown], None);
    add(&workspace.join(".github/agents"), MAX_FOLDERS_DEEP, &[Format::AgentMd], None);
    let any_markdown = [Format::Claude, Format::AgentMd];
    add(&workspace.join(".claude/agents"), MAX_FOLDERS_DEEP, &any_markdown, Some(Format::Claude));
    Found { files, folders }
}

/// A `README.md` tells people about the agents beside it and is none.
fn is_about_the_folder(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("README.md"))
}

/// Reads one file.
pub fn load_file(file: &AgentFile, names: &ToolNames) -> Loaded {
    match source(&file.path, &file.shown) {
        Ok(source) => load(&source, file.format, names),
        Err(problem) => Loaded { document: None, problems: vec![*problem] },
    }
}

/// Reads many files, on every core; the results stand in the order of the files.
pub fn load_files(files: &[AgentFile], names: &ToolNames) -> Vec<Loaded> {
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    // Starting a thread costs more than reading a handful of files.
    if files.len() < 64 || n_threads == 1 {
        return files.iter().map(|it| load_file(it, names)).collect();
    }
    let read = |part: &[AgentFile]| part.iter().map(|it| load_file(it, names)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let parts: Vec<_> = files
            .chunks(files.len().div_ceil(n_threads))
            .map(|part| (part, scope.spawn(move || read(part))))
            .collect();
        // A part whose thread died is read again here, where a panic has a place to go.
        parts.into_iter().flat_map(|(part, handle)| handle.join().unwrap_or_else(|_| read(part))).collect()
    })
}

/// Reads a file within the limit of its size.
pub(super) fn source(path: &Path, shown: &str) -> Result<Source<'static>, Box<Problem>> {
    let failed = |error: std::io::Error| {
        let message = format!("the file cannot be read: {error}");
        Box::new(Problem::error(shown, code::FILE_NOT_FOUND, message))
    };
    let meta = fs::metadata(path).map_err(failed)?;
    // A pipe would be waited for, a device never ends.
    if !meta.is_file() {
        return Err(Box::new(Problem::error(shown, code::FILE_NOT_FOUND, "this is not a file")));
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX) + 1;
    File::open(path).map_err(failed)?.take(limit).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() > MAX_FILE_BYTES {
        let message =
            format!("the file has {} bytes, more than the {MAX_FILE_BYTES} of MAX_FILE_BYTES", meta.len());
        return Err(Box::new(Problem::error(shown, Code::PARSE_ERROR, message)));
    }
    crate::decode(shown, &bytes)
}

/// Returns the files below a folder in order of their paths. Links to folders are not followed:
/// they can lead in a circle or out of the workspace.
fn below(folder: &Path, depth: usize, stop: &dyn Fn() -> bool, folders: &mut Vec<PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_path_buf(), depth)];
    while let Some((folder, depth)) = open.pop() {
        if stop() {
            break;
        }
        let entries = fs::read_dir(&folder);
        folders.push(folder);
        let Ok(entries) = entries else { continue };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if depth > 0 {
                    open.push((entry.path(), depth - 1));
                }
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}
