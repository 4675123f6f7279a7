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
    /// The level of single rules.
    pub rules: Levels,
    /// The most results of a search.
    pub max_results: u64,
    /// The most lines of a command; `head -n` with more does not bound it.
    pub max_lines: u64,
    /// The largest file that a call may read completely, in kilobytes.
    pub max_file_kb: u64,
    /// The most pages that a call may fetch.
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
    /// Returns the level of a rule.
    pub fn level(&self, rule: Rule) -> Level {
        self.rules.chosen(rule).unwrap_or_else(|| self.preset.level(rule))
    }
}

/// A level for all rules at once.
///
/// WHY `advise` is the default: people and agents run `grep -rn foo .` all day, and on a host that cannot ask every ask
/// becomes a deny.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Every call passes; user and model read how to bound it.
    #[default]
    Advise,
    /// The user decides about every call.
    Strict,
}

impl Preset {
    /// Returns the level of a rule that the settings leave out.
    pub const fn level(self, rule: Rule) -> Level {
        match (rule, self) {
            // A search that leaves ignored files out is what the other rules recommend, so nothing stops it.
            (Rule::SearchProject, Self::Strict) | (_, Self::Advise) => Level::Warn,
            (_, Self::Strict) => Level::Ask,
        }
    }
}

/// The reaction to a call that breaks a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// The call passes.
    Off,
    /// The call passes; user and model read how to bound it.
    Warn,
    /// The user decides.
    Ask,
    /// The call is denied.
    Deny,
}

impl Level {
    /// Returns its name in settings and journals.
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
    /// A search tool also searches ignored files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_ignored: Option<Level>,
    /// A call of a search tool requests too many results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result_limit: Option<Level>,
    /// A tool lists or reads every file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wildcard_files: Option<Level>,
    /// A search starts at `/`, `~` or around the workspace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_everywhere: Option<Level>,
    /// A command searches or lists the whole workspace, ignored files included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_workspace: Option<Level>,
    /// A command searches all files that the project does not ignore: `rg PATTERN`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_project: Option<Level>,
    /// A call reads a large file completely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_file: Option<Level>,
    /// A call fetches complete pages.
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

    /// Returns the place of a rule's level.
    pub(super) const fn slot(&mut self, rule: Rule) -> &mut Option<Level> {
        match rule {
            Rule::SearchWithoutInclude => &mut self.search_without_include,
            Rule::SearchIgnored => &mut self.search_ignored,
            Rule::ResultLimit => &mut self.result_limit,
            Rule::WildcardFiles => &mut self.wildcard_files,
            Rule::SearchEverywhere => &mut self.search_everywhere,
            Rule::SearchWorkspace => &mut self.search_workspace,
            Rule::SearchProject => &mut self.search_project,
            Rule::WholeFile => &mut self.whole_file,
            Rule::UnlimitedFetch => &mut self.unlimited_fetch,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_default_every_rule_warns_and_strict_is_never_weaker() {
        for rule in Rule::ALL {
            assert_eq!(Preset::default().level(rule), Level::Warn, "{}", rule.id());
            assert!(
                matches!(Preset::Strict.level(rule), Level::Warn | Level::Ask | Level::Deny),
                "{}",
                rule.id()
            );
        }
    }
}
