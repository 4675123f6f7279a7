//! `steersman automation list [--json]`

use std::collections::HashMap;

use automation::{Action, Automation, Trigger};
use redact::Redacted;
use serde_json::{Value, json};
use serve::RunCount;

use super::automation_state::{AutomationState, AutomationStates};
use super::secret_filter::SecretFilter;
use super::{Applied, automation_json, past_runs, print_trust_hint, problems, standing_of};
use crate::commands::{Place, serve as serve_command};
use crate::exit::Exit;
use crate::output::paint::{BAD, FAINT, GOOD, STRONG};
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, moment, print, text};

/// List the automations of this workspace
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"automations": [{id, name, enabled, state, trigger, pattern, action, runner, impediment: {code, message}, paused, …}], "trust", "problems", "server": {pid, port, unwatched} or null}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let applied = Applied::read(place);
    let Applied { configuration, loaded, files } = &applied;
    let standing = standing_of(place, files)?;
    let settings = serve_command::settings(place);
    // Commands about the queue report a queue they cannot read.
    let queue = automation::queue::read(&place.workspace).unwrap_or_default();
    let counts = past_runs::counts(place);
    let states = AutomationStates::new(&settings, &queue);
    if args.json {
        applied.note_errors();
        let secrets = SecretFilter::new(&settings);
        let shown = |it: &Automation| {
            let mut shown = automation_json::automation(it, &states.of(it), &secrets);
            if let Some(why) = queue.paused(&it.id) {
                shown["paused"] = why.into();
            }
            if let Some(count) = counts.get(it.id.as_str()) {
                shown["executionCount"] = count.n.into();
                shown["lastExecuted"] = count.last.as_str().into();
            }
            shown
        };
        let automations: Vec<Value> = configuration.automations().map(shown).collect();
        let problems: Vec<Value> = loaded.problems.iter().map(problems::json).collect();
        output::json(&json!({
            "automations": automations,
            "trust": automation_json::trust(&standing),
            "problems": problems,
            "server": serve::Lock::holder(&place.workspace),
        }))?;
        return Ok(Exit::Fine);
    }
    applied.print_errors();
    let automations: Vec<&Automation> = configuration.automations().collect();
    if automations.is_empty() && loaded.is_valid() {
        output::note("no automations yet");
        output::hint("run `steersman init --automations` to create an example file");
        return Ok(Exit::Fine);
    }
    if !automations.is_empty() {
        for line in table(&automations, &states, &counts).lines(output::columns()) {
            print(format_args!("{line}"));
        }
    }
    for automation in &automations {
        let id = text::one_line(automation.id.as_str());
        if let AutomationState::Impeded(why) = states.of(automation) {
            output::note(&format!("`{id}` is off: {} ({})", text::one_line(&why.message), why.code));
            output::hint(why.hint);
        }
        if let Some(why) = queue.paused(&automation.id) {
            output::note(&format!("`{id}` is paused: {}", text::one_line(why)));
            output::hint(&format!("run `steersman automation enable {id}` to resume it"));
        }
    }
    if let Some(why) = serve::Lock::holder(&place.workspace).and_then(|server| server.unwatched) {
        output::note(&format!("{} ({})", text::one_line(&why.message), why.code));
    }
    let n_warnings = loaded.problems.iter().filter(|it| !it.is_error()).count();
    if loaded.is_valid() && n_warnings > 0 {
        let words = problems::count(&loaded.problems);
        output::hint(&format!("{words}; run `steersman automation validate`"));
    }
    print_trust_hint(&standing);
    Ok(Exit::Fine)
}

fn table(
    automations: &[&Automation],
    states: &AutomationStates<'_>,
    counts: &HashMap<String, RunCount>,
) -> Table {
    let mut table = Table::new([
        Column::whole("ID"),
        Column::left("STATE"),
        Column::left("WHEN"),
        Column::left("DOES"),
        Column::right("RUNS"),
        Column::left("LAST RUN"),
    ]);
    let now = store::now();
    for automation in automations {
        let state = states.of(automation);
        let style = match state {
            AutomationState::Off => FAINT,
            AutomationState::Impeded(_) | AutomationState::Paused(_) => BAD,
            AutomationState::On => GOOD,
        };
        let when = match (automation.trigger.pattern(), &automation.trigger) {
            (Some(pattern), trigger) => format!("{trigger} {pattern}"),
            (None, Trigger::Schedule { schedule }) => schedule.to_string(),
            (None, trigger) => trigger.to_string(),
        };
        // What a prompt does depends on the program that gets it.
        let does = match (&automation.action, &automation.runner) {
            (Action::Prompt { .. }, Some(runner)) => runner.word(),
            (action, _) => action.word(),
        };
        let count = counts.get(automation.id.as_str());
        table.push([
            Cell::styled(text::one_line(automation.id.as_str()), STRONG),
            Cell::styled(state.word(), style),
            text::one_line(Redacted::from_text(&when).as_str()).into(),
            does.into(),
            count.map_or_else(|| "0".to_owned(), |it| it.n.to_string()).into(),
            count.map(|it| moment::ago_of_record(&it.last, now)).unwrap_or_default().into(),
        ]);
    }
    table
}
