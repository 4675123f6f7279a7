//! `.ai/hooks/config.json`: each module's own settings, by module name.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde_json::{Map, Value};
use store::{Format, FormatError, Workspace};

/// The settings file; a project without one gets every module's defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    sections: Map<String, Value>,
}

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is there but cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not a JSON object.
    #[error("`{}`: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where and why, with line and column.
        source: serde_json::Error,
    },
    /// A newer build wrote it.
    #[error("`{}`: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with its version.
        source: FormatError,
    },
}

impl Config {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// Reads the workspace's settings.
    pub fn load(workspace: &Workspace) -> Result<Self, ConfigError> {
        let path = workspace.config_file().as_path().to_path_buf();
        let text = match fs::read(&path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Self::default());
            }
            Err(source) => return Err(ConfigError::Read { path, source }),
            Ok(text) => text,
        };
        let sections: Map<String, Value> = match serde_json::from_slice(&text) {
            Ok(sections) => sections,
            Err(source) => return Err(ConfigError::Content { path, source }),
        };
        let whole = Value::Object(sections);
        if let Err(source) = Self::FORMAT.check(&whole) {
            return Err(ConfigError::Format { path, source });
        }
        let Value::Object(sections) = whole else { return Ok(Self::default()) };
        Ok(Self { sections })
    }

    /// Returns a module's settings as JSON; nothing set is `null`.
    pub fn section(&self, module: &str) -> &Value {
        self.sections.get(module).unwrap_or(&Value::Null)
    }
}
