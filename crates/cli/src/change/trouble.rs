//! Why a file was left as it is.

use host::install::EditError;

use crate::exit::Exit;
use crate::output::{self, Snippet};

/// What kept us from changing a file. Other files are changed all the same.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// What stands in it is not what it should be: a person has to look.
    Content {
        /// What is wrong.
        what: String,
        /// Where.
        place: Option<Snippet>,
        /// What to do.
        hint: String,
    },
    /// The disk or the system said no.
    World(anyhow::Error),
}

impl Trouble {
    /// Makes it of what the editor of a settings file said.
    pub(crate) fn edit(file: &str, text: &str, error: EditError) -> Self {
        let (what, line, column) = match error {
            EditError::Syntax { line, column, problem } => (problem, line, column),
            EditError::Shape { line, column, place, expected, found } => {
                (format!("{place} is {found}, expected {expected}"), line, column)
            }
        };
        Self::Content {
            what: format!("`{file}` cannot be edited: {what}"),
            place: Some(Snippet::at(file, text, line, column, 1)),
            hint: "mend it and run the command again; the file was left as it is".to_owned(),
        }
    }

    /// Tells the person, and returns what the exit code has to say.
    pub(crate) fn tell(&self) -> Exit {
        match self {
            Self::Content { what, place, hint } => {
                output::complain(what);
                if let Some(place) = place {
                    output::note(&place.to_string());
                }
                output::hint(hint);
                Exit::No
            }
            Self::World(error) => {
                output::error(error);
                Exit::World
            }
        }
    }
}

impl From<anyhow::Error> for Trouble {
    fn from(error: anyhow::Error) -> Self {
        Self::World(error)
    }
}
