//! `steersman trust [--dry-run]`

use similar::TextDiff;
use store::{AutomationFiles, Standing, Trust, TrustedChange, scripts_fingerprint};

use super::Place;
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
    let scripts = scripts_fingerprint(&place.workspace)?;
    let automations = AutomationFiles::read(&place.workspace)?;
    let mut trust = Trust::load(user_state)?;
    let root = place.workspace.root();
    let standing = trust.standing(root, &automations);
    let agents = super::agent::fingerprint(place);
    let knows_agents = trust.covers_agents(root, &agents);
    if trust.covers(root, &scripts) && standing == Standing::Trusted && knows_agents {
        output::note(&format!("{root} is trusted already, and nothing in it has changed"));
        return Ok(Exit::Fine);
    }
    for change in trust.changes(user_state, root, &automations) {
        show(&change);
    }
    if args.dry_run {
        output::note(&format!("{root} was left as it is; `steersman trust` allows it to run"));
        return Ok(Exit::Fine);
    }
    trust.grant(root, &scripts, store::now());
    trust.grant_automations(user_state, root, &automations, store::now())?;
    trust.grant_agents(root, &agents);
    trust.save(user_state)?;
    output::note(&format!(
        "{root} is trusted as it is now; a change of its scripts or automations, or of what its agents may start and \
         use, has to be trusted anew"
    ));
    Ok(Exit::Fine)
}

/// Shows what became of a file, without secrets and without anything a terminal acts on.
fn show(change: &TrustedChange) {
    let name = |side: &str, it: &Option<String>| match it {
        Some(_) => format!("{side}/{}", change.file),
        None => "/dev/null".to_owned(),
    };
    let plain =
        |it: &Option<String>| redact::Redacted::from_text(it.as_deref().unwrap_or_default()).into_string();
    let diff = TextDiff::from_lines(plain(&change.before), plain(&change.after))
        .unified_diff()
        .header(&name("trusted", &change.before), &name("now", &change.after))
        .to_string();
    for line in diff.lines() {
        let blanks = line.len() - line.trim_start().len();
        print(format_args!("{}{}", &line[..blanks], text::one_line(line)));
    }
}
