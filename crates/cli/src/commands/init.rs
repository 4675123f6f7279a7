//! `steersman init`

mod agents;
mod approval;
mod approve;
mod ask_wait;
mod config_value;
mod defaults;
mod done_gate;
mod every_folder;
mod first_intent;
mod initial_file;
mod module;
mod program;
mod registration;
mod schemas;
mod shared_files;
mod shell;

use std::path::PathBuf;

use host::Host;
use host::install::{HookPlan, SettingsFile, finds_project_from_subfolder};
use project_config::ApproveMode;
use store::ModuleName;

use super::Place;
use super::hosts::{self, Chosen, HostArgs};
use super::level::{Level, LevelArgs};
use crate::change::{Mode, Writer};
use crate::environment;
use crate::exit::Exit;
use crate::output;
use crate::person;

pub(crate) use approval::withdraw_all;
pub(crate) use defaults::{Written, written_files};
pub(crate) use module::module_files;
use registration::Parts;
pub(crate) use shell::{plans as shell_plans, withdraw_shells};

/// Register with the agent programs in use here; write defaults
///
/// Edits the settings file of each program and keeps its comments, order and layout. Running it again changes
/// nothing; `steersman uninstall` reverts it. Each file is backed up to `.ai/tmp/backup/` first. `--module`,
/// `--agents`, `--automations` or `--schemas` alone create only their files. `--intents` also registers the MCP server.
/// `--user` registers for all your folders, `--managed` for all users of this machine; their backups are in your
/// state folder. The settings of a project are usually committed: in a terminal, `init` asks before it writes a file that
/// others share.
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
    /// Create three example agents in `.rawko/`
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    agents: bool,
    /// Write the JSON Schemas of steersman's files to `.ai/hooks/schema/`, for editors
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    schemas: bool,
    /// Write an initial `.orchestration/active_intents.yaml`, and register the MCP server `steersman mcp`,
    /// with which agents select their intent
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    intents: bool,
    /// Approve harmless calls in place of the user: read-only, in-scope or off
    #[arg(long, value_name = "MODE", value_parser = approve::mode, conflicts_with_all = ["user", "managed"])]
    approve: Option<ApproveMode>,
    /// Let hooks wait this many seconds for a person where an agent program cannot ask; 0: deny at once
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=3600))]
    ask_wait: Option<u32>,
    /// Keep agents from stopping while an acceptance command fails; the commands may take this many seconds; 0: off
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "300", value_parser = clap::value_parser!(u32).range(0..=3600), conflicts_with_all = ["user", "managed"])]
    done_gate: Option<u32>,
    /// Also write the contract's `.github/hooks.json`, which no known program reads
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    legacy_hooks_file: bool,
    /// Register in settings of this checkout that are not shared; only Claude Code has such a file
    #[arg(long, conflicts_with_all = ["user", "managed", "shared", "intents", "legacy_hooks_file"])]
    local: bool,
    /// Register in the settings of the project without asking, although others share them
    #[arg(long, conflicts_with_all = ["user", "managed"])]
    shared: bool,
    /// Answer every question with yes
    #[arg(long, short)]
    yes: bool,
    /// Print the changes as a diff and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> Exit {
    if let Some(exit) = refusal(args, place) {
        return exit;
    }
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

    let only_parts = args.module.is_some() || args.agents || args.automations || args.schemas;
    // Intents have no effect without hooks and the server.
    let registers = !only_parts
        || args.intents
        || args.approve.is_some()
        || args.ask_wait.is_some()
        || args.done_gate.is_some()
        || args.hosts.given()
        || args.legacy_hooks_file;
    let hosts = if registers { chosen_hosts(args, place) } else { Vec::new() };
    let mut files = settings_files(args, &hosts, registers);
    extend_hooks(args, place, &mut files);
    if args.local && files.is_empty() && !hosts.is_empty() {
        output::error(&format!(
            "cannot register {} with `--local`: no settings file for a single checkout exists",
            hosts::titles(&hosts)
        ));
        output::hint("use `--user` for your own settings in every folder, or `--shared`");
        return Exit::No;
    }
    note_workspace(place, &hosts);
    if registers && files.is_empty() {
        report_no_host(place, args.intents);
        if !args.intents {
            return Exit::No;
        }
    }
    // Planned before anything is written: the user may decline.
    let parts = if args.intents { Parts::HooksAndServer } else { Parts::Hooks };
    let mut planned = None;
    if !files.is_empty() {
        match program::choose(args.program.as_deref(), &place.folder, level) {
            Ok(program) => {
                let edits = registration::plan_all(&files, parts, &program, &mut writer);
                let is_agreed = args.yes || args.shared || args.local;
                if !shared_files::may_write(&edits, place, is_agreed, &writer) {
                    return Exit::No;
                }
                planned = Some((program, edits));
            }
            Err(error) => return error.print(),
        }
    }
    let begun = !args.intents || initial_file::write_intents(&mut writer);
    let mut changed = Vec::new();
    if let Some((program, edits)) = planned {
        changed = registration::apply_all(&edits, &mut writer);
        approval::approve_all(&hosts, parts, &program, place, &mut writer);
        if args.intents || shell::is_wanted(&place.workspace) {
            shell::register_all(&hosts, level, args.program.as_deref(), place, &mut writer);
        }
    }
    // The module comes first, so that entering it into a new manifest is no change of an existing file.
    let made = args.module.as_ref().is_none_or(|name| module::scaffold(name, &mut writer));
    let declared = !args.automations || initial_file::write_automations(&mut writer);
    let with_schemas = schemas::are_wanted(args.schemas, &place.workspace);
    if args.agents {
        agents::write(place, with_schemas, &mut writer);
    }
    if (made && args.module.is_some()) || args.agents || args.schemas || registers {
        defaults::write(place, with_schemas, &mut writer);
    }
    write_settings(args, &hosts, place, &mut writer);
    let news = writer.has_changed();
    let exit = writer.finish();
    if !files.is_empty() && news && !args.dry_run && exit == Exit::Fine {
        registration::hint_at_restart(&changed);
    }
    if args.intents && begun && news && !args.dry_run && exit == Exit::Fine {
        first_intent::offer(place, args.yes);
    }
    if !files.is_empty() && news && !args.dry_run && exit == Exit::Fine {
        print_next();
    }
    let created = Created { module: made, automations: declared && news, agents: exit == Exit::Fine };
    hint_at_parts(args, &created);
    exit
}

/// Prints three commands with which a newcomer sees what steersman does.
fn print_next() {
    output::note("Try it:");
    output::note("  steersman shell explain 'rm -rf ~'  how the guard judges a command");
    output::note("  steersman status                    the rules in force here, last sessions");
    output::note("  steersman log                       each call of the agent, decision, reason");
}

/// Returns the refusal of a change of what governs an agent here, unless a person asks. An agent may set steersman up where
/// nothing governs it.
fn refusal(args: &Args, place: &Place) -> Option<Exit> {
    let changes_rules = !args.dry_run && place.workspace.hooks_dir().as_path().exists();
    changes_rules.then(|| person::refusal_beneath_agent(place, "init")).flatten()
}

/// Adds what approvals, asks and acceptance commands need to the hooks.
fn extend_hooks(args: &Args, place: &Place, files: &mut [SettingsFile]) {
    if approve::is_wanted(args.approve, place) {
        for file in files.iter_mut() {
            file.hooks = file.hooks.map(HookPlan::with_permissions);
        }
    }
    ask_wait::apply(args.ask_wait, place, files);
    done_gate::apply(args.done_gate, place, files);
}

/// Writes the settings of approvals, asks and acceptance commands that the options name.
fn write_settings(args: &Args, hosts: &[Host], place: &Place, writer: &mut Writer<'_>) {
    if let Some(mode) = args.approve {
        approve::write(mode, hosts, place, writer);
    }
    if let Some(seconds) = args.ask_wait {
        ask_wait::write(seconds, hosts, place, writer);
    }
    if let Some(seconds) = args.done_gate {
        done_gate::write(seconds, hosts, place, writer);
    }
}

/// The parts that this run created.
struct Created {
    module: bool,
    automations: bool,
    agents: bool,
}

/// Prints what to do with the created parts.
fn hint_at_parts(args: &Args, created: &Created) {
    if args.automations && created.automations && !args.dry_run {
        output::hint(
            "edit them, check them with `steersman automation validate`, then run `steersman trust` to let them run",
        );
    }
    if args.module.is_some() && created.module {
        output::hint(
            "edit the module, then run `steersman trust`: steersman runs scripts only in the form you last trusted",
        );
    }
    if args.agents && created.agents && !args.dry_run {
        output::hint("draw them with `steersman agent graph`, run them with `steersman agent run TASK`");
    }
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

/// Says which folder is registered, if it is not the current one.
fn note_workspace(place: &Place, hosts: &[Host]) {
    let root = place.workspace.root();
    if place.is_named || place.folder == *root {
        return;
    }
    let mark = [".ai/hooks", ".git"].into_iter().find(|mark| root.join(mark).as_path().exists());
    let found = mark.map(|mark| format!(", where {mark} is")).unwrap_or_default();
    output::note(&format!("  note: the workspace is {root}{found}; it includes {}", place.folder));
    let files = hosts::files_in_use(place);
    if !files.is_empty() {
        let list: Vec<String> =
            files.iter().map(|(file, host)| format!("{file} ({})", host.title())).collect();
        output::note(&format!("  note: found {}", list.join(", ")));
    }
    output::hint("to register this folder alone, pass `--workspace .`");
    // Settings at the root do not reach a program that is started in a package.
    let blind: Vec<&str> =
        hosts.iter().filter(|host| !finds_project_from_subfolder(**host)).map(|host| host.title()).collect();
    if !blind.is_empty() {
        output::note(&format!(
            "  note: {} must be started in {root} to read these settings; `--user` registers for every folder",
            blind.join(", ")
        ));
    }
}

fn settings_files(args: &Args, hosts: &[Host], registers: bool) -> Vec<SettingsFile> {
    if args.local {
        let plan = HookPlan::LOCAL;
        let concerns = plan.hosts.iter().any(|host| hosts.contains(host));
        return concerns.then(|| SettingsFile::with_hooks(plan)).into_iter().collect();
    }
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
    if place.workspace.root().join(".vscode").as_path().exists() {
        output::hint("if you use Copilot in VS Code here, run `steersman init --host vscode`");
    }
}

/// Lists the example agents and automations that `init` writes, in each form.
pub(crate) fn part_files() -> impl Iterator<Item = Written> {
    agents::written_files().chain([initial_file::automations()])
}

fn module_name(text: &str) -> Result<ModuleName, &'static str> {
    ModuleName::new(text)
        .ok_or("use at most 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit")
}
