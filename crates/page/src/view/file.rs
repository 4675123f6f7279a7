//! The files that agents wrote, and one file with the author of every line.

use serde::Serialize;
use timeline::Turn;

/// The files that the trace knows, the latest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-files"))]
#[serde(rename_all = "camelCase")]
pub struct Files {
    /// When this was computed.
    pub ts: u64,
    /// The files.
    pub files: Vec<FileRow>,
    /// How many files match the search.
    pub n_files: usize,
    /// The text that the paths and intents contain.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub search: String,
}

/// A file that agents wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileRow {
    /// Its path, relative to the workspace.
    pub path: String,
    /// How often agents wrote it.
    pub n: u64,
    /// The last write, as ISO 8601.
    pub last: String,
    /// The intents of the writes.
    pub intents: Vec<String>,
    /// Whether it exists now.
    pub exists: bool,
}

/// A part of a file with the author of every line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-file"))]
#[serde(rename_all = "camelCase")]
pub struct File {
    /// When this was computed.
    pub ts: u64,
    /// Its path, relative to the workspace.
    pub path: String,
    /// The number of its lines.
    pub n_lines: usize,
    /// How many of them agents wrote.
    pub n_agent_lines: usize,
    /// The lines of this part.
    pub lines: Vec<FileLine>,
    /// The chosen line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The turn in which the chosen line was written, if a journal of this machine has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<FileTurn>,
}

/// The turn of a session in which a line was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileTurn {
    /// The session.
    pub session: String,
    /// The turn.
    pub turn: Turn,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileLine {
    /// Its number, from one.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// Who wrote it.
    #[serde(flatten)]
    pub author: LineAuthor,
}

/// Who wrote a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "author", rename_all = "camelCase")]
pub enum LineAuthor {
    /// No record explains the line: a person, or a program that was not traced.
    Person,
    /// An agent.
    Agent(LineWrite),
}

/// The write of an agent that a line comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineWrite {
    /// The intent.
    pub intent: String,
    /// The session, if a journal of this machine has the write.
    pub session: Option<String>,
    /// The turn of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The hook run that recorded the write.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// When, as ISO 8601.
    pub timestamp: String,
    /// The tool.
    pub tool: String,
    /// Whether it is certain that the write made this line.
    pub certain: bool,
}

impl FileLine {
    /// Returns the agent's write, if an agent wrote the line.
    pub const fn write(&self) -> Option<&LineWrite> {
        match &self.author {
            LineAuthor::Agent(write) => Some(write),
            LineAuthor::Person => None,
        }
    }
}
