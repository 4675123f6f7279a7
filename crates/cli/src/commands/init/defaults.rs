//! The initial files of a project: manifest, settings, JSON Schemas.
//!
//! Users edit manifest and settings, so `init` never changes existing ones. It updates the schemas to those
//! of this build: editors check the other files against them without a network.

use std::path::Path;

use anyhow::Context;
use store::{ScriptFiles, Trust, Workspace};

use crate::change::{Change, ChangeError, Writer};
use crate::commands::Place;
use crate::commands::schema::SCHEMAS;
use crate::output;

/// The initial manifest.
pub(super) const MANIFEST: &str = r#"{
  "$schema": "./schema/dispatch-manifest.schema.json",
  "version": 1,
  "modules": {}
}
"#;

/// Keeps the schemas out of npm packages: editors of this project need them, users of a package do not.
const NOT_IN_PACKAGES: &str = "*\n";

/// The initial settings.
pub(super) const CONFIG: &str = r#"{
  "$schema": "./schema/config.schema.json",
  "version": 1,
  "session": {
    "promptAudit": "hash"
  }
}
"#;

/// A file that `init` writes.
#[derive(Debug)]
pub(crate) struct Written {
    /// Relative to the workspace.
    pub(crate) file: String,
    /// Its initial content.
    pub(crate) text: &'static str,
}

/// Lists the files that `init` writes below `.ai/hooks/`, without modules.
pub(crate) fn written_files(workspace: &Workspace) -> Vec<Written> {
    let mut files = vec![
        Written { file: shown(workspace, &workspace.manifest_file()), text: MANIFEST },
        Written { file: shown(workspace, &workspace.config_file()), text: CONFIG },
    ];
    files.extend(schemas(workspace));
    files
}

/// Writes missing files and reports them. Stops at the first failure, because the rest would fail for the
/// same reason.
pub(super) fn write(place: &Place, writer: &mut Writer<'_>) {
    if let Err(error) = try_write(place, writer) {
        writer.fail(&error);
    }
}

fn try_write(place: &Place, writer: &mut Writer<'_>) -> Result<(), ChangeError> {
    let workspace = &place.workspace;
    for (path, text) in [(workspace.manifest_file(), MANIFEST), (workspace.config_file(), CONFIG)] {
        let file = shown(workspace, &path);
        let change = Change::plan(workspace, &file, |before| Ok(Some(before.unwrap_or(text).to_owned())))?;
        let new = change.is_new();
        if !writer.apply(&change) {
            return Ok(());
        }
        if new {
            output::note(&format!("✓ {}: {file}", made(writer)));
        }
    }
    write_schemas(place, writer)?;
    if writer.writes() {
        workspace.make_tmp_dir().with_context(|| format!("cannot create `{}`", workspace.tmp_dir()))?;
    }
    Ok(())
}

/// Writes the schemas. Trust covers their folder, so if the user trusts the workspace, trusts it again with
/// the new schemas.
fn write_schemas(place: &Place, writer: &mut Writer<'_>) -> Result<(), ChangeError> {
    let workspace = &place.workspace;
    let mut trusted = if writer.writes() { trusted_scripts(place) } else { None };
    let hooks = shown(workspace, &workspace.hooks_dir());
    let mut some_are_new = false;
    for Written { file, text } in schemas(workspace) {
        let change = Change::plan(workspace, &file, |_| Ok(Some(text.to_owned())))?.generated();
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

fn schemas(workspace: &Workspace) -> impl Iterator<Item = Written> {
    let folder = shown(workspace, &workspace.schema_dir());
    let ignore = Written { file: format!("{folder}/.npmignore"), text: NOT_IN_PACKAGES };
    let schema = move |(name, _, text): &(&str, _, &'static str)| Written {
        file: format!("{folder}/{name}.schema.json"),
        text,
    };
    SCHEMAS.iter().map(schema).chain([ignore])
}

fn made(writer: &Writer<'_>) -> &'static str {
    if writer.writes() { "wrote" } else { "would write" }
}

fn shown(workspace: &Workspace, path: &event::AbsPath) -> String {
    path.below(workspace.root()).map_or_else(|_| path.to_string(), |path| path.to_string())
}
