//! An agent that moves its session into a new worktree and back.

use anyhow::Result;
use serde_json::json;

use super::{declare_intents, records, refused};
use crate::clients::client::Client;
use crate::clients::lab::{Lab, PROJECT, Session};
use crate::clients::model::Call;

/// The worktree that the program creates, relative to the project.
const WORKTREE: &str = ".claude/worktrees/part";

pub(super) fn not_applicable(client: &Client) -> Option<&'static str> {
    (client.host != "claude-code").then_some("has no tool that enters a worktree")
}

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--intents");
    declare_intents(lab);
    let selected = lab.user("steersman intent select INT-001");
    lab.check("the user selects a default intent", selected.succeeded, &selected.output);
    let (shell, write) = (lab.client.tools.shell, lab.client.tools.write);
    let deferred = |name: &str, arguments| Call { is_deferred: true, ..Call::new(name, arguments) };
    let own = |path: &str| format!("{PROJECT}/{WORKTREE}/{path}");
    let steps = vec![
        ("enter", deferred("EnterWorktree", json!({"name": "part"}))),
        ("write inside", write(&own("src/a.js"), "1\n")),
        ("command inside", shell("echo 1 > src/b.js")),
        ("write outside", write(&own("outside.txt"), "1\n")),
        ("command outside", shell("echo 1 > outside.txt")),
        ("leave", deferred("ExitWorktree", json!({"action": "keep"}))),
        ("afterwards", shell("echo 1 > src/c.js")),
    ];
    let run = lab.run(&Session::new(steps))?;
    for (step, file) in [
        ("write inside", format!("{WORKTREE}/src/a.js")),
        ("command inside", format!("{WORKTREE}/src/b.js")),
        ("afterwards", "src/c.js".to_owned()),
    ] {
        lab.check(&format!("`{step}` passes"), lab.exists(&file), run.result(step));
    }
    for step in ["write outside", "command outside"] {
        refused(lab, &run, step, "Scope Violation");
    }
    let outside = format!("{WORKTREE}/outside.txt");
    lab.check("nothing is written outside the scope", !lab.exists(&outside), &outside);
    let drifts = run.n_requests_with("drift") + run.n_requests_with("left the scope");
    lab.check("entering the worktree is no drift", drifts == 0, &format!("{drifts} requests report one"));
    let journals = lab.user("find . -name events.jsonl");
    lab.check("the session stays one", journals.output.lines().count() == 1, &journals.output);
    let n_stops = records(lab).iter().filter(|record| record["data"]["event"] == "Stop").count();
    lab.check("one turn ends", n_stops == 1, &format!("{n_stops} stops"));
    Ok(())
}
