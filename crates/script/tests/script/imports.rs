//! What a module may import, and from where.

use script::ScriptError;
use serde_json::json;

use crate::project::Project;

const IMPORTS: &str = "import { value } from '../../lib/value.mjs';
export default { name: 'p', supports: [], handle: () => ({ value }) };";

fn fault(source: &str) -> ScriptError {
    Project::new(source).ask(&json!({})).expect_err(source)
}

#[test]
fn relative_imports_within_the_hooks_folder_work() {
    let project = Project::new(IMPORTS);
    project.write(".ai/hooks/lib/value.mjs", "import { n } from './deep/n.js'; import data from './data.json' with { type: 'json' }; export const value = [n, data];");
    project.write(".ai/hooks/lib/deep/n.js", "export const n = 7;");
    project.write(".ai/hooks/lib/data.json", r#"{"__proto__": 1, "list": [true]}"#);
    assert_eq!(project.outcome(), Ok(json!({"value": [7, {"__proto__": 1, "list": [true]}]})));
}

#[test]
fn a_module_can_be_imported_later() {
    let project = Project::handling(
        "const { n } = await import('./n.mjs'); const again = await import('./n.mjs'); return { n, same: again.n === n };",
    );
    project.write(".ai/hooks/features/probe/n.mjs", "export const n = await Promise.resolve({ a: 1 });");
    assert_eq!(project.outcome(), Ok(json!({"n": {"a": 1}, "same": true})));
}

#[test]
fn modules_may_import_each_other_in_a_circle() {
    let project = Project::new(
        "import { odd } from './a.mjs'; export default { name: 'p', supports: [], handle: () => ({ odd: odd(7) }) };",
    );
    project.write(
        ".ai/hooks/features/probe/a.mjs",
        "import { even } from './b.mjs'; export const odd = (n) => n !== 0 && even(n - 1);",
    );
    project.write(
        ".ai/hooks/features/probe/b.mjs",
        "import { odd } from './a.mjs'; export const even = (n) => n === 0 || odd(n - 1);",
    );
    assert_eq!(project.outcome(), Ok(json!({"odd": true})));
}

#[test]
fn an_import_cannot_leave_the_hooks_folder() {
    let project = Project::new("");
    project.write("outside.mjs", "export const value = 'stolen';");
    std::os::unix::fs::symlink(project.root.join("outside.mjs"), project.root.join(".ai/hooks/link.mjs"))
        .unwrap();
    std::os::unix::fs::symlink(&project.root, project.root.join(".ai/hooks/folder")).unwrap();
    let absolute = project.root.join("outside.mjs");
    for specifier in [
        "../../../../outside.mjs",
        "../../../../no-such-file.mjs",
        "../../../../../../../../../../etc/passwd",
        "../../link.mjs",
        "../../folder/outside.mjs",
        absolute.to_str().unwrap(),
        &format!("file://{}", absolute.display()),
        "/etc/passwd",
    ] {
        project.write(
            ".ai/hooks/features/probe/hook.mjs",
            &format!("import {{ value }} from '{specifier}'; export default {{}};"),
        );
        match project.load().map(|_| ()) {
            Err(ScriptError::OutsideRoot { specifier: found, importer }) => {
                assert_eq!(found, specifier);
                assert_eq!(importer.as_deref(), Some("features/probe/hook.mjs"));
            }
            other => panic!("{specifier}: {other:?}"),
        }
    }
}

#[test]
fn the_module_itself_cannot_be_outside_either() {
    let project = Project::new("");
    project.write("outside.mjs", "export default {};");
    let hook = project.root.join(".ai/hooks/features/probe/hook.mjs");
    std::fs::remove_file(&hook).unwrap();
    std::os::unix::fs::symlink(project.root.join("outside.mjs"), &hook).unwrap();
    assert!(matches!(project.load().map(|_| ()), Err(ScriptError::OutsideRoot { importer: None, .. })));
}

#[test]
fn what_is_missing_or_unknown_is_named() {
    assert_eq!(
        fault("import './gone.mjs';").to_string(),
        "module `features/probe/gone.mjs` does not exist (imported by `features/probe/hook.mjs`)"
    );
    assert_eq!(
        fault("import 'lodash';").to_string(),
        "module `lodash` is not available here (imported by `features/probe/hook.mjs`); import a relative path or one \
         of node:buffer, node:crypto, node:fs, node:fs/promises, node:path, node:process, node:timers/promises, node:url"
    );
    for name in [
        "node:child_process",
        "node:net",
        "http",
        "node:vm",
        "node:module",
        "",
        "steersman:native",
        "https://x.y/z.mjs",
    ] {
        match fault(&format!("import '{name}';")) {
            ScriptError::UnknownImport { specifier, .. } => assert_eq!(specifier, name),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_failed_import_that_was_caught_is_no_failure() {
    let body = "try { await import('node:net'); } catch (e) { return { message: e.message.slice(0, 17) }; }";
    assert_eq!(Project::handling(body).outcome(), Ok(json!({"message": "module `node:net`"})));
    let later = "try { await import('node:net'); } catch {} throw new Error('another');";
    assert_eq!(Project::handling(later).outcome(), Err("Error: another".to_owned()));
}

#[test]
fn a_syntax_error_has_file_line_and_column() {
    for (source, line, column) in [
        ("export default {", 1, 17),
        ("\n\n  let let = 1;", 3, 7),
        ("const a = 1;\nconst b = ;\n", 2, 11),
        ("export default { handle() { return await 1; } };", 1, 36),
    ] {
        match fault(source) {
            ScriptError::Syntax { file, line: found_line, column: found_column, message } => {
                assert_eq!(file, "features/probe/hook.mjs");
                assert_eq!((found_line, found_column), (line, column), "{source}: {message}");
                assert!(!message.is_empty());
            }
            other => panic!("{source}: {other:?}"),
        }
    }
}

#[test]
fn a_syntax_error_in_an_import_names_that_file() {
    let project = Project::new(IMPORTS);
    project.write(".ai/hooks/lib/value.mjs", "export const value = 1;\nexport const = 2;");
    match project.ask(&json!({})) {
        Err(ScriptError::Syntax { file, line, .. }) => {
            assert_eq!((file.as_str(), line), ("lib/value.mjs", 2));
        }
        other => panic!("{other:?}"),
    }
    project.write(".ai/hooks/lib/value.mjs", "import data from './data.json'; export const value = data;");
    project.write(".ai/hooks/lib/data.json", "{\n  \"a\": x }");
    match project.ask(&json!({})) {
        Err(ScriptError::Syntax { file, line, .. }) => {
            assert_eq!((file.as_str(), line), ("lib/data.json", 2));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_export_that_is_missing_is_named() {
    let project = Project::new(IMPORTS);
    project.write(".ai/hooks/lib/value.mjs", "export const other = 1;");
    let error = project.outcome().unwrap_err();
    assert!(error.contains("value") && error.contains("lib/value.mjs"), "{error}");
}

#[test]
fn a_stack_goes_through_imports() {
    let project = Project::new(
        "import { f } from '../../lib/f.mjs'; export default { name: 'p', supports: [], handle: () => f() };",
    );
    project.write(".ai/hooks/lib/f.mjs", "export const f = () => {\n  throw new Error('deep');\n};");
    match project.ask(&json!({})) {
        Err(ScriptError::Threw { stack, .. }) => {
            assert!(stack.starts_with("at f (lib/f.mjs:2:"), "{stack}");
            assert!(stack.contains("at handle (features/probe/hook.mjs:1:"), "{stack}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn imports_are_counted() {
    let mut project =
        Project::new("import './a.mjs'; export default { name: 'p', supports: [], handle() {} };");
    project.write(".ai/hooks/features/probe/a.mjs", "import './b.mjs';");
    project.write(".ai/hooks/features/probe/b.mjs", "");
    project.limits.imports = 2;
    assert_eq!(project.outcome(), Ok(json!({})));
    project.limits.imports = 1;
    assert_eq!(project.outcome(), Err("the number of imported files exceeds 1".to_owned()));
}

#[test]
fn what_is_not_text_is_not_a_module() {
    let project = Project::new("");
    let hook = project.root.join(".ai/hooks/features/probe/hook.mjs");
    std::fs::write(&hook, [0xff, 0xfe]).unwrap();
    assert!(matches!(project.load().map(|_| ()), Err(ScriptError::Unreadable { .. })));
    std::fs::write(&hook, "\u{feff}export default { name: 'p', supports: [], handle() {} };").unwrap();
    assert_eq!(project.outcome(), Ok(json!({})));
    std::fs::write(&hook, "#!/usr/bin/env node\nexport default { name: 'p', supports: [], handle() {} };")
        .unwrap();
    assert_eq!(project.outcome(), Ok(json!({})));
    std::fs::write(&hook, "export default {};\0garbage").unwrap();
    assert!(project.load().is_err());
}

#[test]
fn a_module_knows_where_it_is() {
    let project = Project::new(
        "import { fileURLToPath } from 'node:url'; import path from 'path';
         const here = path.dirname(fileURLToPath(import.meta.url));
         export default { name: 'p', supports: [], handle: () => ({ same: here === import.meta.dirname, file: path.basename(import.meta.filename) }) };",
    );
    assert_eq!(project.outcome(), Ok(json!({"same": true, "file": "hook.mjs"})));
}

#[test]
fn what_was_swapped_after_the_scripts_were_judged_does_not_run() {
    let project = Project::handling(
        "const { word } = await import('./part.mjs'); return { state: { word, own: 'trusted' } };",
    );
    project.write(".ai/hooks/features/probe/part.mjs", "export const word = 'trusted';");
    let judged = project.trusted();
    let hook = ".ai/hooks/features/probe/hook.mjs";
    project.write(".ai/hooks/features/probe/part.swap", "export const word = 'swapped';");
    let part = project.root.join(".ai/hooks/features/probe/part.mjs");
    std::fs::rename(project.root.join(".ai/hooks/features/probe/part.swap"), part).unwrap();
    project.write(hook, "export default { name: 'probe', supports: ['PreToolUse'], handle() { return { state: { own: 'swapped' } }; } };");
    let handled = project.load_trusted(judged).unwrap().handle("PreToolUse", &serde_json::json!({})).unwrap();
    assert_eq!(handled.action, serde_json::json!({"state": {"word": "trusted", "own": "trusted"}}));
}

#[test]
fn a_file_that_appeared_after_the_scripts_were_judged_is_not_imported() {
    let project = Project::handling("await import('./late.mjs'); return {};");
    let judged = project.trusted();
    project.write(".ai/hooks/features/probe/late.mjs", "export default 1;");
    let told = project.load_trusted(judged).unwrap().handle("PreToolUse", &serde_json::json!({}));
    assert!(told.unwrap_err().to_string().contains("is not a trusted script"));
}
