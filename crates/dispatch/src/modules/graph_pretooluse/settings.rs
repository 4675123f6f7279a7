//! The module's section of `config.json`.

use serde::{Deserialize, Serialize};

use super::Rule;

/// `"graph-pretooluse": { "preset": "strict", "rules": { "whole-file": "deny" }, "maxFileKb": 512 }`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The level of each rule that `rules` leaves out.
    pub preset: Preset,
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
        Self {
            preset: Preset::default(),
            rules: Levels::default(),
            max_results: 250,
            max_lines: 1000,
            max_file_kb: 256,
            max_pages: 5,
        }
    }
}

impl Settings {
    /// Returns what becomes of a call that breaks this rule.
    pub fn level(&self, rule: Rule) -> Level {
        self.rules.chosen(rule).unwrap_or_else(|| self.preset.level(rule))
    }
}

/// A level for all rules at once.
///
/// WHY `advise` is the default: people and agents run `grep -rn foo .` all day, and a host that
/// cannot ask turns every question into a refusal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Every call passes; person and model read how to bound it.
    #[default]
    Advise,
    /// A person decides about every call.
    Strict,
}

impl Preset {
    /// Returns the level of a rule that the settings leave out.
    pub const fn level(self, rule: Rule) -> Level {
        match (rule, self) {
            // The hint of `search-workspace` recommends this very search.
            (Rule::SearchProject, _) => Level::Off,
            (_, Self::Advise) => Level::Warn,
            (_, Self::Strict) => Level::Ask,
        }
    }
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It passes.
    Off,
    /// It passes; person and model read how to bound it.
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

/// A level for each rule; the preset decides for the rules left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", default)]
pub struct Levels {
    /// A search tool prints lines from anywhere in the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_without_include: Option<Level>,
    /// A search tool looks at ignored files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_ignored: Option<Level>,
    /// A search tool is asked for too many results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_limit: Option<Level>,
    /// A tool lists or reads every file there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wildcard_files: Option<Level>,
    /// A search starts at `/`, `~` or around the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_everywhere: Option<Level>,
    /// A command searches or lists the whole workspace, ignored files included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_workspace: Option<Level>,
    /// A command searches what the project does not ignore: `rg PATTERN`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_project: Option<Level>,
    /// A large file is read as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_file: Option<Level>,
    /// Pages are fetched as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unlimited_fetch: Option<Level>,
}

impl Levels {
    /// Returns the level the settings name for a rule, or `None` if they leave it out.
    const fn chosen(&self, rule: Rule) -> Option<Level> {
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
