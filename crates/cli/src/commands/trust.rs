//! `steersman trust [--dry-run]`

use std::path::Path;
use std::time::{Duration, Instant};

use event::Deadline;
use redact::Filter;
use similar::TextDiff;
use store::{AutomationFiles, ScriptFiles, Trust, TrustStatus, TrustedChange};

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
/// That is its scripts, automations, agents and the validations of its plan.
/// Lists everything that it covers, compiles the scripts, and shows changes to the automation files since you last
/// trusted them as a diff.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show the files to trust without trusting them
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let user_state = place.user_state()?;
    let script_files = ScriptFiles::read(&place.workspace)?;
    let scripts = script_files.fingerprint();
    let validations = super::plan::validations(place);
    let automations = AutomationFiles::read(&place.workspace);
    let trust = Trust::load(user_state)?;
    let root = place.workspace.root();
    let standing = trust.status(root, &automations);
    let agents = super::agent::fingerprint(place);
    let knows_agents = trust.covers_agents(root, &agents);
    let knows_validations = validations.iter().all(|it| trust.covers_validation(root, it));
    if trust.covers(root, &scripts) && standing == TrustStatus::Trusted && knows_agents && knows_validations {
        output::note(&format!("{root} is already trusted and unchanged"));
        return Ok(Exit::Fine);
    }
    let hide = hidden_from_trust();
    let mut is_hidden = false;
    for change in trust.changes(user_state, root, &automations) {
        is_hidden |= show(&change, &hide);
    }
    if is_hidden {
        output::hint("the diff hides values that look like secrets; open the file to see them");
    }
    let applied = Applied::read(place);
    if !applied.loaded.kept.is_empty() {
        applied.print_errors();
        output::error("cannot trust files with errors: the version that you trusted before keeps running");
        output::hint("correct them, or restore them, then run `steersman trust` again");
        return Ok(Exit::No);
    }
    list_covered(&script_files, &validations, place);
    if args.dry_run {
        output::note(&format!("dry run: {root} is not trusted; run `steersman trust` to trust it"));
        return Ok(Exit::Fine);
    }
    if let Some(exit) = person::refusal(place, "trust") {
        return Ok(exit);
    }
    Trust::change(user_state, |trust| {
        trust.grant(root, &scripts, store::now());
        trust.grant_automations(user_state, root, &automations, &hide, store::now())?;
        trust.grant_agents(root, &agents);
        trust.grant_validations(root, validations.iter().map(String::as_str));
        Ok(())
    })?;
    output::note(&format!(
        "{root} is trusted in its present form; trust it again after a change to its scripts or automations, to the \
         programs and tools of its agents, or to the validations of its plan"
    ));
    Ok(Exit::Fine)
}

/// Lists what may run, and compiles the scripts.
fn list_covered(scripts: &ScriptFiles, validations: &[String], place: &Place) {
    let is_script = |path: &Path| path.extension().is_some_and(|it| it == "mjs" || it == "js");
    for (path, content) in scripts.iter().filter(|(path, _)| is_script(path)) {
        let name = path.to_string_lossy();
        output::note(&format!("  script      .ai/hooks/{}", text::one_line(&name)));
        let deadline = Deadline::after(Instant::now(), COMPILE_TIMEOUT);
        if let Err(error) = script::check_syntax(&name, &String::from_utf8_lossy(content), deadline) {
            output::error(&format!("this script cannot run: .ai/hooks/{error}"));
        }
    }
    let Applied { configuration, .. } = Applied::read(place);
    for automation in configuration.automations() {
        let off = if automation.enabled { "" } else { ", disabled" };
        output::note(&format!("  automation  {} ({}{off})", automation.id, automation.origin.file.name()));
    }
    for file in super::agent::files(place) {
        output::note(&format!("  agent       {}", text::one_line(&file)));
    }
    let hide = hidden_from_trust();
    for command in validations {
        let shown = hide.redact(command).into_string();
        output::note(&format!("  validation  {}", text::one_line(&shown)));
    }
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
