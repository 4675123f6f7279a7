//! What the registry shows of an agent.

/// How an agent presents itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The part of its id behind the colon.
    pub id: String,
    /// Its short name.
    pub name: String,
    /// Its full name.
    pub full_name: String,
    /// What it is for.
    pub description: String,
    /// Its icon.
    pub icon: Option<String>,
    /// What it can be asked to do; `help` is always among them.
    pub commands: Vec<Command>,
    /// What it can draw on.
    pub resources: Resources,
}

/// Something an agent can be asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its name, without a slash.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The tool behind it.
    pub tool: String,
    /// Its parameters, as JSON.
    pub parameters: Vec<serde_json::Value>,
}

/// What an agent can draw on.
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
            description: "Show what this agent can do".to_owned(),
            tool: "agent.help".to_owned(),
            parameters: Vec::new(),
        }
    }
}
