//! Measures how long it takes to validate ten thousand agent files and to list two hundred agents.
//!
//! Run with `cargo run --release -p agent --example ten_thousand`.
#![expect(clippy::print_stdout, reason = "it is run by a person")]

use std::fs;
use std::io;
use std::time::Instant;

use agent::registry::{Folders, Selection, agent_files, discover, load_files};
use agent::{AgentSet, ToolNames};

const N_FILES: usize = 10_000;

fn main() -> io::Result<()> {
    let root = tempfile::tempdir()?;
    let own = root.path().join(".rawko/agents");
    let copilot = root.path().join(".github/agents");
    fs::create_dir_all(&own)?;
    fs::create_dir_all(&copilot)?;
    let prompt =
        "  Read the code first, then say what you found and where, one line per finding.\n".repeat(25);
    for index in 0..N_FILES / 2 {
        let yaml = format!(
            "name: agent{index}\ndisplayName: Agent {index}\nwhenToUse: |\n{prompt}systemPrompt: |\n{prompt}tools:\n  allowed: [Read, Grep, Bash]\n  bashFilter:\n    allowedCommands: [ls, git]\n    blockedPatterns: ['rm -rf', 'sudo']\ntransitions:\n  onSuccess: complete\n  custom:\n    - condition: output contains 'x'\n      target: agent0\nlimits:\n  maxIterations: 5\n"
        );
        fs::write(own.join(format!("agent{index}.yaml")), yaml)?;
        let markdown = format!(
            "---\ndescription: Agent {index}\ntools: [search, edit]\n---\n# Agent\n\n{prompt}{prompt}"
        );
        fs::write(copilot.join(format!("other{index}.agent.md")), markdown)?;
    }
    let names = ToolNames::default();
    let start = Instant::now();
    let files = agent_files(root.path(), "agents", &|| false);
    let loaded = load_files(&files, &names);
    let set = AgentSet::new(loaded.into_iter().filter_map(|it| it.document));
    println!("{} agents of {} files validated in {:?}", set.agents.len(), files.len(), start.elapsed());

    for folder in [&own, &copilot] {
        for entry in fs::read_dir(folder)?.skip(50) {
            fs::remove_file(entry?.path())?;
        }
    }
    let start = Instant::now();
    let folders = Folders {
        workspace: root.path().to_path_buf(),
        directory: "agents".to_owned(),
        extensions: Vec::new(),
    };
    let found = discover(&folders, &names, store::Timestamp::from_millis(0), &|| false);
    let n_listed = found.registry.list(&Selection::default()).len();
    println!("{n_listed} agents found and listed in {:?}", start.elapsed());
    Ok(())
}
