//! Every page, opened with recorded data: content, accessibility, dark mode, phone width, without scripts.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::scene::{Scene, until};

/// The most that a first load may weigh.
const FIRST_LOAD: u64 = 60_000;

/// Returns every page with a text that it shows.
fn pages(scene: &Scene) -> Vec<(String, &'static str)> {
    let (sid, run) = (scene.sid(), denied_run(scene));
    vec![
        (String::new(), "git push --force"),
        (format!("sessions/{sid}"), "cargo test --workspace"),
        (format!("sessions/{sid}?show=stopped"), "rm -rf ~/projects"),
        (format!("sessions/{sid}/runs/{run}"), "Answers of the modules"),
        (format!("sessions/{sid}/what-if"), "Judge again"),
        ("files".to_owned(), "src/cart.rs"),
        ("files/src/cart.rs?line=2".to_owned(), "Turn 1 of session"),
        ("asks".to_owned(), "No agent waits for your decision."),
        ("intents".to_owned(), "docs/**"),
        ("automations".to_owned(), "Greet"),
        ("agents".to_owned(), "Build the cart"),
        ("plan".to_owned(), "1 of 3 nodes complete"),
        ("health".to_owned(), "Saved prompts"),
    ]
}

/// Returns the id of the run that denied the deletion.
fn denied_run(scene: &Scene) -> String {
    let session: Value =
        serde_json::from_str(&scene.get(&format!("/api/v1/sessions/{}", scene.sid())).1).unwrap();
    let turns = session["turns"].as_array().unwrap();
    let mut entries = turns.iter().flat_map(|turn| turn["entries"].as_array().unwrap());
    let denied = entries.find(|it| it["decision"] == "deny").unwrap();
    denied["run"].as_str().unwrap().to_owned()
}

#[test]
fn every_page_is_accessible_in_light_and_dark_on_a_desk_and_a_phone() {
    let scene = Scene::serving();
    assert_eq!(
        scene.command(env!("CARGO_BIN_EXE_steersman")).args(["emit", "fail"]).status().unwrap().code(),
        Some(0)
    );
    until("a run failed", || scene.get("/api/v1/automations").1.contains("\"failed\""));
    let address = scene.address();
    let pictures = std::env::var_os("STEERSMAN_SCREENSHOTS");
    for (dark, width) in [(false, 1280), (true, 1280), (false, 390), (true, 390)] {
        let mut steps = Vec::new();
        for (n, (path, _)) in pages(&scene).iter().enumerate() {
            steps.extend([
                json!({"goto": format!("{address}{path}")}),
                json!({"axe": true}),
                json!({"overflow": true}),
                json!({"layout": true}),
            ]);
            if let Some(folder) = &pictures {
                let name = format!("{n}-{width}-{}.png", if dark { "dark" } else { "light" });
                fs::create_dir_all(folder).unwrap();
                steps.push(json!({"screenshot": Path::new(folder).join(name)}));
            }
        }
        let browsed = Scene::browse(&json!({"dark": dark, "width": width, "steps": steps}));
        assert_eq!(browsed.messages, json!([]), "no error on the console");
        let per_page = if pictures.is_some() { 5 } else { 4 };
        for ((path, text), found) in pages(&scene).iter().zip(browsed.found.chunks(per_page)) {
            assert_eq!(found[0]["status"], 200, "{path}");
            assert!(found[0]["text"].as_str().unwrap().contains(text), "{path}: {}", found[0]["text"]);
            assert_eq!(found[1]["violations"], json!([]), "{path}, dark: {dark}, width: {width}");
            assert!(
                found[2]["overflow"].as_i64().unwrap() <= 0,
                "{path} is wider than the screen of {width}"
            );
            assert_eq!(
                found[3],
                json!({"squeezed": [], "scrolled": []}),
                "{path}: tables fit the screen of {width}, and no name is broken"
            );
        }
    }
}

#[test]
fn without_scripts_every_page_shows_the_same_and_a_first_load_is_small() {
    let scene = Scene::serving();
    let address = scene.address();
    let steps: Vec<Value> =
        pages(&scene).iter().map(|(path, _)| json!({"goto": format!("{address}{path}")})).collect();
    let browsed = Scene::browse(&json!({"scripts": false, "steps": steps}));
    for ((path, text), found) in pages(&scene).iter().zip(&browsed.found) {
        assert!(found["text"].as_str().unwrap().contains(text), "{path}: {}", found["text"]);
    }
    let weighed = Scene::browse(&json!({"steps": [{"goto": address, "weigh": true}]}));
    let bytes = weighed.found[0]["bytes"].as_u64().unwrap();
    assert!((5_000..FIRST_LOAD).contains(&bytes), "{bytes} bytes");
    assert_eq!(weighed.found[0]["documents"], 1, "nothing changed, so the page is not loaded again");
}

#[test]
fn a_page_changes_while_it_is_shown() {
    let scene = Scene::serving();
    let address = scene.address();
    let script = scene.sandbox.elsewhere().join("later.sh");
    let payload = json!({"session_id": "5f0c0f6e-0000-4000-8000-000000000001", "cwd": scene.sandbox.root(),
        "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "echo a-later-call"}, "tool_use_id": "later"});
    fs::write(
        &script,
        format!("sleep 4; echo '{payload}' | steersman dispatch PreToolUse --host claude-code"),
    )
    .unwrap();
    let mut later = scene.command("sh").arg(&script).spawn().unwrap();
    let browsed =
        Scene::browse(&json!({"steps": [{"goto": address}, {"live": true}, {"until": "a-later-call"}]}));
    assert_eq!(browsed.messages, json!([]));
    assert!(later.wait().unwrap().success());
}

#[test]
fn each_page_changes_when_only_its_own_file_does() {
    let scene = Scene::serving();
    let page = |path: &str| json!({"goto": scene.address() + path});
    let append = |path: &str, text: String| json!({"after": [[scene.sandbox.path(path), text]]});
    let run = ".ai/tmp/agent-runs/20260102-030405-0a1b.jsonl";
    let ended = json!({"v": 1, "ts": 1_767_323_047_000_u64, "type": "RUN_ENDED", "result": "failed", "reason": "the model is gone"});
    let request = json!({"intent_id": "INT-001", "pattern": "later/**", "reason": "a later wish", "timestamp": "2026-01-02T03:04:06.000Z"});
    let agent = "---\nid: writer\nname: Writer\ndescription: Writes the guide\ntools: [edit]\n---\nWrite.\n";
    let browsed = Scene::browse(&json!({"steps": [
        page("intents"), {"live": true}, {"count": ["Intents", "2"]},
        append(".ai/tmp/scope-requests.jsonl", format!("{request}\n")),
        {"until": "a later wish"}, {"count": ["Intents", "3"]},
        page("agents"), {"live": true},
        append(run, format!("{ended}\n")),
        {"until": "the model is gone"},
        append(".github/agents/writer.agent.md", agent.to_owned()),
        {"until": "Writes the guide"},
        page("plan"), {"live": true},
        append("plan.json", "no plan any more".to_owned()),
        {"until": "steersman cannot read the plan."},
    ]}));
    assert_eq!(browsed.messages, json!([]));
}

#[test]
fn a_page_that_has_the_focus_in_a_field_still_changes_and_keeps_the_focus() {
    let scene = Scene::serving();
    let request = json!({"intent_id": "INT-001", "pattern": "later/**", "reason": "x", "timestamp": "2026-01-02T03:04:06.000Z"});
    let failed = scene.sandbox.path(".akira/hooks.json");
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": format!("{}automations", scene.address())},
        {"live": true},
        {"press": "/"},
        {"after": [[failed, "no JSON"]]},
        {"until": "hooks.json"},
        {"press": "Shift"},
        {"fill": "#search", "with": "typed"},
        {"after": [[scene.sandbox.path(".ai/tmp/scope-requests.jsonl"), format!("{request}\n")]]},
        {"press": "Shift"},
    ]}));
    assert_eq!(browsed.found[5]["focused"], "search");
    assert_eq!(browsed.found[8]["focused"], "search");
    assert_eq!(browsed.messages, json!([]));
}

#[test]
fn a_session_that_waits_says_with_which_call_its_turn_ended() {
    let scene = Scene::serving();
    scene.host_event("Stop", json!({"stop_hook_active": false}));
    let now: Value = serde_json::from_str(&scene.get("/api/v1/now").1).unwrap();
    assert_eq!(
        (&now["sessions"][0]["status"], &now["sessions"][0]["doing"]),
        (&json!("waiting"), &json!("The turn ended after Bash git push --force origin main"))
    );
}

#[test]
fn an_automation_shows_its_files_and_the_program_that_runs() {
    let mut scene = Scene::new();
    let command = json!({"type": "command", "command": ["true"]});
    let hooks = json!({"schemaVersion": 1, "hooks": [
        {"id": "format", "trigger": "onDidSaveTextDocument", "pattern": "src/**", "prompt": "x", "runner": command},
        {"id": "report", "trigger": "schedule", "every": "15m", "prompt": "x", "runner": {"type": "claude"}},
    ]});
    scene.sandbox.write(".akira/hooks.json", hooks.to_string());
    scene.sandbox.trust();
    scene.serve();
    until("the automations are listed", || scene.get("/api/v1/automations").1.contains("\"report\""));
    let found: Value = serde_json::from_str(&scene.get("/api/v1/automations").1).unwrap();
    testkit::schema::check("api-automations", &found);
    let of = |index: usize| {
        let row = &found["automations"][index];
        [row["trigger"].clone(), row["pattern"].clone(), row["action"].clone()]
    };
    assert_eq!(of(0), ["onDidSaveTextDocument", "src/**", "command"].map(Value::from));
    assert_eq!(of(1), ["schedule", "every 15m", "claude"].map(Value::from));
}

#[test]
fn a_person_runs_and_cancels_an_automation_with_the_keyboard_and_the_mouse() {
    let scene = Scene::serving();
    let address = scene.address();
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": format!("{address}automations")},
        {"goto": scene.link()},
        {"until": "Now"},
        {"press": "a"},
        {"click": "#run-greet"},
    ]}));
    assert_eq!(browsed.messages, json!([]));
    assert!(
        !browsed.found[0]["text"].as_str().unwrap().contains("\nRun\n"),
        "read-only before the link was opened"
    );
    assert!(browsed.found[3]["url"].as_str().unwrap().ends_with("/automations"), "{}", browsed.found[3]);
    until("the run succeeded", || scene.get("/api/v1/automations").1.contains("\"success\""));
}

#[test]
fn a_run_can_be_watched_and_canceled() {
    let scene = Scene::serving();
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": scene.link()},
        {"until": "Now"},
        {"goto": format!("{}automations", scene.address())},
        {"click": "#run-wait"},
        {"until": "running"},
        {"click": "table a[href^='/automations/runs/']"},
        {"until": "waiting"},
        {"click": "#cancel"},
        {"until": "canceled"},
    ]}));
    assert_eq!(browsed.messages, json!([]));
    until("the run was canceled", || scene.get("/api/v1/automations").1.contains("\"canceled\""));
}

#[test]
fn a_person_switches_an_automation_off_and_on() {
    let scene = Scene::serving();
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": scene.link()},
        {"until": "Now"},
        {"goto": format!("{}automations", scene.address())},
        {"until": "3 of 3 enabled"},
        {"click": "#switch-greet"},
        {"until": "2 of 3 enabled"},
        {"click": "#switch-greet"},
        {"until": "3 of 3 enabled"},
    ]}));
    assert_eq!(browsed.messages, json!([]));
    let automations = scene.get("/api/v1/automations").1;
    assert!(
        !automations.contains("changed since you trusted"),
        "the change of a person is trusted: {automations}"
    );
    // A file that does not parse is named, and what ran goes on.
    scene.sandbox.write(".akira/hooks.json", "{\"hooks\": [}");
    until("the problem is reported", || {
        let found: Value = serde_json::from_str(&scene.get("/api/v1/automations").1).unwrap();
        found["fileProblems"].as_array().unwrap().iter().any(|it| it.as_str().unwrap().contains("hooks.json"))
    });
}

#[test]
fn the_health_page_shows_the_doctors_findings() {
    let scene = Scene::serving();
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": format!("{}health", scene.address())},
        {"until": "fine, checked"},
        {"axe": true},
    ]}));
    assert_eq!((&browsed.found[2]["violations"], &browsed.messages), (&json!([]), &json!([])));
    let health: Value = serde_json::from_str(&scene.get("/api/v1/health").1).unwrap();
    testkit::schema::check("api-health", &health);
    assert!(health["doctor"]["checks"].as_array().unwrap().len() > 3, "{health}");
}

#[test]
fn a_person_answers_requests_for_a_wider_scope() {
    let scene = Scene::serving();
    let intents: Value = serde_json::from_str(&scene.get("/api/v1/intents").1).unwrap();
    let keys: Vec<&str> =
        intents["requests"].as_array().unwrap().iter().map(|it| it["request"].as_str().unwrap()).collect();
    let browsed = Scene::browse(&json!({"steps": [
        {"goto": scene.link()},
        {"until": "Now"},
        {"press": "i"},
        {"until": "the guide belongs to the cart"},
        {"click": format!("#accept-{}", keys[0])},
        {"until": "One agent asks"},
        {"click": format!("#decline-{}", keys[1])},
        {"until": "No agent asks"},
    ]}));
    assert_eq!(browsed.messages, json!([]));
    let file = fs::read_to_string(scene.sandbox.path(".orchestration/active_intents.yaml")).unwrap();
    assert!(file.contains("docs/**") && !file.contains("deploy/**"), "{file}");
}

#[test]
fn the_api_answers_by_its_schemas() {
    let scene = Scene::serving();
    let (sid, run) = (scene.sid(), denied_run(&scene));
    assert_eq!(
        scene.command(env!("CARGO_BIN_EXE_steersman")).args(["emit", "fail"]).status().unwrap().code(),
        Some(0)
    );
    until("a run failed", || scene.get("/api/v1/automations").1.contains("\"failed\""));
    let automations: Value = serde_json::from_str(&scene.get("/api/v1/automations").1).unwrap();
    let ended = automations["history"][0]["id"].as_str().unwrap().to_owned();
    for (path, schema) in [
        ("/api/v1/now".to_owned(), "api-now"),
        (format!("/api/v1/sessions/{sid}"), "api-session"),
        (format!("/api/v1/sessions/{sid}/runs/{run}"), "api-run"),
        (format!("/api/v1/sessions/{sid}/what-if"), "api-what-if"),
        ("/api/v1/files".to_owned(), "api-files"),
        ("/api/v1/files/src/cart.rs?line=2".to_owned(), "api-file"),
        ("/api/v1/asks".to_owned(), "api-asks"),
        ("/api/v1/intents".to_owned(), "api-intents"),
        ("/api/v1/agents".to_owned(), "api-agents"),
        ("/api/v1/plan".to_owned(), "api-plan"),
        ("/api/v1/automations".to_owned(), "api-automations"),
        (format!("/api/v1/automations/runs/{ended}"), "api-automation-run"),
        ("/api/v1/health".to_owned(), "api-health"),
    ] {
        let (status, body) = scene.get(&path);
        assert_eq!(status, 200, "{path}");
        testkit::schema::check(schema, &serde_json::from_str(&body).unwrap());
    }
    assert_eq!(scene.get("/api/v1/sessions/00000000").0, 404);
    assert_eq!(scene.get("/sessions/../../etc/passwd").0, 404);
    std::os::unix::fs::symlink("/etc/passwd", scene.sandbox.path("src/link")).unwrap();
    for path in [
        "files/../../etc/passwd",
        "files/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "files//etc/passwd",
        "files/src/link",
        "files/src",
    ] {
        assert_eq!(scene.get(&format!("/api/v1/{path}")).0, 404, "{path}");
    }
}

#[test]
fn the_page_of_agents_shows_which_tools_each_may_use() {
    let mut scene = Scene::new();
    let planner = "name: planner\nsystemPrompt: You plan.\ntools:\n  allowed: [Read, Bash]\n  blocked: [Write]\n  bashFilter:\n    allowedCommands: [ls, git]\n    blockedPatterns: ['git push']\ntransitions:\n  onSuccess: complete\n";
    scene.sandbox.write(".rawko/agents/planner.yaml", planner);
    scene.sandbox.write(
        ".claude/agents/free.md",
        "---\nname: free\ndescription: Does everything\nmodel: opus\n---\nWork.\n",
    );
    scene.sandbox.write(
        ".claude/agents/safe.md",
        "---\nname: safe\ndescription: Cannot write\ndisallowedTools: Write\n---\nWork.\n",
    );
    scene.serve();
    until("the server found the agents", || scene.get("/api/v1/agents").1.contains("local:planner"));
    let agents: Value = serde_json::from_str(&scene.get("/api/v1/agents").1).unwrap();
    testkit::schema::check("api-agents", &agents);
    let of = |id: &str| {
        agents["agents"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["id"] == format!("local:{id}"))
            .unwrap()
            .clone()
    };
    let lists = |allowed: Value, blocked: Value, commands: Value, patterns: Value| json!({"allowed": allowed, "blocked": blocked, "commands": commands, "blockedCommands": patterns});
    assert_eq!(
        of("planner")["tools"],
        lists(json!(["Read", "Bash"]), json!(["Write"]), json!(["ls", "git"]), json!(["git push"]))
    );
    assert_eq!(of("reviewer")["tools"]["allowed"], json!(["read", "search"]));
    let source = (&of("free")["source"], &of("free")["unavailable"]);
    assert_eq!(source.0, ".claude/agents/free.md");
    assert!(source.1.is_null() || source.1 == "its program is not installed; install it", "{}", source.1);
    assert_eq!(
        (&of("free")["tools"], &of("free")["model"]),
        (&json!({"blocked": [], "commands": [], "blockedCommands": []}), &json!("opus"))
    );
    let browsed =
        Scene::browse(&json!({"steps": [{"goto": format!("{}agents", scene.address())}, {"axe": true}]}));
    let text = browsed.found[0]["text"].as_str().unwrap();
    for shown in [
        "only Read, Bash",
        "never Write",
        "runs only ls, git",
        "never runs git push",
        "all others",
        "only read, search",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert_eq!(browsed.found[1]["violations"], json!([]));
}

#[test]
fn tabs_in_the_background_leave_the_connections_to_the_tab_in_front() {
    let scene = Scene::serving();
    // More than the six connections that a browser opens to one server.
    let browsed = Scene::browse(&json!({"steps": [{"tabs": 8, "url": scene.address()}]}));
    let mut states = vec!["paused"; 8];
    states[0] = "live";
    assert_eq!(browsed.found[0]["states"], json!(states), "only the tab in front is connected");
    assert_eq!(browsed.messages, json!([]));
}
