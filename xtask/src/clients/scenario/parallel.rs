//! Two subagents at once that make equal calls, with three registrations.

use anyhow::Result;

use super::{declare_intents, records};
use crate::clients::lab::{Lab, Session};
use crate::clients::model::SUBAGENT_MARK;

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--intents");
    declare_intents(lab);
    let selected = lab.user("steersman intent select INT-001");
    lab.check("the user selects a default intent", selected.succeeded, &selected.output);
    for level in ["--user", "--managed"] {
        lab.init(level);
    }
    let shell = lab.client.tools.shell;
    let mut delegate = (lab.client.tools.delegate)(&format!("{SUBAGENT_MARK}: do your part.")).into_iter();
    let mut steps = Vec::new();
    if let Some(begin) = delegate.next() {
        steps.push(("delegate", begin.clone()));
        steps.push(("delegate again", begin.in_parallel()));
    }
    steps.extend(delegate.map(|wait| ("wait for the last subagent", wait)));
    // WHY the pause comes last: Qwen Code refuses a command that begins with one, before it calls any hook.
    steps.push(("own command", shell("echo PARENT-MARK > src/parent.js && sleep 3")));
    let n_calls = steps.len();
    let subagent = vec![
        ("write inside", shell("echo CHILD-MARK >> src/child.js && sleep 1")),
        ("write outside", shell("echo 1 > child.txt")),
        ("delete home", shell("rm -rf ~/")),
    ];
    let n_of_subagents = 2 * subagent.len();
    lab.run(&Session::new(steps).with_subagent(subagent))?;

    let written = lab.read("src/child.js").unwrap_or_default();
    lab.check("both write under the parent's intent", written == "CHILD-MARK\n".repeat(2), &written);
    let own = lab.read("src/parent.js").unwrap_or_default();
    lab.check("the parent writes under its intent", own == "PARENT-MARK\n", &own);
    lab.check("nothing is written outside the scope", !lab.exists("child.txt"), "child.txt exists");
    let intact = lab.home_is_intact();
    lab.check("the home folder survives", intact, "it is empty");
    let sessions = lab.user("ls -d .ai/tmp/*/events.jsonl");
    lab.check("all share one session", sessions.output.lines().count() == 1, &sessions.output);
    let records = records(lab);
    let n_of = |event: &str| records.iter().filter(|record| record["data"]["event"] == event).count();
    let (n_prompts, n_before) = (n_of("UserPromptSubmit"), n_of("PreToolUse"));
    lab.check("all of it is one turn", n_prompts == 1, &format!("{n_prompts} prompts"));
    let expected = n_calls + n_of_subagents;
    let detail = format!("{n_before} records of {expected} calls");
    lab.check("each call is recorded once", n_before == expected, &detail);
    Ok(())
}
