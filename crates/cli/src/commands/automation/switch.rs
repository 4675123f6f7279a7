//! `steersman automation enable|disable ID`

use automation::Configuration;
use automation::config::switch;
use store::{AutomationFiles, Standing, Trust};

use super::{problems, say_absent, say_standing, standing};
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
    let (configuration, loaded) = Configuration::load(&place.workspace);
    let Some(automation) = configuration.automations().find(|it| it.id.as_str() == args.id) else {
        if !loaded.is_valid() {
            problems::tell(&loaded.problems);
        }
        return Ok(say_absent(&args.id, configuration.automations().map(|it| &it.id)));
    };
    let word = if enabled { "on" } else { "off" };
    if automation.enabled == enabled {
        output::note(&format!("`{}` is {word} already", automation.id));
        return Ok(Exit::Fine);
    }
    let before = standing(place)?;
    let file = automation.origin.file.name();
    let planned = Change::plan(&place.workspace, file, |text| {
        let text = text.unwrap_or_default();
        let edited = switch(text, &automation.id, enabled).map_err(|error| Trouble::Content {
            what: format!("`{file}` cannot be edited: {error}"),
            place: None,
            hint: "mend it and run the command again; the file was left as it is".to_owned(),
        })?;
        Ok(Some(edited.unwrap_or_else(|| text.to_owned())))
    });
    let change = match planned {
        Ok(change) => change,
        Err(trouble) => return Ok(trouble.tell()),
    };
    let mut writer = Writer::new(&place.workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });
    let went_well = writer.apply(&change);
    if went_well && writer.writes() {
        output::note(&format!("✓ `{}` is {word} now", automation.id));
        if before == Standing::Trusted {
            trust_again(place)?;
        }
    }
    let exit = writer.finish();
    if went_well && !args.dry_run {
        say_standing(&standing(place)?);
    }
    Ok(exit)
}

/// Trusts the file with this one change in it: the person who trusted it has just made it.
fn trust_again(place: &Place) -> anyhow::Result<()> {
    let user_state = place.user_state()?;
    let files = AutomationFiles::read(&place.workspace)?;
    let mut trust = Trust::load(user_state)?;
    let hide = hidden_from_trust(place);
    trust.grant_automations(user_state, place.workspace.root(), &files, &hide, store::now())?;
    Ok(trust.save(user_state)?)
}
