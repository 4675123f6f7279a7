//! A subagent after its parent selected an intent.

use anyhow::Result;

use super::{check_recorded, declare_intents, load_steersman, records, select};
use crate::clients::lab::{Lab, PROJECT, Session};
use crate::clients::model::SUBAGENT_MARK;

/// The names of the calls that start a subagent and wait for it.
const DELEGATE: &[&str] = &["delegate", "wait for the subagent"];

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--intents");
    declare_intents(lab);
    let (client, tools) = (lab.client, &lab.client.tools);
    let mut steps = load_steersman(client);
    steps.push(("select", select(client, "INT-001")));
    steps.extend(DELEGATE.iter().copied().zip((tools.delegate)(&format!("{SUBAGENT_MARK}: do your part."))));
    steps.push(("own write", (tools.write)(&format!("{PROJECT}/src/parent.js"), "1\n")));
    let subagent = vec![
        ("write inside", (tools.shell)("echo 1 > src/child.js && echo CHILD-WROTE")),
        ("write outside", (tools.shell)("echo 1 > child.txt")),
        ("delete home", (tools.shell)("rm -rf ~/")),
    ];
    let run = lab.run(&Session::new(steps).with_subagent(subagent))?;
    let inside = run.subagent_result("write inside");
    lab.check("the subagent writes under its parent's intent", lab.exists("src/child.js"), inside);
    let outside = run.subagent_result("write outside");
    let refused = outside.contains("Scope Violation") && !lab.exists("child.txt");
    lab.check("the subagent's write outside the scope is refused", refused, outside);
    let deletion = run.subagent_result("delete home");
    let denied = lab.home_is_intact() && deletion.contains("home folder");
    lab.check("the subagent's `rm -rf ~/` is refused", denied, deletion);
    lab.check("the parent writes afterwards", lab.exists("src/parent.js"), run.result("own write"));
    let sessions = lab.user("ls -d .ai/tmp/*/events.jsonl");
    lab.check(
        "parent and subagent share one session",
        sessions.output.lines().count() == 1,
        &sessions.output,
    );
    check_recorded(lab, PROJECT);
    let n_prompts =
        records(lab).iter().filter(|record| record["data"]["event"] == "UserPromptSubmit").count();
    lab.check("all of it is one turn", n_prompts == 1, &format!("{n_prompts} prompts"));
    Ok(())
}
