//! `.ai/hooks/config.json`: each module's own settings, by module name.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use event::plain_name;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use store::{FileError, Format, Workspace, parse_json, parse_part, read_text};

/// The settings file; a project without one gets every module's defaults.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    path: PathBuf,
    text: Vec<u8>,
    sections: Map<String, Value>,
}

/// The section `agents`: which agent governs a session whose payloads name none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct AgentsSettings {
    /// The agent's name; without one, no agent governs such a session.
    pub active: Option<String>,
}

impl Config {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// Reads the workspace's settings.
    pub fn load(workspace: &Workspace) -> Result<Self, FileError> {
        let path = workspace.config_file();
        let Some(text) = read_text(&path)? else { return Ok(Self::default()) };
        Self::parse(path.as_path(), text)
    }

    /// Parses the text of the file.
    pub fn parse(path: &Path, text: Vec<u8>) -> Result<Self, FileError> {
        let sections = parse_json(path, &text, Self::FORMAT)?;
        Ok(Self { path: path.to_path_buf(), text, sections })
    }

    /// Returns an error about the value at a JSON pointer.
    pub fn about(&self, pointer: &str, problem: impl Into<String>) -> FileError {
        FileError::about(&self.path, &self.text, &self.written(pointer), problem)
    }

    /// Returns a module's settings as JSON; `null` without a section.
    pub fn section(&self, module: &str) -> &Value {
        self.sections.get(self.key(module)).unwrap_or(&Value::Null)
    }

    /// Returns the name under which the file has a module's settings.
    fn key<'a>(&self, module: &'a str) -> &'a str {
        if self.sections.contains_key(module) { module } else { plain_name(module) }
    }

    /// Returns a JSON pointer with the name of its module as the file has it.
    fn written<'a>(&self, pointer: &'a str) -> Cow<'a, str> {
        let Some((module, rest)) =
            pointer.strip_prefix('/').map(|it| it.split_at(it.find('/').unwrap_or(it.len())))
        else {
            return pointer.into();
        };
        let key = self.key(module);
        if key == module { pointer.into() } else { format!("/{key}{rest}").into() }
    }

    /// Returns the same settings with this section, for a question of what would be.
    #[must_use]
    pub fn with_section(mut self, module: &str, section: Value) -> Self {
        self.sections.insert(module.to_owned(), section);
        self
    }

    /// Returns a module's settings; the default without a section.
    pub fn typed<T: DeserializeOwned + Default>(&self, module: &str) -> Result<T, FileError> {
        let section = self.section(module);
        if section.is_null() {
            return Ok(T::default());
        }
        self.part(section, &format!("/{}", module.replace('~', "~0").replace('/', "~1")))
    }

    /// Returns the value at a JSON pointer as a type, or an error with its place.
    pub fn part<T: DeserializeOwned>(&self, value: &Value, pointer: &str) -> Result<T, FileError> {
        // Only the text has the place of a mistake, so it is parsed again after one.
        T::deserialize(value).or_else(|_| parse_part(&self.path, &self.text, &self.written(pointer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use event::AbsPath;
    use std::fs;

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    struct Sample {
        limit: u32,
    }

    fn config(text: &str) -> Result<Config, FileError> {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join(".ai/hooks")).unwrap();
        fs::write(dir.path().join(".ai/hooks/config.json"), text).unwrap();
        Config::load(&Workspace::at(AbsPath::new(dir.path()).unwrap()))
    }

    #[test]
    fn a_section_is_parsed_into_its_modules_type() {
        let config = config(r#"{"version": 1, "sample": {"limit": 3}, "other": null}"#).unwrap();
        assert_eq!(config.typed::<Sample>("sample").unwrap(), Sample { limit: 3 });
        assert_eq!(config.typed::<Sample>("other").unwrap(), Sample::default());
        assert_eq!(config.typed::<Sample>("absent").unwrap(), Sample::default());
    }

    #[test]
    fn a_mistake_in_a_section_is_reported_with_its_place() {
        let config = config("{\n  \"sample\": {\n    \"limit\": \"3\"\n  }\n}").unwrap();
        let message = config.typed::<Sample>("sample").unwrap_err().to_string();
        let expected = "config.json`, line 3, column 16: invalid type: string \"3\", expected u32";
        assert!(message.ends_with(expected), "{message}");
    }
}
