//! `steersman automation show ID [--json]`

use automation::template::available;
use automation::{Automation, queue};
use engine::{Settings, impediment};

use super::secret_filter::SecretFilter;
use super::{Applied, automation_json, print_trust_hint, report_unknown, standing_of};
use crate::commands::{Place, serve};
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::{self, print, text};

/// Show one automation: its trigger, its action and its limits
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the automation
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let applied = Applied::read(place);
    let configuration = &applied.configuration;
    let Some(automation) = configuration.automations().find(|it| it.id.as_str() == args.id) else {
        applied.print_errors();
        return Ok(report_unknown(&args.id, configuration.automations().map(|it| &it.id)));
    };
    let settings = serve::settings(place);
    let secrets = SecretFilter::new(&settings);
    if args.json {
        output::json(&automation_json::automation(automation, &settings, &secrets))?;
        return Ok(Exit::Fine);
    }
    let hide = secrets.of(automation);
    print(format_args!("{}", paint(STRONG, &text::one_line(&hide(automation.label())))));
    for (name, value) in lines(automation, &settings, &hide) {
        print(format_args!("  {} {value}", paint(FAINT, &text::pad(name, 12))));
    }
    if let Some(why) = queue::read(&place.workspace)?.paused(&automation.id) {
        output::note(&format!("`{}` is paused: {}", automation.id, text::one_line(why)));
        output::hint(&format!("run `steersman automation enable {}` to resume it", automation.id));
    }
    applied.print_errors();
    print_trust_hint(&standing_of(place, &applied.files)?);
    Ok(Exit::Fine)
}

fn lines(
    automation: &Automation,
    settings: &Settings,
    hide: &dyn Fn(&str) -> String,
) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("id", text::one_line(automation.id.as_str())),
        ("state", state(automation, settings)),
        ("when", automation.trigger.to_string()),
    ];
    lines.extend(automation.trigger.pattern().map(|pattern| ("files", text::one_line(pattern))));
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

fn state(automation: &Automation, settings: &Settings) -> String {
    match (automation.enabled, impediment::of(automation, settings)) {
        (false, _) => "off".to_owned(),
        (true, Some(why)) => format!("off: {} ({}); {}", why.message, why.code, why.hint),
        (true, None) => "on".to_owned(),
    }
}
