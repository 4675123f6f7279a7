//! The initial files of a project: manifest and settings. Users edit them, so `init` never changes existing ones, except that
//! it adds the reference to a schema to a file that the user has not edited.

use std::borrow::Cow;

use anyhow::Context;
use store::Workspace;

use crate::change::{Change, ChangeError, Writer};
use crate::commands::Place;
use crate::output;

use super::schemas;

/// The initial manifest.
pub(super) const MANIFEST: &str = r#"{
  "version": 1,
  "modules": {}
}
"#;

/// The initial settings.
pub(super) const CONFIG: &str = r#"{
  "version": 1,
  "session": {
    "promptAudit": "firstLine"
  }
}
"#;

/// Initial settings of earlier builds, which `uninstall --purge` removes, too.
const EARLIER_CONFIGS: [&str; 1] = [
    "{\n  \"$schema\": \"./schema/config.schema.json\",\n  \"version\": 1,\n  \"session\": {\n    \"promptAudit\": \"hash\"\n  }\n}\n",
];

/// A file that `init` writes.
#[derive(Debug)]
pub(crate) struct Written {
    /// Relative to the workspace.
    pub(crate) file: String,
    /// Its initial content.
    pub(crate) text: Cow<'static, str>,
}

impl Written {
    /// Returns a file with this content.
    pub(crate) fn new(file: impl Into<String>, text: &'static str) -> Self {
        Self { file: file.into(), text: text.into() }
    }
}

/// Lists the files that `init` writes below `.ai/hooks/`, without modules, in each form that they have had.
pub(crate) fn written_files(workspace: &Workspace) -> Vec<Written> {
    let mut files = Vec::new();
    for (file, text, schema) in initial(workspace) {
        files.push(Written::new(file.clone(), text));
        files.push(Written { file, text: schemas::with_schema(text, schema).into() });
    }
    for text in EARLIER_CONFIGS {
        files.push(Written::new(shown(workspace, &workspace.config_file()), text));
    }
    files.extend(schemas::files(workspace));
    files
}

/// Lists manifest and settings with their text and the name of their schema.
fn initial(workspace: &Workspace) -> [(String, &'static str, &'static str); 2] {
    [
        (shown(workspace, &workspace.manifest_file()), MANIFEST, "dispatch-manifest"),
        (shown(workspace, &workspace.config_file()), CONFIG, "config"),
    ]
}

/// Writes missing files and reports them. Stops at the first failure, because the rest would fail for the
/// same reason.
pub(super) fn write(place: &Place, with_schemas: bool, writer: &mut Writer<'_>) {
    if let Err(error) = try_write(place, with_schemas, writer) {
        writer.fail(&error);
    }
}

fn try_write(place: &Place, with_schemas: bool, writer: &mut Writer<'_>) -> Result<(), ChangeError> {
    let workspace = &place.workspace;
    for (file, text, schema) in initial(workspace) {
        let referring = schemas::with_schema(text, schema);
        let initial = if with_schemas { referring.as_str() } else { text };
        let change = Change::plan(workspace, &file, |before| {
            // A file that the user has not edited takes the reference.
            let stays = |before: &&str| !(with_schemas && *before == text);
            Ok(Some(before.filter(stays).unwrap_or(initial).to_owned()))
        })?;
        let (is_new, is_news) = (change.is_new(), !change.is_nothing());
        if !writer.apply(&change) {
            return Ok(());
        }
        if is_new {
            output::note(&format!("✓ {}: {file}", made(writer)));
        } else if is_news {
            output::note(&format!(
                "✓ {file}: {} the schema",
                if writer.writes() { "names" } else { "would name" }
            ));
        }
    }
    if with_schemas {
        schemas::write(place, writer)?;
    }
    if writer.writes() {
        workspace.make_tmp_dir().with_context(|| format!("cannot create `{}`", workspace.tmp_dir()))?;
    }
    Ok(())
}

pub(super) fn made(writer: &Writer<'_>) -> &'static str {
    if writer.writes() { "wrote" } else { "would write" }
}

pub(super) fn shown(workspace: &Workspace, path: &event::AbsPath) -> String {
    path.below(workspace.root()).map_or_else(|_| path.to_string(), |path| path.to_string())
}
