//! Confines the program of an automation: `steersman run` starts it, and the kernel refuses other writes.

use std::ffi::{OsStr, OsString};
use std::io::{self, PipeWriter};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use automation::Confine;
use host::AgentCli;
use redact::Filter;
use runner::{Environment, INHERITED_PIPE, Invocation};
use store::Workspace;

use crate::ending::Ending;
use crate::settings::Settings;

/// The program that is to be confined.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Confined {
    /// A command of the project.
    Command,
    /// An agent program; `reads_only` if the tools of its agent change nothing.
    Agent {
        /// The program.
        cli: AgentCli,
        /// Whether its agent has a list of tools, none of which writes.
        reads_only: bool,
    },
}

/// The failure of a program that cannot be confined.
pub(crate) const CANNOT_CONFINE: &str = "CANNOT_CONFINE";

/// The message of `steersman run` if it refuses.
const REFUSAL: &str = "steersman: cannot confine the command: ";

/// Returns the call that runs a program confined.
pub(crate) fn confined(
    settings: &Settings,
    confine: &Confine,
    environment: &Environment,
    invocation: Invocation,
    program: Confined,
) -> Result<Invocation, Ending> {
    let Some(confiner) = &settings.confiner else {
        return Err(Ending::failure(
            CANNOT_CONFINE,
            "cannot confine the program of this automation: this system has no mechanism for it",
        ));
    };
    let root = settings.workspace.root().as_path();
    let mut args = words(["run", "--workspace"]);
    args.push(root.into());
    let reads_only = matches!(program, Confined::Agent { reads_only: true, .. });
    let writes: Vec<PathBuf> = match &confine.write {
        Some(paths) => paths.iter().map(|path| root.join(path)).collect(),
        None if reads_only => Vec::new(),
        None => vec![root.to_path_buf()],
    };
    // A scope of nothing is the workspace, kept read-only.
    let is_nothing = writes.is_empty();
    extend(&mut args, "--write", if is_nothing { vec![root.to_path_buf()] } else { writes });
    let mut shut = if is_nothing { vec![root.to_path_buf()] } else { Vec::new() };
    if let Confined::Agent { cli, .. } = program {
        let own = OwnState::of(cli, environment);
        extend(&mut args, "--state", own.state);
        shut.extend(own.governing);
        args.extend([OsString::from("--records"), INHERITED_PIPE.to_string().into()]);
        if mounts(cli) {
            args.push("--needs-mounts".into());
        }
    }
    extend(&mut args, "--read-only", shut);
    if !confine.network {
        args.push("--no-network".into());
    }
    args.push("--".into());
    args.push(invocation.program.into());
    args.extend(invocation.args);
    Ok(Invocation { program: confiner.clone(), args, stdin: invocation.stdin })
}

/// Takes the records of hooks inside a confined program, and keeps them.
pub(crate) struct Relay {
    pipe: Option<PipeWriter>,
    ended: Receiver<()>,
}

/// How long to wait for the last records once the program has ended.
const LAST_RECORDS: Duration = Duration::from_secs(2);

impl Relay {
    pub(crate) fn start(workspace: &Workspace, filter: &Filter) -> Self {
        let (sender, ended) = mpsc::channel();
        let pipe = io::pipe().ok().map(|(reader, writer)| {
            let (workspace, filter) = (workspace.clone(), filter.clone());
            thread::spawn(move || {
                workspace.receive_records(reader, &filter);
                drop(sender);
            });
            writer
        });
        Self { pipe, ended }
    }

    pub(crate) const fn pipe(&self) -> Option<&PipeWriter> {
        self.pipe.as_ref()
    }

    /// Waits for the last records, unless a process that could not be ended still holds the pipe.
    pub(crate) fn finish(self) {
        drop(self.pipe);
        let _ = self.ended.recv_timeout(LAST_RECORDS);
    }
}

/// Returns the reason why `steersman run` did not run a program, from its output.
pub(crate) fn refusal(exit_code: i32, logs: &str) -> Option<String> {
    const WORLD: i32 = 3;
    let line = logs.lines().find_map(|line| line.split_once(REFUSAL)).map(|(_, why)| why);
    line.filter(|_| exit_code == WORLD).map(|why| format!("cannot confine the program: {why}"))
}

/// Returns whether a program sets up its own sandbox, for which it mounts file systems.
const fn mounts(cli: AgentCli) -> bool {
    match cli {
        AgentCli::Codex => true,
        AgentCli::Claude | AgentCli::Copilot | AgentCli::Gemini => false,
    }
}

/// The files that an agent program keeps for itself.
#[derive(Debug, Default)]
struct OwnState {
    state: Vec<PathBuf>,
    /// Those of them that decide what the program runs later.
    governing: Vec<PathBuf>,
}

impl OwnState {
    fn of(cli: AgentCli, environment: &Environment) -> Self {
        let Some(home) = environment.get("HOME").filter(|home| !home.is_empty()).map(PathBuf::from) else {
            return Self::default();
        };
        let (variable, usual, beside, governing): (_, _, &[&str], &[&str]) = match cli {
            AgentCli::Claude => (
                "CLAUDE_CONFIG_DIR",
                ".claude",
                &[".claude.json", ".cache/claude", ".cache/claude-cli-nodejs"],
                &[
                    "settings.json",
                    "settings.local.json",
                    "CLAUDE.md",
                    "agents",
                    "commands",
                    "hooks",
                    "plugins",
                    "skills",
                ],
            ),
            AgentCli::Codex => (
                "CODEX_HOME",
                ".codex",
                &[],
                &["config.toml", "hooks.json", "AGENTS.md", "prompts", "rules", "skills", "plugins"],
            ),
            AgentCli::Gemini => (
                "GEMINI_CLI_HOME",
                ".gemini",
                &[],
                &[
                    "settings.json",
                    ".env",
                    "GEMINI.md",
                    "commands",
                    "extensions",
                    "policies",
                    "trustedFolders.json",
                ],
            ),
            AgentCli::Copilot => (
                "COPILOT_HOME",
                ".copilot",
                &[".cache/copilot"],
                &["config.json", "settings.json", "mcp-config.json", "hooks", "agents", "skills"],
            ),
        };
        let folder = match environment.get(variable).filter(|it| !it.is_empty()) {
            // This variable names the folder around.
            Some(around) if cli == AgentCli::Gemini => Path::new(around).join(usual),
            Some(named) => PathBuf::from(named),
            None => home.join(usual),
        };
        let governing = governing.iter().map(|name| folder.join(name)).filter(|path| exists(path)).collect();
        let beside = beside.iter().map(|name| home.join(name)).filter(|path| exists(path));
        Self { state: beside.chain([folder]).collect(), governing }
    }
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn extend(args: &mut Vec<OsString>, flag: &str, paths: Vec<PathBuf>) {
    for path in paths {
        args.push(OsStr::new(flag).to_os_string());
        args.push(path.into_os_string());
    }
}

fn words<const N: usize>(words: [&str; N]) -> Vec<OsString> {
    words.into_iter().map(OsString::from).collect()
}
