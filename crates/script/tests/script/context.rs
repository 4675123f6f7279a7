//! The `ctx` a module is given.

use serde_json::json;

use crate::project::Project;

fn ask(body: &str) -> Result<serde_json::Value, String> {
    let ctx = json!({
        "ids": {"sessionId": "a3f0c812", "turnId": 14},
        "event": {"toolName": "Bash", "toolInput": {"command": "ls", "list": [{"a": 1}]}},
        "paths": {"repoRoot": "/repo", "sessionRoot": "/repo/.ai/tmp/a3f0c812"},
        "state": {"core": {"phase": "PLANNING"}},
        "config": null,
        "timers": {"startMs": 5, "budgetMs": 300},
    });
    Project::handling(body).ask(&ctx).map(|handled| handled.action).map_err(|error| error.to_string())
}

#[test]
fn data_is_there_as_it_was_given() {
    assert_eq!(
        ask(
            "return { ids: ctx.ids, event: ctx.event, phase: ctx.state.core.phase, config: ctx.config, ms: ctx.timers.budgetMs };"
        ),
        Ok(json!({
            "ids": {"sessionId": "a3f0c812", "turnId": 14},
            "event": {"toolName": "Bash", "toolInput": {"command": "ls", "list": [{"a": 1}]}},
            "phase": "PLANNING", "config": null, "ms": 300,
        }))
    );
}

#[test]
fn nothing_in_it_can_be_changed() {
    for change in [
        "ctx.state = 1",
        "ctx.state.core.phase = 'EXECUTING'",
        "ctx.state.core.extra = 1",
        "delete ctx.ids.sessionId",
        "ctx.event.toolInput.list.push(1)",
        "ctx.event.toolInput.list[0].a = 2",
        "ctx.log = null",
        "ctx.paths.featureRoot = null",
        "ctx.timers.elapsed = null",
    ] {
        let error = ask(&format!("{change}; return {{}};")).unwrap_err();
        assert!(error.starts_with("TypeError: "), "{change}: {error}");
    }
}

#[test]
fn paths_are_built_from_the_roots() {
    assert_eq!(
        ask("const p = ctx.paths; return { root: p.featureRoot('x'), logs: p.featureLogs('x'), out: p.featureOutput('x'),
             rel: p.relRef('/repo/.ai/tmp/a3f0c812/x/output/a.md'), repo: p.repoRelative('/repo/src/../lib/a.js'),
             outside: p.repoRelative('/etc/passwd'), already: p.repoRelative('src/a.js') };"),
        Ok(json!({
            "root": "/repo/.ai/tmp/a3f0c812/x", "logs": "/repo/.ai/tmp/a3f0c812/x/logs",
            "out": "/repo/.ai/tmp/a3f0c812/x/output",
            "rel": "x/output/a.md", "repo": "lib/a.js", "outside": "/etc/passwd", "already": "src/a.js",
        }))
    );
    for slug in ["..", ".", "", "a/b", "../x", "a\\\\b", "a\\0b"] {
        let error = ask(&format!("ctx.paths.featureRoot('{slug}');")).unwrap_err();
        assert!(error.starts_with("TypeError: featureRoot: invalid feature name"), "{slug}: {error}");
    }
}

#[test]
fn time_passes() {
    assert_eq!(
        ask("const a = ctx.timers.elapsed(); for (let i = 0; i < 1e5; i++); const b = ctx.timers.elapsed();
             return { ok: a >= 0 && b > a && b < 20000, now: performance.now() >= 0 && Date.now() > 1.7e12 };"),
        Ok(json!({"ok": true, "now": true}))
    );
}

#[test]
fn functions_are_there_even_if_the_data_is_not() {
    let body =
        "return { root: ctx.paths.featureRoot('x'), t: typeof ctx.timers.elapsed(), l: typeof ctx.log };";
    assert_eq!(Project::handling(body).outcome(), Ok(json!({"root": "x", "t": "number", "l": "function"})));
}

#[test]
fn a_key_named_like_a_prototype_is_just_a_key() {
    let ctx = json!({"event": {"__proto__": {"polluted": true}, "constructor": 1}});
    let body = "return { own: Object.keys(ctx.event), clean: ({}).polluted === undefined && ctx.event.polluted === undefined };";
    let handled = Project::handling(body).ask(&ctx).unwrap();
    assert_eq!(handled.action, json!({"own": ["__proto__", "constructor"], "clean": true}));
}

#[test]
fn a_large_event_does_not_use_up_the_module_s_memory() {
    let text = "ä".repeat(20 << 20);
    let handled =
        Project::handling("return { n: ctx.event.text.length };").ask(&json!({"event": {"text": text}}));
    assert_eq!(handled.unwrap().action, json!({"n": 20 << 20}));
}
