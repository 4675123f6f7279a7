//! A project's module: context at every event, a rewritten call, a Stop that continues once, a refused prompt.

use anyhow::{Context, Result};
use serde_json::Value;

use super::{SHOW_SESSIONS, records};
use crate::clients::lab::{Lab, PROJECT, Session};
use crate::clients::model::SUBAGENT_MARK;

const MANIFEST: &str = ".ai/hooks/dispatch.manifest.json";

/// The project's module.
const MODULE: &str = r"// @ts-check
/** @type {import('../../lib/steersman.d.ts').HookModule} */
export default {
  name: 'probe',
  supports: new Set(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStart', 'Stop']),
  priority: 30,
  hotPathSafe: true,
  handle(event, ctx) {
    switch (event) {
      case 'SessionStart':
        return { additionalContext: 'CONTEXT-START-MARK' };
      case 'UserPromptSubmit':
        if ((ctx.event.prompt ?? '').includes('REFUSE-THIS')) {
          return { decision: 'deny', denyReason: 'REFUSAL-MARK: not today' };
        }
        return { additionalContext: 'CONTEXT-PROMPT-MARK' };
      case 'PreToolUse': {
        const command = ctx.event.command ?? '';
        if (!command.includes('WRITTEN-BY-MODEL')) return;
        const field = 'cmd' in ctx.event.toolInput ? 'cmd' : 'command';
        return {
          updatedInput: { [field]: command.replace('WRITTEN-BY-MODEL', 'WRITTEN-BY-MODULE') },
          additionalContext: 'CONTEXT-BEFORE-MARK',
        };
      }
      case 'PostToolUse':
        return { additionalContext: 'CONTEXT-AFTER-MARK' };
      case 'SubagentStart':
        return { additionalContext: 'CONTEXT-SUBAGENT-MARK' };
      case 'Stop':
        if (ctx.state.features?.probe?.continued) return;
        return {
          decision: 'deny',
          denyReason: 'CONTINUE-MARK: one more sentence',
          statePatch: { features: { probe: { continued: true } } },
        };
    }
  },
};
";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("");
    install(lab, MODULE)?;
    let (client, tools) = (lab.client, &lab.client.tools);
    let mut steps = vec![
        ("rewrite", (tools.shell)("echo WRITTEN-BY-MODEL > rewritten.txt; cat rewritten.txt")),
        ("read", (tools.read)(&format!("{PROJECT}/README.md"))),
    ];
    let delegate = (tools.delegate)(&format!("{SUBAGENT_MARK}: do your part."));
    steps.extend(["delegate", "wait for the subagent"].into_iter().zip(delegate));
    let subagent = vec![("subagent's call", (tools.shell)("echo CHILD-MARK && sleep 1"))];
    let run = lab.run(&Session::new(steps).with_subagent(subagent))?;

    let expected = if client.before_call.rewrite { "WRITTEN-BY-MODULE" } else { "WRITTEN-BY-MODEL" };
    let written = lab.read("rewritten.txt").unwrap_or_default();
    lab.check("the command runs as the capabilities say", written.trim_end() == expected, &written);
    for mark in ["CONTEXT-START-MARK", "CONTEXT-PROMPT-MARK", "CONTEXT-AFTER-MARK", "CONTINUE-MARK"] {
        lab.check(
            &format!("the model reads {mark}"),
            run.n_requests_with(mark) > 0,
            "no request contains it",
        );
    }
    for (mark, is_read) in [
        ("CONTEXT-BEFORE-MARK", client.before_call.context),
        ("CONTEXT-SUBAGENT-MARK", client.reads_context_of_subagents),
    ] {
        let n_requests = run.n_requests_with(mark);
        let name = format!("the model reads {mark} only where the capabilities say so");
        lab.check(&name, (n_requests > 0) == is_read, &format!("{n_requests} requests contain it"));
    }
    let n_ends = run.n_ends();
    lab.check("the agent continues exactly once", n_ends == 2, &format!("it ended {n_ends} times"));
    check_records(lab);
    refuse_prompt(lab)
}

/// Checks that the records show how the program carried out the module's answers.
fn check_records(lab: &mut Lab) {
    let records = records(lab);
    let n_of = |event: &str| records.iter().filter(|record| record["data"]["event"] == event).count();
    let (n_prompts, n_stops) = (n_of("UserPromptSubmit"), n_of("Stop"));
    lab.check("all of it is one turn", n_prompts == 1, &format!("{n_prompts} prompts"));
    let detail = format!("{n_stops} records of 2 stops");
    lab.check("the kept stop and the last one are recorded once each", n_stops == 2, &detail);
    let shown = lab.user(SHOW_SESSIONS);
    let is_rewritten = shown.output.contains("runs with a rewritten input");
    lab.check(
        "`session show` reports a rewritten input only where the program used it",
        is_rewritten == lab.client.before_call.rewrite,
        &shown.output,
    );
    lab.check("`session show` counts one turn", shown.output.contains("1 turn,"), &shown.output);
}

fn refuse_prompt(lab: &mut Lab) -> Result<()> {
    let steps = vec![("command", (lab.client.tools.shell)("echo x > refused.txt"))];
    let run = lab.start(&Session::new(steps).with_prompt("REFUSE-THIS, please."))?;
    let n_requests = run.n_requests_with("REFUSE-THIS");
    let detail = format!("{n_requests} requests contain it");
    lab.check(
        "a refused prompt does not reach the model",
        n_requests == 0 && !lab.exists("refused.txt"),
        &detail,
    );
    // Codex and Qwen Code show the reason only in a terminal.
    let records = lab.user("cat .ai/tmp/*/events.jsonl");
    lab.check(
        "the refusal is recorded with its reason",
        records.output.contains("REFUSAL-MARK"),
        "no record",
    );
    Ok(())
}

/// Creates, enters and trusts a module with this text, as its author would.
pub(super) fn install(lab: &mut Lab, text: &str) -> Result<()> {
    let made = lab.user("steersman init --module probe");
    lab.check("`steersman init --module` succeeds", made.succeeded, &made.output);
    lab.write(".ai/hooks/features/probe/hook.mjs", text)?;
    let manifest = lab.read(MANIFEST).with_context(|| format!("{MANIFEST} is missing"))?;
    let mut manifest: Value = serde_json::from_str(&manifest).context("cannot parse the manifest")?;
    manifest["rewriteOwner"] = "probe".into();
    lab.write(MANIFEST, &format!("{manifest:#}\n"))?;
    let trusted = lab.user("steersman trust");
    lab.check("`steersman trust` succeeds", trusted.succeeded, &trusted.output);
    Ok(())
}
