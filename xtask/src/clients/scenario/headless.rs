//! The ordinary headless mode: no flag permits anything, and an agent still selects its intent.

use anyhow::Result;
use serde_json::json;

use super::{declare_intents, load_steersman, select};
use crate::clients::lab::{Lab, Session};

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--intents");
    declare_intents(lab);
    let client = lab.client;
    let mut steps = load_steersman(client);
    steps.push(("select", select(client, "INT-001")));
    steps.push((
        "request",
        (client.tools.steersman)(
            "request_scope_expansion",
            json!({"pattern": "package.json", "reason": "version"}),
        ),
    ));
    let run = lab.run(&Session::new(steps).ordinary())?;
    let selected = lab.user("cat .ai/tmp/*/state.json .ai/tmp/*/events.jsonl");
    let result = run.result("select");
    lab.check("the program lets the agent select an intent", result.contains("INT-001"), result);
    lab.check(
        "the session records the selection",
        selected.output.contains("INT-001"),
        "no record names INT-001",
    );
    let requested = lab.user("steersman intent expand");
    lab.check(
        "the user sees the request for more scope",
        requested.output.contains("package.json"),
        run.result("request"),
    );
    Ok(())
}
