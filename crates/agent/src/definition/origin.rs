//! The file that defines an agent, and its format.

/// The formats of agent files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// `.rawko/agents/*.yaml`
    WorkflowYaml,
    /// `.rawko/agents/*.md`
    WorkflowMarkdown,
    /// `.github/agents/**/*.agent.md`
    AgentMd,
    /// `.claude/agents/*.md`
    Claude,
}

impl Format {
    /// Returns the format of a file by its name and folder. Returns `None` if it does not define an
    /// agent.
    pub fn of(path: &str) -> Option<Self> {
        let path = path.replace('\\', "/");
        let lower = path.to_ascii_lowercase();
        let ends = |ending: &str| lower.ends_with(ending);
        if ends(".agent.md") {
            Some(Self::AgentMd)
        } else if ends(".yaml") || ends(".yml") {
            Some(Self::WorkflowYaml)
        } else if ends(".md") && (path.starts_with(".claude/agents/") || path.contains("/.claude/agents/")) {
            Some(Self::Claude)
        } else if ends(".md") {
            Some(Self::WorkflowMarkdown)
        } else {
            None
        }
    }

    /// Returns whether it is one of the project's own formats, which are parsed strictly.
    pub fn is_workflow(self) -> bool {
        matches!(self, Self::WorkflowYaml | Self::WorkflowMarkdown)
    }
}

/// The file an agent was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The path, as the caller named it.
    pub file: String,
    /// Its format.
    pub format: Format,
}
