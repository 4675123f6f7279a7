//! `steersman automation enable|disable ID`

use anyhow::Context;
use automation::config::switch;
use automation::queue::{self, Entry};
use automation::{AutomationId, Configuration, WorkspaceSettings};
use config_file::Problem;
use store::{AutomationFiles, Trust, TrustStatus};

use super::{Applied, print_trust_hint, problems, report_unknown, standing, standing_of};
use crate::change::{Change, ChangeError, Mode, Writer};
use crate::commands::Place;
use crate::commands::trust::hidden_from_trust;
use crate::exit::Exit;
use crate::output;
use crate::person;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the automation
    id: String,
    /// Print the change as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args, enabled: bool, place: &Place) -> anyhow::Result<Exit> {
    let command = if enabled { "automation enable" } else { "automation disable" };
    if !args.dry_run
        && let Some(exit) = person::refusal(place, command)
    {
        return Ok(exit);
    }
    Applied::read(place).note_errors();
    let files = AutomationFiles::read(&place.workspace);
    let mut configuration = Configuration::default();
    let loaded = configuration.take_files(&files, place.workspace.root());
    let Some(automation) = configuration.automations().find(|it| it.id.as_str() == args.id) else {
        let hides_automations = |it: &Problem| it.is_error() && it.file != WorkspaceSettings::FILE;
        if loaded.problems.iter().any(hides_automations) {
            problems::print_problems(&loaded.problems);
            output::error(&format!("cannot change `{}`: the files of the automations have errors", args.id));
            output::hint("correct the errors, then run the command again");
            return Ok(Exit::No);
        }
        return Ok(report_unknown(&args.id, configuration.automations().map(|it| &it.id)));
    };
    let is_resumed = enabled && !args.dry_run && resume(place, &automation.id)?;
    if is_resumed {
        output::note(&format!("✓ resumed `{}`", automation.id));
    }
    let word = if enabled { "on" } else { "off" };
    if automation.enabled == enabled {
        if !is_resumed {
            output::note(&format!("`{}` is already {word}", automation.id));
        }
        return Ok(Exit::Fine);
    }
    let before = standing_of(place, &files)?;
    let mut trusted = None;
    let file = automation.origin.file.name();
    let planned = Change::plan(&place.workspace, file, |text| {
        let text = text.unwrap_or_default();
        let is_judged = before == TrustStatus::Trusted && files.clone().with(file, text) == files;
        let edited = switch(text, &automation.id, enabled).map_err(|error| ChangeError::Content {
            what: format!("cannot edit `{file}`: {error}"),
            place: None,
            hint: "correct the file and run the command again; steersman did not change it".to_owned(),
        })?;
        let edited = edited.unwrap_or_else(|| text.to_owned());
        trusted = is_judged.then(|| files.clone().with(file, &edited));
        Ok(Some(edited))
    });
    let change = match planned {
        Ok(change) => change,
        Err(error) => return Ok(error.print()),
    };
    let mut writer = Writer::new(&place.workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });
    let went_well = writer.apply(&change);
    if went_well && writer.writes() {
        output::note(&format!("✓ `{}` is now {word}", automation.id));
        if let Some(files) = &trusted {
            trust_again(place, files)?;
        }
    }
    let exit = writer.finish();
    if went_well && !args.dry_run {
        print_trust_hint(&standing(place)?);
    }
    Ok(exit)
}

/// Enables or disables an automation for a person who uses the page. Returns why it cannot.
pub(crate) fn by_person(place: &Place, id: &str, enabled: bool) -> anyhow::Result<()> {
    let files = AutomationFiles::read(&place.workspace);
    let mut configuration = Configuration::default();
    configuration.take_files(&files, place.workspace.root());
    let automation = configuration.automations().find(|it| it.id.as_str() == id);
    let automation = automation.with_context(|| format!("no valid automation has the id `{id}`"))?;
    if enabled {
        resume(place, &automation.id)?;
    }
    let is_trusted = standing_of(place, &files)? == TrustStatus::Trusted;
    let file = automation.origin.file.name();
    let mut trusted = None;
    let change = Change::plan(&place.workspace, file, |text| {
        let text = text.unwrap_or_default();
        let is_judged = is_trusted && files.clone().with(file, text) == files;
        let edited = switch(text, &automation.id, enabled)
            .map_err(|error| anyhow::anyhow!("cannot edit `{file}`: {error}"))?;
        let edited = edited.unwrap_or_else(|| text.to_owned());
        trusted = is_judged.then(|| files.clone().with(file, &edited));
        Ok(Some(edited))
    });
    let change = change.map_err(|error| match error {
        ChangeError::World(error) => error,
        ChangeError::Content { what, .. } => anyhow::anyhow!(what),
    })?;
    change.carry_out(&place.workspace, store::now())?;
    if let Some(files) = &trusted {
        trust_again(place, files)?;
    }
    Ok(())
}

/// Resumes a paused automation; returns whether it was paused.
fn resume(place: &Place, id: &AutomationId) -> anyhow::Result<bool> {
    if queue::read(&place.workspace)?.paused(id).is_none() {
        return Ok(false);
    }
    queue::append(&place.workspace, store::now(), [Entry::Resumed { hook: id.clone() }])?;
    Ok(true)
}

/// Trusts the files with this one change: the user who trusted them has just made it.
///
/// WHY not the files on disk: another process may have changed them since.
pub(super) fn trust_again(place: &Place, files: &AutomationFiles) -> anyhow::Result<()> {
    let user_state = place.user_state()?;
    let (root, hide) = (place.workspace.root(), hidden_from_trust());
    Trust::change(user_state, |trust| trust.grant_automations(user_state, root, files, &hide, store::now()))?;
    Ok(())
}
