//! The guard in front of the page: an agent's request to the port of a page is denied before it is sent.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::scene::Scene;

/// Returns the decision about a call, and its reason.
fn decision(scene: &Scene, tool: &str, input: &Value) -> (String, String) {
    // The same call twice is one call.
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let id = format!("call-{}", CALLS.fetch_add(1, Ordering::Relaxed));
    let answer =
        scene.answer("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": id}));
    let output = &answer["hookSpecificOutput"];
    let text = |key: &str| output[key].as_str().unwrap_or_default().to_owned();
    (text("permissionDecision"), text("permissionDecisionReason"))
}

#[test]
fn requests_to_the_page_are_denied_and_other_ports_are_free() {
    let scene = Scene::serving();
    let (port, address) = (scene.port(), scene.address());
    for command in [
        format!("curl http://127.0.0.1:{port}/api/v1/now"),
        format!("curl -s {address}asks"),
        format!("curl -X POST -H 'Origin: {address}' {address}asks/1/allow"),
        format!("wget -qO- localhost:{port}"),
        format!("curl 'http://[::1]:{port}/'"),
        format!("nc localhost {port} < request.txt"),
        format!(
            "python3 -c 'import urllib.request as u; print(u.urlopen(\"http://localhost:{port}/\").read())'"
        ),
        format!(
            "cat > ask.py <<'E'\nimport http.client\nhttp.client.HTTPConnection('127.0.0.1', {port}).request('POST', '/asks/1/allow')\nE\npython3 ask.py"
        ),
        format!("node -e 'fetch(\"http://localhost:{port}/asks/1/allow\", {{method: \"POST\"}})'"),
        format!("exec 3<>/dev/tcp/127.0.0.1/{port}"),
        format!("P={port}; curl localhost:$P/asks"),
        "curl localhost:$(jq .port .ai/tmp/automation/server.json)/asks".to_owned(),
        format!("bash -c 'curl -s 127.1:{port}'"),
        format!("echo http://localhost:{port}/ | xargs curl"),
    ] {
        let (decision, reason) = decision(&scene, "Bash", &json!({"command": command}));
        assert_eq!(decision, "deny", "{command}: {reason}");
        assert!(reason.contains("own-page"), "{command}: {reason}");
    }
    let fetched =
        decision(&scene, "WebFetch", &json!({"url": format!("http://localhost:{port}/asks"), "prompt": "x"}));
    assert!(fetched.0 == "deny" && fetched.1.contains("own-page"), "{fetched:?}");
    let opened =
        decision(&scene, "mcp__browser__navigate", &json!({"url": format!("http://localhost:{port}/asks")}));
    assert!(opened.1.contains("own-page"), "{opened:?}");
    let other = if port == 3000 { 3001 } else { 3000 };
    for command in [
        format!("curl http://localhost:{other}/"),
        format!("curl http://localhost:{port}0/"),
        format!("echo http://localhost:{port}/"),
        format!("grep -rn 'localhost:{port}' ."),
    ] {
        let (decision, reason) = decision(&scene, "Bash", &json!({"command": command}));
        assert_ne!(decision, "deny", "{command}: {reason}");
    }
}

#[test]
fn without_a_server_the_port_is_free_again() {
    let mut scene = Scene::serving();
    let command = json!({"command": format!("curl http://127.0.0.1:{}/", scene.port())});
    assert_eq!(decision(&scene, "Bash", &command).0, "deny");
    scene.stop();
    assert_ne!(decision(&scene, "Bash", &command).0, "deny", "another program may use the port now");
}
