//! Agents to start with: three that work together, and the configuration around them.

use agent::registry::agent_files;

use crate::change::{Change, Trouble, Writer};
use crate::commands::Place;
use crate::output;

/// The files, relative to the workspace; `CONFIG` is written even where there are agents already.
const CONFIG: (&str, &str) = (".rawko/config.yaml", include_str!("starter/config.yaml"));
const AGENTS: [(&str, &str); 3] = [
    (".rawko/agents/planner.yaml", include_str!("starter/planner.yaml")),
    (".rawko/agents/developer.md", include_str!("starter/developer.md")),
    (".rawko/agents/reviewer.yaml", include_str!("starter/reviewer.yaml")),
];

/// Writes what is missing. Agents are a set: into one that is there already none is put.
pub(super) fn write(place: &Place, writer: &mut Writer<'_>) {
    if let Err(trouble) = try_write(place, writer) {
        writer.fail(&trouble);
    }
}

fn try_write(place: &Place, writer: &mut Writer<'_>) -> Result<(), Trouble> {
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
    // The configuration names one of these agents: beside others it would be wrong.
    if !has_config && !has_agents {
        files.push(CONFIG);
    }
    for (file, text) in files {
        let change = Change::plan(workspace, file, |_| Ok(Some(text.to_owned())))?;
        if !writer.apply(&change) {
            return Ok(());
        }
        let made = if writer.writes() { "wrote" } else { "would write" };
        output::note(&format!("✓ {made}: {file}"));
    }
    if has_agents {
        output::note("  note: there are agents in .rawko/agents already; they were left as they are");
    }
    Ok(())
}
