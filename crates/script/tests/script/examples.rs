//! What we ship for people to start from works.

use event::EventName;
use serde_json::{Value, json};

use crate::project::Project;

const NO_FORCE_PUSH: &str = include_str!("../../../../examples/modules/no-force-push/hook.mjs");

fn decision(project: &Project, event: &Value, config: &Value) -> Option<String> {
    let ctx = json!({
        "event": event, "config": config,
        "paths": {"repoRoot": "/repo", "sessionRoot": "/repo/.ai/tmp/a3f0c812"},
    });
    let action = project.ask(&ctx).unwrap().action;
    if let Some(reason) = action.get("denyReason").or(action.get("reason")) {
        assert!(reason.as_str().is_some_and(|reason| reason.len() > 20), "{reason}");
    }
    action.get("decision").and_then(Value::as_str).map(str::to_owned)
}

#[test]
fn no_force_push_judges_every_spelling() {
    let project = Project::new(NO_FORCE_PUSH);
    assert_eq!(project.load().unwrap().meta().supports, ["PreToolUse"]);
    for (command, expected) in [
        ("git push --force origin main", Some("deny")),
        ("git push -f origin feature/x:main", Some("deny")),
        ("git push origin +main", Some("deny")),
        ("git push origin +HEAD:refs/heads/release/1.2", Some("deny")),
        ("git -C sub -c user.name=x push -uf origin master", Some("deny")),
        ("cd a && git push --force-with-lease origin main", Some("deny")),
        ("git push --mirror backup", Some("deny")),
        ("git commit -m 'wip'; git push \"--force\" origin 'main'", Some("deny")),
        ("/usr/bin/git push --force origin main", Some("deny")),
        ("git push --force", Some("ask")),
        ("git push -f origin my-branch", Some("ask")),
        ("git push --force-with-lease", Some("ask")),
        ("git push --force-with-lease origin my-branch", None),
        ("git push origin main", None),
        ("git push -u origin my-branch", None),
        ("git log --oneline | grep push", None),
        ("echo 'git push --force origin main'", None),
        ("npm run push -- --force main", None),
        ("git stash push -f", None),
    ] {
        let found = decision(&project, &json!({"command": command}), &json!({}));
        assert_eq!(found.as_deref(), expected, "{command}");
    }
    let other = json!({"protected": ["trunk"]});
    assert_eq!(
        decision(&project, &json!({"command": "git push -f o trunk"}), &other).as_deref(),
        Some("deny")
    );
    assert_eq!(decision(&project, &json!({"command": "git push -f o main"}), &other).as_deref(), Some("ask"));
    assert_eq!(decision(&project, &json!({}), &json!({})), None);
}

#[test]
fn the_template_is_a_module_that_does_something() {
    let source = script::TEMPLATE.replace(script::TEMPLATE_NAME, "my-module");
    assert!(!source.contains("__"), "{source}");
    let project = Project::new(&source);
    let meta = project.load().unwrap().meta().clone();
    assert_eq!((meta.name.as_str(), meta.hot_path_safe), ("my-module", Some(true)));
    for (path, access, expected) in [
        ("/repo/.env", "write", Some("ask")),
        ("/repo/sub/Cargo.lock", "delete", Some("ask")),
        ("/repo/.env", "read", None),
        ("/repo/src/main.rs", "write", None),
    ] {
        let event = json!({"toolName": "Edit", "touches": [{"path": path, "access": access}]});
        assert_eq!(decision(&project, &event, &json!({})).as_deref(), expected, "{path} {access}");
    }
}

#[test]
fn the_types_name_every_event() {
    for name in EventName::ALL {
        assert!(script::TYPES.contains(&format!("| '{}'", name.as_str())), "{}", name.as_str());
    }
}
