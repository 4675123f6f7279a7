//! The operations of the two specification agents, and the slash commands that request them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A specification agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SpecAgent {
    /// Spec Kit: `/speckit.clarify`.
    SpecKit,
    /// `OpenSpec`: `/openspec:plan`.
    OpenSpec,
}

/// Whether an automation runs before or after an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Timing {
    /// When the user sends the prompt that requests the operation.
    Before,
    /// When the agent stops in the turn of that prompt.
    #[default]
    After,
}

/// One of the fourteen operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum Operation {
    Research,
    #[serde(rename = "datamodel")]
    DataModel,
    Design,
    Specify,
    Clarify,
    Plan,
    Tasks,
    #[serde(rename = "taskstoissues")]
    TasksToIssues,
    Analyze,
    Checklist,
    Constitution,
    Implementation,
    UnitTest,
    IntegrationTest,
}

impl SpecAgent {
    /// Both.
    pub const ALL: [Self; 2] = [Self::SpecKit, Self::OpenSpec];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SpecKit => "speckit",
            Self::OpenSpec => "openspec",
        }
    }

    /// Finds it by that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.as_str() == word)
    }
}

impl Timing {
    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

impl Operation {
    /// All fourteen, in workflow order.
    pub const ALL: [Self; 14] = [
        Self::Research,
        Self::DataModel,
        Self::Design,
        Self::Specify,
        Self::Clarify,
        Self::Plan,
        Self::Tasks,
        Self::TasksToIssues,
        Self::Analyze,
        Self::Checklist,
        Self::Constitution,
        Self::Implementation,
        Self::UnitTest,
        Self::IntegrationTest,
    ];

    /// Returns the word used in files.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Research => "research",
            Self::DataModel => "datamodel",
            Self::Design => "design",
            Self::Specify => "specify",
            Self::Clarify => "clarify",
            Self::Plan => "plan",
            Self::Tasks => "tasks",
            Self::TasksToIssues => "taskstoissues",
            Self::Analyze => "analyze",
            Self::Checklist => "checklist",
            Self::Constitution => "constitution",
            Self::Implementation => "implementation",
            Self::UnitTest => "unit-test",
            Self::IntegrationTest => "integration-test",
        }
    }

    /// Finds it by that word, or by Spec Kit's own word for it.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "implement" => Some(Self::Implementation),
            "data-model" => Some(Self::DataModel),
            _ => Self::ALL.into_iter().find(|operation| operation.as_str() == word),
        }
    }

    /// Parses a slash command: `/speckit.clarify`, `/speckit-clarify`, `/openspec:plan`.
    pub fn of_slash_command(command: &str) -> Option<(SpecAgent, Self)> {
        let name = command.strip_prefix('/')?;
        SpecAgent::ALL.into_iter().find_map(|agent| {
            let rest = name.strip_prefix(agent.as_str())?.strip_prefix(['.', ':', '-', '/'])?;
            Self::from_word(rest).map(|operation| (agent, operation))
        })
    }
}

impl fmt::Display for SpecAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for Timing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_in_files_and_in_json_are_the_same() {
        for operation in Operation::ALL {
            assert_eq!(serde_json::to_value(operation).unwrap(), operation.as_str());
            assert_eq!(Operation::from_word(operation.as_str()), Some(operation));
        }
        for agent in SpecAgent::ALL {
            assert_eq!(serde_json::to_value(agent).unwrap(), agent.as_str());
        }
    }

    #[test]
    fn a_slash_command_names_an_operation_in_every_spelling_there_is() {
        let clarify = Some((SpecAgent::SpecKit, Operation::Clarify));
        for (command, found) in [
            ("/speckit.clarify", clarify),
            ("/speckit:clarify", clarify),
            ("/speckit-clarify", clarify),
            ("/speckit.implement", Some((SpecAgent::SpecKit, Operation::Implementation))),
            ("/openspec:unit-test", Some((SpecAgent::OpenSpec, Operation::UnitTest))),
            ("/openspec.plan", Some((SpecAgent::OpenSpec, Operation::Plan))),
            ("speckit.clarify", None),
            ("/speckitclarify", None),
            ("/speckit.clarify.more", None),
            ("/help", None),
            ("/", None),
        ] {
            assert_eq!(Operation::of_slash_command(command), found, "{command}");
        }
    }
}
