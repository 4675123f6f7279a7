//! `steersman init`

mod agents;
mod automations;
mod defaults;
mod intents;
mod module;
mod program;
mod registration;
mod starting_file;

use std::path::PathBuf;

use host::Host;
use host::install::{Plan, SettingsFile};
use store::ModuleName;

use super::Place;
use super::hosts::{self, Chosen, HostArgs};
use crate::change::{Mode, Writer};
use crate::environment;
use crate::exit::Exit;
use crate::output;

pub(crate) use defaults::{Written, written_files};
pub(crate) use module::TYPES_FILE;
use registration::Parts;

/// Register with the agent programs in use here, and write default settings
///
/// Edits the settings file of each program: comments, order and layout stay, running it
/// again changes nothing, and `steersman uninstall` takes it back. Every file is copied to
/// `.ai/tmp/backup/` before it is changed. With `--module`, `--agents` or `--automations` alone only
/// that is made. With `--intents` the MCP server is registered, too.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "one for each flag of the command line")]
pub(crate) struct Args {
    #[command(flatten)]
    hosts: HostArgs,
    /// The program to write into the settings: `steersman` or a path [default: the one that runs now]
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
    /// Make a module of the project's own, `.ai/hooks/features/NAME/hook.mjs`
    #[arg(long, value_name = "NAME", value_parser = module_name)]
    module: Option<ModuleName>,
    /// Write `.akira/hooks.json` with automations to start from
    #[arg(long)]
    automations: bool,
    /// Make three agents to start with in `.rawko/`, and the schemas editors check them by
    #[arg(long)]
    agents: bool,
    /// Write `.orchestration/active_intents.yaml` to start from, and register the MCP server `steersman mcp`,
    /// through which agents select their intent
    #[arg(long)]
    intents: bool,
    /// Also write the contract's `.github/hooks.json`, which no known program reads
    #[arg(long)]
    legacy_hooks_file: bool,
    /// Print what would change as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> Exit {
    let root = place.workspace.root();
    if environment::home().as_ref() == Some(root) {
        output::complain(&format!("{root} is your home folder, not a project"));
        output::hint("go to a project, or name one with `--workspace DIR`");
        return Exit::No;
    }
    if !root.as_path().is_dir() {
        output::complain(&format!("there is no folder {root}"));
        return Exit::No;
    }
    let mut writer = Writer::new(&place.workspace, if args.dry_run { Mode::DryRun } else { Mode::Write });

    let only_parts = args.module.is_some() || args.agents || args.automations;
    // Intents without hooks and the server would govern nobody.
    let registers = !only_parts || args.intents || args.hosts.given() || args.legacy_hooks_file;
    let files = if registers { settings_files(args, place) } else { Vec::new() };
    if registers && files.is_empty() {
        say_none_found(place, args.intents);
        if !args.intents {
            return Exit::No;
        }
    }
    let begun = !args.intents || intents::write(&mut writer);
    if !files.is_empty() {
        let parts = if args.intents { Parts::HooksAndServer } else { Parts::Hooks };
        match program::choose(args.program.as_deref(), &place.folder) {
            Ok(program) => registration::register_all(&files, parts, &program, &mut writer),
            Err(trouble) => return trouble.tell(),
        }
    }
    // The module first: what it enters into a new manifest is no change to an existing one.
    let made = args.module.as_ref().is_none_or(|name| module::scaffold(name, &mut writer));
    let declared = !args.automations || automations::write(&mut writer);
    if args.agents {
        agents::write(place, &mut writer);
    }
    if (made && args.module.is_some()) || args.agents || registers {
        defaults::write(place, &mut writer);
    }
    let news = writer.has_changed();
    let exit = writer.finish();
    if !files.is_empty() && news && !args.dry_run && exit == Exit::Fine {
        output::hint("start an agent here and let it do something, then look at it with `steersman doctor`");
    }
    if args.intents && begun && news && !args.dry_run {
        output::hint(
            "`steersman intent new NAME --scope 'src/**'` adds an intent; agents select it themselves, or you do with `steersman intent select ID`",
        );
    }
    if args.automations && declared && news && !args.dry_run {
        output::hint(
            "change them to your needs; `steersman automation validate` checks them, `steersman trust` lets them run",
        );
    }
    if args.module.is_some() && made {
        output::hint(
            "change the module to your needs, then run `steersman trust`: scripts run only as you last trusted them",
        );
    }
    if args.agents && exit == Exit::Fine && !args.dry_run {
        output::hint("`steersman agent graph` draws them; `steersman agent run TASK` lets them work");
    }
    exit
}

fn settings_files(args: &Args, place: &Place) -> Vec<SettingsFile> {
    let hosts: Vec<Host> = match args.hosts.chosen() {
        Chosen::All => Host::ALL.to_vec(),
        Chosen::Named(hosts) => hosts,
        Chosen::Auto => {
            hosts::in_use(place).iter().map(|found| found.host).chain(args.hosts.named()).collect()
        }
    };
    let mut files = SettingsFile::of(&hosts);
    files.extend(args.legacy_hooks_file.then(|| SettingsFile::with_hooks(Plan::LEGACY)));
    files
}

fn say_none_found(place: &Place, goes_on: bool) {
    let text = format!(
        "no agent program seems to be in use in {}: no trace of one there, in your home folder or on the PATH",
        place.workspace.root()
    );
    if goes_on {
        output::note(&format!("  note: {text}"));
    } else {
        output::complain(&text);
    }
    output::hint(&format!("name one with `--host`: {}, or all", hosts::names_of_all().join(", ")));
}

fn module_name(text: &str) -> Result<ModuleName, &'static str> {
    ModuleName::new(text)
        .ok_or("letters, digits, `.`, `_` and `-`, beginning with a letter or digit, 64 at most")
}
