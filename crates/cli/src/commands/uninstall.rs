//! `steersman uninstall`

use std::fs;

use anyhow::Context;
use host::Host;
use host::install::{EditError, Plan, Removed, SettingsFile};
use intent::IntentsFile;
use store::Workspace;

use super::Place;
use super::hosts::{self, Chosen, HostArgs};
use super::init::{TYPES_FILE, Written, written_files};
use crate::change::{Change, Mode, Trouble, Writer, remove_empty_parents};
use crate::exit::Exit;
use crate::output;

/// Remove what `init` added to the settings of agent programs
///
/// A settings file that nobody changed since is again what it was, byte for byte; one that
/// holds nothing else is deleted. `.ai/hooks/` and the records in `.ai/tmp/` stay.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    hosts: HostArgs,
    /// Also delete the records in `.ai/tmp/`, and of `.ai/hooks/` and the intents what is still as `init` wrote it
    #[arg(long)]
    purge: bool,
    /// Print what would change as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let workspace = &place.workspace;
    let mut writer = Writer::new(workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });
    for settings in settings_files(&args.hosts) {
        match Change::plan(workspace, settings.file, |before| without_us(&settings, before, workspace)) {
            Err(trouble) => writer.fail(&trouble),
            Ok(change) if change.is_nothing() => {
                // Only a host that was asked for by name is owed an answer.
                if matches!(args.hosts.chosen(), Chosen::Named(_)) && settings.hooks.is_some() {
                    let titles = hosts::titles(settings.hosts());
                    output::note(&format!("✓ {titles}: not registered in {}", settings.file));
                }
            }
            Ok(change) => {
                if writer.apply(&change) {
                    say(&settings, &change, writer.writes());
                }
            }
        }
    }
    if args.purge {
        purge(place, &mut writer);
    }
    let exit = writer.finish();
    if args.purge && !args.dry_run && exit == Exit::Fine {
        remove_records(workspace)?;
    }
    Ok(exit)
}

fn settings_files(args: &HostArgs) -> Vec<SettingsFile> {
    match args.chosen() {
        Chosen::Named(hosts) => SettingsFile::of(&hosts),
        // Whatever `init` may have written.
        Chosen::Auto | Chosen::All => {
            let legacy = SettingsFile::with_hooks(Plan::LEGACY);
            SettingsFile::of(&Host::ALL).into_iter().chain([legacy]).collect()
        }
    }
}

/// Returns the settings file as it was before us; `None` if it was not there.
fn without_us(
    settings: &SettingsFile,
    now: Option<&str>,
    workspace: &Workspace,
) -> Result<Option<String>, Trouble> {
    let Some(now) = now else { return Ok(None) };
    let failed = |error: EditError| Trouble::edit(settings.file, now, error);
    let copies = copies_without_us(settings, workspace);
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

/// Returns the copies of a settings file from before we were in it, the newest first.
fn copies_without_us(settings: &SettingsFile, workspace: &Workspace) -> Vec<String> {
    let file = workspace.root().join(settings.file).below(workspace.root());
    let copies = file.map(|file| workspace.backups().of(&file)).unwrap_or_default();
    let texts = copies.into_iter().filter_map(|bytes| String::from_utf8(bytes).ok());
    texts.filter(|text| settings.found_in(text).is_ok_and(|found| found.is_empty())).collect()
}

/// Returns whether registering what is found there is all that happened between the two.
fn leads_to(found: &SettingsFile, copy: &str, now: &str) -> bool {
    let program = found.program_in(now);
    program.is_some_and(|program| found.register(Some(copy), &program).is_ok_and(|text| text == now))
}

fn say(settings: &SettingsFile, change: &Change, written: bool) {
    let what = match (change.is_removal(), written) {
        (true, true) => "deleted, nothing else was in it",
        (true, false) => "would be deleted, nothing else is in it",
        (false, true) => "our entries were removed",
        (false, false) => "our entries would be removed",
    };
    output::note(&format!("✓ {}: {} — {what}", hosts::titles(settings.hosts()), settings.file));
}

/// Removes the files that nobody has changed since `init` wrote them; what a person wrote stays.
fn purge(place: &Place, writer: &mut Writer<'_>) {
    let workspace = &place.workspace;
    let types = Written { file: TYPES_FILE.to_owned(), text: script::TYPES };
    let intents = Written { file: IntentsFile::PATH.to_owned(), text: IntentsFile::STARTER };
    let word = if writer.writes() { "deleted" } else { "would delete" };
    let mut n_removed = 0;
    for written in written_files(workspace).into_iter().chain([types]) {
        n_removed += usize::from(remove_unchanged(&written, writer));
    }
    if n_removed > 0 {
        let files = if n_removed == 1 {
            "1 file that is still as `init` wrote it"
        } else {
            &format!("{n_removed} files that are still as `init` wrote them")
        };
        output::note(&format!("✓ .ai/hooks: {word} {files}"));
    }
    if remove_unchanged(&intents, writer) {
        output::note(&format!("✓ {}: {word}, there was no intent in it", intents.file));
    }
    if writer.writes() && workspace.hooks_dir().as_path().exists() {
        output::note("  what you wrote yourself in .ai/hooks was left there");
    }
}

/// Removes a file that is still as it was written; returns whether it was.
fn remove_unchanged(written: &Written, writer: &mut Writer<'_>) -> bool {
    let removed = Change::plan(writer.workspace, &written.file, |before| {
        Ok(before.filter(|before| *before != written.text).map(str::to_owned))
    });
    match removed {
        Err(trouble) => {
            writer.fail(&trouble);
            false
        }
        Ok(change) => {
            let change = change.of_our_own();
            change.is_removal() && writer.apply_unseen(&change)
        }
    }
}

/// Removes the records, and with them the copies of what this run changed.
fn remove_records(workspace: &Workspace) -> anyhow::Result<()> {
    let records = workspace.tmp_dir();
    if records.as_path().exists() {
        fs::remove_dir_all(records.as_path()).with_context(|| format!("cannot remove `{records}`"))?;
        remove_empty_parents(records, workspace.root());
        output::note("✓ .ai/tmp: all records deleted");
    }
    Ok(())
}
