//! The list of generated files and their generators.
//!
//! A crate that generates something offers a plain function from nothing to text
//! (behind a feature, if it needs imports that a hook event must not pay for)
//! and gets one entry here.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::trigger_variables;
use crate::{clients, startup};

/// Files that are made as a whole, all in one folder.
pub(crate) struct Folder {
    /// Relative to the root.
    pub(crate) path: &'static str,
    /// How their names end; what ends like that and is not made is left over.
    pub(crate) suffix: &'static str,
    /// Returns name and text of each file, given the root of the checkout.
    pub(crate) files: fn(&Path) -> Result<BTreeMap<String, String>>,
}

/// A part of a page, between `<!-- generated: NAME -->` and `<!-- end generated -->`.
pub(crate) struct Section {
    /// The page, relative to the root. A page that does not exist is skipped.
    pub(crate) page: &'static str,
    /// The name in the marker.
    pub(crate) name: &'static str,
    /// Returns the text between the markers.
    pub(crate) text: fn() -> String,
}

/// Every folder with generated files.
pub(crate) const FOLDERS: &[Folder] = &[
    Folder { path: "bench/empty", suffix: "Cargo.toml", files: empty_program },
    Folder { path: "editors/vscode/src/form", suffix: ".generated.ts", files: trigger_variables::files },
    Folder { path: "schemas", suffix: ".schema.json", files: schemas },
];

/// Every generated section.
pub(crate) const SECTIONS: &[Section] = &[
    Section { page: "bench/README.md", name: "startup targets", text: startup::targets_table },
    Section { page: "docs/blocked.md", name: "asks", text: host::attendance_table },
    Section { page: "docs/hosts.md", name: "capability summary", text: host::capability_summary },
    Section { page: "docs/hosts.md", name: "capabilities", text: host::capability_table },
    Section { page: "docs/hosts.md", name: "clients", text: clients::recorded_table },
];

/// The JSON Schemas, from the types of the crates that read and write the files.
fn schemas(_root: &Path) -> Result<BTreeMap<String, String>> {
    // A crate above `dispatch` whose settings are in `config.json` adds its sections here.
    let config = dispatch::schema::config(dispatch::schema::config_sections());
    let all = dispatch::schema::all().into_iter().chain([("config", config)]);
    let all = all.chain(intent::schema::all()).chain(automation::schema::all());
    let all = all.chain(agent::schema::all()).chain(workflow::schema::all()).chain(page::schema::all());
    let files = all.map(|(name, mut schema)| {
        if !is_for_people(&schema["title"]) {
            schema["title"] = title(name).into();
        }
        ensure!(schema["description"].is_string(), "schema `{name}` has no description");
        let text = serde_json::to_string_pretty(&schema).context("a schema is plain JSON")?;
        Ok((format!("{name}.schema.json"), text + "\n"))
    });
    files.collect()
}

/// A type gives its schema its own name, and no person calls a file that.
fn is_for_people(title: &Value) -> bool {
    title.as_str().is_some_and(|title| title.contains(' '))
}

/// `scope-request` → `Scope request`
fn title(name: &str) -> String {
    let mut letters = name.chars().map(|letter| if letter == '-' { ' ' } else { letter });
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The manifest of the program that does nothing: it is worth comparing with
/// only while it is built with the very profile of the real one.
fn empty_program(root: &Path) -> Result<BTreeMap<String, String>> {
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).context("cannot read `Cargo.toml`")?;
    let profile = table(&manifest, "profile.dist").context("`Cargo.toml` has no [profile.dist]")?;
    let text = format!(
        "# Made by `cargo xtask codegen`: the profile is the one of the workspace.\n\
         [package]\n\
         name = \"empty\"\n\
         version = \"0.0.0\"\n\
         edition = \"2024\"\n\
         publish = false\n\n\
         # On its own, so that no build of the workspace builds it.\n\
         [workspace]\n\n{profile}"
    );
    Ok(BTreeMap::from([("Cargo.toml".to_owned(), text)]))
}

/// Returns one table of a manifest, header included, up to the next empty line or table.
fn table(manifest: &str, name: &str) -> Option<String> {
    let header = format!("[{name}]");
    let lines = manifest.lines().skip_while(|line| *line != header);
    let table: Vec<&str> = lines
        .enumerate()
        .take_while(|(index, line)| *index == 0 || !(line.is_empty() || line.starts_with('[')))
        .map(|(_, line)| line)
        .collect();
    (!table.is_empty()).then(|| table.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_has_a_title_for_people() {
        assert_eq!(title("scope-request"), "Scope request");
        assert!(is_for_people(&Value::from("Scope request")));
        assert!(!is_for_people(&Value::from("ScopeRequestWire")));
        assert!(!is_for_people(&Value::Null));
    }

    #[test]
    fn a_table_ends_at_an_empty_line_or_the_next_table() {
        let manifest = "[a]\nx = 1\n\n[profile.release]\nlto = true\nstrip = true\n[b]\ny = 2\n";
        assert_eq!(
            table(manifest, "profile.release").as_deref(),
            Some("[profile.release]\nlto = true\nstrip = true\n")
        );
        assert_eq!(table(manifest, "a").as_deref(), Some("[a]\nx = 1\n"));
        assert_eq!(table(manifest, "gone"), None);
    }
}
