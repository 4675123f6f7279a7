//! `steersman emit TRIGGER [--file F] [--data JSON]`

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use anyhow::Context;
use automation::config::{BadTriggerName, emitted_kind, known_triggers};
use automation::queue::{self, Entry};
use automation::{Automation, Occurrence, OccurrenceKind, matches, template};
use redact::Filter;
use serde_json::{Map, Value, json};

use super::Place;
use super::automation::{Applied, print_trust_hint, standing};
use crate::ancestry;
use crate::exit::Exit;
use crate::output::{self, text};

/// The maximum size of `--data` in bytes.
const MAX_DATA: usize = 64 * 1024;

/// Emit an event to the automations, from an editor or a script
///
/// Appends the event to the queue, so it is not lost while no server runs; `steersman serve` reads it from
/// there.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The event: `onDidSaveTextDocument`, `gitCommit`, `specStatusChange`, `Stop`, `speckit.clarify`, or a
    /// custom name
    trigger: String,
    /// The file that the event is about
    #[arg(long, value_name = "F")]
    file: Option<PathBuf>,
    /// A JSON object with values for templates; `-` reads it from stdin
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    data: Option<String>,
    /// Print JSON: {"occurrence", "trigger", "triggers": [id], "refused": [{id, why}]}
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let (what, values) = match what(args, place)? {
        Ok(what) => what,
        Err(rejected) => return Ok(rejected.print()),
    };
    let now = store::now();
    let mut occurrence = Occurrence::new(now, what);
    occurrence.values = values;
    occurrence.chain = ancestry::automation_chain();
    let applied = Applied::read(place);
    let configuration = &applied.configuration;
    let stored = without_secrets(&occurrence, &applied);
    queue::append(&place.workspace, now, [Entry::Occurred { occurrence: stored }])
        .context("cannot add the event to the queue")?;
    let found = matches(configuration.automations(), &occurrence);
    let ids: Vec<&str> = found.triggered.iter().map(|it| it.id.as_str()).collect();
    if args.json {
        applied.note_errors();
        let refused: Vec<Value> = found
            .refused
            .iter()
            .map(|(automation, why)| json!({"id": automation.id.as_str(), "why": why.to_string()}))
            .collect();
        output::json(&json!({
            "occurrence": occurrence.id.as_str(),
            "trigger": occurrence.kind.to_string(),
            "triggers": ids,
            "refused": refused,
        }))?;
        return Ok(Exit::Fine);
    }
    note_triggered(&occurrence.kind, &found.triggered, place);
    note_disabled(&occurrence.kind, configuration.automations());
    for (_, why) in &found.refused {
        output::note(&format!("not run: {why}"));
    }
    let queue = queue::read(&place.workspace)?;
    for id in found.triggered.iter().map(|it| &it.id).filter(|id| queue.paused(id).is_some()) {
        output::note(&format!("not run: `{id}` is paused"));
        output::hint(&format!("run `steersman automation enable {id}`, then emit the event again"));
    }
    applied.note_errors();
    if !ids.is_empty() {
        print_trust_hint(&standing(place)?);
    }
    Ok(Exit::Fine)
}

/// Returns the event without the secrets of all automations. If the file's name has one, the event names the
/// automations whose pattern matches the whole name.
fn without_secrets(occurrence: &Occurrence, applied: &Applied) -> Occurrence {
    let automations = || applied.configuration.automations();
    // The loader has checked these patterns.
    let patterns = automations().flat_map(|it| &it.secret_patterns);
    let filter = Filter::with_patterns(patterns).unwrap_or_default();
    let stored = occurrence.clone().without_secrets(&filter);
    if stored.file() == occurrence.file() {
        return stored;
    }
    let met = automations().filter(|it| it.trigger.is_met_by(&occurrence.kind));
    Occurrence { matched: Some(met.map(|it| it.id.clone()).collect()), ..stored }
}

/// The values for templates.
type Values = BTreeMap<String, String>;

/// Why the event was not emitted.
struct Rejected {
    what: String,
    hint: String,
}

impl Rejected {
    fn print(&self) -> Exit {
        output::error(&self.what);
        output::hint(&self.hint);
        Exit::No
    }
}

fn what(args: &Args, place: &Place) -> anyhow::Result<Result<(OccurrenceKind, Values), Rejected>> {
    let no = |what: String, hint: &str| Ok(Err(Rejected { what, hint: hint.to_owned() }));
    let root = place.workspace.root();
    let file = match &args.file {
        None => None,
        Some(named) => match place.folder.join(named).below(root) {
            Ok(path) if !path.as_str().is_empty() => Some(path.as_str().to_owned()),
            _ => {
                return no(
                    format!("`{}` is not a file in this workspace", text::one_line(&named.to_string_lossy())),
                    &format!("name a file below {root}"),
                );
            }
        },
    };
    let data = match read_data(args.data.as_deref())? {
        Ok(data) => data,
        Err(problem) => {
            return no(problem, "pass a JSON object of at most 64 KiB: `--data '{\"name\": \"value\"}'`");
        }
    };
    let values = data.iter().map(|(name, value)| (name.clone(), template::plain(value))).collect();
    match emitted_kind(&args.trigger, file, data, root) {
        // The kind has the data itself.
        Ok(what @ OccurrenceKind::Custom { .. }) => Ok(Ok((what, Values::new()))),
        Ok(what) => Ok(Ok((what, values))),
        Err(why) => {
            let known = known_triggers();
            let meant = config_file::nearest(&args.trigger, known.iter().map(String::as_str));
            let hint = match (why, meant.filter(|meant| *meant != args.trigger)) {
                (BadTriggerName::OnlyByClock, _) => {
                    "run `steersman automation run ID` to run it now".to_owned()
                }
                (BadTriggerName::NeedsFile, _) => "name the file with `--file F`".to_owned(),
                (BadTriggerName::NeedsStatus, _) => {
                    "pass `--data '{\"specId\": \"001-x\", \"newStatus\": \"review\"}'`".to_owned()
                }
                (_, Some(meant)) => format!("did you mean `{meant}`?"),
                (_, None) => "run `steersman emit --help` for the built-in triggers".to_owned(),
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
        return Ok(Err("`--data` is larger than 64 KiB".to_owned()));
    }
    Ok(serde_json::from_str(text).map_err(|error| format!("`--data` is not a JSON object: {error}")))
}

/// Names the matching automations that are disabled, because `init` writes all automations disabled.
fn note_disabled<'a>(what: &OccurrenceKind, automations: impl IntoIterator<Item = &'a Automation>) {
    let off = automations.into_iter().filter(|it| !it.enabled && it.trigger.is_met_by(what));
    for automation in off {
        let id = text::one_line(automation.id.as_str());
        output::hint(&format!(
            "`{id}` matches but is disabled; run `steersman automation enable {id}` to enable it"
        ));
    }
}

fn note_triggered(what: &OccurrenceKind, triggered: &[&Automation], place: &Place) {
    let trigger = what.to_string();
    if triggered.is_empty() {
        output::note(&format!("emitted `{trigger}`; it triggers no automation"));
        return;
    }
    let ids: Vec<String> =
        triggered.iter().map(|it| format!("`{}`", text::one_line(it.id.as_str()))).collect();
    output::note(&format!("emitted `{trigger}`; it triggers {}", ids.join(", ")));
    if serve::Lock::holder(&place.workspace).is_none() {
        output::note("  it waits in the queue: no `steersman serve` runs in this workspace");
        output::hint("start `steersman serve` in another terminal");
    }
}
