//! A row of a host's tool table.

use event::{Access, Dialect, ToolKind};
use serde_json::Value;

use super::findings::{Findings, joined, texts};
use super::patch;

/// One tool, under all the names its host has for it.
pub(crate) struct Tool {
    pub(crate) names: &'static [&'static str],
    pub(crate) kind: ToolKind,
    pub(crate) says: &'static [Says],
}

/// What a field of a tool's input stands for. The text is the field's place.
pub(crate) enum Says {
    /// A path that is looked at.
    Reads(&'static str),
    /// A path that is created or changed.
    Writes(&'static str),
    /// A path that is removed.
    Deletes(&'static str),
    /// A folder that is made.
    MakesFolder(&'static str),
    /// A path with which the tool does what its sub-action says.
    Acts(&'static str),
    /// The sub-action: `view`, `create`, `delete`, … Not a command line, though hosts
    /// like to call it `command`.
    Action(&'static str),
    /// The whole content the file will have.
    Content(&'static str),
    /// A line for a POSIX shell.
    Command(&'static str),
    /// A line for `PowerShell`.
    PowerShell(&'static str),
    /// A line for whatever shell this system's terminals have.
    Terminal(&'static str),
    /// Words to be added to the line.
    Arguments(&'static str),
    /// The folder the line is run in.
    Folder(&'static str),
    /// A patch that names its own paths.
    Patch(&'static str),
    /// Patterns of the files a search looks into.
    Includes(&'static str),
    /// The kind of files a search looks into, by a word of the host's.
    FileType(&'static str),
    /// Patterns of the files the tool lists or reads.
    Lists(&'static str),
    /// The same, where a pattern without a folder fits in every folder.
    ListsAnywhere(&'static str),
    /// How many results there are at most.
    Limit(&'static str),
    /// Whether ignored files are looked at too.
    Ignored(&'static str),
    /// Whether ignored files are left out.
    RespectsIgnore(&'static str),
    /// A search prints the lines it finds only if this field has this value; else the names of files.
    LinesIf(&'static str, &'static str),
    /// Whether a search prints only the names of files.
    NamesOnly(&'static str),
    /// Part of a file, if it is given.
    Part(&'static str),
    /// What is asked of a page; only the answer is returned.
    Question(&'static str),
    /// Addresses that are fetched.
    Addresses(&'static str),
}

/// What a terminal of this system speaks.
pub(crate) const TERMINAL: Dialect = if cfg!(windows) { Dialect::PowerShell } else { Dialect::Posix };

impl Tool {
    /// Reads a call's input; the kind may depend on the sub-action.
    pub(crate) fn read(&self, input: &Value) -> (ToolKind, Findings) {
        let mut findings = Findings::default();
        if let Value::String(text) = input {
            self.read_bare(text, &mut findings);
            return (self.kind.clone(), findings);
        }
        let action = self.says.iter().find_map(|says| match says {
            Says::Action(field) => texts(input, field).first().copied(),
            _ => None,
        });
        for says in self.says {
            says.read(input, action, &mut findings);
        }
        let kind = if action.is_some_and(looks) { ToolKind::Read } else { self.kind.clone() };
        (kind, findings)
    }

    /// Reads an input that is only a text: the one thing the tool is there for.
    fn read_bare(&self, text: &str, findings: &mut Findings) {
        for says in self.says {
            match says {
                Says::Patch(_) => patch::read(text, findings),
                Says::Command(_) => findings.run_line(text, Dialect::Posix),
                Says::PowerShell(_) => findings.run_line(text, Dialect::PowerShell),
                Says::Terminal(_) => findings.run_line(text, TERMINAL),
                _ => {}
            }
        }
    }
}

impl Says {
    fn read(&self, input: &Value, action: Option<&str>, findings: &mut Findings) {
        match self {
            Self::Reads(place) => findings.touch_all(input, place, Access::Read),
            Self::Writes(place) => findings.touch_all(input, place, Access::Write),
            Self::Deletes(place) => findings.touch_all(input, place, Access::Delete),
            Self::MakesFolder(place) => findings.touch_all(input, place, Access::CreateDir),
            Self::Acts(place) => findings.touch_all(input, place, access(action)),
            // What these say is asked for by `reach`.
            Self::Action(_)
            | Self::Includes(_)
            | Self::FileType(_)
            | Self::Lists(_)
            | Self::ListsAnywhere(_)
            | Self::Limit(_)
            | Self::Ignored(_)
            | Self::RespectsIgnore(_)
            | Self::LinesIf(..)
            | Self::NamesOnly(_)
            | Self::Part(_)
            | Self::Question(_)
            | Self::Addresses(_) => {}
            Self::Content(place) => {
                if findings.content.is_none() && action.is_none_or(|action| action == "create") {
                    findings.content = texts(input, place).first().map(|text| (*text).to_owned());
                }
            }
            Self::Command(place) => findings.run(input, place, Dialect::Posix),
            Self::PowerShell(place) => findings.run(input, place, Dialect::PowerShell),
            Self::Terminal(place) => findings.run(input, place, TERMINAL),
            Self::Arguments(place) => {
                let words = texts(input, place);
                if let (Some(command), false) = (&mut findings.command, words.is_empty()) {
                    command.text = format!("{} {}", command.text, joined(&words));
                }
            }
            Self::Folder(place) => {
                if let (Some(command), Some(folder)) = (&mut findings.command, texts(input, place).first()) {
                    command.cwd = Some((*folder).to_owned());
                }
            }
            Self::Patch(place) => {
                for text in texts(input, place) {
                    patch::read(text, findings);
                }
            }
        }
    }
}

/// WHY: an action nobody has heard of writes, until a table says otherwise.
pub(crate) fn access(action: Option<&str>) -> Access {
    match action {
        Some(action) if looks(action) => Access::Read,
        Some("delete") => Access::Delete,
        _ => Access::Write,
    }
}

fn looks(action: &str) -> bool {
    matches!(action, "view" | "read" | "list" | "search")
}
