//! `steersman emit TRIGGER [--file F] [--data JSON]`

use std::io::Read;

use anyhow::Context;
use automation::config::{BadTriggerName, known_triggers, what_of};
use automation::queue::{self, Entry};
use automation::{Automation, Configuration, Occurrence, What, matches};
use serde_json::{Map, Value, json};

use super::Place;
use super::automation::{say_standing, standing};
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, text};

/// The most bytes of data one event may carry.
const MAX_DATA: usize = 64 * 1024;

/// Hand an event to the automations: for editors, git hooks and scripts
///
/// It is written into the queue, so nothing is lost while no server runs; `steersman serve` picks it up.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What happened: `onDidSaveTextDocument`, `gitCommit`, `specStatusChange`, `Stop`, `speckit.clarify`, or a
    /// name of your own
    trigger: String,
    /// The file it is about
    #[arg(long, value_name = "F")]
    file: Option<String>,
    /// A JSON object with values for templates; `-` reads it from stdin
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    data: Option<String>,
    /// Print JSON: {"occurrence", "trigger", "setsOff": [id], "refused": [{id, why}]}
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let what = match what(args, place)? {
        Ok(what) => what,
        Err(no) => return Ok(no.tell()),
    };
    let now = store::now();
    let mut occurrence = Occurrence::new(now, what);
    occurrence.chain = environment::automation_chain();
    queue::append(&place.workspace, now, [Entry::Occurred { occurrence: occurrence.clone() }])
        .context("the event could not be handed in")?;

    let (configuration, loaded) = Configuration::load(&place.workspace);
    let found = matches(configuration.automations(), &occurrence);
    let ids: Vec<&str> = found.set_off.iter().map(|it| it.id.as_str()).collect();
    if args.json {
        let refused: Vec<Value> = found
            .refused
            .iter()
            .map(|(automation, why)| json!({"id": automation.id.as_str(), "why": why.to_string()}))
            .collect();
        output::json(&json!({
            "occurrence": occurrence.id.as_str(),
            "trigger": occurrence.what.to_string(),
            "setsOff": ids,
            "refused": refused,
        }))?;
        return Ok(Exit::Fine);
    }
    say(&occurrence.what, &found.set_off);
    say_off(&occurrence.what, configuration.automations());
    for (_, why) in &found.refused {
        output::note(&format!("not run: {why}"));
    }
    if !loaded.is_valid() {
        output::hint("a file of automations has errors: `steersman automation validate` shows them");
    }
    if !ids.is_empty() {
        say_standing(&standing(place)?);
    }
    Ok(Exit::Fine)
}

/// Why nothing was handed in.
struct No {
    what: String,
    hint: String,
}

impl No {
    fn tell(&self) -> Exit {
        output::complain(&self.what);
        output::hint(&self.hint);
        Exit::No
    }
}

fn what(args: &Args, place: &Place) -> anyhow::Result<Result<What, No>> {
    let no = |what: String, hint: &str| Ok(Err(No { what, hint: hint.to_owned() }));
    let root = place.workspace.root();
    let file = match &args.file {
        None => None,
        Some(named) => match place.folder.join(named).below(root) {
            Ok(path) if !path.as_str().is_empty() => Some(path.as_str().to_owned()),
            _ => {
                return no(
                    format!("`{named}` is no file of this workspace"),
                    &format!("it has to be below {root}"),
                );
            }
        },
    };
    let data = match read_data(args.data.as_deref())? {
        Ok(data) => data,
        Err(complaint) => return no(complaint, "`--data '{\"name\": \"value\"}'`, 64 KiB at most"),
    };
    match what_of(&args.trigger, file, data, root) {
        Ok(what) => Ok(Ok(what)),
        Err(why) => {
            let known = known_triggers();
            let meant = config_file::nearest(&args.trigger, known.iter().map(String::as_str));
            let hint = match (why, meant.filter(|meant| *meant != args.trigger)) {
                (BadTriggerName::NeedsFile, _) => "`--file F` names it".to_owned(),
                (BadTriggerName::NeedsStatus, _) => {
                    "`--data '{\"specId\": \"001-x\", \"newStatus\": \"review\"}'`".to_owned()
                }
                (_, Some(meant)) => format!("did you mean `{meant}`?"),
                (_, None) => "`steersman emit --help` says what there is".to_owned(),
            };
            no(format!("`{}`: {why}", text::one_line(&args.trigger)), &hint)
        }
    }
}

fn read_data(data: Option<&str>) -> anyhow::Result<Result<Map<String, Value>, String>> {
    let mut read = String::new();
    let text = match data {
        None => return Ok(Ok(Map::new())),
        Some("-") => {
            let most = u64::try_from(MAX_DATA + 1).unwrap_or(u64::MAX);
            std::io::stdin()
                .take(most)
                .read_to_string(&mut read)
                .context("cannot read the data from stdin")?;
            &read
        }
        Some(text) => text,
    };
    if text.len() > MAX_DATA {
        return Ok(Err("there is more data than an event may carry".to_owned()));
    }
    Ok(serde_json::from_str(text).map_err(|error| format!("the data is no JSON object: {error}")))
}

/// Names those that would have run, had they been on: `init` writes all of them off.
fn say_off<'a>(what: &What, automations: impl IntoIterator<Item = &'a Automation>) {
    let off = automations.into_iter().filter(|it| !it.enabled && it.trigger.is_met_by(what));
    for automation in off {
        let id = text::one_line(automation.id.as_str());
        output::hint(&format!(
            "`{id}` waits for it but is off; `steersman automation enable {id}` lets it run"
        ));
    }
}

fn say(what: &What, set_off: &[&Automation]) {
    let trigger = what.to_string();
    if set_off.is_empty() {
        output::note(&format!("handed in: `{trigger}`; it sets nothing off"));
        return;
    }
    let ids: Vec<String> = set_off.iter().map(|it| format!("`{}`", text::one_line(it.id.as_str()))).collect();
    output::note(&format!("handed in: `{trigger}`, which sets off {}", ids.join(", ")));
}
