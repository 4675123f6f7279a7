//! A row of a host's tool table.

use event::{Access, Dialect, ToolKind};
use serde_json::Value;

use super::input_facts::{InputFacts, joined, texts};
use super::patch;

/// A tool, with all names that its host has for it.
pub(crate) struct Tool {
    pub(crate) names: &'static [&'static str],
    pub(crate) kind: ToolKind,
    pub(crate) fields: &'static [InputField],
}

/// The role of a field in a tool's input. The string is the field's location.
pub(crate) enum InputField {
    /// A path to read.
    Reads(&'static str),
    /// A path to create or change.
    Writes(&'static str),
    /// A path to remove.
    Deletes(&'static str),
    /// A folder to create.
    MakesFolder(&'static str),
    /// A path whose access depends on the sub-action.
    Acts(&'static str),
    /// The sub-action: `view`, `create`, `delete`, … Not a command line, though hosts often call it
    /// `command`.
    Action(&'static str),
    /// The complete new content of the file.
    Content(&'static str),
    /// A command line for a POSIX shell.
    Command(&'static str),
    /// A command line for `PowerShell`.
    PowerShell(&'static str),
    /// A command line for the default shell of this system's terminals.
    Terminal(&'static str),
    /// Arguments to append to the command line.
    Arguments(&'static str),
    /// The working folder of the command line.
    Folder(&'static str),
    /// A patch that contains its own paths.
    Patch(&'static str),
    /// Patterns of the files to search.
    Includes(&'static str),
    /// The kind of files to search, by a name of the host.
    FileType(&'static str),
    /// Patterns of the files to list or read.
    Lists(&'static str),
    /// The same, where a pattern without a folder matches in every folder.
    ListsAnywhere(&'static str),
    /// The maximum number of results.
    Limit(&'static str),
    /// Whether to include ignored files.
    Ignored(&'static str),
    /// Whether to exclude ignored files.
    RespectsIgnore(&'static str),
    /// A search prints matching lines only if this field has this value; else names of files.
    LinesIf(&'static str, &'static str),
    /// Whether a search prints only names of files.
    NamesOnly(&'static str),
    /// Selects a part of a file.
    Part(&'static str),
    /// The question about a page; only the answer is returned.
    Question(&'static str),
    /// URLs to fetch.
    Addresses(&'static str),
}

/// The shell dialect of this system's terminals.
pub(crate) const TERMINAL: Dialect = if cfg!(windows) { Dialect::PowerShell } else { Dialect::Posix };

impl Tool {
    /// Reads a call's input; the kind may depend on the sub-action.
    pub(crate) fn read(&self, input: &Value) -> (ToolKind, InputFacts) {
        let mut facts = InputFacts::default();
        if let Value::String(text) = input {
            self.read_bare(text, &mut facts);
            return (self.kind.clone(), facts);
        }
        let action = self.fields.iter().find_map(|fields| match fields {
            InputField::Action(field) => texts(input, field).first().copied(),
            _ => None,
        });
        for fields in self.fields {
            fields.read(input, action, &mut facts);
        }
        let kind = if action.is_some_and(looks) { ToolKind::Read } else { self.kind.clone() };
        (kind, facts)
    }

    /// Reads an input that is only a string: the main field of the tool.
    fn read_bare(&self, text: &str, facts: &mut InputFacts) {
        for fields in self.fields {
            match fields {
                InputField::Patch(_) => patch::read(text, facts),
                InputField::Command(_) => facts.run_line(text, Dialect::Posix),
                InputField::PowerShell(_) => facts.run_line(text, Dialect::PowerShell),
                InputField::Terminal(_) => facts.run_line(text, TERMINAL),
                _ => {}
            }
        }
    }
}

impl InputField {
    /// Returns the location of a command line or of its folder; `None` for a field of another role.
    pub(crate) const fn place(&self) -> Option<&'static str> {
        match self {
            Self::Command(place)
            | Self::PowerShell(place)
            | Self::Terminal(place)
            | Self::Arguments(place)
            | Self::Folder(place) => Some(place),
            _ => None,
        }
    }

    fn read(&self, input: &Value, action: Option<&str>, facts: &mut InputFacts) {
        match self {
            Self::Reads(place) => facts.touch_all(input, place, Access::Read),
            Self::Writes(place) => facts.touch_all(input, place, Access::Write),
            Self::Deletes(place) => facts.touch_all(input, place, Access::Delete),
            Self::MakesFolder(place) => facts.touch_all(input, place, Access::CreateDir),
            Self::Acts(place) => facts.touch_all(input, place, access(action)),
            // `reach` reads these.
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
                if facts.content.is_none() && action.is_none_or(|action| action == "create") {
                    facts.content = texts(input, place).first().map(|text| (*text).to_owned());
                }
            }
            Self::Command(place) => facts.run(input, place, Dialect::Posix),
            Self::PowerShell(place) => facts.run(input, place, Dialect::PowerShell),
            Self::Terminal(place) => facts.run(input, place, TERMINAL),
            Self::Arguments(place) => {
                let words = texts(input, place);
                if let (Some(command), false) = (&mut facts.command, words.is_empty()) {
                    command.text = format!("{} {}", command.text, joined(&words));
                }
            }
            Self::Folder(place) => {
                if let (Some(command), Some(folder)) = (&mut facts.command, texts(input, place).first()) {
                    command.cwd = Some((*folder).to_owned());
                }
            }
            Self::Patch(place) => {
                for text in texts(input, place) {
                    patch::read(text, facts);
                }
            }
        }
    }
}

/// WHY: an unknown action counts as writing, unless a table declares otherwise.
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
