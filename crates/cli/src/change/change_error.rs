//! Why steersman did not change a file.

use config_file::NewerFormat;
use host::install::EditError;

use crate::exit::Exit;
use crate::output::{self, Snippet};

/// Why steersman did not change a file. It changes the other files all the same.
#[derive(Debug)]
pub(crate) enum ChangeError {
    /// The content is not what steersman expects; a user must correct it.
    Content {
        /// The message.
        what: String,
        /// The place in the file.
        place: Option<Snippet>,
        /// The hint.
        hint: String,
    },
    /// The disk or the system failed.
    World(anyhow::Error),
}

impl ChangeError {
    /// Converts the error of the settings editor.
    pub(crate) fn edit(file: &str, text: &str, error: EditError) -> Self {
        let (what, line, column) = match error {
            EditError::Syntax { line, column, problem } => (problem, line, column),
            EditError::Shape { line, column, place, expected, found } => {
                (format!("{place} is {found}, expected {expected}"), line, column)
            }
        };
        Self::Content {
            what: format!("cannot edit `{file}`: {what}"),
            place: Some(Snippet::at(file, text, line, column, 1)),
            hint: "correct the file and run the command again; steersman did not change it".to_owned(),
        }
    }

    /// Refuses to edit one of steersman's own files in a newer format.
    pub(crate) fn newer(file: &str, format: NewerFormat) -> Self {
        Self::Content {
            what: format!("cannot edit `{file}`: {format}"),
            place: None,
            hint: NewerFormat::HINT.to_owned(),
        }
    }

    /// Prints the error and returns the exit code for it.
    pub(crate) fn print(&self) -> Exit {
        match self {
            Self::Content { what, place, hint } => {
                output::error(what);
                if let Some(place) = place {
                    output::note(&place.to_string());
                }
                output::hint(hint);
                Exit::No
            }
            Self::World(error) => {
                output::error_chain(error);
                Exit::World
            }
        }
    }
}

impl From<anyhow::Error> for ChangeError {
    fn from(error: anyhow::Error) -> Self {
        Self::World(error)
    }
}
