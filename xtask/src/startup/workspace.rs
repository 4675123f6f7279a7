//! A temporary project with its own home folder, isolated from the settings of this machine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::contestant::Answer;
use super::payload::Moment;
use super::spawn::Call;

/// The project and the home folder beside it.
pub(crate) struct Workspace {
    project: PathBuf,
    home: PathBuf,
    steersman: PathBuf,
}

impl Workspace {
    /// Makes both below `folder`; the project looks like a git checkout.
    pub(crate) fn new(folder: &Path, steersman: &Path) -> Result<Self> {
        let workspace = Self {
            project: folder.join("project"),
            home: folder.join("home"),
            steersman: steersman.to_owned(),
        };
        fs::create_dir_all(&workspace.home).with_context(|| format!("cannot make `{}`", folder.display()))?;
        workspace.write(".git/HEAD", "ref: refs/heads/main\n")?;
        Ok(workspace)
    }

    /// Returns the folder of the project.
    pub(crate) fn project(&self) -> &Path {
        &self.project
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<()> {
        let file = self.project.join(path);
        let context = || format!("cannot write `{}`", file.display());
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(context)?;
        }
        fs::write(&file, text).with_context(context)
    }

    /// Returns a call of `program` in the project, with the environment a hook sees.
    pub(crate) fn call(&self, program: &Path, args: &[&str]) -> Call {
        let home = |below: &str| self.home.join(below);
        Call {
            program: program.to_owned(),
            args: args.iter().map(|it| (*it).to_owned()).collect(),
            folder: self.project.clone(),
            environment: vec![
                ("HOME", self.home.clone()),
                ("XDG_CACHE_HOME", home(".cache")),
                ("XDG_CONFIG_HOME", home(".config")),
                ("XDG_DATA_HOME", home(".local/share")),
                ("XDG_STATE_HOME", home(".local/state")),
                ("PATH", "/usr/local/bin:/usr/bin:/bin".into()),
                ("CLAUDECODE", "1".into()),
                ("CLAUDE_PROJECT_DIR", self.project.clone()),
            ],
        }
    }

    /// Has `steersman` answer an event, as its registration with Claude Code would.
    pub(crate) fn dispatch(&self, moment: Moment<'_>) -> Result<Value> {
        let call = self.call(&self.steersman, &["dispatch", moment.event(), "--host", "claude-code"]);
        let run = call.run(&moment.payload(&self.project)?)?;
        super::answer(&run, Answer::OneObject, &format!("`steersman dispatch {}`", moment.event()))
    }

    /// Starts the session that is measured.
    pub(crate) fn begin_session(&self) -> Result<()> {
        self.dispatch(Moment::SessionStart)?;
        self.dispatch(Moment::UserPromptSubmit)?;
        Ok(())
    }

    /// Runs a command of `steersman` that a person would run here.
    pub(crate) fn steersman(&self, args: &[&str]) -> Result<()> {
        let call = self.call(&self.steersman, args);
        let mut command = std::process::Command::new(&call.program);
        command.args(&call.args).current_dir(&call.folder).env_clear().envs(call.environment);
        crate::repo::output(&mut command).map(drop)
    }

    /// Returns the folder of the only session there is.
    pub(crate) fn session_folder(&self) -> Result<PathBuf> {
        let sessions = self.project.join(".ai/tmp");
        let mut found = Vec::new();
        for entry in
            fs::read_dir(&sessions).with_context(|| format!("cannot list `{}`", sessions.display()))?
        {
            let folder = entry?.path();
            if folder.join("events.jsonl").is_file() {
                found.push(folder);
            }
        }
        match found.pop() {
            Some(folder) if found.is_empty() => Ok(folder),
            Some(_) => bail!("the events of one session went to several folders"),
            None => bail!("no session was recorded below `{}`", sessions.display()),
        }
    }
}
