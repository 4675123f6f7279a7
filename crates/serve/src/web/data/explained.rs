//! Fills the page that explains one hook run.

use std::collections::BTreeMap;

use event::AbsPath;
use page::view::{CommandReading, ConfinementFact, DroppedPart, EmittedLine, Explained, ModuleAnswer};
use session::history::{self, NotReplayable, Run, RunCollector};
use session::{CutShortRecord, EventRecord, RecordedDecision, RunRecord};

use timeline::{EntryKind, TimelineBuilder};

use super::super::Web;

/// Returns the explanation of a run. Returns `None` if the session does not have it.
pub(in crate::web) fn explained(web: &Web, sid: &str, run: &str) -> Option<Explained> {
    let id = super::session::find(web, sid)?;
    let indexed = super::indexed_runs::with_id(web, id, run).and_then(|lines| {
        let mut collector = RunCollector::default();
        lines.into_iter().find_map(|line| collector.add(line))
    });
    let found = match indexed {
        Some(found) => found,
        // The index lags by seconds, or a foreign process broke it.
        None => history::find(&web.workspace.session(id), run).ok()?.into_iter().next()?,
    };
    let last = found.lines.last()?;
    let mut explained = of(sid, last, &found);
    explained.confinement = confinement(web, &found);
    match reading(web, &found) {
        None => {}
        Some(Ok(reading)) => explained.reading = Some(reading),
        Some(Err(why)) => explained.remarks.push(format!("The command cannot be read again: {why}.")),
    }
    Some(explained)
}

/// Returns the reading of a call's command. Returns `None` if the run is not about a command.
fn reading(web: &Web, run: &Run) -> Option<Result<CommandReading, String>> {
    let event = match history::recorded_event(run, None) {
        Ok(event) => event,
        Err(NotReplayable::InputCut | NotReplayable::InputRedacted) => {
            return Some(Err("its record is incomplete or redacted".to_owned()));
        }
        Err(_) => return None,
    };
    let command = event.call()?.command.as_ref()?;
    let root = web.workspace.root();
    let session = event.cwd.as_deref().map_or_else(|| root.clone(), |cwd| root.join(cwd));
    let cwd: AbsPath = command.cwd.as_deref().map_or_else(|| session.clone(), |cwd| session.join(cwd));
    Some(web.inspection.reading(command, &cwd))
}

fn confinement(web: &Web, run: &Run) -> Vec<ConfinementFact> {
    let mut builder = TimelineBuilder::new(web.workspace.root().as_path(), BTreeMap::new());
    for line in &run.lines {
        builder.add(line.clone());
    }
    let entries = builder.finish().into_iter().flat_map(|turn| turn.entries);
    let facts = entries.filter_map(|entry| match entry.what {
        EntryKind::Confined { text, holds } => Some(ConfinementFact { text, holds }),
        _ => None,
    });
    facts.collect()
}

fn of(sid: &str, last: &EventRecord, run: &Run) -> Explained {
    let record = run.record.clone().unwrap_or_default();
    let cut_short = run.was_cut_short().then(|| CutShortRecord::of(last).unwrap_or_default());
    let title = record.target().map_or_else(|| record.host.clone(), |wire| wire.host().title().to_owned());
    Explained {
        run: last.hook_run_id.clone(),
        sid: sid.to_owned(),
        work_id: last.work_id.clone(),
        agent: last.agent_id.clone(),
        turn: last.turn_id,
        ts: last.ts,
        host: title,
        event: cut_short.as_ref().map_or_else(|| record.event.clone(), |cut| cut.event.to_string()),
        tool: record.tool.clone(),
        cwd: record.cwd.clone(),
        input: record.input.clone(),
        rewrite: record.rewrite.clone(),
        decision: match &cut_short {
            Some(cut) => cut.decision.map_or("none", RecordedDecision::as_str).to_owned(),
            None => record.decision.as_str().to_owned(),
        },
        module: match &cut_short {
            Some(cut) => cut.module.as_deref().map(str::to_owned),
            None => record.module.clone(),
        },
        reason: match &cut_short {
            Some(cut) => cut.reason.as_deref().map(str::to_owned),
            None => record.reason.clone(),
        },
        remarks: remarks(&record, cut_short.as_ref()),
        modules: record
            .modules
            .iter()
            .map(|it| ModuleAnswer {
                name: it.name.clone(),
                decision: it.decision,
                reason: it.reason.clone(),
                error: it.error.clone(),
                us: it.us,
            })
            .collect(),
        warnings: record.warnings.clone(),
        context: record.context.clone(),
        confinement: Vec::new(),
        reading: None,
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

fn remarks(record: &RunRecord, cut_short: Option<&CutShortRecord<'_>>) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(cut) = cut_short {
        let budget = cut.budget_ms;
        remarks.push(format!(
            "The run did not end within its budget of {budget} ms; the answers of the modules are lost."
        ));
    }
    if record.was_hardened() {
        remarks.push("The module asked, but the host cannot ask here, so the call was denied.".to_owned());
    }
    if record.was_permitted() {
        remarks.push(timeline::PERMITTED_REMARK.to_owned());
    }
    if record.input_cut {
        remarks.push("The recorded input is incomplete.".to_owned());
    }
    remarks.extend(record.ignored.iter().map(|it| format!("Ignored: {it}")));
    remarks
}
