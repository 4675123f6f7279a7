//! Files between events match their schemas.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::world::World;

/// Returns the files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { files(&path) } else { vec![path] };
    let mut files: Vec<PathBuf> = entries.flat_map(below).collect();
    files.sort();
    files
}

/// Reads the first line of a file.
fn first_line(file: &Path) -> Value {
    let bytes = fs::read(file).unwrap();
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap();
    serde_json::from_slice(line).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn kept(world: &World, name: &str) -> Vec<Value> {
    let sessions = world.sandbox.sessions();
    let [session] = sessions.as_slice() else { panic!("one session") };
    files(&session.root.join("intent").join(name)).iter().map(|file| first_line(file)).collect()
}

/// Returns the JSON lines of a file that also has other lines.
fn lines_of_json(world: &World, name: &str) -> Vec<Value> {
    let sessions = world.sandbox.sessions();
    let [session] = sessions.as_slice() else { panic!("one session") };
    let text = fs::read_to_string(session.root.join("intent").join(name)).unwrap();
    text.lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn calls_that_have_not_ended_and_files_that_were_seen_are_as_described() {
    let world = World::new();
    world.select("INT-001");
    world.write("src/old.ts", "old\n");
    let claude = world.claude("s");
    claude.after("0", "Read", &json!({"file_path": world.path("src/old.ts")}));
    claude.before("1", "Write", &json!({"file_path": world.path("src/new.ts"), "content": "1"}));
    claude.before("2", "Bash", &json!({"command": "rm src/old.ts && mkdir src/x && make"}));
    claude.before("3", "mcp__x__generate", &json!({"query": "q"}));

    let calls = lines_of_json(&world, "pending-calls");
    assert_eq!(calls.len(), 3);
    for call in &calls {
        testkit::schema::check("pending-call", call);
    }
    assert!(calls.iter().any(|call| call["files"][0]["before"] == json!({"bytes": 4})), "{calls:?}");
    let seen = kept(&world, "seen");
    assert_eq!(seen.len(), 1);
    testkit::schema::check("seen-file", &seen[0]);
}
