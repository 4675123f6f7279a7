//! Three registrations at once: the project's, the user's and the administrator's.

use anyhow::Result;
use serde_json::Value;

use super::{check_governed, governed_steps, records};
use crate::clients::lab::{Lab, Session};
use crate::clients::model::SUBAGENT_MARK;

/// The command of calls that the model makes twice, one after the other and in parallel.
const EQUAL: &str = "echo EQUAL-MARK && sleep 1";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    for level in ["", "--user", "--managed"] {
        lab.init(level);
    }
    let (client, tools) = (lab.client, &lab.client.tools);
    let mut steps = governed_steps(client);
    steps.extend([
        ("equal 1", (tools.shell)(EQUAL)),
        ("equal 2", (tools.shell)(EQUAL)),
        ("equal 3", (tools.shell)(EQUAL)),
        ("equal 4", (tools.shell)(EQUAL).in_parallel()),
        ("failing", (tools.shell)("echo FAILING-MARK && sleep 1 && false")),
    ]);
    let delegate = (tools.delegate)(&format!("{SUBAGENT_MARK}: do your part."));
    steps.extend(["delegate", "wait for the subagent"].into_iter().zip(delegate));
    let n_calls = steps.len();
    let subagent = vec![("subagent's call", (tools.shell)("echo CHILD-MARK && sleep 1"))];
    let run = lab.run(&Session::new(steps).with_subagent(subagent))?;
    check_governed(lab, &run);

    let records = records(lab);
    let n_of = |event: &str| records.iter().filter(|record| record["data"]["event"] == event).count();
    let shown = |event: &str| {
        let of_event = records.iter().filter(|record| record["data"]["event"] == event);
        let one = |record: &Value| format!("{} {}", record["ts"], record["data"]["tool"]);
        format!("{} records: {}", n_of(event), of_event.map(one).collect::<Vec<_>>().join(", "))
    };
    for (event, is_right) in [
        ("SessionStart", n_of("SessionStart") == 1),
        ("UserPromptSubmit", n_of("UserPromptSubmit") == 1),
        // The subagent makes one call, too.
        ("PreToolUse", n_of("PreToolUse") == n_calls + 1),
        // One call is denied and does not run.
        ("PostToolUse", n_of("PostToolUse") + 1 == n_of("PreToolUse")),
        ("Stop", n_of("Stop") == 1),
        ("SubagentStart", n_of("SubagentStart") <= 1),
        ("SubagentStop", n_of("SubagentStop") <= 1),
    ] {
        let name = format!("each {event} is recorded once");
        let detail = shown(event);
        lab.check(&name, is_right, &detail);
    }
    let n_equal = records.iter().filter(|record| record["data"]["input"]["command"] == EQUAL).count();
    lab.check("four equal calls have four records", n_equal == 4, &format!("{n_equal} records"));
    Ok(())
}
