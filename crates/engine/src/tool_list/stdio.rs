//! Starts a server as a program and asks it over its stdin and stdout.

use std::ffi::OsStr;
use std::process::{ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use automation::McpServer;
use redact::{Filter, Redacted};
use rmcp::ServiceExt;
use runner::{Cancel, End, Invocation, Limits};
use serde_json::Value;
use tokio::io::AsyncReadExt;

use super::{ListError, ListSettings, unusable};
use crate::attempt::with_sources;

/// The tools, or the cause of a failed listing.
type Answer = Result<Vec<Value>, String>;

/// The listings of this process so far.
static N_LISTED: AtomicU64 = AtomicU64::new(0);

/// How many bytes of a server's stdout are read.
const MAX_STDOUT: u64 = 16 << 20;
/// How long a program may take to stop after the signal.
const STOP_GRACE: Duration = Duration::from_secs(1);
/// How many bytes of a server's stderr an error quotes.
const QUOTED_STDERR: usize = 400;

pub(super) fn tools(entry: &Value, settings: ListSettings<'_>) -> Result<Vec<Value>, ListError> {
    let variable = |name: &str| settings.variable(name);
    let server = McpServer::from_entry(entry, settings.root, &variable).map_err(|why| unusable(&why))?;
    let folder = match entry.get("cwd").and_then(Value::as_str) {
        Some(folder) => settings.root.join(settings.filled(folder)?),
        None => settings.root.clone(),
    };
    let mut environment = settings.environment.clone();
    for (name, value) in server.env {
        environment.set(name, value);
    }
    let program = runner::find(OsStr::new(&server.command), &environment, folder.as_path())
        .ok_or_else(|| ListError(format!("there is no program `{}`", server.command)))?;
    // WHY its own number: the end of a run ends every process with its mark, also those of another listing.
    let mark = format!("mcp-tools-{}-{}", std::process::id(), N_LISTED.fetch_add(1, Ordering::Relaxed));
    let run = runner::Run {
        invocation: &Invocation::command(program, server.args, &Redacted::default()),
        folder: folder.as_path(),
        environment: &environment,
        mark: &mark,
        limits: Limits { timeout: settings.timeout, grace: STOP_GRACE, output: QUOTED_STDERR },
        filter: &Filter::default(),
        cancel: &Cancel::new(),
        pipe: None,
    };
    // WHY a channel: a busy machine may end the program before the thread that asked has returned.
    let (answers, answer) = channel();
    let talk = move |stdin, stdout| ask(stdin, stdout, &answers);
    let outcome = runner::run_interactive(&run, talk, &mut |_, _| {});
    let outcome = outcome.map_err(|error| ListError(with_sources(&error)))?;
    match answer.try_recv() {
        Ok(Ok(tools)) => Ok(tools),
        _ if outcome.end == End::TimedOut => {
            Err(ListError(format!("it does not answer within {} s", settings.timeout.as_secs())))
        }
        Ok(Err(why)) => Err(ListError(quoted(&why, &outcome.stderr.text))),
        Err(_) => Err(ListError(quoted("the program exited before it answered", &outcome.stderr.text))),
    }
}

/// Adds the first line that the program wrote to its stderr.
fn quoted(why: &str, stderr: &str) -> String {
    match stderr.lines().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{why}; its stderr begins `{}`", line.trim()),
        None => why.to_owned(),
    }
}

/// Asks the server for its tools, sends them to `answers` and closes its stdin, which makes it exit.
fn ask(stdin: ChildStdin, stdout: ChildStdout, answers: &Sender<Answer>) {
    let asked = || -> Result<(), String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| with_sources(&error))?;
        runtime.block_on(async {
            let output = tokio::process::ChildStdin::from_std(stdin).map_err(|error| with_sources(&error))?;
            let input =
                tokio::process::ChildStdout::from_std(stdout).map_err(|error| with_sources(&error))?;
            let connected = ().serve((input.take(MAX_STDOUT), output)).await;
            let client = connected.map_err(|error| with_sources(&error))?;
            let tools = client.list_all_tools().await.map_err(|error| with_sources(&error))?;
            let tools: Result<Vec<Value>, _> = tools.iter().map(serde_json::to_value).collect();
            let _ = answers.send(tools.map_err(|error| error.to_string()));
            let _ = client.cancel().await;
            Ok(())
        })
    };
    if let Err(why) = asked() {
        let _ = answers.send(Err(why));
    }
}
