//! `steersman shell explain`

use std::io::Read;
use std::sync::RwLock;

use anyhow::Context;
use event::{AbsPath, CommandLine};
use modules::shell_guard::{NAME, RememberedDisk};
use page::view::CommandReading;
use project_config::Config;
use project_config::guard::Settings;
use shell::guard::{GuardDecision, MovedSettings, Policy, judge};
use store::Workspace;

use super::{answer, batch, reading_view, tree};
use crate::commands::Place;
use crate::environment;
use crate::exit::Exit;
use crate::output::{self, print};

/// Print the commands, reads, writes and deletions of a command line, and the guard's verdict
///
/// Exits with 1 if the guard denies it, with 0 otherwise.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The command line; `-` reads it from stdin
    #[arg(required_unless_present = "batch", allow_hyphen_values = true)]
    command: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Read one `{"command": …, "cwd": …, "dialect": …}` per line from stdin, write one answer per line to stdout
    #[arg(long, conflicts_with_all = ["command", "json"])]
    batch: bool,
    /// The folder the command starts in [default: the current folder]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    /// The shell whose syntax to use
    #[arg(long, value_enum, default_value_t = DialectName::Posix)]
    dialect: DialectName,
}

/// A shell whose syntax the reader knows.
#[derive(Debug, Clone, Copy, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum DialectName {
    Posix,
    Powershell,
    Cmd,
}

impl From<DialectName> for shell::Dialect {
    fn from(dialect: DialectName) -> Self {
        match dialect {
            DialectName::Posix => Self::Posix,
            DialectName::Powershell => Self::PowerShell,
            DialectName::Cmd => Self::Cmd,
        }
    }
}

/// The parts of a command's context that are the same for all lines of a batch.
pub(super) struct Reader {
    /// The workspace of `--workspace`; otherwise it is the one around the command's folder.
    named: Option<String>,
    /// The last folder and its workspace, because a batch has many lines for one folder.
    last: RwLock<Option<(AbsPath, String)>>,
    home: Option<String>,
    user_state: Option<String>,
    moved_settings: Vec<MovedSettings>,
    /// The shell of lines that name none.
    dialect: DialectName,
    policy: Policy,
    disk: RememberedDisk,
}

/// Reads and judges a recorded command line of the workspace by its present rules and files.
pub(crate) fn recorded(
    place: &Place,
    command: &CommandLine,
    cwd: &AbsPath,
) -> anyhow::Result<CommandReading> {
    let (policy, _complaints) = Settings::policy(Config::load(&place.workspace)?.section(NAME));
    let reader = Reader::new(Some(place.workspace.root().to_string()), DialectName::Posix, policy);
    let (reading, judgement) = reader.judged(&command.text, cwd, command.dialect);
    Ok(reading_view::of(&command.text, &reading, &judgement))
}

impl Reader {
    fn new(named: Option<String>, dialect: DialectName, policy: Policy) -> Self {
        Self {
            named,
            last: RwLock::default(),
            home: environment::home().map(|home| home.to_string()),
            user_state: environment::user_state().map(|state| state.to_string()),
            moved_settings: environment::moved_settings(),
            dialect,
            policy,
            disk: RememberedDisk::default(),
        }
    }

    /// Parses and judges one command line. `dialect` is its shell, unless it is the shell of all lines.
    pub(super) fn read(
        &self,
        command: &str,
        cwd: &AbsPath,
        dialect: Option<DialectName>,
    ) -> (shell::Reading, shell::guard::GuardJudgement) {
        self.judged(command, cwd, dialect.unwrap_or(self.dialect).into())
    }

    fn judged(
        &self,
        command: &str,
        cwd: &AbsPath,
        dialect: shell::Dialect,
    ) -> (shell::Reading, shell::guard::GuardJudgement) {
        let workspace = self.workspace_of(cwd);
        let cwd = cwd.to_string();
        let place = shell::Place {
            typed: shell::TypedInput::Announced,
            earlier: "",
            cwd: &cwd,
            home: self.home.as_deref(),
            user_state: self.user_state.as_deref(),
            moved_settings: &self.moved_settings,
            workspace: Some(&workspace),
            dialect,
            files: &self.disk,
            git: &self.disk,
        };
        let reading = shell::read(command, &place);
        let judgement = judge(&reading, &self.policy);
        (reading, judgement)
    }

    /// Returns the workspace a command is judged in.
    fn workspace_of(&self, cwd: &AbsPath) -> String {
        if let Some(named) = &self.named {
            return named.clone();
        }
        if let Ok(last) = self.last.read()
            && let Some((known, workspace)) = last.as_ref()
            && known == cwd
        {
            return workspace.clone();
        }
        let workspace = Workspace::root_of(cwd).to_string();
        if let Ok(mut last) = self.last.write() {
            *last = Some((cwd.clone(), workspace.clone()));
        }
        workspace
    }
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let cwd = args.cwd.as_ref().map_or_else(|| place.folder.clone(), |dir| place.folder.join(dir));
    let config = if place.is_named || args.cwd.is_none() {
        Config::load(&place.workspace)?
    } else {
        Config::load(&Workspace::open(Workspace::root_of(&cwd)).0)?
    };
    let (policy, complaints) = Settings::policy(config.section(NAME));
    for problem in &complaints {
        output::note(problem);
    }
    let named = place.is_named.then(|| place.workspace.root().to_string());
    let reader = Reader::new(named, args.dialect, policy);
    if args.batch {
        return batch::run(&reader, &cwd);
    }
    let command = match args.command.as_deref() {
        Some("-") | None => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("cannot read the command from stdin")?;
            text
        }
        Some(command) => command.to_owned(),
    };
    if command.trim().is_empty() {
        output::error("the command is empty");
        output::hint("pass one, such as `steersman shell explain 'rm -rf build'`, or write it to stdin");
        return Ok(Exit::Usage);
    }
    let (reading, judgement) = reader.read(&command, &cwd, None);
    if args.json {
        let mut line = Vec::new();
        answer::write(&reading, &judgement, &mut line);
        print(format_args!("{}", String::from_utf8_lossy(&line)));
    } else {
        tree::draw(&reading_view::of(&command, &reading, &judgement));
    }
    Ok(if judgement.verdict == GuardDecision::Deny { Exit::No } else { Exit::Fine })
}
