//! Intents: a write needs one, stays inside its scope, and each session selects its own.

use anyhow::Result;
use serde_json::json;

use super::{declare_intents, load_steersman, records, refused, select};
use crate::clients::lab::{Lab, PROJECT, Session};

const INTENTS: &str = ".orchestration/active_intents.yaml";

/// Writes a file whose name no reader of the command can see.
const HIDDEN_WRITE: &str =
    "n = ''.join(chr(c) for c in (100, 114, 105, 102, 116))\nopen(n + '.txt', 'w').write('x')\n";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.write("hidden_write.py", HIDDEN_WRITE)?;
    lab.init("--intents");
    declare_intents(lab);
    first_session(lab)?;
    second_session(lab)
}

fn first_session(lab: &mut Lab) -> Result<()> {
    let (client, tools) = (lab.client, &lab.client.tools);
    let own = |path: &str| format!("{PROJECT}/{path}");
    let mut steps = load_steersman(client);
    steps.extend([
        ("write without intent", (tools.write)(&own("src/early.js"), "1\n")),
        ("list", (tools.steersman)("list_intents", json!({}))),
        ("select", select(client, "INT-001")),
        ("same write again", (tools.write)(&own("src/early.js"), "1\n")),
        ("write inside", (tools.write)(&own("src/new.js"), "export const a = 1;\n")),
        ("read inside", (tools.read)(&own("src/cart.js"))),
        (
            "edit inside",
            (tools.edit)(&own("src/cart.js"), "export const total = 1;", "export const total = 2;"),
        ),
        ("write outside", (tools.write)(&own("outside.txt"), "x\n")),
        ("command outside", (tools.shell)("echo x > outside.txt")),
        ("delete home", (tools.shell)("rm -rf ~/")),
        ("script outside", (tools.shell)("sh build.sh")),
        ("hidden write", (tools.shell)("python3 hidden_write.py")),
        ("edit the intents", (tools.shell)(&format!("sed -i 's#src/#**/#' {INTENTS}"))),
        ("expand alone", (tools.shell)("steersman intent expand INT-001 package.json")),
        ("current", (tools.steersman)("current_intent", json!({}))),
        (
            "request",
            (tools.steersman)(
                "request_scope_expansion",
                json!({"pattern": "package.json", "reason": "version"}),
            ),
        ),
    ]);
    let before = lab.read(INTENTS);
    let run = lab.run(&Session::new(steps))?;
    refused(lab, &run, "write without intent", "No active intent");
    // The same call has another answer once an intent is selected, and its own record.
    lab.check("the same write passes afterwards", lab.exists("src/early.js"), run.result("same write again"));
    let decisions = decisions_about(lab, "src/early.js");
    lab.check(
        "the refused write and the repeated one are recorded each",
        decisions == ["deny", "abstain"],
        &decisions.join(", "),
    );
    for step in ["list", "select", "current"] {
        let answers = run.result(step).contains("INT-001");
        lab.check(&format!("the MCP server answers `{step}`"), answers, run.result(step));
    }
    let inside = lab.read("src/new.js").as_deref() == Some("export const a = 1;\n");
    lab.check("a write inside the scope passes", inside, run.result("write inside"));
    let edited = lab.read("src/cart.js").as_deref() == Some("export const total = 2;\n");
    lab.check("an edit inside the scope passes", edited, run.result("edit inside"));
    refused(lab, &run, "write outside", "Scope Violation");
    refused(lab, &run, "command outside", "Scope Violation");
    refused(lab, &run, "delete home", "home folder");
    lab.check("no file outside the scope is written", !lab.exists("outside.txt"), "outside.txt exists");
    lab.check("a script's write is refused", !lab.exists("out.txt"), run.result("script outside"));
    let reported = run.n_requests_with("drift.txt") > 0;
    lab.check("the model reads that a hidden write left the scope", reported, run.result("hidden write"));
    let after = lab.read(INTENTS).map(|text| scopes(&text));
    lab.check("the agent does not change the scopes", after == before.map(|text| scopes(&text)), INTENTS);
    let waiting = lab.user("steersman intent expand");
    lab.check("the user sees the request", waiting.output.contains("package.json"), &waiting.output);
    Ok(())
}

/// A new session starts without an intent and may select another one.
fn second_session(lab: &mut Lab) -> Result<()> {
    let (client, tools) = (lab.client, &lab.client.tools);
    let mut steps = load_steersman(client);
    steps.extend([
        ("write without intent", (tools.write)(&format!("{PROJECT}/src/second.js"), "1\n")),
        ("select", select(client, "INT-002")),
        ("write to the other's scope", (tools.write)(&format!("{PROJECT}/src/second.js"), "1\n")),
        ("write inside", (tools.write)(&format!("{PROJECT}/docs/second.md"), "1\n")),
    ]);
    let run = lab.run(&Session::new(steps))?;
    refused(lab, &run, "write without intent", "No active intent");
    refused(lab, &run, "write to the other's scope", "Scope Violation");
    lab.check(
        "the second session does not write under the first one's intent",
        !lab.exists("src/second.js"),
        "",
    );
    let inside = run.result("write inside");
    lab.check("the second session writes under its own intent", lab.exists("docs/second.md"), inside);
    Ok(())
}

/// Returns the decisions about the calls whose input contains a string.
fn decisions_about(lab: &mut Lab, text: &str) -> Vec<String> {
    let calls = records(lab).into_iter().filter(|record| record["data"]["event"] == "PreToolUse");
    let about = calls.filter(|record| record["data"]["input"].to_string().contains(text));
    about.map(|record| record["data"]["decision"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Returns the lines of the intents file that name patterns; steersman itself changes the others.
fn scopes(text: &str) -> Vec<String> {
    text.lines().filter(|line| line.trim_start().starts_with("- \"")).map(str::to_owned).collect()
}
