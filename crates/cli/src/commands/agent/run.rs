//! `steersman agent run TASK`

mod dry_run;
mod report;
mod screen;

use agent::registry::Discovery;
use anyhow::Context;
use runner::{Cancel, Environment};
use store::Trust;
use workflow::{
    FirstAgentChoice, Permission, ProgramError, Report, RunId, RunLog, WorkflowError, WorkflowRunner,
};

use super::project::{Project, print_problems};
use crate::commands::Place;
use crate::environment;
use crate::exit::Exit;
use crate::output;

/// Run a task with agents, one after another, following their transitions
///
/// Each agent runs in the program that its `provider` names, with its own role, model and tools, and receives
/// the output of the agent before it. Ctrl-C stops the run and everything it has started; `--resume`
/// continues it. Exits with 0 if the workflow reached `complete`, with 1 if it failed or was stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The task; `-` reads it from stdin
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    task: Option<String>,
    /// The first agent [default: `agents.default`, else a model chooses by `whenToUse`]
    #[arg(long, value_name = "AGENT", conflicts_with = "resume")]
    from: Option<String>,
    /// Print the first step without running it
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// The maximum number of steps, instead of `constraints.maxIterations`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_iterations: Option<u64>,
    /// Continue a run that was stopped or crashed: the last one, or RUN
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "")]
    resume: Option<String>,
    /// Print only the report, as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let project = Project::of(place);
    if project.problems.iter().any(config_file::Problem::is_error) {
        print_problems(&project.problems);
        output::error("cannot run agents: their configuration has errors");
        return Ok(Exit::No);
    }
    let found = project.discover();
    if found.problems.iter().any(config_file::Problem::is_error) {
        output::note("agents with errors are not used; run `steersman agent validate`");
    }
    let variables = Environment::from_variables(environment::variables());
    let cancel = Cancel::new();
    let log = if args.dry_run { None } else { log(place, &project) };
    let runner = WorkflowRunner {
        log: log.as_ref(),
        ..workflow_runner(args, place, &project, &found, &variables, &cancel)
    };
    match drive(args, place, &runner) {
        Ok(exit) => Ok(exit),
        Err(error) => report_failure(error),
    }
}

fn workflow_runner<'a>(
    args: &Args,
    place: &'a Place,
    project: &'a Project,
    found: &'a Discovery,
    variables: &'a Environment,
    cancel: &'a Cancel,
) -> WorkflowRunner<'a> {
    let mut constraints = project.config.constraints;
    constraints.max_iterations = args.max_iterations.unwrap_or(constraints.max_iterations);
    WorkflowRunner {
        workspace: &place.workspace,
        agents: &found.agents,
        config: &project.config,
        constraints,
        environment: variables,
        agent_variable: environment::AGENT,
        permission: permission(place, project, found),
        cancel,
        log: None,
    }
}

/// Opens the log that the configuration names; if that fails, warns and continues without it.
fn log(place: &Place, project: &Project) -> Option<RunLog> {
    RunLog::open(&place.workspace, &project.config.logging).unwrap_or_else(|error| {
        output::note(&format!("warning: {error}"));
        None
    })
}

/// `steersman trust` approves the programs and tools of the workspace's agents.
fn permission(place: &Place, project: &Project, found: &Discovery) -> Permission {
    let known = || {
        let trust = Trust::load(place.user_state.as_ref()?).ok()?;
        let agents = agent::run_fingerprint(place.workspace.root().as_path(), &project.config, &found.agents);
        Some(trust.covers_agents(place.workspace.root(), &agents))
    };
    if known().unwrap_or(false) { Permission::Approved } else { Permission::NotApproved }
}

fn drive(args: &Args, place: &Place, runner: &WorkflowRunner<'_>) -> Result<Exit, Failure> {
    if runner.permission == Permission::NotApproved && !args.dry_run {
        output::note(
            "note: the agents of this workspace are not trusted in their present form, so their programs ask before they use a tool",
        );
        output::hint("review their `tools`, then run `steersman trust`");
    }
    if let Some(named) = &args.resume {
        let id = resumable(place, named)?;
        output::note(&format!("resuming {id}"));
        stop_on_signal(runner.cancel)?;
        let mut screen = screen::Screen::new(args.json);
        let report = runner.resume(&id, &mut |news| screen.show(&news));
        screen.clear();
        return Ok(report::print_report(&report?, args.json)?);
    }
    let task = task(args)?;
    let first = runner.first(args.from.as_deref())?;
    if args.dry_run {
        return Ok(dry_run::print_first_step(runner, &task, &first)?);
    }
    place.workspace.make_tmp_dir().context("cannot create the folder for the journal")?;
    stop_on_signal(runner.cancel)?;
    let mut screen = screen::Screen::new(args.json);
    let report = begin(runner, &task, first, &mut screen);
    screen.clear();
    Ok(report::print_report(&report?, args.json)?)
}

fn begin(
    runner: &WorkflowRunner<'_>,
    task: &str,
    first: FirstAgentChoice,
    screen: &mut screen::Screen,
) -> Result<Report, WorkflowError> {
    let first = match first {
        FirstAgentChoice::Decided(first) => first,
        FirstAgentChoice::AskModel => runner.choose(task, &mut |news| screen.show(&news))?,
    };
    let id = RunId::new(store::now(), &format!("{}{task}", std::process::id()));
    screen.begins(&id, &first);
    runner.begin(&id, task, &first, &mut |news| screen.show(&news))
}

/// Cancels the run on Ctrl-C, when the terminal closes, and on a termination signal.
fn stop_on_signal(cancel: &Cancel) -> anyhow::Result<()> {
    let cancel = cancel.clone();
    ctrlc::set_handler(move || cancel.cancel()).context("cannot install the handler for Ctrl-C")
}

fn task(args: &Args) -> anyhow::Result<String> {
    let text = match args.task.as_deref() {
        Some("-") | None => {
            std::io::read_to_string(std::io::stdin()).context("cannot read the task from stdin")?
        }
        Some(task) => task.to_owned(),
    };
    anyhow::ensure!(!text.trim().is_empty(), "the task is empty");
    Ok(text)
}

/// Finds the run to resume: the named one, else the last unfinished one.
fn resumable(place: &Place, named: &str) -> anyhow::Result<RunId> {
    if !named.is_empty() {
        return RunId::parse(named).with_context(|| {
            format!("`{named}` is not the name of a run\nhint: a run prints its name when it starts")
        });
    }
    let runs = workflow::runs(&place.workspace);
    let last = runs.into_iter().find(workflow::RunSummary::is_resumable);
    last.map(|it| it.id).context("cannot resume: all runs have finished")
}

/// Why a run ended early.
#[derive(Debug)]
enum Failure {
    WorkflowRunner(WorkflowError),
    Other(anyhow::Error),
}

impl From<WorkflowError> for Failure {
    fn from(error: WorkflowError) -> Self {
        Self::WorkflowRunner(error)
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

/// A wrong name is the answer no; a missing program is a failure of the system.
fn report_failure(failure: Failure) -> anyhow::Result<Exit> {
    let error = match failure {
        Failure::Other(error) => return Err(error),
        Failure::WorkflowRunner(error) => error,
    };
    let exit = match &error {
        WorkflowError::Program(ProgramError::NotTrusted | ProgramError::NoCommand) => Exit::No,
        WorkflowError::Program(_) | WorkflowError::Start(_) | WorkflowError::Journal(_) => Exit::World,
        _ => Exit::No,
    };
    output::error_chain(&error.into());
    Ok(exit)
}
