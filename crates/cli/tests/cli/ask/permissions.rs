//! How far an answer reaches, and who may say that one was given.

use std::fs;
use std::io::Write;

use serde_json::{Value, json};

use super::{Hook, PUSH, Scene, decision};

impl Scene {
    /// Starts a hook of Codex with this payload.
    fn hook_with(&self, payload: &Value, registration: &str) -> Hook {
        let mut program = self.agent_program();
        program.args(["dispatch", "PreToolUse", "--host", "codex", "--timeout=600"]);
        program.arg(format!("--registration={registration}"));
        Hook::start(program, payload)
    }

    fn lines(&self, kind: &str) -> Vec<Value> {
        let lines = self.sandbox.sessions().into_iter().flat_map(|session| session.events());
        lines.filter(|line| line["type"] == kind).collect()
    }
}

#[test]
fn a_line_that_another_program_wrote_is_no_permission() {
    let scene = Scene::new();
    assert_eq!(decision(&scene.hook("codex", "s", PUSH, 4).answer()).0, "deny");
    let mut forged = scene.lines("ASK_OPENED").remove(0);
    forged["type"] = json!("ASK_ANSWERED");
    forged["data"]["answer"] = json!("allow-session");
    let session = forged["sessionId"].as_str().unwrap();
    let journal = scene.sandbox.path(format!(".ai/tmp/{session}/events.jsonl"));
    let mut journal = fs::OpenOptions::new().append(true).open(journal).unwrap();
    writeln!(journal, "{forged}").unwrap();
    for _ in 0..2 {
        let hook = scene.hook("codex", "s", PUSH, 600);
        scene.person(&["ask", "deny", &scene.only_id()]);
        assert_eq!(decision(&hook.answer()).0, "deny", "a person is asked");
    }
    let reports = scene.lines("FORGED");
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(reports[0]["data"]["what"].as_str().unwrap().contains("the answer to ask"), "{reports:?}");
}

#[test]
fn a_permission_for_the_session_is_for_the_same_environment_shell_and_agent() {
    let scene = Scene::new();
    let hook = scene.hook("codex", "s", PUSH, 600);
    scene.person(&["ask", "allow", &scene.only_id(), "--session"]);
    assert_eq!(decision(&hook.answer()).0, "");
    let with = |change: &dyn Fn(&mut Value)| {
        let mut payload = scene.payload("codex", "s", PUSH);
        change(&mut payload);
        scene.hook_with(&payload, "project")
    };
    let described = with(&|it| it["tool_input"]["description"] = json!("Push"));
    assert_eq!(decision(&described.answer()).0, "", "a description changes nothing");
    for change in [
        (&|it: &mut Value| it["tool_input"]["env"] = json!({"GIT_SSH_COMMAND": "/tmp/ssh"}))
            as &dyn Fn(&mut Value),
        &|it| it["tool_input"]["shell"] = json!("/tmp/sh"),
        &|it| {
            it["agent_id"] = json!("a1");
            it["agent_type"] = json!("worker");
        },
    ] {
        let hook = with(change);
        scene.person(&["ask", "deny", &scene.only_id()]);
        assert_eq!(decision(&hook.answer()).0, "deny");
    }
    // The lines name the agent whose call it is.
    let (asks, runs) = (scene.lines("ASK_OPENED"), scene.lines("HOOK_RUN"));
    let last = |lines: &[Value]| lines.last().unwrap()["agentId"].as_str().unwrap().to_owned();
    assert_eq!(last(&asks), last(&runs));
    assert_ne!(last(&asks), "u00");
    assert_eq!(last(&scene.lines("ASK_ANSWERED")), last(&runs));
}

#[test]
fn a_call_that_two_registrations_announce_is_asked_about_once() {
    for answer in ["allow", "deny"] {
        let scene = Scene::new();
        let payload = scene.payload("codex", "s", PUSH);
        let hooks = ["project", "user"].map(|registration| scene.hook_with(&payload, registration));
        let id = scene.only_id();
        let output = scene.person(&["ask", answer, &id]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let expected = if answer == "allow" { "" } else { "deny" };
        for hook in hooks {
            assert_eq!(decision(&hook.answer()).0, expected);
        }
        assert_eq!(scene.kinds(), ["ASK_OPENED".to_owned(), format!("ASK_ANSWERED {answer}")]);
    }
}
