//! `steersman trust [--dry-run]`

use redact::Filter;
use similar::TextDiff;
use store::{AutomationFiles, ScriptFiles, Trust, TrustStatus, TrustedChange};

use super::Place;
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, print, text};
use crate::person;

/// Allow this workspace's scripts, automations and agents to run in their present form
///
/// Shows changes to the automation files since you last trusted them as a diff.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show the files to trust without trusting them
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let user_state = place.user_state()?;
    let scripts = ScriptFiles::read(&place.workspace)?.fingerprint();
    let automations = AutomationFiles::read(&place.workspace);
    let mut trust = Trust::load(user_state)?;
    let root = place.workspace.root();
    let standing = trust.status(root, &automations);
    let agents = super::agent::fingerprint(place);
    let knows_agents = trust.covers_agents(root, &agents);
    if trust.covers(root, &scripts) && standing == TrustStatus::Trusted && knows_agents {
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
    if args.dry_run {
        output::note(&format!("dry run: {root} is not trusted; run `steersman trust` to trust it"));
        return Ok(Exit::Fine);
    }
    if let Some(exit) = person::refusal(place, "trust") {
        return Ok(exit);
    }
    trust.grant(root, &scripts, store::now());
    trust.grant_automations(user_state, root, &automations, &hide, store::now())?;
    trust.grant_agents(root, &agents);
    trust.save(user_state)?;
    output::note(&format!(
        "{root} is trusted in its present form; trust it again after a change to its scripts or automations, or to the \
         programs and tools of its agents"
    ));
    Ok(Exit::Fine)
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
