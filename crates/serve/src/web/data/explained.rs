//! Fills the page that explains one hook run.

use page::view::{DroppedPart, EmittedLine, Explained, ModuleWord};
use serde_json::Value;
use session::history::{self, Run};
use session::{EventRecord, RunRecord};

use super::super::Web;

/// Returns the explanation of a run. Returns `None` if the session does not have it.
pub(in crate::web) fn explained(web: &Web, sid: &str, run: &str) -> Option<Explained> {
    let id = super::session::find(web, sid)?;
    let runs = history::find(&web.workspace.session(id), run).ok()?;
    let found = runs.into_iter().next()?;
    let last = found.lines.last()?;
    Some(of(sid, last, &found))
}

fn of(sid: &str, last: &EventRecord, run: &Run) -> Explained {
    let record = run.record.clone().unwrap_or_default();
    let text = |key: &str| last.data.get(key).and_then(Value::as_str).map(str::to_owned);
    let is_cut = run.was_cut_short();
    let title = record.target().map_or_else(|| record.host.clone(), |wire| wire.host().title().to_owned());
    Explained {
        run: last.hook_run_id.clone(),
        sid: sid.to_owned(),
        work_id: last.work_id.clone(),
        agent: last.agent_id.clone(),
        turn: last.turn_id,
        ts: last.ts,
        host: title,
        event: if is_cut { text("event").unwrap_or_default() } else { record.event.clone() },
        tool: record.tool.clone(),
        cwd: record.cwd.clone(),
        input: record.input.clone(),
        rewrite: record.rewrite.clone(),
        decision: if is_cut {
            text("decision").unwrap_or_else(|| "none".to_owned())
        } else {
            record.decision.clone()
        },
        module: if is_cut { text("module") } else { record.module.clone() },
        reason: if is_cut { text("reason") } else { record.reason.clone() },
        remarks: remarks(last, &record, is_cut),
        modules: record
            .modules
            .iter()
            .map(|it| ModuleWord {
                name: it.name.clone(),
                decision: it.decision.clone(),
                reason: it.reason.clone(),
                error: it.error.clone(),
                us: it.us,
            })
            .collect(),
        warnings: record.warnings.clone(),
        context: record.context.clone(),
        dropped: timeline::dropped_parts(&record)
            .into_iter()
            .map(|it| DroppedPart { verb: it.verb, why: it.why.to_owned(), means: it.means.to_owned() })
            .collect(),
        emitted: run
            .lines
            .iter()
            .filter(|line| line.kind != RunRecord::KIND)
            .map(|line| EmittedLine {
                kind: line.kind.clone(),
                module: line.module.clone(),
                data: line.data.clone(),
            })
            .collect(),
        patch: record.patch.clone(),
        us: record.us,
    }
}

fn remarks(last: &EventRecord, record: &RunRecord, is_cut: bool) -> Vec<String> {
    let mut remarks = Vec::new();
    if is_cut {
        let budget = last.data.get("budgetMs").and_then(Value::as_u64).unwrap_or_default();
        remarks.push(format!(
            "The run did not end within its budget of {budget} ms; the answers of the modules are lost."
        ));
    }
    if record.was_hardened() {
        remarks.push("The module asked, but the host cannot ask here, so the call was denied.".to_owned());
    }
    if record.was_permitted() {
        remarks.push(
            "A module asked, but the user had permitted this call with `steersman session allow`.".to_owned(),
        );
    }
    if record.input_cut {
        remarks.push("The recorded input is incomplete.".to_owned());
    }
    remarks.extend(record.ignored.iter().map(|it| format!("Ignored: {it}")));
    remarks
}
