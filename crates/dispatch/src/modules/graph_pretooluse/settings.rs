//! The module's section of `config.json`.

use serde::{Deserialize, Serialize};

use super::Rule;

/// `"graph-pretooluse": { "rules": { "whole-file": "deny" }, "maxFileKb": 512 }`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// What becomes of a call, by rule.
    pub rules: Levels,
    /// So many results of a search are not too many.
    pub max_results: u64,
    /// So many lines are not too many; `head -n` with more does not bound a command.
    pub max_lines: u64,
    /// A file of so many kilobytes may be read as a whole.
    pub max_file_kb: u64,
    /// So many pages may be fetched at once.
    pub max_pages: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rules: Levels::default(), max_results: 250, max_lines: 1000, max_file_kb: 256, max_pages: 5 }
    }
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It passes.
    Off,
    /// It passes with a word to the person.
    Warn,
    /// A person decides.
    Ask,
    /// It is refused.
    Deny,
}

impl Level {
    /// Returns the word used in settings and journals.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A level for each rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", default)]
pub struct Levels {
    /// A search tool prints lines from anywhere in the workspace.
    pub search_without_include: Level,
    /// A search tool looks at ignored files.
    pub search_ignored: Level,
    /// A search tool is asked for too many results.
    pub result_limit: Level,
    /// A tool lists or reads every file there is.
    pub wildcard_files: Level,
    /// A search starts at `/`, `~` or around the workspace.
    pub search_everywhere: Level,
    /// A command searches or lists the whole workspace, ignored files included.
    pub search_workspace: Level,
    /// A command searches what the project does not ignore: `rg PATTERN`.
    pub search_project: Level,
    /// A large file is read as a whole.
    pub whole_file: Level,
    /// Pages are fetched as a whole.
    pub unlimited_fetch: Level,
}

impl Default for Levels {
    fn default() -> Self {
        Self {
            search_without_include: Level::Ask,
            search_ignored: Level::Ask,
            result_limit: Level::Ask,
            wildcard_files: Level::Ask,
            search_everywhere: Level::Ask,
            search_workspace: Level::Ask,
            // Agents do this all day, and what they get is what the project is made of.
            search_project: Level::Off,
            whole_file: Level::Ask,
            unlimited_fetch: Level::Ask,
        }
    }
}

impl Levels {
    /// Returns what becomes of a call that breaks this rule.
    pub const fn level(&self, rule: Rule) -> Level {
        match rule {
            Rule::SearchWithoutInclude => self.search_without_include,
            Rule::SearchIgnored => self.search_ignored,
            Rule::ResultLimit => self.result_limit,
            Rule::WildcardFiles => self.wildcard_files,
            Rule::SearchEverywhere => self.search_everywhere,
            Rule::SearchWorkspace => self.search_workspace,
            Rule::SearchProject => self.search_project,
            Rule::WholeFile => self.whole_file,
            Rule::UnlimitedFetch => self.unlimited_fetch,
        }
    }
}
