//! The commands for people, one file each; a command's doc comment is its help text.
//!
//! Each command has an `Args` that clap parses and a `run`. `run` prints its answer to stdout and everything
//! else to stderr, and returns an [`Exit`].

mod agent;
mod approve;
mod ask;
mod automation;
mod command_groups;
mod completions;
mod demo;
mod doctor;
mod emit;
mod group;
mod hold;
mod hosts;
mod init;
mod intent;
mod level;
mod mcp;
mod memory;
mod module;
mod place;
mod plan;
mod redact;
mod release;
mod schema;
mod serve;
mod session;
mod shell;
mod status;
mod stop;
mod trace;
mod trust;
mod uninstall;
mod unknown_command;
mod untrust;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

pub(crate) use ask::start_detached as start_notification;
pub(crate) use place::Place;
pub(crate) use session::start_coverage_check;

use crate::exit::Exit;
use crate::output;

/// Keeps AI coding agents on the course they were given.
#[derive(Debug, Parser)]
#[command(name = "steersman", version, arg_required_else_help = true, help_template = command_groups::TEMPLATE)]
struct Cli {
    #[command(flatten)]
    place: place::Args,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    // `command_groups` arranges them for `--help`.
    Status(status::Args),
    Log(session::LogArgs),
    Explain(session::ExplainArgs),
    Module(module::Args),
    Demo(demo::Args),
    Init(init::Args),
    Uninstall(uninstall::Args),
    Doctor(doctor::Args),
    Trust(trust::Args),
    Untrust(untrust::Args),
    Session(session::Args),
    Hold(hold::Args),
    Release(release::Args),
    Stop(stop::Args),
    Approve(approve::Args),
    Ask(ask::Args),
    Shell(shell::Args),
    Intent(intent::Args),
    Trace(trace::Args),
    Plan(plan::Args),
    Memory(memory::Args),
    Agent(agent::Args),
    Automation(automation::Args),
    Emit(emit::Args),
    Serve(serve::Args),
    Mcp(mcp::Args),
    Redact(redact::Args),
    Schema(schema::Args),
    Completions(completions::Args),
    /// Run a command; the kernel refuses its writes outside the scope
    #[command(
        override_usage = "steersman run [--intent ID | --write PATH…] [--read-only PATH…]\n                     [--no-network] -- COMMAND…"
    )]
    Run,
    /// Answer one hook event; called by agent programs
    ///
    /// Reads one JSON object from stdin and writes one to stdout; always exits with 0.
    #[command(
        override_usage = "steersman dispatch <EVENT> [--host NAME] [--workspace DIR]\n                          [--registration NAME] [--timeout SECONDS]\n                          [--skip-shell]",
        after_help = format!("\
EVENT is SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PreCompact,
Stop, SubagentStart or SubagentStop. Without --host, steersman recognises the
agent program by its payload; `raw` is the contract's own format.
--registration names the settings that call steersman, each of which announces
an event once. --timeout is the time after which the agent program stops waiting
for this hook. --skip-shell leaves shell commands to another event of the same
program (Cursor).

Try it:  echo '{}' | steersman dispatch PreToolUse --host raw", host::RAW_CALL)
    )]
    Dispatch,
}

/// Lists the names of all commands.
fn names(command: &clap::Command) -> Vec<String> {
    command.get_subcommands().map(|it| it.get_name().to_owned()).collect()
}

/// Reads the command line and runs the command it names.
pub(crate) fn run() -> ExitCode {
    let command = command_groups::arrange(Cli::command());
    let names = names(&command);
    let matches =
        command.try_get_matches().unwrap_or_else(|error| unknown_command::with_tip(error, &names).exit());
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let outcome = Place::find(&cli.place).and_then(|place| match &cli.command {
        Command::Status(args) => status::run(args, &place),
        Command::Log(args) => session::log(args, &place),
        Command::Explain(args) => session::explain(args, &place),
        Command::Module(args) => module::run(args, &place),
        Command::Demo(args) => demo::run(args),
        Command::Init(args) => Ok(init::run(args, &place)),
        Command::Uninstall(args) => uninstall::run(args, &place),
        Command::Doctor(args) => Ok(doctor::run(args, &place)),
        Command::Trust(args) => trust::run(args, &place),
        Command::Untrust(args) => untrust::run(args, &place),
        Command::Session(args) => session::run(args, &place),
        Command::Hold(args) => hold::run(args, &place),
        Command::Release(args) => release::run(args, &place),
        Command::Stop(args) => stop::run(args, &place),
        Command::Approve(args) => approve::run(args, &place),
        Command::Ask(args) => ask::run(args, &place),
        Command::Shell(args) => shell::run(args, &place),
        Command::Intent(args) => intent::run(args, &place),
        Command::Trace(args) => trace::run(args, &place),
        Command::Plan(args) => plan::run(args, &place),
        Command::Memory(args) => memory::run(args, &place),
        Command::Agent(args) => agent::run(args, &place),
        Command::Automation(args) => automation::run(args, &place),
        Command::Emit(args) => emit::run(args, &place),
        Command::Serve(args) => serve::run(args, &place),
        Command::Mcp(args) => mcp::run(args, &place),
        Command::Redact(args) => redact::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => Ok(completions::run(args, &mut Cli::command())),
        // `main` has handled these commands already.
        Command::Run | Command::Dispatch => Ok(Exit::Fine),
    });
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            output::error_chain(&error);
            if error.is::<place::NoSuchFolder>() { Exit::No.into() } else { Exit::World.into() }
        }
    }
}
