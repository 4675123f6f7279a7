//! `steersman automation enable|disable ID`

use automation::config::switch;
use automation::queue::{self, Entry};
use automation::{AutomationId, Configuration};
use store::{AutomationFiles, Standing, Trust};

use super::{problems, say_absent, say_standing, standing, standing_of};
use crate::change::{Change, Mode, Trouble, Writer};
use crate::commands::Place;
use crate::commands::trust::hidden_from_trust;
use crate::exit::Exit;
use crate::output;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which
    id: String,
    /// Print what would change as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, enabled: bool, place: &Place) -> anyhow::Result<Exit> {
    let files = AutomationFiles::read(&place.workspace);
    let mut configuration = Configuration::default();
    let loaded = configuration.take_files(&files, place.workspace.root());
    let Some(automation) = configuration.automations().find(|it| it.id.as_str() == args.id) else {
        if !loaded.is_valid() {
            problems::tell(&loaded.problems);
        }
        return Ok(say_absent(&args.id, configuration.automations().map(|it| &it.id)));
    };
    if enabled && !args.dry_run && resume(place, &automation.id)? {
        output::note(&format!("✓ `{}` is not paused any more", automation.id));
    }
    let word = if enabled { "on" } else { "off" };
    if automation.enabled == enabled {
        output::note(&format!("`{}` is {word} already", automation.id));
        return Ok(Exit::Fine);
    }
    let before = standing_of(place, &files)?;
    let mut trusted = None;
    let file = automation.origin.file.name();
    let planned = Change::plan(&place.workspace, file, |text| {
        let text = text.unwrap_or_default();
        let is_judged = before == Standing::Trusted && files.clone().with(file, text) == files;
        let edited = switch(text, &automation.id, enabled).map_err(|error| Trouble::Content {
            what: format!("`{file}` cannot be edited: {error}"),
            place: None,
            hint: "mend it and run the command again; the file was left as it is".to_owned(),
        })?;
        let edited = edited.unwrap_or_else(|| text.to_owned());
        trusted = is_judged.then(|| files.clone().with(file, &edited));
        Ok(Some(edited))
    });
    let change = match planned {
        Ok(change) => change,
        Err(trouble) => return Ok(trouble.tell()),
    };
    let mut writer = Writer::new(&place.workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });
    let went_well = writer.apply(&change);
    if went_well && writer.writes() {
        output::note(&format!("✓ `{}` is {word} now", automation.id));
        if let Some(files) = &trusted {
            trust_again(place, files)?;
        }
    }
    let exit = writer.finish();
    if went_well && !args.dry_run {
        say_standing(&standing(place)?);
    }
    Ok(exit)
}

/// Lets a paused automation run again; returns whether it was paused.
fn resume(place: &Place, id: &AutomationId) -> anyhow::Result<bool> {
    if queue::read(&place.workspace)?.paused(id).is_none() {
        return Ok(false);
    }
    queue::append(&place.workspace, store::now(), [Entry::Resumed { hook: id.clone() }])?;
    Ok(true)
}

/// Trusts the files with this one change in them: the person who trusted them has just made it.
///
/// WHY not as the disk says: another process may have written there since.
fn trust_again(place: &Place, files: &AutomationFiles) -> anyhow::Result<()> {
    let user_state = place.user_state()?;
    let mut trust = Trust::load(user_state)?;
    let hide = hidden_from_trust(place);
    trust.grant_automations(user_state, place.workspace.root(), files, &hide, store::now())?;
    Ok(trust.save(user_state)?)
}
