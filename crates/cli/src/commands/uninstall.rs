//! `steersman uninstall`

mod purge;

use host::Host;
use host::install::{EditError, HookPlan, Removed, SettingsFile};
use store::{UserConfig, Workspace};

use super::Place;
use super::hosts::{self, Chosen, HostArgs};
use super::init::{Written, withdraw_all, withdraw_shells};
use super::level::{Level, LevelArgs, in_folder_of_user};
use crate::change::{Change, ChangeError, Mode, Writer};
use crate::exit::Exit;
use crate::output;
use crate::person;

/// Remove steersman's entries from the settings of agent programs
///
/// If a settings file is unchanged since `init`, its previous content is restored byte for byte; if it holds
/// nothing else, it is deleted. `.ai/hooks/` and the records in `.ai/tmp/` stay. `--user` and `--managed` revert
/// `init --user` and `init --managed`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    level: LevelArgs,
    /// Also delete all records of this workspace, your trust in it, and the files of `init` that are unchanged; list
    /// the files that stay, with the reason
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    purge: bool,
    /// Print the changes as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if !args.dry_run
        && let Some(exit) = person::refusal_beneath_agent(place, "uninstall")
    {
        return Ok(exit);
    }
    let level = args.level.level();
    let workspace = &match level.workspace(place) {
        Ok(workspace) => workspace,
        Err(error) => return Ok(error.print()),
    };
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    // The records tell what an agent did, and who is one.
    if args.purge
        && mode == Mode::Write
        && let Some(exit) = person::refusal(place, "uninstall --purge")
    {
        return Ok(exit);
    }
    let mut writer = Writer::new(workspace, mode).with_prefix(level.prefix());
    let hosts = match args.hosts.chosen() {
        Chosen::Named(hosts) => hosts,
        Chosen::Auto | Chosen::All => Host::ALL.to_vec(),
    };
    // First: registering it came last.
    withdraw_shells(&hosts, level, place, &mut writer);
    // Report an absence only for hosts that the user named.
    let is_named = matches!(args.hosts.chosen(), Chosen::Named(_));
    for settings in settings_files(&args.hosts, level) {
        if level == Level::User {
            in_folder_of_user(settings.file, place, &mut writer, |writer, file| {
                withdraw(&SettingsFile { file, ..settings }, is_named, writer);
            });
        } else {
            withdraw(&settings, is_named, &mut writer);
        }
    }
    if level == Level::Project {
        withdraw_all(&hosts, place, &mut writer);
    }
    // The settings of a registration that no longer exists.
    if let Some(file) = level.config_file().filter(|_| !matches!(args.hosts.chosen(), Chosen::Named(_))) {
        let written = Written::new(file, UserConfig::STARTER);
        if purge::remove_unchanged(&written, &mut writer) {
            let word = if writer.writes() { "deleted" } else { "would delete" };
            output::note(&format!("✓ {}{file}: {word}, unchanged since `init`", level.prefix()));
        }
    }
    let removed = args.purge.then(|| purge::remove_files(place, &mut writer));
    if removed.is_some() {
        writer.forget_backups();
    }
    let news = writer.has_changed();
    let exit = writer.finish();
    let is_whole = removed.is_none() && level == Level::Project && !is_named;
    if is_whole && news && exit == Exit::Fine {
        purge::note_left(place);
    }
    if let Some(removed) = removed.filter(|_| exit == Exit::Fine) {
        if !args.dry_run {
            purge::remove_records(place)?;
        }
        purge::list_kept(place, &removed);
    }
    Ok(exit)
}

/// Removes steersman's entries from one settings file, and reports it.
fn withdraw(settings: &SettingsFile, is_named: bool, writer: &mut Writer<'_>) {
    let workspace = writer.workspace;
    match Change::plan(workspace, settings.file, |before| without_steersman(settings, before, workspace)) {
        Err(error) => writer.fail(&error),
        Ok(change) if change.is_nothing() => {
            let is_local = settings.file == HookPlan::LOCAL.file;
            if is_named && settings.hooks.is_some() && !is_local {
                let titles = hosts::titles(settings.hosts());
                output::note(&format!("✓ {titles}: not registered in {}{}", writer.prefix, settings.file));
            }
        }
        Ok(change) => {
            if writer.apply(&change) {
                report(settings, &change, writer);
            }
        }
    }
}

fn settings_files(args: &HostArgs, level: Level) -> Vec<SettingsFile> {
    if level != Level::Project {
        let named = match args.chosen() {
            Chosen::Named(hosts) => hosts,
            Chosen::Auto | Chosen::All => Host::ALL.to_vec(),
        };
        let concerns = |plan: &&'static HookPlan| plan.hosts.iter().any(|host| named.contains(host));
        return level.plans().into_iter().filter(concerns).map(SettingsFile::with_hooks).collect();
    }
    match args.chosen() {
        Chosen::Named(hosts) => SettingsFile::of(&hosts).into_iter().chain(local_file(&hosts)).collect(),
        // Every file that `init` may have written.
        Chosen::Auto | Chosen::All => {
            let legacy = SettingsFile::with_hooks(HookPlan::LEGACY);
            SettingsFile::of(&Host::ALL).into_iter().chain(local_file(&Host::ALL)).chain([legacy]).collect()
        }
    }
}

/// Returns the file of `init --local` if one of these hosts has it.
fn local_file(hosts: &[Host]) -> Option<SettingsFile> {
    let plan = HookPlan::LOCAL;
    plan.hosts.iter().any(|host| hosts.contains(host)).then(|| SettingsFile::with_hooks(plan))
}

/// Returns the settings file as it was before `init`; `None` if it did not exist.
fn without_steersman(
    settings: &SettingsFile,
    now: Option<&str>,
    workspace: &Workspace,
) -> Result<Option<String>, ChangeError> {
    let Some(now) = now else { return Ok(None) };
    let failed = |error: EditError| ChangeError::edit(settings.file, now, error);
    let copies = backups_without_steersman(settings, workspace);
    let found = settings.found_in(now).map_err(failed)?;
    if let Some(copy) = copies.iter().find(|copy| leads_to(&found, copy, now)) {
        return Ok(Some(copy.clone()));
    }
    Ok(match settings.unregister(now).map_err(failed)? {
        Removed::Nothing => Some(now.to_owned()),
        Removed::Text(text) => Some(text),
        Removed::OnlyOurs { left } => (!copies.is_empty()).then_some(left),
    })
}

/// Returns the backups of a settings file from before `init`, newest first.
fn backups_without_steersman(settings: &SettingsFile, workspace: &Workspace) -> Vec<String> {
    let file = workspace.root().join(settings.file).below(workspace.root());
    let copies = file.map(|file| workspace.backups().of(&file)).unwrap_or_default();
    let texts = copies.into_iter().filter_map(|bytes| String::from_utf8(bytes).ok());
    texts.filter(|text| settings.found_in(text).is_ok_and(|found| found.is_empty())).collect()
}

/// Returns whether registering the found entries in `copy` yields `now`.
fn leads_to(found: &SettingsFile, copy: &str, now: &str) -> bool {
    let program = found.program_in(now);
    program.is_some_and(|program| found.register(Some(copy), &program).is_ok_and(|text| text == now))
}

fn report(settings: &SettingsFile, change: &Change, writer: &Writer<'_>) {
    let what = match (change.is_removal(), writer.writes()) {
        (true, true) => "deleted, it had no other content",
        (true, false) => "would be deleted, it has no other content",
        (false, true) => "removed steersman's entries",
        (false, false) => "would remove steersman's entries",
    };
    let titles = hosts::titles(settings.hosts());
    output::note(&format!("✓ {titles}: {}{} — {what}", writer.prefix, settings.file));
}
