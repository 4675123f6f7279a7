//! `steersman init --module`

use expect_test::expect;

use crate::project::Project;

const WRITES_A_LOCK_FILE: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write",
    "tool_use_id":"1","tool_input":{"file_path":"Cargo.lock","content":"x"},"cwd":"."}"#;

#[test]
fn a_new_module_is_listed_and_runs_once_it_is_trusted() {
    let project = Project::new();
    let said = project.run(&["init", "--module", "guard"]);
    expect![[r#"
        ✓ module `guard` created: .ai/hooks/features/guard/hook.mjs
        ✓ wrote: .ai/hooks/config.json
        hint: edit the module, then run `steersman trust`: steersman runs scripts only in the form you last trusted
        exit 0
    "#]]
    .assert_eq(&said.all());
    expect![[r#"
        {
          "version": 1,
          "modules": {
            "guard": {
              "enabled": true,
              "path": "features/guard/hook.mjs"
            }
          }
        }
    "#]]
    .assert_eq(&project.read(".ai/hooks/dispatch.manifest.json"));
    assert!(project.path(".ai/hooks/lib/steersman.d.ts").exists());
    assert!(!project.path(".claude").exists(), "no agent program was asked for");

    let skipped = project.dispatch(WRITES_A_LOCK_FILE);
    assert!(skipped.contains("not trusted"), "{skipped}");
    assert_eq!(project.run(&["trust"]).exit, 0);
    let asked = project.dispatch(&WRITES_A_LOCK_FILE.replace("\"1\"", "\"2\""));
    assert!(asked.contains("guard guards Cargo.lock"), "{asked}");
    let said = project.run(&["doctor"]);
    assert!(said.stdout.contains("✓ `guard` loads and handles PreToolUse"), "{}", said.stdout);
}

#[test]
fn an_existing_module_is_not_overwritten() {
    let project = Project::new();
    project.write(".ai/hooks/features/guard/hook.mjs", "// mine\n");
    let said = project.run(&["init", "--module", "guard"]);
    assert_eq!((said.exit, project.read(".ai/hooks/features/guard/hook.mjs").as_str()), (1, "// mine\n"));
}

#[test]
fn the_name_of_a_built_in_module_is_taken() {
    assert_eq!(Project::new().run(&["init", "--module", "session"]).exit, 1);
}

#[test]
fn a_broken_manifest_is_shown_and_no_module_is_made() {
    let project = Project::new();
    project.write(".ai/hooks/dispatch.manifest.json", "{\n  \"modules\": [],\n}\n");
    let said = project.run(&["init", "--module", "guard"]);
    assert!(!project.path(".ai/hooks/features").exists());
    assert_eq!(project.read(".ai/hooks/dispatch.manifest.json"), "{\n  \"modules\": [],\n}\n");
    let problem: Vec<&str> = said.stderr.lines().filter(|line| !line.starts_with('✓')).collect();
    expect![[r#"
        error: cannot edit `.ai/hooks/dispatch.manifest.json`: `modules` is not an object
          --> .ai/hooks/dispatch.manifest.json:2:3
           |
         2 |   "modules": [],
           |   ^^^^^^^^^
        hint: make `modules` an object of modules by name; steersman did not change the file"#]]
    .assert_eq(&problem.join("\n"));
}
