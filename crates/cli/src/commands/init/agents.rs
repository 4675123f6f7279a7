//! Three example agents that work together, and their configuration.

use agent::registry::agent_files;

use crate::change::{Change, ChangeError, Writer};
use crate::commands::Place;
use crate::output;

use super::Written;
use super::schemas;

/// Paths relative to the workspace; `CONFIG` is written even if there are agents already.
const CONFIG: (&str, &str) = (".rawko/config.yaml", include_str!("starter/config.yaml"));
const AGENTS: [(&str, &str); 3] = [
    (".rawko/agents/planner.yaml", include_str!("starter/planner.yaml")),
    (".rawko/agents/developer.md", include_str!("starter/developer.md")),
    (".rawko/agents/reviewer.yaml", include_str!("starter/reviewer.yaml")),
];

/// Lists the files in each form that `init` writes.
pub(super) fn written_files() -> impl Iterator<Item = Written> {
    let both = |(file, text): (&str, &'static str)| {
        [Written::new(file, text), Written { file: file.to_owned(), text: referring(file, text).into() }]
    };
    AGENTS.into_iter().chain([CONFIG]).flat_map(both)
}

/// Returns the text of a file with a reference to its schema.
fn referring(file: &str, text: &str) -> String {
    let schema = if file == CONFIG.0 { "agent-config" } else { "agent" };
    schemas::with_yaml_schema(text, schema, file.matches('/').count())
}

/// Writes missing files. The agents form a set: they are not added to existing agents.
pub(super) fn write(place: &Place, with_schemas: bool, writer: &mut Writer<'_>) {
    if let Err(error) = try_write(place, with_schemas, writer) {
        writer.fail(&error);
    }
}

fn try_write(place: &Place, with_schemas: bool, writer: &mut Writer<'_>) -> Result<(), ChangeError> {
    let workspace = &place.workspace;
    let has_config = workspace.root().join(CONFIG.0).as_path().exists();
    let own = workspace.root().join(".rawko/agents");
    let has_agents = agent_files(workspace.root().as_path(), "agents", &|| false)
        .iter()
        .any(|it| it.path.starts_with(own.as_path()));
    let mut files: Vec<(&str, &str)> = Vec::new();
    if !has_agents {
        files.extend(AGENTS);
    }
    // The configuration names one of these agents, so it does not fit other agents.
    if !has_config && !has_agents {
        files.push(CONFIG);
    }
    for (file, text) in files {
        let text = if with_schemas { referring(file, text) } else { text.to_owned() };
        let change = Change::plan(workspace, file, |_| Ok(Some(text)))?;
        if !writer.apply(&change) {
            return Ok(());
        }
        let made = if writer.writes() { "wrote" } else { "would write" };
        output::note(&format!("✓ {made}: {file}"));
    }
    if has_agents {
        output::note("  note: .rawko/agents already contains agents; they stay unchanged");
    }
    Ok(())
}
