//! `steersman automation show ID [--json]`

use automation::template::available;
use automation::{Automation, OnBusy, SourceFile, Trigger, config, queue};
use serde_json::Value;
use store::FileReading;

use super::automation_state::{AutomationState, AutomationStates};
use super::secret_filter::SecretFilter;
use super::{Applied, automation_json, history, past_runs, print_trust_hint, report_unknown, standing_of};
use crate::commands::{Place, serve};
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::{self, moment, print, text};

/// Show one automation: its trigger, its action and its limits
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the automation
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How many of the latest runs are shown.
const LATEST: usize = 5;

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let applied = Applied::read(place);
    let configuration = &applied.configuration;
    let Some(automation) = configuration.automations().find(|it| it.id.as_str() == args.id) else {
        applied.print_errors();
        return Ok(report_unknown(&args.id, configuration.automations().map(|it| &it.id)));
    };
    let settings = serve::settings(place);
    let secrets = SecretFilter::new(&settings);
    let queue = queue::read(&place.workspace)?;
    let state = AutomationStates::new(&settings, &queue).of(automation);
    let count = past_runs::counts(place).remove(automation.id.as_str());
    let latest = past_runs::latest(place, automation.id.as_str(), LATEST);
    if args.json {
        applied.note_errors();
        let mut shown = automation_json::automation(automation, &state, &secrets);
        if let Some(why) = queue.paused(&automation.id) {
            shown["paused"] = why.into();
        }
        shown["definition"] =
            definition(automation, &applied).map(|raw| secrets.value(automation, raw)).into();
        shown["executionCount"] = count.as_ref().map_or(0, |it| it.n).into();
        shown["lastExecuted"] = count.map(|it| it.last).into();
        shown["lastRuns"] = serde_json::to_value(&latest)?;
        output::json(&shown)?;
        return Ok(Exit::Fine);
    }
    let hide = secrets.of(automation);
    output::prose(format_args!("{}", paint(STRONG, &text::one_line(&hide(automation.label())))));
    for (name, value) in lines(automation, &state, &hide) {
        output::field(&format!("  {} ", paint(FAINT, &text::pad(name, 12))), &value);
    }
    let runs = count.map_or_else(
        || "none yet".to_owned(),
        |it| format!("{}, the last at {}", it.n, moment::local_of_record(&it.last)),
    );
    output::field(&format!("  {} ", paint(FAINT, &text::pad("runs", 12))), &runs);
    if !latest.is_empty() {
        print(format_args!(""));
        for line in history::table(&latest).lines(output::columns()) {
            print(format_args!("{line}"));
        }
    }
    if let Some(why) = queue.paused(&automation.id) {
        output::note(&format!("`{}` is paused: {}", automation.id, text::one_line(why)));
        output::hint(&format!("run `steersman automation enable {}` to resume it", automation.id));
    }
    applied.print_errors();
    print_trust_hint(&standing_of(place, &applied.files)?);
    Ok(Exit::Fine)
}

/// Returns the definition as its file spells it.
fn definition(automation: &Automation, applied: &Applied) -> Option<Value> {
    let reading = match automation.origin.file {
        SourceFile::Akira => applied.files.akira(),
        SourceFile::Gatomia => applied.files.gatomia(),
    };
    let FileReading::Bytes(bytes) = reading else { return None };
    config::definition(&String::from_utf8_lossy(bytes), automation.id.as_str())
}

fn lines(
    automation: &Automation,
    state: &AutomationState,
    hide: &dyn Fn(&str) -> String,
) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("id", text::one_line(automation.id.as_str())),
        ("state", in_words(state)),
        ("when", automation.trigger.to_string()),
    ];
    if let Trigger::Schedule { schedule } = &automation.trigger {
        lines.push(("times", schedule.to_string()));
    }
    let files = automation.trigger.pattern();
    lines.extend(files.map(|pattern| ("files", text::one_line(&hide(&pattern.to_string())))));
    lines.push(("does", automation.action.word().to_owned()));
    for (name, part) in automation_json::parts(&automation.action) {
        lines.push((name, text::one_line(&hide(&part))));
    }
    if automation.action.needs_runner() {
        let default = || "`automation.runner` of .ai/hooks/config.json".to_owned();
        let runner = automation.runner.as_ref().map_or_else(default, ToString::to_string);
        lines.push(("runner", text::one_line(&hide(&runner))));
    }
    let retry = &automation.retry;
    lines.push(("at once", automation.concurrency.to_string()));
    match automation.on_busy {
        OnBusy::Queue => {}
        OnBusy::Restart => lines.push(("when busy", "restart".to_owned())),
        OnBusy::Skip => lines.push(("when busy", "skip".to_owned())),
    }
    if automation.batch {
        lines.push(("batch", "one run for all files".to_owned()));
    }
    if !automation.depends_on.is_empty() {
        let ids: Vec<String> = automation.depends_on.iter().map(|it| text::one_line(it.as_str())).collect();
        lines.push(("depends on", ids.join(", ")));
    }
    lines.push(("time limit", format!("{} s", automation.timeout.as_secs_f64())));
    lines.push((
        "retries",
        match retry.count {
            0 => "none".to_owned(),
            n => format!("{n}, after {} s, then {} times as long", retry.backoff.as_secs_f64(), retry.factor),
        },
    ));
    if let Some(rate) = automation.rate {
        lines.push(("at most", format!("{} runs in {} s", rate.runs, rate.per.as_secs_f64())));
    }
    let variables = available(&automation.trigger).map_or_else(
        || "the data of `steersman emit`".to_owned(),
        |known| known.iter().map(|it| format!("{{{}}}", it.name)).collect::<Vec<_>>().join(" "),
    );
    lines.push(("variables", variables));
    lines.push(("declared in", format!("{}:{}", automation.origin.file.name(), automation.origin.line)));
    lines
}

fn in_words(state: &AutomationState) -> String {
    match state {
        AutomationState::Impeded(why) => {
            format!("off: {} ({}); {}", text::one_line(&why.message), why.code, why.hint)
        }
        AutomationState::Paused(why) => format!("paused: {}", text::one_line(why)),
        AutomationState::Off | AutomationState::On => state.word().to_owned(),
    }
}
