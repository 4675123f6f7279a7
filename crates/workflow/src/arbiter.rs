//! Lets a model choose the first agent when neither the user nor the project names one.

use std::collections::BTreeMap;
use std::fmt::Write;

use agent::Definition;

/// Builds the prompt of the choice and parses its answer.
#[derive(Debug, Clone, Copy)]
pub struct Arbiter<'a> {
    /// The agents to choose from.
    pub agents: &'a BTreeMap<String, Definition>,
}

/// The system prompt of an arbiter.
const ROLE: &str = "You choose which agent begins a task. You use no tools and answer with the name of one agent, nothing else.";

/// The most characters of an agent's description in the prompt.
const MOST_CHARS: usize = 600;

impl Arbiter<'_> {
    /// The system prompt of an arbiter.
    pub const ROLE: &'static str = ROLE;

    /// Returns the prompt for a task.
    pub fn prompt(&self, task: &str) -> String {
        let mut prompt = format!("## Task\n\n{}\n\n## Agents\n\n", task.trim());
        for (name, definition) in self.agents {
            let about = definition.when_to_use.as_deref().unwrap_or(&definition.profile.description);
            let about: String = event::one_line(about).chars().take(MOST_CHARS).collect();
            let about = if about.is_empty() { "(no description)" } else { &about };
            let _ = writeln!(prompt, "- {name}: {about}");
        }
        prompt.push_str("\nWhich agent begins? Answer with its name only.\n");
        prompt
    }

    /// Returns the agent that an answer names; `None` if it names no agent or several.
    pub fn read(&self, answer: &str) -> Option<&str> {
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_');
        let plain = |it: &str| it.trim().trim_matches(|it: char| !is_part(it)).to_lowercase();
        let named = |text: &str| self.agents.keys().find(|it| it.to_lowercase() == text).map(String::as_str);
        if let Some(name) = named(&plain(answer)) {
            return Some(name);
        }
        let words = answer.split(|it: char| !is_part(it)).map(str::to_lowercase);
        let mut found: Vec<&str> = words.filter_map(|it| named(&it)).collect();
        found.sort_unstable();
        found.dedup();
        if let [one] = found.as_slice() { Some(one) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent::{Format, ToolNames, load};
    use config_file::Source;

    fn agents() -> BTreeMap<String, Definition> {
        ["planner", "code-reviewer", "dev"]
            .map(|name| {
                let text = format!("name: {name}\nwhenToUse: For {name}.\nsystemPrompt: x\ntransitions: {{onSuccess: complete}}\n");
                let loaded = load(&Source::new("a.yaml", text), Format::WorkflowYaml, &ToolNames::default());
                (name.to_owned(), loaded.document.unwrap().definition)
            })
            .into_iter()
            .collect()
    }

    #[test]
    fn an_answer_is_read_however_it_is_dressed() {
        let agents = agents();
        let arbiter = Arbiter { agents: &agents };
        for (answer, expected) in [
            ("planner", Some("planner")),
            ("  **Planner**.\n", Some("planner")),
            ("`code-reviewer`", Some("code-reviewer")),
            ("I would begin with the code-reviewer, since it reviews.", Some("code-reviewer")),
            ("planner or dev", None),
            ("developer", None),
            ("", None),
        ] {
            assert_eq!(arbiter.read(answer), expected, "{answer}");
        }
        assert!(arbiter.prompt("x").contains("- dev: For dev.\n"));
    }
}
