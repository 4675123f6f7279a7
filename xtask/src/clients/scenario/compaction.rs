//! A short conversation, and one that the program shortens because the model reports a long prompt.

use anyhow::Result;

use super::SHOW_SESSIONS;
use super::module::install;
use crate::clients::lab::{Lab, Session};

/// More than the models of most programs accept.
const TOO_LONG: u64 = 2_000_000;
/// Gemini CLI sends nothing that its model does not accept, and shortens from half of that.
const LONG_FOR_GEMINI: u64 = 900_000;

/// Parts of the requests with which the programs ask for a summary.
const SUMMARY_REQUESTS: [&str; 4] = [
    "state_snapshot",
    "history is being compacted",
    "CONTEXT CHECKPOINT COMPACTION",
    "summary of the conversation",
];

/// The project's module keeps the agent going once: Gemini CLI shortens a conversation only before another prompt.
const MODULE: &str = r"// @ts-check
export default {
  name: 'probe',
  supports: new Set(['Stop']),
  priority: 30,
  hotPathSafe: true,
  handle(event, ctx) {
    if (ctx.event.timesKept > 0) return;
    return { decision: 'deny', denyReason: 'CONTINUE-MARK: one more sentence' };
  },
};
";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("");
    install(lab, MODULE)?;
    let shell = lab.client.tools.shell;
    let steps = || {
        vec![("first", shell("echo FIRST-MARK && sleep 1")), ("second", shell("echo SECOND-MARK && sleep 1"))]
    };
    lab.run(&Session::new(steps()))?;
    let shown = lab.user(SHOW_SESSIONS).output;
    lab.check("nothing says that a short conversation was shortened", !shown.contains("compact"), &shown);

    // Qwen Code ends with an error: the summary of this model is not shorter.
    let is_gemini = lab.client.host == "gemini";
    let n_tokens = if is_gemini { LONG_FOR_GEMINI } else { TOO_LONG };
    let run = lab.start(&Session::new(steps()).with_long_prompt(n_tokens))?;
    let n_summaries: usize = SUMMARY_REQUESTS.iter().map(|mark| run.n_requests_with(mark)).sum();
    lab.check(
        "the program asks for a summary of the long conversation",
        n_summaries > 0,
        "no request asks for one",
    );
    let shown = lab.user(SHOW_SESSIONS).output;
    // Gemini CLI announces it before it knows whether it will.
    let word = if is_gemini { "the host may compact" } else { "the host compacts" };
    lab.check(&format!("the record says: {word}"), shown.contains(word), &shown);
    Ok(())
}
