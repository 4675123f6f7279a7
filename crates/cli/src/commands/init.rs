//! `steersman init`

mod agents;
mod approval;
mod defaults;
mod every_folder;
mod initial_file;
mod module;
mod program;
mod registration;
mod shell;

use std::path::PathBuf;

use host::Host;
use host::install::{HookPlan, SettingsFile};
use store::ModuleName;

use super::Place;
use super::hosts::{self, Chosen, HostArgs};
use super::level::{Level, LevelArgs};
use crate::change::{Mode, Writer};
use crate::environment;
use crate::exit::Exit;
use crate::output;

pub(crate) use approval::withdraw_all;
pub(crate) use defaults::{Written, written_files};
pub(crate) use module::TYPES_FILE;
use registration::Parts;
pub(crate) use shell::{plans as shell_plans, withdraw_shells};

/// Register steersman with the agent programs in use here, and write default settings
///
/// Edits the settings file of each program and keeps its comments, order and layout. Running it again changes
/// nothing; `steersman uninstall` reverts it. Each file is backed up to `.ai/tmp/backup/` first. `--module`,
/// `--agents` or `--automations` alone create only their files. `--intents` also registers the MCP server.
/// `--user` registers for all your folders, `--managed` for all users of this machine; their backups are in your
/// state folder.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the command line")]
pub(crate) struct Args {
    #[command(flatten)]
    hosts: HostArgs,
    #[command(flatten)]
    level: LevelArgs,
    /// The program to register: `steersman` or a path [default: this program]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Create the project module `.ai/hooks/features/NAME/hook.mjs`
    #[arg(long, value_name = "NAME", value_parser = module_name, conflicts_with_all = ["user", "managed"])]
    module: Option<ModuleName>,
    /// Write `.akira/hooks.json` with example automations
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    automations: bool,
    /// Create three example agents in `.rawko/`, with schemas for editors
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    agents: bool,
    /// Write an initial `.orchestration/active_intents.yaml`, and register the MCP server `steersman mcp`,
    /// with which agents select their intent
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    intents: bool,
    /// Also write the contract's `.github/hooks.json`, which no known program reads
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    legacy_hooks_file: bool,
    /// Print the changes as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> Exit {
    let level = args.level.level();
    if level != Level::Project {
        return every_folder::run(args, place, level);
    }
    let place = &place.registered();
    let root = place.workspace.root();
    if environment::home().as_ref() == Some(root) {
        output::error(&format!("cannot register in {root}: it is your home folder, not a project"));
        output::hint(
            "change to a project folder, pass `--workspace DIR`, or register for all folders with `--user`",
        );
        return Exit::No;
    }
    if !root.as_path().is_dir() {
        output::error(&format!("the folder {root} does not exist"));
        return Exit::No;
    }
    let mut writer = Writer::new(&place.workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });

    let only_parts = args.module.is_some() || args.agents || args.automations;
    // Intents have no effect without hooks and the server.
    let registers = !only_parts || args.intents || args.hosts.given() || args.legacy_hooks_file;
    let hosts = if registers { chosen_hosts(args, place) } else { Vec::new() };
    let files = settings_files(args, &hosts, registers);
    if registers && files.is_empty() {
        report_no_host(place, args.intents);
        if !args.intents {
            return Exit::No;
        }
    }
    let begun = !args.intents || initial_file::write_intents(&mut writer);
    let mut changed = Vec::new();
    if !files.is_empty() {
        let parts = if args.intents { Parts::HooksAndServer } else { Parts::Hooks };
        match program::choose(args.program.as_deref(), &place.folder, level) {
            Ok(program) => {
                changed = registration::register_all(&files, parts, &program, &mut writer);
                approval::approve_all(&hosts, parts, &program, place, &mut writer);
                if args.intents || shell::is_wanted(&place.workspace) {
                    shell::register_all(&hosts, level, args.program.as_deref(), place, &mut writer);
                }
            }
            Err(error) => return error.print(),
        }
    }
    // The module comes first, so that entering it into a new manifest is no change of an existing file.
    let made = args.module.as_ref().is_none_or(|name| module::scaffold(name, &mut writer));
    let declared = !args.automations || initial_file::write_automations(&mut writer);
    if args.agents {
        agents::write(place, &mut writer);
    }
    if (made && args.module.is_some()) || args.agents || registers {
        defaults::write(place, &mut writer);
    }
    let news = writer.has_changed();
    let exit = writer.finish();
    if !files.is_empty() && news && !args.dry_run && exit == Exit::Fine {
        registration::hint_at_restart(&changed);
        output::hint("start an agent here and give it a task, then run `steersman doctor`");
    }
    if args.intents && begun && news && !args.dry_run {
        output::hint(
            "add an intent with `steersman intent new NAME --scope 'src/**'`; agents select it, or you do with `steersman intent select ID`",
        );
    }
    if args.automations && declared && news && !args.dry_run {
        output::hint(
            "edit them, check them with `steersman automation validate`, then run `steersman trust` to let them run",
        );
    }
    if args.module.is_some() && made {
        output::hint(
            "edit the module, then run `steersman trust`: steersman runs scripts only in the form you last trusted",
        );
    }
    if args.agents && exit == Exit::Fine && !args.dry_run {
        output::hint("draw them with `steersman agent graph`, run them with `steersman agent run TASK`");
    }
    exit
}

fn chosen_hosts(args: &Args, place: &Place) -> Vec<Host> {
    match args.hosts.chosen() {
        Chosen::All => Host::ALL.to_vec(),
        Chosen::Named(hosts) => hosts,
        Chosen::Auto => {
            hosts::in_use(place).iter().map(|found| found.host).chain(args.hosts.named()).collect()
        }
    }
}

fn settings_files(args: &Args, hosts: &[Host], registers: bool) -> Vec<SettingsFile> {
    let mut files = SettingsFile::of(hosts);
    let legacy = registers && args.legacy_hooks_file;
    files.extend(legacy.then(|| SettingsFile::with_hooks(HookPlan::LEGACY)));
    files
}

fn report_no_host(place: &Place, continues: bool) {
    let text = format!(
        "cannot find an agent program in use in {}: no files of one there or in your home folder, and none on the PATH",
        place.workspace.root()
    );
    if continues {
        output::note(&format!("  note: {text}"));
    } else {
        output::error(&text);
    }
    output::hint(&format!("name one with `--host`: {}, or all", hosts::names_of_all().join(", ")));
}

fn module_name(text: &str) -> Result<ModuleName, &'static str> {
    ModuleName::new(text)
        .ok_or("use at most 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit")
}
