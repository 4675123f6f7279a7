//! The fields `shell.…` of a condition: the effects of a call's parsed command line.

use serde_json::Value;
use shell::{PathUse, Reading};

/// The names after `shell.`.
pub const NAMES: [&str; 6] = ["class", "deletes", "network", "privilege", "program", "writes"];

/// The workspace of a rule's examples.
const EXAMPLE_ROOT: &str = "/workspace";

/// Returns the value of a field; `None` for an unknown one.
pub fn of(reading: &Reading, name: &str) -> Option<Value> {
    Some(match name {
        "class" => reading.class.name().into(),
        "network" => reading.network.into(),
        "privilege" => reading.privilege.into(),
        "program" => reading.commands.iter().map(|it| Value::from(it.program.as_str())).collect(),
        "writes" => paths(&reading.workspace, reading.writes.iter().chain(&reading.creates)),
        "deletes" => paths(&reading.workspace, reading.deletes.iter()),
        _ => return None,
    })
}

/// Returns the value of a field for the command line of an example, as if it ran at the root of a workspace.
pub(crate) fn of_example(command: &str, name: &str) -> Option<Value> {
    let place = shell::Place { workspace: Some(EXAMPLE_ROOT), ..shell::Place::at(EXAMPLE_ROOT) };
    of(&shell::read(command, &place), name)
}

/// Returns paths relative to the workspace; those outside of it as they are.
fn paths<'a>(root: &str, uses: impl Iterator<Item = &'a PathUse>) -> Value {
    let below = |path: &'a str| path.strip_prefix(root).and_then(|it| it.strip_prefix('/')).unwrap_or(path);
    uses.map(|it| Value::from(below(&it.path))).collect()
}
