//! `steersman session explain [RUN|last] [--json]`
//!
//! With `--json`: `{"runs": [{"run", "sid", "workId", "agentId", "turn", "ts",
//! "answeredByWatchdog", "budgetMs"?, "record"?, "dropped": [{"verb", "why", "means"}],
//! "emitted": [{"type", "module", "data"}]}]}`; `record` is the `data` of the run's
//! `HOOK_RUN` line.

use event::plain_name;
use host::{Support, Verb, capability};
use serde_json::{Value, json};
use session::{CutShortRecord, EventRecord, RecordedDecision, RunRecord};
use store::Timestamp;
use timeline::{Dropped, PERMITTED_REMARK, dropped_parts};

use super::run_search::{self, Found};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, FAINT, STRONG, of_decision, paint};
use crate::output::text::{cut, one_line, pad, width, wrap};
use crate::output::{self, moment, print};

/// Explain one run: each module's answer and time, and the decision
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of a run, such as PreToolUse-14-1740700000123, or `last`: the last call that was denied or asked about
    #[arg(default_value = LAST)]
    run: String,
    /// Print JSON: {runs: [{run, sid, workId, agentId, turn, ts, answeredByWatchdog, record, dropped, emitted}]}
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let wanted = if args.run == LAST {
        match run_search::last_objection(place)? {
            Ok(run) => run,
            Err(exit) => return Ok(exit),
        }
    } else {
        args.run.clone()
    };
    let found = match run_search::find(place, &wanted)? {
        Ok(found) => found,
        Err(exit) => return Ok(exit),
    };
    if args.json {
        let runs: Vec<_> = found.iter().map(to_json).collect();
        output::json(&json!({"runs": runs}))?;
        return Ok(Exit::Fine);
    }
    for (index, found) in found.iter().enumerate() {
        if index > 0 {
            print(format_args!(""));
        }
        explain(&wanted, found);
    }
    Ok(Exit::Fine)
}

/// The word for the last call that was denied or asked about.
const LAST: &str = "last";

/// The width of the names on the left.
const NAMES: usize = 10;

/// Prints a name on the left with its lines beside it.
fn section(name: &str, lines: &[String]) {
    for (index, line) in lines.iter().enumerate() {
        let name = pad(if index == 0 { name } else { "" }, NAMES);
        print(format_args!("  {}{line}", paint(FAINT, &name)));
    }
}

fn columns() -> usize {
    output::columns().unwrap_or(110).max(60) - NAMES - 2
}

fn explain(id: &str, found: &Found) {
    let Some(last) = found.run.lines.last() else { return };
    print(format_args!("{}", paint(STRONG, id)));
    let at = Timestamp::from_millis(last.ts);
    section(
        "session",
        &[format!(
            "{}, work {}, turn {}, {}",
            found.session,
            one_line(&last.work_id),
            last.turn_id,
            agent(last, found.run.record.as_ref())
        )],
    );
    section("when", &[format!("{} UTC", moment::day_and_second(at))]);
    match &found.run.record {
        None => section("decision", &wrap(&watchdog_text(last), columns())),
        Some(record) => explain_record(record),
    }
    let emitted = found.run.lines.iter().filter(|line| line.kind != RunRecord::KIND);
    let emitted: Vec<_> = emitted.map(|line| cut(&emitted_text(line), columns())).collect();
    section("recorded", &emitted);
}

fn explain_record(record: &RunRecord) {
    // Every field is named, so that a new one does not compile until this decides whether to show it.
    let RunRecord {
        host,
        event,
        host_event,
        cwd,
        running_agent,
        tool,
        tool_use_id,
        input,
        rewrite,
        context,
        warnings,
        ignored,
        automations,
        // Below `modules`, `decision`, `dropped` and `state`, and beside the session.
        modules: _,
        us: _,
        decision: _,
        reason: _,
        module: _,
        dropped: _,
        patch: _,
        agent_type: _,
        // For programs: keys that tell runs and calls apart, and the stamps that the host got.
        call_key: _,
        input_hash: _,
        input_cut,
        registration: _,
        transcript_length: _,
        stamps: _,
    } = record;
    let wire = record.target();
    let title = wire.as_ref().map_or_else(|| one_line(host), |wire| wire.host().title().to_owned());
    let spelling =
        host_event.as_deref().map(|own| format!(" (named {} there)", one_line(own))).unwrap_or_default();
    section("host", &[format!("{title}, {}{spelling}", one_line(event))]);
    if let Some(cwd) = cwd {
        section("folder", &[one_line(cwd)]);
    }
    if let Some(running_agent) = running_agent {
        section("started", &[format!("by `steersman agent run` as {}", one_line(running_agent))]);
    }
    if !automations.is_empty() {
        let chain: Vec<_> = automations.iter().map(|id| one_line(id)).collect();
        section("started", &[cut(&format!("by the automations {}", chain.join(" → ")), columns())]);
    }
    if let Some(tool) = tool {
        let call_id = tool_use_id.as_deref().map(|id| format!("  {}", paint(FAINT, &one_line(id))));
        section("tool", &[format!("{}{}", one_line(tool), call_id.unwrap_or_default())]);
    }
    let mut input = input.as_ref().map(value_lines).unwrap_or_default();
    if *input_cut {
        input.push(paint(FAINT, "the recorded input is incomplete"));
    }
    section("input", &input);
    section("rewrite", &rewrite.as_ref().map(value_lines).unwrap_or_default());
    section("modules", &module_lines(record));
    section("decision", &decision_lines(record));
    section("warnings", &warnings.iter().flat_map(|text| wrap(text, columns())).collect::<Vec<_>>());
    section("context", &context.iter().map(|key| cut(&one_line(key), columns())).collect::<Vec<_>>());
    section("ignored", &ignored.iter().flat_map(|text| wrap(text, columns())).collect::<Vec<_>>());
    section(
        "dropped",
        &dropped_parts(record)
            .iter()
            .flat_map(|part| wrap(&dropped_sentence(part, &title), columns()))
            .collect::<Vec<_>>(),
    );
    section("state", &patch_lines(record));
}

fn agent(line: &EventRecord, record: Option<&RunRecord>) -> String {
    let role = record.and_then(|record| record.agent_type.as_deref());
    let role = role.map(|role| format!(" ({})", one_line(role))).unwrap_or_default();
    match line.agent_id.as_str() {
        "u00" => format!("main agent{role}"),
        id => format!("agent {}{role}", one_line(id)),
    }
}

/// Explains a run that the watchdog ended, by the line that it wrote.
fn watchdog_text(line: &EventRecord) -> String {
    let record = CutShortRecord::of(line).unwrap_or_default();
    let budget = record.budget_ms;
    if let Some(decision) = record.decision.map(RecordedDecision::as_str) {
        let module = record
            .module
            .as_deref()
            .map(|module| format!(" by {}", one_line(plain_name(module))))
            .unwrap_or_default();
        let reason = record.reason.as_deref().map(one_line).unwrap_or_default();
        return format!(
            "{decision}{module}, printed by the watchdog because the {budget} ms budget was over before the run was \
             recorded: {reason}"
        );
    }
    format!(
        "none: the watchdog answered. No module finished within the {budget} ms budget, so steersman made no decision and \
         the host followed its own rules. The answers of the modules are lost."
    )
}

fn emitted_text(line: &EventRecord) -> String {
    let module = line
        .module
        .as_deref()
        .map(|module| format!(" by {}", one_line(plain_name(module))))
        .unwrap_or_default();
    let data = Value::Object(line.data.clone()).to_string();
    format!("{}{module}  {}", one_line(&line.kind), one_line(&data))
}

/// Returns one line per field of an object, with the names in a column.
fn value_lines(value: &Value) -> Vec<String> {
    let plain = |value: &Value| match value {
        Value::String(text) => one_line(text),
        other => one_line(&other.to_string()),
    };
    let Value::Object(fields) = value else { return vec![cut(&plain(value), columns())] };
    let widest = fields.keys().map(|key| width(key)).max().unwrap_or(0).min(20);
    let line = |(key, value): (&String, &Value)| {
        let name = pad(&cut(&one_line(key), widest), widest);
        format!("{}  {}", paint(FAINT, &name), cut(&plain(value), columns().saturating_sub(widest + 2)))
    };
    fields.iter().map(line).collect()
}

/// Returns one line per module with a bar for its time, and its answer below.
fn module_lines(record: &RunRecord) -> Vec<String> {
    const BAR: u64 = 20;
    let widest =
        record.modules.iter().map(|module| width(plain_name(&module.name))).max().unwrap_or(0).min(24);
    let longest = record.modules.iter().map(|module| module.us).max().unwrap_or(0).max(1);
    let mut lines = Vec::new();
    for module in &record.modules {
        let filled = usize::try_from((module.us * BAR).div_ceil(longest)).unwrap_or(0);
        let bar = format!("{}{}", "█".repeat(filled), "·".repeat(usize::try_from(BAR).unwrap_or(0) - filled));
        let word = if module.error.is_some() { "failed" } else { decision_word(module.decision) };
        let style = if module.error.is_some() { BAD } else { of_decision(module.decision.as_str()) };
        lines.push(format!(
            "{}  {}  {}  {:>8}",
            pad(&cut(&one_line(plain_name(&module.name)), widest), widest),
            paint(style, &pad(word, 10)),
            paint(FAINT, &bar),
            moment::micros(module.us)
        ));
        // The decisive reason is printed with the decision.
        let decided = record.module.as_deref() == Some(module.name.as_str());
        let below = module.error.as_ref().or(module.reason.as_ref().filter(|_| !decided));
        let below = below.map(|text| wrap(text, columns() - 2)).unwrap_or_default();
        lines.extend(below.iter().map(|line| format!("  {line}")));
        if let Some(metrics) = &module.metrics {
            lines.push(format!("  {}", cut(&one_line(&metrics.to_string()), columns() - 2)));
        }
    }
    if record.modules.is_empty() {
        lines.push("no module handles this event".into());
    }
    let bar = usize::try_from(BAR).unwrap_or(0);
    lines.push(format!(
        "{}  {:>8}",
        pad("the whole run", widest + 2 + 10 + 2 + bar),
        moment::micros(record.us)
    ));
    lines
}

fn decision_word(decision: RecordedDecision) -> &'static str {
    match decision {
        RecordedDecision::Abstain => "no opinion",
        RecordedDecision::Allow | RecordedDecision::Ask | RecordedDecision::Deny => decision.as_str(),
    }
}

fn decision_lines(record: &RunRecord) -> Vec<String> {
    let by = record
        .module
        .as_deref()
        .map(|module| format!(", by {}", one_line(plain_name(module))))
        .unwrap_or_default();
    let word = match record.decision {
        RecordedDecision::Abstain => "none: no module objected, and the host follows its own rules",
        decision => decision_word(decision),
    };
    let mut lines = vec![format!("{}{by}", paint(of_decision(record.decision.as_str()).bold(), word))];
    lines.extend(wrap(record.reason.as_deref().unwrap_or_default(), columns()));
    if record.was_hardened()
        && let Some(wire) = record.target()
        && let Support::No(why) = capability(wire.protocol(), wire.event_kind(), Verb::Ask)
    {
        let text = format!("The module asked, but {} cannot ask here: {why}.", wire.host().title());
        lines.extend(wrap(&text, columns()));
    }
    if record.was_permitted() {
        lines.extend(wrap(PERMITTED_REMARK, columns()));
    }
    lines
}

fn patch_lines(record: &RunRecord) -> Vec<String> {
    let fields = record.patch.iter().filter_map(|(section, value)| Some((section, value.as_object()?)));
    let fields = fields.flat_map(|(section, fields)| {
        fields.iter().map(move |(key, value)| (format!("{section}.{key}"), value))
    });
    fields.map(|(key, value)| cut(&one_line(&format!("{key} = {value}")), columns())).collect()
}

fn dropped_sentence(part: &Dropped, title: &str) -> String {
    format!("{}: {title} cannot carry it out here ({}); {}", one_line(&part.verb), part.why, part.means)
}

fn to_json(found: &Found) -> Value {
    let last = found.run.lines.last();
    let dropped: Vec<_> = found.run.record.iter().flat_map(dropped_parts).collect();
    let emitted = found.run.lines.iter().filter(|line| line.kind != RunRecord::KIND);
    let mut value = json!({
        "run": last.map(|line| &line.hook_run_id),
        "sid": found.session.to_string(),
        "workId": last.map(|line| &line.work_id),
        "agentId": last.map(|line| &line.agent_id),
        "turn": last.map(|line| line.turn_id),
        "ts": last.map(|line| line.ts),
        "answeredByWatchdog": found.run.was_cut_short(),
        "dropped": dropped.iter().map(|part| json!({"verb": part.verb, "why": part.why, "means": part.means})).collect::<Vec<_>>(),
        "emitted": emitted.map(|line| json!({"type": line.kind, "module": line.module, "data": line.data})).collect::<Vec<_>>(),
    });
    if let Value::Object(fields) = &mut value {
        if let Some(record) = &found.run.record {
            fields.insert("record".into(), json!(record));
        } else if let Some(record) = last.and_then(CutShortRecord::of) {
            fields.insert("budgetMs".into(), json!(record.budget_ms));
        }
    }
    value
}
