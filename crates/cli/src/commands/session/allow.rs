//! `steersman session allow RUN [--call HASH]`

use std::collections::BTreeMap;

use anyhow::Context;
use event::{EventName, plain_name};
use session::{RecordedDecision, RunRecord, allowance};

use super::run_search::{self, Found};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::output::text::{cut, one_line};
use crate::person;

/// Permit one call that needs a person's decision, once, within ten minutes
///
/// For hosts that cannot ask: steersman denies such a call there, and the denial names the run.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the run, such as PreToolUse-14-1740700000123
    run: String,
    /// The `inputHash` of the call, if several calls share the id of the run
    #[arg(long, value_name = "HASH")]
    call: Option<String>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Some(exit) = person::refusal(place, "session allow") {
        return Ok(exit);
    }
    let found = match run_search::find(place, &args.run)? {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    let mut asks = BTreeMap::new();
    for Found { session, run } in &found {
        let record = run.record.as_ref().filter(|record| record.was_ask());
        if let Some((record, hash)) = record.and_then(|record| Some((record, record.input_hash.clone()?))) {
            asks.insert((*session, hash), record);
        }
    }
    if asks.is_empty() {
        for found in &found {
            output::error(&why_not(&args.run, found));
            ways_out(found);
        }
        return Ok(Exit::No);
    }
    if let Some(wanted) = &args.call {
        asks.retain(|(_, hash), _| hash == wanted);
    }
    let mut asks_left = asks.iter();
    match (asks_left.next(), asks_left.next()) {
        (Some(((session, hash), record)), None) => {
            allowance::grant(&place.workspace, place.user_state.as_ref(), *session, hash)
                .with_context(|| format!("cannot store the permission in session {session}"))?;
            output::note(&format!("permitted once, for ten minutes: {}", call_text(record)));
            output::hint("tell the agent to repeat exactly the same call");
            Ok(Exit::Fine)
        }
        (None, _) => {
            output::error(&format!(
                "no call of {} has the hash `{}`",
                args.run,
                one_line(args.call.as_deref().unwrap_or_default())
            ));
            Ok(Exit::No)
        }
        _ => {
            output::error(&format!(
                "{} calls share the id {}; pass one of them with --call",
                asks.len(),
                args.run
            ));
            for ((_, hash), record) in &asks {
                output::note(&format!("  --call {hash}  {}", call_text(record)));
            }
            Ok(Exit::No)
        }
    }
}

fn why_not(id: &str, found: &Found) -> String {
    let Some(record) = &found.run.record else {
        return format!("the watchdog ended {id} before a decision, so there is nothing to permit");
    };
    if !record.is_of(EventName::PreToolUse) {
        return format!("{id} has no tool call to permit");
    }
    let by = record
        .module
        .as_deref()
        .map(|module| format!(" by `{}`", one_line(plain_name(module))))
        .unwrap_or_default();
    match record.decision {
        RecordedDecision::Deny => format!(
            "{id} was denied{by}. Only a call that needs a confirmation can be permitted, not a denied one. {}",
            one_line(record.reason.as_deref().unwrap_or_default())
        ),
        RecordedDecision::Abstain | RecordedDecision::Allow | RecordedDecision::Ask => {
            format!("{id} was not denied; there is nothing to permit")
        }
    }
}

/// Returns the steps that a person can take about a denied call.
fn ways_out(found: &Found) {
    let Some(record) = found.run.record.as_ref().filter(|record| record.decision == RecordedDecision::Deny)
    else {
        return;
    };
    let module = record.module.as_deref().unwrap_or_default();
    let rule = record.reason.as_deref().and_then(rule_in);
    match (module, rule) {
        ("shell-guard", Some(rule)) => output::hint(&format!(
            "run the command yourself, or change the rule in .ai/hooks/config.json: {{ \"shell-guard\": {{ \"rules\": {{ \"{rule}\": \"ask\" }} }} }}"
        )),
        ("intent", _) => output::hint(
            "widen the scope with `steersman intent expand ID PATTERN`, or select another intent with `steersman intent select ID`",
        ),
        ("agent-tools", _) => {
            output::hint(
                "permit the tool in the agent's definition, or change `agents.active` in .ai/hooks/config.json",
            );
        }
        ("planGraph-exec", _) => {
            output::hint("mark the node with `steersman plan mark NODE STATUS`, or change the plan");
        }
        _ => {}
    }
    if !module.is_empty() {
        output::hint(&format!(
            "run `steersman module off {}` to turn the whole module off",
            one_line(module)
        ));
    }
}

/// Returns the id of the rule that a reason names: (rule `delete-home`).
fn rule_in(reason: &str) -> Option<&str> {
    reason.split_once("(rule `")?.1.split_once('`').map(|(rule, _)| rule)
}

fn call_text(record: &RunRecord) -> String {
    let tool = record.tool.as_deref().unwrap_or_default();
    cut(
        &one_line(&format!("{tool}  {}", timeline::target::of(record, None))),
        output::columns().unwrap_or(200).max(60) - 45,
    )
}
