//! Shortcuts for loading a file in a test.

use agent::{AgentSet, Definition, Format, Loaded, ToolNames, load};
use config_file::Source;

/// Loads a string as the file of this name.
pub(crate) fn load_text(file: &str, text: &str) -> Loaded {
    let format = Format::of(file).expect("a format");
    load(&Source::new(file, text), format, &ToolNames::new(["run_task", "runSubagent"]))
}

/// Loads a string that must have no errors.
pub(crate) fn definition(file: &str, text: &str) -> Definition {
    let loaded = load_text(file, text);
    match loaded.document {
        Some(document) => document.definition,
        None => panic!("{}", shown(&loaded)),
    }
}

/// Returns all problems as users see them.
pub(crate) fn shown(loaded: &Loaded) -> String {
    loaded.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Combines agents: one file per text, in order.
pub(crate) fn agent_set(files: &[(&str, &str)]) -> AgentSet {
    AgentSet::new(files.iter().map(|(file, text)| {
        let loaded = load_text(file, text);
        assert!(loaded.document.is_some(), "{}", shown(&loaded));
        loaded.document.unwrap()
    }))
}
