//! `steersman trust [--dry-run]`

use redact::Filter;
use similar::TextDiff;
use store::{AutomationFiles, ScriptFiles, Standing, Trust, TrustedChange};

use super::{Place, serve};
use crate::exit::Exit;
use crate::output::{self, print, text};

/// Allow this workspace's own scripts, automations and agents to run, as they are now
///
/// What changed in the files of automations since they were last trusted is shown as a diff.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only show what would be trusted
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let user_state = place.user_state()?;
    let scripts = ScriptFiles::read(&place.workspace)?.fingerprint();
    let automations = AutomationFiles::read(&place.workspace);
    let mut trust = Trust::load(user_state)?;
    let root = place.workspace.root();
    let standing = trust.standing(root, &automations);
    let agents = super::agent::fingerprint(place);
    let knows_agents = trust.covers_agents(root, &agents);
    if trust.covers(root, &scripts) && standing == Standing::Trusted && knows_agents {
        output::note(&format!("{root} is trusted already, and nothing in it has changed"));
        return Ok(Exit::Fine);
    }
    let hide = hidden_from_trust(place);
    let mut is_hidden = false;
    for change in trust.changes(user_state, root, &automations) {
        is_hidden |= show(&change, &hide);
    }
    if is_hidden {
        output::hint("what looks like a secret is not shown here; the file itself shows what stands there");
    }
    if args.dry_run {
        output::note(&format!("{root} was left as it is; `steersman trust` allows it to run"));
        return Ok(Exit::Fine);
    }
    trust.grant(root, &scripts, store::now());
    trust.grant_automations(user_state, root, &automations, &hide, store::now())?;
    trust.grant_agents(root, &agents);
    trust.save(user_state)?;
    output::note(&format!(
        "{root} is trusted as it is now; a change of its scripts or automations, or of what its agents may start and \
         use, has to be trusted anew"
    ));
    Ok(Exit::Fine)
}

/// Returns what takes out secrets that are none of the workspace's business: those of a known shape and the
/// values of variables that hold some.
///
/// WHY not what the automations' own `secretPatterns` match: a file must not be able to hide from a person what
/// it is about to run.
pub(crate) fn hidden_from_trust(place: &Place) -> Filter {
    let known = serve::settings(place).environment.secret_patterns();
    Filter::with_patterns(known).unwrap_or_default()
}

/// Shows what became of a file, without secrets and without anything a terminal acts on. Returns whether
/// anything that is new in it was hidden.
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
        output::note(&format!("{} has changed only where secrets stand", change.file));
    }
    for line in diff.lines() {
        let blanks = line.len() - line.trim_start().len();
        print(format_args!("{}{}", &line[..blanks], text::one_line(line)));
    }
    change.after.as_deref().is_some_and(|now| now != after)
}
