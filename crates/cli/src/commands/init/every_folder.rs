//! `init --user` and `init --managed`: registers steersman for every folder.

use host::install::{HookPlan, SettingsFile};
use store::UserConfig;

use super::registration::{self, Parts};
use super::{Args, ask_wait, chosen_hosts, program, report_no_host, shell};
use crate::change::{Change, Mode, Writer};
use crate::commands::Place;
use crate::commands::level::{Level, in_folder_of_user};
use crate::exit::Exit;
use crate::output;

/// Registers in the settings files of this level, and writes the settings of the registration unless they exist.
pub(super) fn run(args: &Args, place: &Place, level: Level) -> Exit {
    let workspace = match level.workspace(place) {
        Ok(workspace) => workspace,
        Err(error) => return error.print(),
    };
    let mut files = settings_files(args, place, level);
    if let Some(seconds) = args.ask_wait {
        ask_wait::extend(seconds, &mut files);
    }
    if files.is_empty() {
        report_no_host(place, false);
        return Exit::No;
    }
    let program = match program::choose(args.program.as_deref(), &place.folder, level) {
        Ok(program) => program,
        Err(error) => return error.print(),
    };
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let mut writer = Writer::new(&workspace, mode).with_prefix(level.prefix());
    let mut changed = Vec::new();
    for settings in files {
        if level == Level::User {
            in_folder_of_user(settings.file, place, &mut writer, |writer, file| {
                let moved = SettingsFile { file, ..settings };
                changed.extend(registration::register_all(&[moved], Parts::Hooks, &program, writer));
            });
        } else {
            changed.extend(registration::register_all(&[settings], Parts::Hooks, &program, &mut writer));
        }
    }
    shell::register_all(&chosen_hosts(args, place), level, args.program.as_deref(), place, &mut writer);
    write_config(level, &mut writer);
    let news = writer.has_changed();
    let exit = writer.finish();
    if let Some(seconds) = args.ask_wait.filter(|seconds| *seconds > 0 && exit == Exit::Fine) {
        output::note(&format!(
            "  note: hooks wait in projects with `\"ask\": {{\"wait\": {seconds}}}` in .ai/hooks/config.json; run `steersman init --ask-wait {seconds}` there"
        ));
        ask_wait::warn_of_codex(&chosen_hosts(args, place));
    }
    if news && !args.dry_run && exit == Exit::Fine {
        registration::hint_at_restart(&changed);
        output::hint(
            "start an agent in any folder and give it a task, then run `steersman doctor` there; `\"scope\": \"registered\"` limits steersman to folders with `.ai/hooks`",
        );
    }
    exit
}

fn settings_files(args: &Args, place: &Place, level: Level) -> Vec<SettingsFile> {
    let hosts = chosen_hosts(args, place);
    let concerns = |plan: &&'static HookPlan| plan.hosts.iter().any(|host| hosts.contains(host));
    level.plans().into_iter().filter(concerns).map(SettingsFile::with_hooks).collect()
}

/// Writes the settings if they do not exist: with them, a folder without `.ai/hooks` gets no `.ai/` of its own.
fn write_config(level: Level, writer: &mut Writer<'_>) {
    let Some(file) = level.config_file() else { return };
    let planned = Change::plan(writer.workspace, file, |before| {
        Ok(Some(before.unwrap_or(UserConfig::STARTER).to_owned()))
    });
    match planned {
        Err(error) => writer.fail(&error),
        Ok(change) => {
            let is_new = change.is_new();
            if writer.apply(&change) && is_new {
                let made = if writer.writes() { "wrote" } else { "would write" };
                output::note(&format!("✓ {made}: {}{file}", level.prefix()));
            }
        }
    }
}
