//! `steersman trust [--dry-run [--json]]`
//!
//! With `--json`: `{"workspace", "trusted", "fingerprint", "changes": [{"file", "before", "after"}], "covers": {"scripts",
//! "automations", "agents", "validations"}}`. `fingerprint` identifies this form of the workspace.

use std::path::Path;
use std::time::{Duration, Instant};

use event::{AbsPath, Deadline};
use redact::Filter;
use serde_json::{Value, json};
use similar::TextDiff;
use store::{AutomationFiles, Fingerprint, ScriptFiles, Trust, TrustStatus, TrustedChange};

use super::Place;
use super::automation::Applied;
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, print, text};
use crate::person;

/// The time limit for compiling one script.
const COMPILE_TIMEOUT: Duration = Duration::from_secs(5);

/// Allow this workspace's own code to run in its present form
///
/// That is its scripts, automations, agents, the validations of its plan and the acceptance commands of its intents.
/// Lists everything that it covers, compiles the scripts, and shows changes to the automation files since you last
/// trusted them as a diff.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show the files to trust without trusting them
    #[arg(long)]
    dry_run: bool,
    /// Print JSON: {workspace, trusted, fingerprint, changes: [{file, before, after}], covers: {scripts, automations,
    /// agents, validations}}
    #[arg(long, requires = "dry_run")]
    json: bool,
}

/// All that a trusted workspace may run, as it is now.
struct Covered {
    scripts: ScriptFiles,
    validations: Vec<String>,
    automations: AutomationFiles,
    agents: Fingerprint,
}

impl Covered {
    fn read(place: &Place) -> anyhow::Result<Self> {
        Ok(Self {
            scripts: ScriptFiles::read(&place.workspace)?,
            validations: super::plan::validations(place),
            automations: AutomationFiles::read(&place.workspace),
            agents: super::agent::fingerprint(place),
        })
    }

    fn is_trusted(&self, trust: &Trust, root: &AbsPath) -> bool {
        trust.covers(root, &self.scripts.fingerprint())
            && trust.status(root, &self.automations) == TrustStatus::Trusted
            && trust.covers_agents(root, &self.agents)
            && self.validations.iter().all(|it| trust.covers_validation(root, it))
    }

    /// Returns a value that differs for every other form of the workspace.
    fn fingerprint(&self) -> String {
        let parts = [self.scripts.fingerprint(), self.agents, self.automations.fingerprint()];
        let mut parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
        parts.extend(self.validations.iter().cloned());
        store::fingerprint(parts.iter().map(String::as_bytes)).to_string()
    }

    fn grant(&self, place: &Place) -> anyhow::Result<()> {
        let (user_state, root) = (place.user_state()?, place.workspace.root());
        Trust::change(user_state, |trust| {
            trust.grant(root, &self.scripts.fingerprint(), store::now());
            trust.grant_automations(
                user_state,
                root,
                &self.automations,
                &hidden_from_trust(),
                store::now(),
            )?;
            trust.grant_agents(root, &self.agents);
            trust.grant_validations(root, self.validations.iter().map(String::as_str));
            Ok(())
        })?;
        Ok(())
    }
}

/// Trusts the workspace if it still has the form that a person saw. The caller has checked that a person asks.
pub(crate) fn grant_seen(place: &Place, fingerprint: &str) -> Result<(), String> {
    let covered = Covered::read(place).map_err(|error| format!("{error:#}"))?;
    if covered.fingerprint() != fingerprint {
        return Err("the files changed since you saw them; review them again".to_owned());
    }
    if let Some(why) = Applied::read(place).cannot_be_trusted() {
        return Err(why.to_owned());
    }
    covered.grant(place).map_err(|error| format!("{error:#}"))
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let user_state = place.user_state()?;
    let covered = Covered::read(place)?;
    let trust = Trust::load(user_state)?;
    let root = place.workspace.root();
    if args.json {
        return print_json(&covered, &trust, place);
    }
    if covered.is_trusted(&trust, root) {
        output::note(&format!("{root} is already trusted and unchanged"));
        return Ok(Exit::Fine);
    }
    let hide = hidden_from_trust();
    let mut is_hidden = false;
    for change in trust.changes(user_state, root, &covered.automations) {
        is_hidden |= show(&change, &hide);
    }
    if is_hidden {
        output::hint("the diff hides values that look like secrets; open the file to see them");
    }
    let applied = Applied::read(place);
    if let Some(why) = applied.cannot_be_trusted() {
        applied.print_errors();
        output::error(why);
        output::hint("correct them, or restore them, then run `steersman trust` again");
        return Ok(Exit::No);
    }
    let has_any = list_covered(&covered.scripts, &covered.validations, place);
    if args.dry_run {
        output::note(&format!("dry run: {root} is not trusted; run `steersman trust` to trust it"));
        return Ok(Exit::Fine);
    }
    if let Some(exit) = person::refusal(place, "trust") {
        return Ok(exit);
    }
    covered.grant(place)?;
    if !has_any {
        output::note(&format!(
            "{root} has nothing to trust yet: no scripts, automations, agents, validations or acceptance commands"
        ));
        return Ok(Exit::Fine);
    }
    output::note(&format!(
        "{root} is trusted in its present form; trust it again after a change to its scripts or automations, to the \
         programs and tools of its agents, to the validations of its plan, or to the acceptance commands of its intents"
    ));
    Ok(Exit::Fine)
}

fn print_json(covered: &Covered, trust: &Trust, place: &Place) -> anyhow::Result<Exit> {
    let (user_state, root) = (place.user_state()?, place.workspace.root());
    let hide = hidden_from_trust();
    let shown = |it: &Option<String>| it.as_deref().map(|it| hide.redact(it).into_string());
    let changes: Vec<Value> = trust
        .changes(user_state, root, &covered.automations)
        .iter()
        .map(|it| json!({"file": it.file, "before": shown(&it.before), "after": shown(&it.after)}))
        .collect();
    let scripts: Vec<String> =
        covered.scripts.iter().map(|(path, _)| format!(".ai/hooks/{}", path.display())).collect();
    let Applied { configuration, .. } = Applied::read(place);
    let automations: Vec<String> = configuration.automations().map(|it| it.id.to_string()).collect();
    let validations: Vec<String> =
        covered.validations.iter().map(|it| hide.redact(it).into_string()).collect();
    output::json(&json!({
        "workspace": root.to_string(),
        "trusted": covered.is_trusted(trust, root),
        "fingerprint": covered.fingerprint(),
        "changes": changes,
        "covers": {
            "scripts": scripts,
            "automations": automations,
            "agents": super::agent::files(place),
            "validations": validations,
        },
    }))?;
    Ok(Exit::Fine)
}

/// Lists what may run, and compiles the scripts. Returns whether there is anything.
fn list_covered(scripts: &ScriptFiles, validations: &[String], place: &Place) -> bool {
    let mut n_listed = validations.len();
    let is_script = |path: &Path| path.extension().is_some_and(|it| it == "mjs" || it == "js");
    for (path, content) in scripts.iter().filter(|(path, _)| is_script(path)) {
        n_listed += 1;
        let name = path.to_string_lossy();
        output::note(&format!("  script      .ai/hooks/{}", text::one_line(&name)));
        let deadline = Deadline::after(Instant::now(), COMPILE_TIMEOUT);
        if let Err(error) = script::check_syntax(&name, &String::from_utf8_lossy(content), deadline) {
            output::error(&format!("this script cannot run: .ai/hooks/{error}"));
        }
    }
    let Applied { configuration, .. } = Applied::read(place);
    for automation in configuration.automations() {
        n_listed += 1;
        let off = if automation.enabled { "" } else { ", disabled" };
        output::note(&format!("  automation  {} ({}{off})", automation.id, automation.origin.file.name()));
    }
    for file in super::agent::files(place) {
        n_listed += 1;
        output::note(&format!("  agent       {}", text::one_line(&file)));
    }
    let hide = hidden_from_trust();
    for command in validations {
        let shown = hide.redact(command).into_string();
        output::note(&format!("  validation  {}", text::one_line(&shown)));
    }
    n_listed > 0
}

/// Returns the filter for the diff: it hides secrets of a known shape and the values of variables that hold
/// secrets.
///
/// WHY not the automations' own `secretPatterns`: a file must not be able to hide from the user what it is
/// about to run.
pub(crate) fn hidden_from_trust() -> Filter {
    Filter::with_patterns(environment::secret_patterns()).unwrap_or_default()
}

/// Prints the diff of a file without secrets and terminal control characters. Returns whether it hid anything
/// new.
fn show(change: &TrustedChange, hide: &Filter) -> bool {
    let name = |side: &str, it: &Option<String>| match it {
        Some(_) => format!("{side}/{}", change.file),
        None => "/dev/null".to_owned(),
    };
    let plain = |it: &Option<String>| hide.redact(it.as_deref().unwrap_or_default()).into_string();
    let after = plain(&change.after);
    let diff = TextDiff::from_lines(plain(&change.before), after.clone())
        .unified_diff()
        .header(&name("trusted", &change.before), &name("now", &change.after))
        .to_string();
    if diff.is_empty() {
        output::note(&format!("{} changed only in values that look like secrets", change.file));
    }
    for line in diff.lines() {
        let n_spaces = line.len() - line.trim_start().len();
        print(format_args!("{}{}", &line[..n_spaces], text::one_line(line)));
    }
    change.after.as_deref().is_some_and(|now| now != after)
}
