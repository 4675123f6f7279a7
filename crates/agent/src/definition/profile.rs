//! The presentation of an agent in the registry.

/// The presentation of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The part of its id after the colon.
    pub id: String,
    /// Its short name.
    pub name: String,
    /// Its full name.
    pub full_name: String,
    /// Its purpose.
    pub description: String,
    /// Its icon.
    pub icon: Option<String>,
    /// Its commands; `help` is always included.
    pub commands: Vec<Command>,
    /// Its resources.
    pub resources: Resources,
}

/// A command of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its name, without a slash.
    pub name: String,
    /// Its description.
    pub description: String,
    /// The tool that implements it.
    pub tool: String,
    /// Its parameters, as JSON.
    pub parameters: Vec<serde_json::Value>,
}

/// The resources of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Resources {
    /// Prompt templates.
    pub prompts: Vec<String>,
    /// Skills.
    pub skills: Vec<String>,
    /// Files with more instructions.
    pub instructions: Vec<String>,
}

impl Command {
    /// Returns the command every agent has.
    pub fn help() -> Self {
        Self {
            name: "help".to_owned(),
            description: "Show the commands of this agent".to_owned(),
            tool: "agent.help".to_owned(),
            parameters: Vec::new(),
        }
    }
}
