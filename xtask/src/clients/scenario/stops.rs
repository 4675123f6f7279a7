//! A module that denies every stop: steersman lets the agent stop after some of them.

use anyhow::Result;

use super::module::install;
use super::records;
use crate::clients::lab::{Lab, Session};

/// How often a module may keep an agent going in a row; see `maxKeptStops` in the manifest.
const LIMIT: usize = 5;

/// The project's module.
const MODULE: &str = r"// @ts-check
/** @type {import('../../lib/steersman.d.ts').HookModule} */
export default {
  name: 'probe',
  supports: new Set(['Stop']),
  priority: 30,
  hotPathSafe: true,
  handle(event, ctx) {
    const { stopHookActive, timesKept } = ctx.event;
    return { decision: 'deny', denyReason: `CONTINUE-MARK active=${stopHookActive} kept=${timesKept}` };
  },
};
";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("");
    install(lab, MODULE)?;
    keep_going(lab)?;
    for level in ["--user", "--managed"] {
        lab.init(level);
    }
    keep_going(lab)
}

/// Runs one session and checks how it ends.
fn keep_going(lab: &mut Lab) -> Result<()> {
    let n_earlier = records(lab).len();
    let steps = vec![("command", (lab.client.tools.shell)("echo WORK-MARK && sleep 1"))];
    let run = lab.run(&Session::new(steps))?;
    let n_ends = run.n_ends();
    lab.check("the agent stops in the end", n_ends == LIMIT + 1, &format!("the model ended {n_ends} times"));
    let records = records(lab).split_off(n_earlier);
    let ends: Vec<_> = records.iter().filter(|record| record["data"]["event"] == "Stop").collect();
    let n_kept = ends.iter().filter(|record| record["data"]["decision"] == "deny").count();
    let detail = format!("{n_kept} of {} stops were denied", ends.len());
    lab.check("each kept stop is recorded", n_kept == LIMIT && ends.len() == LIMIT + 1, &detail);
    let says_why = ends.last().is_some_and(|record| record["data"].to_string().contains("maxKeptStops"));
    lab.check("the record of the last stop says why the agent stops", says_why, "no word about maxKeptStops");
    for n_before in 0..LIMIT {
        let mark = format!("active={} kept={n_before}", n_before > 0);
        let n_requests = run.n_requests_with(&mark);
        lab.check(
            &format!("the module learns how often it kept the agent going ({mark})"),
            n_requests > 0,
            "no request contains it",
        );
    }
    let n_prompts = records.iter().filter(|record| record["data"]["event"] == "UserPromptSubmit").count();
    lab.check("all of it is one turn", n_prompts == 1, &format!("{n_prompts} prompts"));
    Ok(())
}
