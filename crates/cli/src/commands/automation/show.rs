//! `steersman automation show ID [--json]`

use automation::template::available;
use automation::{Automation, Configuration};
use engine::{Settings, impediment};

use super::hiding::Hiding;
use super::{problems, say_absent, say_standing, standing, wire};
use crate::commands::{Place, serve};
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::{self, print, text};

/// Show one automation: what sets it off, what it does, and its limits
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let (configuration, loaded) = Configuration::load(&place.workspace);
    let Some(automation) = configuration.automations().find(|it| it.id.as_str() == args.id) else {
        if !loaded.is_valid() {
            problems::tell(&loaded.problems);
        }
        return Ok(say_absent(&args.id, configuration.automations().map(|it| &it.id)));
    };
    let settings = serve::settings(place);
    let hiding = Hiding::new(&settings);
    if args.json {
        output::json(&wire::automation(automation, &settings, &hiding))?;
        return Ok(Exit::Fine);
    }
    let hide = hiding.of(automation);
    print(format_args!("{}", paint(STRONG, &text::one_line(&hide(automation.label())))));
    for (name, value) in lines(automation, &settings, &hide) {
        print(format_args!("  {} {value}", paint(FAINT, &text::pad(name, 12))));
    }
    say_standing(&standing(place)?);
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
    for (name, part) in wire::parts(&automation.action) {
        lines.push((name, text::one_line(&hide(&part))));
    }
    if automation.action.needs_runner() {
        let default = || "the one `automation.runner` in .ai/hooks/config.json names".to_owned();
        let runner = automation.runner.as_ref().map_or_else(default, ToString::to_string);
        lines.push(("runner", text::one_line(&hide(&runner))));
    }
    let retry = &automation.retry;
    lines.push(("at once", automation.concurrency.to_string()));
    lines.push(("time limit", format!("{} s", automation.timeout.as_secs_f64())));
    lines.push((
        "new tries",
        match retry.count {
            0 => "none".to_owned(),
            n => format!("{n}, after {} s, then {} times as long", retry.backoff.as_secs_f64(), retry.factor),
        },
    ));
    if let Some(rate) = automation.rate {
        lines.push(("at most", format!("{} runs in {} s", rate.runs, rate.per.as_secs_f64())));
    }
    let variables = available(&automation.trigger).map_or_else(
        || "those that `emit` is called with".to_owned(),
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
