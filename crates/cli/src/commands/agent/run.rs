//! `steersman agent run TASK`

mod dry_run;
mod ending;
mod live;

use agent::registry::Discovery;
use anyhow::Context;
use runner::{Cancel, Environment};
use store::Trust;
use workflow::{
    FirstAgentChoice, Permission, ProgramError, Report, RunId, RunLog, WorkflowError, WorkflowRunner,
};

use super::project::{Project, tell};
use crate::commands::Place;
use crate::environment;
use crate::exit::Exit;
use crate::output;

/// Do a task with agents: one after the other, as their transitions say
///
/// Each agent runs in the program its `provider` names, with its own role, model and tools.
/// What it says is handed to the next. Ctrl-C stops the run and everything it has started;
/// `--resume` goes on with it. Exits with 0 if the workflow came to `complete`, with 1 if it
/// failed or was stopped.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is to be done; `-` reads it from stdin
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    task: Option<String>,
    /// The agent that begins [default: `agents.default`, else a model chooses by `whenToUse`]
    #[arg(long, value_name = "AGENT", conflicts_with = "resume")]
    from: Option<String>,
    /// Say what would be run, and run nothing
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// The most steps, instead of `constraints.maxIterations`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max_iterations: Option<u64>,
    /// Go on with a run that was stopped or crashed: the last one, or the one named
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "")]
    resume: Option<String>,
    /// Print the report as JSON, and nothing before it
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let project = Project::of(place);
    if project.problems.iter().any(config_file::Problem::is_error) {
        tell(&project.problems);
        output::complain("the agents' configuration has errors");
        return Ok(Exit::No);
    }
    let found = project.discover();
    if found.problems.iter().any(config_file::Problem::is_error) {
        output::note("agents with errors are left out; `steersman agent validate` shows them");
    }
    let variables = Environment::from_variables(std::env::vars_os());
    let cancel = Cancel::new();
    let log = if args.dry_run { None } else { log(place, &project) };
    let conduct =
        WorkflowRunner { log: log.as_ref(), ..conduct(args, place, &project, &found, &variables, &cancel) };
    match drive(args, place, &conduct) {
        Ok(exit) => Ok(exit),
        Err(error) => report_failure(error),
    }
}

fn conduct<'a>(
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

/// Opens the log that the project asks for; without it a run goes on, and says so.
fn log(place: &Place, project: &Project) -> Option<RunLog> {
    RunLog::open(&place.workspace, &project.config.logging).unwrap_or_else(|error| {
        output::note(&format!("warning: {error}"));
        None
    })
}

/// A person vouches with `steersman trust` for what the workspace runs and approves.
fn permission(place: &Place, project: &Project, found: &Discovery) -> Permission {
    let known = || {
        let trust = Trust::load(place.user_state.as_ref()?).ok()?;
        let agents = agent::run_fingerprint(place.workspace.root().as_path(), &project.config, &found.agents);
        Some(trust.covers_agents(place.workspace.root(), &agents))
    };
    if known().unwrap_or(false) { Permission::Approved } else { Permission::NotApproved }
}

fn drive(args: &Args, place: &Place, conduct: &WorkflowRunner<'_>) -> Result<Exit, Failure> {
    if conduct.permission == Permission::NotApproved && !args.dry_run {
        output::note(
            "note: this workspace's agents are not trusted as they are now, so no tool of theirs is approved beforehand",
        );
        output::hint("look at their `tools`, then run `steersman trust`");
    }
    if let Some(named) = &args.resume {
        let id = resumable(place, named)?;
        output::note(&format!("resuming {id}"));
        stop_on_signal(conduct.cancel)?;
        let mut screen = live::Screen::new(args.json);
        let report = conduct.resume(&id, &mut |news| screen.show(&news));
        screen.clear();
        return Ok(ending::tell(&report?, args.json)?);
    }
    let task = task(args)?;
    let fate = conduct.first(args.from.as_deref())?;
    if args.dry_run {
        return Ok(dry_run::tell(conduct, &task, &fate)?);
    }
    place.workspace.make_tmp_dir().context("cannot make the folder for the journal")?;
    stop_on_signal(conduct.cancel)?;
    let mut screen = live::Screen::new(args.json);
    let report = begin(conduct, &task, fate, &mut screen);
    screen.clear();
    Ok(ending::tell(&report?, args.json)?)
}

fn begin(
    conduct: &WorkflowRunner<'_>,
    task: &str,
    fate: FirstAgentChoice,
    screen: &mut live::Screen,
) -> Result<Report, WorkflowError> {
    let first = match fate {
        FirstAgentChoice::Decided(first) => first,
        FirstAgentChoice::AskModel => conduct.choose(task, &mut |news| screen.show(&news))?,
    };
    let id = RunId::new(store::now(), &format!("{}{task}", std::process::id()));
    screen.begins(&id, &first);
    conduct.begin(&id, task, &first, &mut |news| screen.show(&news))
}

/// Calls the run off at Ctrl-C, at the end of the terminal and when it is told to end.
fn stop_on_signal(cancel: &Cancel) -> anyhow::Result<()> {
    let cancel = cancel.clone();
    ctrlc::set_handler(move || cancel.cancel()).context("cannot listen for Ctrl-C")
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

/// Finds the run to go on with: the one named, else the last that has not come to its end.
fn resumable(place: &Place, named: &str) -> anyhow::Result<RunId> {
    if !named.is_empty() {
        return RunId::parse(named).with_context(|| {
            format!("`{named}` is no name of a run\nhint: a run says its name when it begins")
        });
    }
    let runs = workflow::runs(&place.workspace);
    let last = runs.into_iter().find(workflow::RunSummary::is_resumable);
    last.map(|it| it.id).context("there is no run to resume: every one has come to its end")
}

/// Why a run did not come to an end of its own.
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

/// A wrong name is a no; a program that is not there is the world's fault.
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
    output::error(&error.into());
    Ok(exit)
}
