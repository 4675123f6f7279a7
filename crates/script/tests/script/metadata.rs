//! What a module says about itself, and what is not a module.

use script::{Meta, ScriptError};

use crate::project::Project;

fn meta(fields: &str) -> Result<Meta, String> {
    let source = format!("export default {{ {fields}, handle() {{}} }};");
    Project::new(&source).load().map(|script| script.meta().clone()).map_err(|error| error.to_string())
}

#[test]
fn everything_it_says_is_read() {
    assert_eq!(
        meta(
            "name: 'a', supports: new Set(['Stop', 'PreToolUse']), priority: -3, hotPathSafe: true, critical: false"
        ),
        Ok(Meta {
            name: "a".to_owned(),
            supports: vec!["Stop".to_owned(), "PreToolUse".to_owned()],
            priority: Some(-3),
            hot_path_safe: Some(true),
            critical: Some(false),
        })
    );
    assert_eq!(
        meta("name: 'a', supports: []"),
        Ok(Meta {
            name: "a".to_owned(),
            supports: vec![],
            priority: None,
            hot_path_safe: None,
            critical: None
        })
    );
}

#[test]
fn a_wrong_type_is_named_with_what_it_should_be() {
    let events = "property `supports` of the module must be a Set or an array of event names";
    for (fields, expected) in [
        ("supports: []", "property `name` of the module must be a string that is not empty"),
        ("name: '', supports: []", "property `name` of the module must be a string that is not empty"),
        ("name: 7, supports: []", "property `name` of the module must be a string that is not empty"),
        ("name: 'a'", events),
        ("name: 'a', supports: 'Stop'", events),
        ("name: 'a', supports: [1]", events),
        ("name: 'a', supports: { Stop: true }", events),
        (
            "name: 'a', supports: [], priority: '1'",
            "property `priority` of the module must be a whole number",
        ),
        (
            "name: 'a', supports: [], priority: 1.5",
            "property `priority` of the module must be a whole number",
        ),
        (
            "name: 'a', supports: [], priority: NaN",
            "property `priority` of the module must be a whole number",
        ),
        ("name: 'a', supports: [], critical: 1", "property `critical` of the module must be true or false"),
        (
            "name: 'a', supports: [], hotPathSafe: 'yes'",
            "property `hotPathSafe` of the module must be true or false",
        ),
    ] {
        assert_eq!(meta(fields), Err(expected.to_owned()), "{fields}");
    }
}

#[test]
fn what_is_not_a_module_says_what_it_lacks() {
    for (source, missing) in [
        ("", "it has no default export that is an object"),
        ("export const handle = () => ({});", "it has no default export that is an object"),
        ("export default 7;", "it has no default export that is an object"),
        ("export default { name: 'a', supports: [] };", "its default export has no function `handle`"),
        (
            "export default { name: 'a', supports: [], handle: 1 };",
            "its default export has no function `handle`",
        ),
    ] {
        match Project::new(source).load().map(|script| script.meta().clone()) {
            Err(ScriptError::NotAModule { file, missing: found }) => {
                assert_eq!((file.as_str(), found), ("features/probe/hook.mjs", missing), "{source}");
            }
            other => panic!("{source}: {other:?}"),
        }
    }
}

#[test]
fn a_module_that_is_missing_is_not_found() {
    let project = Project::new("");
    std::fs::remove_file(project.root.join(".ai/hooks/features/probe/hook.mjs")).unwrap();
    assert!(matches!(project.load().map(|_| ()), Err(ScriptError::NotFound { importer: None, .. })));
}

#[test]
fn a_module_may_be_a_class_instance_and_use_top_level_await() {
    let source = "const name = await Promise.resolve('late');
        class Module { name = name; supports = ['Stop']; handle() { return { n: this.name }; } }
        export default new Module();";
    let project = Project::new(source);
    assert_eq!(project.load().unwrap().meta().name, "late");
    assert_eq!(project.outcome(), Ok(serde_json::json!({"n": "late"})));
}
