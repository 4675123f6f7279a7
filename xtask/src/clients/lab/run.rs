//! One run of the agent program: a prompt, the model's calls, and the results that the model read.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::json;

use super::{HOME, Lab, PROJECT, SCRATCH, set_environment};
use crate::clients::client::Permissions;
use crate::clients::model::{Call, Request, SUBAGENT_MARK, Script};

/// A program that takes longer hangs.
const LONGEST: Duration = Duration::from_mins(4);

/// The name of a step and the call that the model makes.
type Step = (&'static str, Call);

/// The input of one run.
pub(crate) struct Session {
    prompt: &'static str,
    folder: &'static str,
    permissions: Permissions,
    /// An argument of the program that this run leaves out.
    without: Option<&'static str>,
    /// A variable of the user's environment in this run.
    variable: Option<(&'static str, &'static str)>,
    steps: Vec<Step>,
    subagent: Vec<Step>,
    long_prompts: Vec<u64>,
}

impl Session {
    /// Returns a run in the project that lets steersman alone decide.
    pub(crate) fn new(steps: Vec<Step>) -> Self {
        let prompt = "Do the work that the script asks for.";
        Self {
            prompt,
            folder: PROJECT,
            permissions: Permissions::Bypassed,
            without: None,
            variable: None,
            steps,
            subagent: Vec::new(),
            long_prompts: Vec::new(),
        }
    }

    /// Starts the program with another prompt.
    pub(crate) fn with_prompt(mut self, prompt: &'static str) -> Self {
        self.prompt = prompt;
        self
    }

    /// Starts the program in another folder.
    pub(crate) fn in_folder(mut self, folder: &'static str) -> Self {
        self.folder = folder;
        self
    }

    /// Returns the folder in which the program starts.
    pub(crate) fn folder(&self) -> &'static str {
        self.folder
    }

    /// Starts the program in its ordinary headless mode.
    pub(crate) fn ordinary(mut self) -> Self {
        self.permissions = Permissions::Ordinary;
        self
    }

    /// Starts the program without one of its arguments.
    pub(crate) fn without_argument(mut self, argument: &'static str) -> Self {
        self.without = Some(argument);
        self
    }

    /// Starts the program with a variable.
    pub(crate) fn with_variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variable = Some((name, value));
        self
    }

    /// Lets the model report a prompt of this many tokens with its last call and with the end of its turn.
    pub(crate) fn with_long_prompt(mut self, n_tokens: u64) -> Self {
        self.long_prompts = vec![n_tokens; 2];
        self
    }

    /// Adds the calls of a subagent.
    pub(crate) fn with_subagent(mut self, steps: Vec<Step>) -> Self {
        self.subagent = steps;
        self
    }
}

/// The result of one run.
pub(crate) struct Run {
    /// The exit status and the end of the output, if the program failed or was stopped.
    pub(crate) failure: Option<String>,
    requests: Vec<Request>,
    steps: Vec<&'static str>,
    subagent: Vec<&'static str>,
}

impl Run {
    /// Returns the result of a step as the model read it; empty if the model never read one.
    pub(crate) fn result(&self, step: &str) -> &str {
        result(&self.requests, &self.steps, step, false)
    }

    /// Returns the result of a subagent's step as the model read it; empty if the model never read one.
    pub(crate) fn subagent_result(&self, step: &str) -> &str {
        result(&self.requests, &self.subagent, step, true)
    }

    /// Returns the number of requests in which the model read a string.
    pub(crate) fn n_requests_with(&self, text: &str) -> usize {
        self.requests.iter().filter(|request| request.body.to_string().contains(text)).count()
    }

    /// Returns how often the model ended its turn in the main conversation after all its calls.
    pub(crate) fn n_ends(&self) -> usize {
        let is_end = |request: &&Request| {
            request.called.is_empty()
                && !is_subagent(request)
                && request.conversation.results.len() >= self.steps.len()
        };
        self.requests.iter().filter(is_end).filter(|request| !request.conversation.offered.is_empty()).count()
    }
}

fn is_subagent(request: &Request) -> bool {
    request.conversation.opening.contains(SUBAGENT_MARK)
}

fn result<'a>(requests: &'a [Request], steps: &[&str], step: &str, of_subagent: bool) -> &'a str {
    let position = steps.iter().position(|name| *name == step);
    let requests = requests.iter().filter(|request| is_subagent(request) == of_subagent);
    let longest = requests.max_by_key(|request| request.conversation.results.len());
    let result = longest.zip(position).and_then(|(request, at)| request.conversation.results.get(at));
    result.map(String::as_str).unwrap_or_default()
}

impl Lab {
    /// Runs the program until it exits, and checks that it ends normally and the model read every result.
    pub(crate) fn run(&mut self, session: &Session) -> Result<Run> {
        let run = self.start(session)?;
        let failure = run.failure.clone().unwrap_or_default();
        self.check("the program ends normally", run.failure.is_none(), &failure);
        let n_results = run.steps.iter().filter(|step| !run.result(step).is_empty()).count();
        let n_steps = run.steps.len();
        self.check(
            "the model reads every result",
            n_results == n_steps,
            &format!("{n_results} of {n_steps}"),
        );
        Ok(run)
    }

    /// Runs the program until it exits.
    pub(crate) fn start(&mut self, session: &Session) -> Result<Run> {
        self.n_runs += 1;
        let folder = Path::new(SCRATCH).join(format!("run{}", self.n_runs));
        fs::create_dir_all(&folder).context("cannot create a folder")?;
        let script = Script {
            calls: calls(&session.steps),
            subagent: calls(&session.subagent),
            long_prompts: session.long_prompts.clone(),
        };
        self.model.play(script);
        let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
        let mut command = self.command(session);
        command.stdout(File::create(&stdout)?).stderr(File::create(&stderr)?);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", self.client.title))?;
        let status = wait(&mut child)?;
        let output = [&stdout, &stderr].map(|path| fs::read(path).unwrap_or_default()).concat();
        let output = String::from_utf8_lossy(&output).into_owned();
        let failure = match status {
            Some(status) if status.success() => None,
            Some(status) => Some(format!("{status}: {}", end_of(&output))),
            None => Some(format!("stopped after {} s: {}", LONGEST.as_secs(), end_of(&output))),
        };
        let names = |steps: &[Step]| steps.iter().map(|(name, _)| *name).collect();
        let run = Run {
            failure,
            requests: self.model.requests(),
            steps: names(&session.steps),
            subagent: names(&session.subagent),
        };
        self.log_run(&run, &folder)?;
        Ok(run)
    }

    fn command(&self, session: &Session) -> Command {
        let mut command = Command::new(Path::new(HOME).join(".local/bin").join(self.client.pin.id));
        let arguments = (self.client.arguments)(session.prompt, session.permissions);
        let is_wanted = |argument: &String| Some(argument.as_str()) != session.without;
        command.args(arguments.into_iter().filter(is_wanted));
        command.current_dir(session.folder).stdin(Stdio::null());
        set_environment(&mut command, session.folder);
        command.envs((self.client.environment)(self.model.port));
        command.envs(session.variable);
        command
    }

    /// Logs the results, and writes the requests for a person who wants to see more.
    fn log_run(&mut self, run: &Run, folder: &Path) -> Result<()> {
        let failure = run.failure.as_deref().unwrap_or("ended normally");
        self.log(&format!("run {}: {failure}", self.n_runs));
        for step in &run.steps {
            self.log(&format!("  [{step}] {:?}", run.result(step)));
        }
        for step in &run.subagent {
            self.log(&format!("  [subagent: {step}] {:?}", run.subagent_result(step)));
        }
        let requests = run.requests.iter().map(|request| {
            json!({"called": request.called, "offered": request.conversation.offered, "body": request.body})
        });
        let requests: Vec<_> = requests.collect();
        fs::write(folder.join("requests.json"), format!("{:#}\n", json!(requests)))
            .context("cannot write the requests")
    }
}

fn calls(steps: &[Step]) -> Vec<Call> {
    steps.iter().map(|(_, call)| call.clone()).collect()
}

/// Waits for the program. Returns `None` if it did not end in time and was stopped.
fn wait(child: &mut Child) -> Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < LONGEST {
        if let Some(status) = child.try_wait().context("cannot wait for the program")? {
            return Ok(Some(status));
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.kill().context("cannot stop the program")?;
    child.wait().context("cannot wait for the program")?;
    Ok(None)
}

/// Returns the last 300 characters.
fn end_of(output: &str) -> String {
    let n_before = output.chars().count().saturating_sub(300);
    output.chars().skip(n_before).collect()
}
