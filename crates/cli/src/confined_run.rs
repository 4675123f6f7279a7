//! `steersman run`: runs a command where the kernel refuses writes outside the scope.
//!
//! The process confines itself and becomes the command: same streams, terminal, process group, folder, environment and
//! exit code, and no process in between. Parses the command line by hand, because clap would take longer than the
//! confinement.

mod aftermath;
mod command_line;
mod git_command;
mod hidden_files;
mod merged_run;
mod outside_sockets;
mod request_builder;
mod scope_choice;
mod writable_sets;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use confine::{Backend, Confined, ConfinementPlan, Disk, EnterError, LeftoverScan, NamespaceKeeper};

use self::command_line::Parsed;
pub(crate) use self::command_line::{CommandLine, SessionRun};
use self::request_builder::PlannedRequest;
use crate::environment;
use crate::exit::Exit;

/// Exit codes of wrappers, as `env` and `nohup` have them: the command was not found, or cannot be executed.
const NOT_FOUND: u8 = 127;
const NOT_EXECUTABLE: u8 = 126;

/// Runs the command of a command line, without the word `run`. Returns only if it cannot.
pub(crate) fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let line = match command_line::parse(args) {
        Ok(Parsed::Run(line)) => line,
        Ok(Parsed::Help) => {
            let _ = std::io::stdout().write_all(command_line::HELP.as_bytes());
            return Exit::Fine.into();
        }
        Err(problem) => return fail(&problem, "run `steersman run --help`", Exit::Usage.into()),
    };
    run_line(&line, &mut |_| {})
}

/// Runs the command of a parsed command line. Calls `arrived` right before the command runs: with what confines it, or
/// with the reason why a call of a session runs unconfined. Returns only if it cannot run, or if its changes had to be
/// merged.
pub(crate) fn run_line(line: &CommandLine, arrived: &mut Arrived<'_>) -> ExitCode {
    let Prepared { plan, made, look } = match prepare(line) {
        Ok(prepared) => prepared,
        Err(refusal) => return refusal.report(),
    };
    let made_in = environment::user_state().filter(|_| made.record());
    let afterwards = aftermath::Aftermath::begin(look, made_in);
    if plan.overlays.is_empty() {
        let keeper = confine::after_exit(true, move || afterwards.finish());
        return become_command(line, &plan, keeper, made, arrived);
    }
    merged_run::run(plan, |plan| become_command(line, plan, None, made, arrived), || afterwards.finish())
}

/// A command that is ready to be confined.
struct Prepared {
    plan: ConfinementPlan,
    made: store::MadeFolders,
    look: LeftoverScan,
}

/// Confines this process and becomes the command. Returns only if it cannot. `made` excludes the removal of folders
/// until the command runs.
fn become_command(
    line: &CommandLine,
    plan: &ConfinementPlan,
    keeper: Option<NamespaceKeeper>,
    made: store::MadeFolders,
    arrived: &mut Arrived<'_>,
) -> ExitCode {
    let confined = match enter(plan).and_then(|confined| check_mounts(line, confined)) {
        Ok(confined) => confined,
        // Where nothing can be confined, a session continues as without confinement, unless it is required.
        Err(Refusal { what, no_mechanism: true, .. })
            if !line.sealed && line.session.as_ref().is_some_and(|session| !session.is_required) =>
        {
            arrived(Err(&what));
            return become_unconfined(&line.command);
        }
        Err(refusal) => return refusal.report(),
    };
    arrived(Ok(&confined));
    // Landlock has no namespace that someone would have to take down.
    if let Some(keeper) = keeper.filter(|_| confined.backend == Backend::Namespace) {
        keeper.keep();
    }
    #[cfg(target_os = "linux")]
    if line.sealed {
        for name in environment::secret_variables() {
            confine::set_variable(&name, None);
        }
    }
    // The process keeps its number, by which hooks find the pipe even if the command closes it for its children.
    #[cfg(target_os = "linux")]
    if let Some(fd) = line.records {
        let path = format!("/proc/{}/fd/{fd}", std::process::id());
        confine::set_variable(store::RecordRelay::VARIABLE, Some(path.as_ref()));
    }
    // The folder that the variable names may be hidden.
    let temporary = confined.temporary.as_deref().or(line.sealed.then_some(Path::new("/tmp")));
    let error = execute(&line.command, temporary);
    drop(made);
    not_executed(&line.command, &error)
}

/// Becomes a command as it is. Returns only if it cannot.
pub(crate) fn become_unconfined(command: &[OsString]) -> ExitCode {
    not_executed(command, &execute(command, None))
}

fn not_executed(command: &[OsString], error: &std::io::Error) -> ExitCode {
    let code = if error.kind() == std::io::ErrorKind::NotFound { NOT_FOUND } else { NOT_EXECUTABLE };
    let program = command.first().map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    fail(&format!("cannot run `{program}`: {error}"), "check the name and the PATH", ExitCode::from(code))
}

/// Receives what confines a command, or why nothing does.
pub(crate) type Arrived<'a> = dyn FnMut(Result<&Confined, &str>) + 'a;

/// Why a command does not run.
#[derive(Debug)]
pub(crate) struct Refusal {
    what: String,
    hint: String,
    exit: Exit,
    /// Whether this system has no mechanism that confines.
    no_mechanism: bool,
}

impl Refusal {
    fn new(exit: Exit, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into(), exit, no_mechanism: false }
    }

    fn report(self) -> ExitCode {
        fail(&self.what, &self.hint, self.exit.into())
    }
}

/// Makes the plan, and the folders that it needs.
fn prepare(line: &CommandLine) -> Result<Prepared, Refusal> {
    let folder = environment::current_folder().map_err(|error| {
        Refusal::new(
            Exit::World,
            format!("cannot determine the current folder: {error}"),
            "change to an existing folder",
        )
    })?;
    // Before the first look at the disk: it keeps the helpers of other commands from removing what this one sees.
    let mut made = store::MadeFolders::new(environment::user_state());
    let wish = PlannedRequest::of(line, &folder)?;
    made.make(wish.missing.iter());
    let home = wish.home();
    let request = wish.request(line.judged())?;
    let plan = ConfinementPlan::of(&request, &Disk);
    made.make(plan.folders.iter());
    let look = LeftoverScan { scope: request.scope, git: request.git, home, plan: plan.clone() };
    Ok(Prepared { plan, made, look })
}

fn enter(plan: &ConfinementPlan) -> Result<Confined, Refusal> {
    confine::enter(plan).map_err(|error| Refusal {
        no_mechanism: matches!(error, EnterError::NoBackend(_)),
        ..Refusal::new(
            Exit::World,
            format!("cannot confine the command: {error}"),
            "run `steersman doctor` to see what this system lacks; the command did not run",
        )
    })
}

/// Refuses Landlock for a command that mounts: its first mount would fail with a message that names neither.
fn check_mounts(line: &CommandLine, confined: Confined) -> Result<Confined, Refusal> {
    if !line.needs_mounts || confined.backend == Backend::Namespace {
        return Ok(confined);
    }
    let why: Vec<_> = confined.obstacles.iter().map(ToString::to_string).collect();
    Err(Refusal::new(
        Exit::World,
        format!(
            "cannot confine the command: it mounts file systems, and only Landlock works here, which refuses that ({})",
            why.join("; ")
        ),
        "permit user namespaces, or run it without confinement; the command did not run",
    ))
}

/// Prints why a command does not run.
pub(crate) fn fail(what: &str, hint: &str, code: ExitCode) -> ExitCode {
    let _ = std::io::stderr().write_all(format!("steersman: {what}\nhint: {hint}\n").as_bytes());
    code
}

#[cfg(target_os = "linux")]
fn execute(command: &[OsString], temporary: Option<&Path>) -> std::io::Error {
    confine::execute(command, temporary)
}

#[cfg(not(target_os = "linux"))]
fn execute(_command: &[OsString], _temporary: Option<&Path>) -> std::io::Error {
    std::io::ErrorKind::Unsupported.into()
}

/// Runs before `main`, which starts with other signal dispositions than the caller's.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the loader calls the functions of this section")]
// SAFETY: the function needs nothing that the loader has not set up, and the section holds pointers to functions.
#[unsafe(link_section = ".init_array")]
#[used]
static RECORD_SIGNALS: extern "C" fn() = confine::SignalDispositions::record;
