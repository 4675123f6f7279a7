//! The report at the end of a run.

use std::time::Duration;

use serde_json::{Value, json};
use workflow::{Report, RunResult, StepOutcome};

use super::screen::seconds;
use crate::exit::Exit;
use crate::output;
use crate::output::paint::{BAD, CAREFUL, GOOD, paint};
use crate::output::table::{Cell, Column, Table};
use crate::output::text::one_line;

/// Prints the report and returns the exit code.
pub(super) fn print_report(report: &Report, as_json: bool) -> anyhow::Result<Exit> {
    let exit = if report.result == RunResult::Complete { Exit::Fine } else { Exit::No };
    if as_json {
        output::json(&value(report))?;
        return Ok(exit);
    }
    output::note("");
    let mut table = Table::new([
        Column::right("STEP"),
        Column::whole("AGENT"),
        Column::left("BECAUSE"),
        Column::left("IN"),
        Column::left("ENDED"),
        Column::right("TOOK"),
        Column::right("TOKENS"),
    ]);
    for step in &report.steps {
        let style = if step.outcome == StepOutcome::Success { GOOD } else { BAD };
        table.push([
            step.step.to_string().into(),
            step.agent.as_str().into(),
            one_line(&step.because).into(),
            step.provider.as_str().into(),
            Cell::styled(step.outcome.as_str(), style),
            seconds(Duration::from_millis(step.ms)).into(),
            step.tokens.map(|it| (it.input + it.output).to_string()).unwrap_or_default().into(),
        ]);
    }
    for line in table.lines(output::columns()) {
        output::note(&line);
    }
    let (style, word) = match report.result {
        RunResult::Complete => (GOOD, "complete"),
        RunResult::Failed => (BAD, "failed"),
        RunResult::Interrupted => (CAREFUL, "stopped"),
    };
    let took = seconds(Duration::from_millis(report.ms));
    let tokens = report.tokens.map(|it| format!(", {} tokens", it.input + it.output)).unwrap_or_default();
    let n_steps = report.steps.len();
    let steps = if n_steps == 1 { "1 step".to_owned() } else { format!("{n_steps} steps") };
    output::note(&format!("{}: {steps} in {took}{tokens}", paint(style, word)));
    if let Some(reason) = &report.reason {
        output::error(&one_line(reason));
    }
    if report.result == RunResult::Interrupted {
        output::hint(&format!("run `steersman agent run --resume {}` to continue", report.id));
    }
    Ok(exit)
}

fn value(report: &Report) -> Value {
    let steps: Vec<Value> = report
        .steps
        .iter()
        .map(|it| {
            json!({
                "step": it.step, "agent": it.agent, "because": it.because, "provider": it.provider,
                "outcome": it.outcome, "text": it.text, "ms": it.ms, "tokens": it.tokens,
            })
        })
        .collect();
    json!({
        "runId": report.id.as_str(),
        "result": report.result,
        "reason": report.reason,
        "ms": report.ms,
        "tokens": report.tokens,
        "steps": steps,
    })
}
