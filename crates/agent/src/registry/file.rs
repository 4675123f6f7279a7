//! Finds and reads the files that define agents, within the limits.

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

/// The maximum depth of folders.
const MAX_FOLDERS_DEEP: usize = 16;

/// A file that defines an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    /// Its path.
    pub path: PathBuf,
    /// Its name in messages: the path relative to the workspace.
    pub shown: String,
    /// Its format.
    pub format: Format,
}

/// Finds the files of a workspace in the order of their precedence.
///
/// `directory` is the folder of the project's own agents below `.rawko/`. The search calls `stop` now
/// and then, and ends with the files found so far if it returns true.
pub fn agent_files(workspace: &Path, directory: &str, stop: &dyn Fn() -> bool) -> Vec<AgentFile> {
    look_for(workspace, directory, stop).files
}

/// The files found, and the folders searched.
pub(super) struct Found {
    pub(super) files: Vec<AgentFile>,
    pub(super) folders: Vec<PathBuf>,
}

/// Finds the files and records the folders: adding or removing a file changes its folder.
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

/// Returns whether a file is a `README.md`, which documents the folder and does not define an agent.
fn is_about_the_folder(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("README.md"))
}

/// Reads and parses one file.
pub fn load_file(file: &AgentFile, names: &ToolNames) -> Loaded {
    match source(&file.path, &file.shown) {
        Ok(source) => load(&source, file.format, names),
        Err(problem) => Loaded {
            document: None,
            problems: vec![*problem],
            file: file.shown.clone(),
            name: None,
            references: Vec::new(),
        },
    }
}

/// Reads and parses many files on all cores; the results have the order of the files.
pub fn load_files(files: &[AgentFile], names: &ToolNames) -> Vec<Loaded> {
    let n_threads = thread::available_parallelism().map_or(1, usize::from).min(8);
    // Starting a thread takes longer than reading a few files.
    if files.len() < 64 || n_threads == 1 {
        return files.iter().map(|it| load_file(it, names)).collect();
    }
    let read = |part: &[AgentFile]| part.iter().map(|it| load_file(it, names)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let parts: Vec<_> = files
            .chunks(files.len().div_ceil(n_threads))
            .map(|part| (part, scope.spawn(move || read(part))))
            .collect();
        // Reads a part again here if its thread panicked, so that the panic propagates to the caller.
        parts.into_iter().flat_map(|(part, handle)| handle.join().unwrap_or_else(|_| read(part))).collect()
    })
}

/// Reads a file within the limit of its size.
pub(super) fn source(path: &Path, shown: &str) -> Result<Source<'static>, Box<Problem>> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot read the file: {error}");
        Box::new(Problem::error(shown, code::FILE_NOT_FOUND, message))
    };
    let meta = fs::metadata(path).map_err(failed)?;
    // Reading a pipe could block, and a device has no end.
    if !meta.is_file() {
        return Err(Box::new(Problem::error(shown, code::FILE_NOT_FOUND, "this is not a regular file")));
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

/// Returns the files below a folder, sorted by path. Does not follow links to folders: they can form
/// a cycle or lead out of the workspace.
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
