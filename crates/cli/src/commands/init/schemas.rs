//! `init --schemas`: writes the JSON Schemas to `.ai/hooks/schema/`, where editors find them without a network.
//!
//! WHY only on request: sixty generated files are noise in the repository of everyone who does not edit steersman's files
//! with an editor that reads schemas.

use std::path::Path;

use anyhow::Context;
use store::{ScriptFiles, Trust, Workspace};

use super::defaults::{Written, made, shown};
use crate::change::{Change, ChangeError, Writer};
use crate::commands::Place;
use crate::commands::schema::SCHEMAS;
use crate::output;

/// Keeps the schemas out of npm packages: editors of this project need them, users of a package do not.
const NOT_IN_PACKAGES: &str = "*\n";

/// Returns whether the schemas are to be written: on request, and again if they are there, so that they fit this build.
pub(super) fn are_wanted(is_requested: bool, workspace: &Workspace) -> bool {
    is_requested || workspace.schema_dir().as_path().is_dir()
}

/// Returns the text of a JSON file with a reference to its schema as the first key.
pub(super) fn with_schema(text: &str, schema: &str) -> String {
    text.replacen("{\n", &format!("{{\n  \"$schema\": \"./schema/{schema}.schema.json\",\n"), 1)
}

/// Returns the text of a YAML file, or of one with YAML front matter, with a reference to its schema for editors;
/// `from_root` is the number of folders between the file and the workspace.
pub(super) fn with_yaml_schema(text: &str, schema: &str, from_root: usize) -> String {
    let up = "../".repeat(from_root);
    let line = format!("# yaml-language-server: $schema={up}.ai/hooks/schema/{schema}.schema.json\n");
    match text.strip_prefix("---\n") {
        Some(rest) => format!("---\n{line}{rest}"),
        None => line + text,
    }
}

/// Writes the schemas. Trust covers their folder, so if the user trusts the workspace, trusts it again with
/// the new schemas.
pub(super) fn write(place: &Place, writer: &mut Writer<'_>) -> Result<(), ChangeError> {
    let workspace = &place.workspace;
    let mut trusted = if writer.writes() { trusted_scripts(place) } else { None };
    let hooks = shown(workspace, &workspace.hooks_dir());
    let mut some_are_new = false;
    for Written { file, text } in files(workspace) {
        let change = Change::plan(workspace, &file, |_| Ok(Some(text.to_string())))?.generated();
        let news = !change.is_nothing();
        if !writer.apply_unseen(&change) {
            return Ok(());
        }
        some_are_new |= news;
        let name = file.strip_prefix(&hooks).map(|name| Path::new(name.trim_start_matches('/')));
        trusted = trusted.zip(name).map(|(scripts, name)| scripts.with(name, text.as_bytes()));
    }
    if some_are_new {
        let folder = shown(workspace, &workspace.schema_dir());
        output::note(&format!("✓ {}: the JSON Schemas in {folder}", made(writer)));
    }
    if let Some(scripts) = trusted.filter(|_| some_are_new) {
        trust_again(place, &scripts)
            .context("cannot trust this workspace again\nhint: run `steersman trust`")?;
    }
    Ok(())
}

/// Trusts the scripts that were trusted before plus the schemas, not the present content of the disk.
fn trust_again(place: &Place, scripts: &ScriptFiles) -> anyhow::Result<()> {
    let user_state = place.user_state()?;
    Trust::change(user_state, |trust| {
        trust.grant(place.workspace.root(), &scripts.fingerprint(), store::now());
        Ok(())
    })?;
    Ok(())
}

/// Returns the workspace's scripts, or `None` if the user does not trust them in their present form.
fn trusted_scripts(place: &Place) -> Option<ScriptFiles> {
    let trust = Trust::load(place.user_state.as_ref()?).ok()?;
    let scripts = ScriptFiles::read(&place.workspace).ok()?;
    trust.covers(place.workspace.root(), &scripts.fingerprint()).then_some(scripts)
}

/// Lists the schemas as files.
pub(super) fn files(workspace: &Workspace) -> impl Iterator<Item = Written> {
    let folder = shown(workspace, &workspace.schema_dir());
    let ignore = Written::new(format!("{folder}/.npmignore"), NOT_IN_PACKAGES);
    let schema = move |(name, _, text): &(&str, _, &'static str)| {
        Written::new(format!("{folder}/{name}.schema.json"), text)
    };
    SCHEMAS.iter().map(schema).chain([ignore])
}
