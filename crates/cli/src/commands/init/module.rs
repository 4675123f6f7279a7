//! A new module of the project's own.

use dispatch::modules;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstRootNode};
use jsonc_parser::errors::ParseError;
use script::{TEMPLATE, TEMPLATE_NAME, TYPES};
use store::ModuleName;

use super::defaults::MANIFEST;
use crate::change::{Change, Trouble, Writer};
use crate::output::{self, Snippet};

/// The type declarations, one copy for all modules.
pub(crate) const TYPES_FILE: &str = ".ai/hooks/lib/steersman.d.ts";

/// How the template names the declarations, and how a module in its own folder does.
const TYPES_IMPORTS: [&str; 2] = ["./steersman.d.ts", "../../lib/steersman.d.ts"];

/// Makes the module and enters it into the manifest, all or nothing; returns which.
pub(super) fn scaffold(name: &ModuleName, writer: &mut Writer<'_>) -> bool {
    match plan(name, writer) {
        Err(trouble) => {
            writer.fail(&trouble);
            false
        }
        Ok(changes) => {
            let [types, others @ ..] = &changes;
            let made = writer.apply_unseen(types) && others.iter().all(|change| writer.apply(change));
            if made {
                say(name, writer.writes());
            }
            made
        }
    }
}

fn plan(name: &ModuleName, writer: &Writer<'_>) -> Result<[Change; 3], Trouble> {
    if modules::ALL.iter().any(|module| module.profile().name == name.as_str()) {
        return Err(Trouble::Content {
            what: format!("`{name}` is the name of a built-in module"),
            place: None,
            hint: "choose another name".to_owned(),
        });
    }
    let workspace = writer.workspace;
    let script = Change::plan(workspace, &script_file(name), |before| match before {
        None => Ok(Some(script_text(name))),
        Some(_) => Err(Trouble::Content {
            what: format!("`{}` is there already", script_file(name)),
            place: None,
            hint: "choose another name, or edit that file".to_owned(),
        }),
    })?;
    let types = Change::plan(workspace, TYPES_FILE, |_| Ok(Some(TYPES.to_owned())))?.of_our_own();
    let manifest = workspace.manifest_file();
    let manifest = manifest.below(workspace.root()).map_or_else(|_| manifest.to_string(), |p| p.to_string());
    let entered = Change::plan(workspace, &manifest, |before| {
        let text = before.filter(|text| !text.trim().is_empty()).unwrap_or(MANIFEST);
        with_entry(text, name).map(Some).map_err(|misfit| misfit.trouble(&manifest, text))
    })?;
    Ok([types, script, entered])
}

/// Returns the manifest with the module in it; everything else stays as it was written.
fn with_entry(text: &str, name: &ModuleName) -> Result<String, Misfit> {
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(Misfit::Syntax)?;
    let modules = root.object_value_or_create().and_then(|it| it.object_value_or_create("modules"));
    let modules = modules.ok_or(Misfit::NoObject)?;
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

/// Why a module cannot be entered into a manifest.
#[derive(Debug)]
enum Misfit {
    /// It is not JSON.
    Syntax(ParseError),
    /// The file or its `modules` is no object.
    NoObject,
}

impl Misfit {
    fn trouble(self, file: &str, text: &str) -> Trouble {
        match self {
            Self::Syntax(error) => Trouble::edit(file, text, error.into()),
            Self::NoObject => {
                let at = text.find("\"modules\"").unwrap_or(0);
                let end = at + text[at..].find([':', '\n']).unwrap_or(0);
                Trouble::Content {
                    what: format!("`{file}` cannot be edited: no object to put a module into"),
                    place: Some(Snippet::of(file, text, at, end)),
                    hint: "`modules` is an object of modules by name; the file was left as it is".to_owned(),
                }
            }
        }
    }
}

fn script_file(name: &ModuleName) -> String {
    format!(".ai/hooks/features/{name}/hook.mjs")
}

fn script_text(name: &ModuleName) -> String {
    let [beside, shared] = TYPES_IMPORTS;
    TEMPLATE.replace(TEMPLATE_NAME, name.as_str()).replace(beside, shared)
}

fn say(name: &ModuleName, written: bool) {
    let made = if written { "made" } else { "would be made" };
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
        assert_eq!(with_entry(&once, &name).unwrap(), once, "twice is once");
    }

    #[test]
    fn an_entry_goes_into_the_manifest_and_the_rest_stays() {
        check(
            MANIFEST,
            &expect![[r#"
            {
              "$schema": "./schema/dispatch-manifest.schema.json",
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
