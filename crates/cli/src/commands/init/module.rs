//! Creates a project module.

use config_file::NewerFormat;
use config_file::jsonc::{self, CstInputValue, ParseError};
use project_config::Manifest;
use script::{TEMPLATE, TEMPLATE_NAME, TYPES};
use store::{ModuleName, Workspace};

use super::defaults::{MANIFEST, Written, shown};
use super::schemas;
use crate::change::{Change, ChangeError, Writer};
use crate::output::{self, Snippet};

/// The type declarations, one copy for all modules.
const TYPES_FILE: &str = ".ai/hooks/lib/steersman.d.ts";

/// The path of the declarations in the template, and in a module in its own folder.
const TYPES_IMPORTS: [&str; 2] = ["./steersman.d.ts", "../../lib/steersman.d.ts"];

/// Creates the module and enters it into the manifest, both or neither; returns whether that succeeded.
pub(super) fn scaffold(name: &ModuleName, writer: &mut Writer<'_>) -> bool {
    match plan(name, writer) {
        Err(error) => {
            writer.fail(&error);
            false
        }
        Ok(changes) => {
            let [types, others @ ..] = &changes;
            let made = writer.apply_unseen(types) && others.iter().all(|change| writer.apply(change));
            if made {
                report(name, writer.writes());
            }
            made
        }
    }
}

fn plan(name: &ModuleName, writer: &Writer<'_>) -> Result<[Change; 3], ChangeError> {
    if modules::ALL.iter().any(|module| module.profile().name == name.as_str()) {
        return Err(ChangeError::Content {
            what: format!("`{name}` is the name of a built-in module"),
            place: None,
            hint: "choose another name".to_owned(),
        });
    }
    let workspace = writer.workspace;
    let script = Change::plan(workspace, &script_file(name), |before| match before {
        None => Ok(Some(script_text(name))),
        Some(_) => Err(ChangeError::Content {
            what: format!("`{}` already exists", script_file(name)),
            place: None,
            hint: "choose another name, or edit that file".to_owned(),
        }),
    })?;
    let types = Change::plan(workspace, TYPES_FILE, |_| Ok(Some(TYPES.to_owned())))?.generated();
    let manifest = workspace.manifest_file();
    let manifest = manifest.below(workspace.root()).map_or_else(|_| manifest.to_string(), |p| p.to_string());
    let entered = Change::plan(workspace, &manifest, |before| {
        let text = before.filter(|text| !text.trim().is_empty()).unwrap_or(MANIFEST);
        if let Some(format) = NewerFormat::of_json(text, Manifest::FORMAT.0) {
            return Err(ChangeError::newer(&manifest, format));
        }
        with_entry(text, name).map(Some).map_err(|misfit| misfit.error(&manifest, text))
    })?;
    Ok([types, script, entered])
}

/// Returns the manifest with the module added and everything else unchanged.
fn with_entry(text: &str, name: &ModuleName) -> Result<String, ManifestError> {
    let root = jsonc::parse_editable(text).map_err(ManifestError::Syntax)?;
    let modules = root.object_value_or_create().and_then(|it| it.object_value_or_create("modules"));
    let modules = modules.ok_or(ManifestError::NoObject)?;
    if modules.get(name.as_str()).is_none() {
        modules.ensure_multiline();
        let entry = [
            ("enabled".to_owned(), CstInputValue::Bool(true)),
            ("path".to_owned(), CstInputValue::String(format!("features/{name}/hook.mjs"))),
        ];
        modules.append(name.as_str(), CstInputValue::Object(entry.into()));
    }
    Ok(root.to_string())
}

/// Why a module cannot be added to a manifest.
#[derive(Debug)]
enum ManifestError {
    /// It is not JSON.
    Syntax(ParseError),
    /// The file or its `modules` is not an object.
    NoObject,
}

impl ManifestError {
    fn error(self, file: &str, text: &str) -> ChangeError {
        match self {
            Self::Syntax(error) => ChangeError::edit(file, text, error.into()),
            Self::NoObject => {
                let at = text.find("\"modules\"").unwrap_or(0);
                let end = at + text[at..].find([':', '\n']).unwrap_or(0);
                ChangeError::Content {
                    what: format!("cannot edit `{file}`: `modules` is not an object"),
                    place: Some(Snippet::of(file, text, at, end)),
                    hint: "make `modules` an object of modules by name; steersman did not change the file"
                        .to_owned(),
                }
            }
        }
    }
}

/// Lists the files of modules that the user has not edited: their scripts, the types, and the manifest with their entries.
pub(crate) fn module_files(workspace: &Workspace) -> Vec<Written> {
    let folder = workspace.hooks_dir().child("features");
    let entries = std::fs::read_dir(folder.as_path()).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<ModuleName> =
        entries.filter_map(|entry| ModuleName::new(entry.file_name().to_str()?)).collect();
    // The manifest stays as long as it declares a module that the user has edited.
    let is_initial = |name: &ModuleName| {
        std::fs::read_to_string(workspace.root().join(script_file(name)).as_path())
            .is_ok_and(|text| text == script_text(name))
    };
    names.retain(is_initial);
    names.sort_by(|one, other| one.as_str().cmp(other.as_str()));
    let mut files = vec![Written::new(TYPES_FILE, TYPES)];
    let script = |name: &ModuleName| Written { file: script_file(name), text: script_text(name).into() };
    files.extend(names.iter().map(script));
    let manifest = shown(workspace, &workspace.manifest_file());
    for text in [MANIFEST.to_owned(), schemas::with_schema(MANIFEST, "dispatch-manifest")] {
        for name in &names {
            let with_one = with_entry(&text, name).unwrap_or_default();
            files.push(Written { file: manifest.clone(), text: with_one.into() });
        }
        let with_all = names.iter().try_fold(text, |text, name| with_entry(&text, name));
        files.extend(with_all.ok().map(|text| Written { file: manifest.clone(), text: text.into() }));
    }
    files
}

fn script_file(name: &ModuleName) -> String {
    format!(".ai/hooks/features/{name}/hook.mjs")
}

fn script_text(name: &ModuleName) -> String {
    let [beside, shared] = TYPES_IMPORTS;
    TEMPLATE.replace(TEMPLATE_NAME, name.as_str()).replace(beside, shared)
}

fn report(name: &ModuleName, written: bool) {
    let made = if written { "created" } else { "would be created" };
    output::note(&format!("✓ module `{name}` {made}: {}", script_file(name)));
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(manifest: &str, expected: &Expect) {
        let name = ModuleName::new("guard").unwrap();
        let once = with_entry(manifest, &name).unwrap();
        expected.assert_eq(&once);
        assert_eq!(with_entry(&once, &name).unwrap(), once, "adding it again changes nothing");
    }

    #[test]
    fn an_entry_goes_into_the_manifest_and_the_rest_stays() {
        check(
            MANIFEST,
            &expect![[r#"
            {
              "version": 1,
              "modules": {
                "guard": {
                  "enabled": true,
                  "path": "features/guard/hook.mjs"
                }
              }
            }
        "#]],
        );
        check(
            "{\n    \"onFault\": \"deny\"\n}",
            &expect![[r#"
            {
                "onFault": "deny",
                "modules": {
                    "guard": {
                        "enabled": true,
                        "path": "features/guard/hook.mjs"
                    }
                }
            }"#]],
        );
        check(
            "{\n    \"modules\": {\n        \"other\": { \"enabled\": false }\n    },\n    \"stampInput\": true\n}\n",
            &expect![[r#"
                {
                    "modules": {
                        "other": { "enabled": false },
                        "guard": {
                            "enabled": true,
                            "path": "features/guard/hook.mjs"
                        }
                    },
                    "stampInput": true
                }
            "#]],
        );
    }

    #[test]
    fn the_template_names_its_types_where_they_are() {
        let text = script_text(&ModuleName::new("guard").unwrap());
        assert!(text.contains("import('../../lib/steersman.d.ts')"), "{text}");
        assert!(!text.contains(TEMPLATE_NAME), "{text}");
    }
}
