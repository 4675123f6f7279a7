//! `steersman session allow RUN [--call HASH]`

use std::collections::BTreeMap;

use anyhow::Context;
use dispatch::allowance;
use dispatch::history::RunRecord;
use event::EventName;

use super::run_search::{self, Found};
use super::target;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output;
use crate::output::text::{cut, one_line};

/// Permit exactly one call that a person was to decide on, once, within ten minutes
///
/// For hosts that cannot ask: there such a call is refused, and the refusal names the run.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The run, such as PreToolUse-14-1740700000123
    run: String,
    /// Which call, if several share the id of the run: its `inputHash`
    #[arg(long, value_name = "HASH")]
    call: Option<String>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
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
            output::complain(&why_not(&args.run, found));
        }
        return Ok(Exit::No);
    }
    if let Some(wanted) = &args.call {
        asks.retain(|(_, hash), _| hash == wanted);
    }
    let mut asks_left = asks.iter();
    match (asks_left.next(), asks_left.next()) {
        (Some(((session, hash), record)), None) => {
            allowance::grant(&place.workspace.session(*session), hash)
                .with_context(|| format!("cannot leave the permission in session {session}"))?;
            output::note(&format!("permitted, once, within ten minutes: {}", call_text(record)));
            output::hint("tell the agent to try exactly the same call again");
            Ok(Exit::Fine)
        }
        (None, _) => {
            output::complain(&format!(
                "no call of {} has the hash `{}`",
                args.run,
                one_line(args.call.as_deref().unwrap_or_default())
            ));
            Ok(Exit::No)
        }
        _ => {
            output::complain(&format!(
                "{} calls share the id {}; name one of them with --call",
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
        return format!(
            "{id} was ended by the watchdog: nothing was decided, so nothing has to be permitted"
        );
    };
    if record.event != EventName::PreToolUse.as_str() {
        return format!("{id} is not about a tool call that could be permitted");
    }
    let by = record.module.as_deref().map(|module| format!(" by `{}`", one_line(module))).unwrap_or_default();
    match record.decision.as_str() {
        "deny" => format!(
            "{id} was refused{by}, and a refusal cannot be lifted for one call: only a question to a person can. {}",
            one_line(record.reason.as_deref().unwrap_or_default())
        ),
        _ => format!("{id} was not stopped; there is nothing to permit"),
    }
}

fn call_text(record: &RunRecord) -> String {
    let tool = record.tool.as_deref().unwrap_or_default();
    cut(
        &one_line(&format!("{tool}  {}", target::of(record, None))),
        output::columns().unwrap_or(200).max(60) - 45,
    )
}
