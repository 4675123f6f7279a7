//! `steersman serve [--port N] [--no-web] [--grace SECONDS] [--max-watches N] [--json]`

use std::time::Duration;

use automation::{Level, WorkspaceSettings};
use dispatch::modules::agent_tools::known_tools;
use engine::Settings;
use serve::{LockError, Note, Setup};
use store::{AutomationFiles, Standing, Trust, TrustedFiles};

use super::{Place, agent, session};
use crate::exit::Exit;
use crate::{environment, output};

/// Run the automations of this workspace until stopped
///
/// Watches files, commits, specifications and sessions, runs what they set off, and shows how it stands on a
/// page of this machine, with `/metrics` for Prometheus. One per workspace. What waits when it stops is run
/// by the next one.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The port of the page on 127.0.0.1; without it 4717, or any that is free
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Have no page
    #[arg(long, conflicts_with = "port")]
    no_web: bool,
    /// How many seconds runs at work may still take when the server is asked to stop
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    grace: u64,
    /// Watch at most so many folders and look at files every few seconds if there are more; without it as many as the
    /// system allows
    #[arg(long, value_name = "N")]
    max_watches: Option<usize>,
    /// Tell what happens as lines of JSON: {ts, level, code, message}
    #[arg(long)]
    json: bool,
}

/// The port that is tried first.
const PORT: u16 = 4717;

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let mut tell = |note: Note| tell(&note, args.json);
    let setup = Setup {
        settings: settings(place),
        port: (!args.no_web).then_some(args.port.unwrap_or(PORT)),
        any_port: args.port.is_none(),
        max_watches: args.max_watches,
        patience: Duration::from_secs(args.grace),
        vouch: &|files| vouch(place, files),
        agents: &|| agent::world(place),
        sweep: &|| session::sweep(place),
        tell: &mut tell,
    };
    match serve::serve(setup) {
        Ok(()) => Ok(Exit::Fine),
        Err(LockError::Held(holder)) => {
            output::complain(&LockError::Held(holder.clone()).to_string());
            if let Some(port) = holder.port {
                output::hint(&format!("its page is http://127.0.0.1:{port}/"));
            }
            Ok(Exit::No)
        }
        Err(error @ LockError::HeldByUnknown) => {
            output::complain(&error.to_string());
            Ok(Exit::No)
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the surroundings of runs of this workspace.
pub(crate) fn settings(place: &Place) -> Settings {
    let variables = runner::Environment::from_variables(environment::variables());
    let mut settings = Settings::new(place.workspace.clone(), variables);
    settings.set_automation(WorkspaceSettings::of(&AutomationFiles::read(&place.workspace)));
    settings.extension_folders = environment::extension_folders();
    settings.tool_names = known_tools(&[]);
    settings
}

/// Returns files of this workspace as trusted, or says why nothing of them may run.
pub(crate) fn vouch(place: &Place, files: &AutomationFiles) -> Result<TrustedFiles, String> {
    let judged = || -> anyhow::Result<Result<TrustedFiles, Standing>> {
        Ok(Trust::load(place.user_state()?)?.vouch(place.workspace.root(), files))
    };
    match judged() {
        Ok(Ok(trusted)) => Ok(trusted),
        Ok(Err(Standing::Changed { files })) => Err(format!(
            "nothing runs now: {} changed since it was trusted; `steersman trust` shows the change and allows it",
            files.join(", ")
        )),
        Ok(Err(Standing::Never | Standing::Trusted)) => {
            Err("nothing runs before this workspace is trusted: `steersman trust`".to_owned())
        }
        Err(error) => {
            Err(format!("nothing runs, since steersman cannot judge whether it is trusted: {error:#}"))
        }
    }
}

fn tell(note: &Note, as_json: bool) {
    if as_json {
        // A line of numbers and text always serializes.
        output::print(format_args!("{}", serde_json::to_string(&note.line()).unwrap_or_default()));
    } else {
        let text = output::text::one_line(note.message.as_str());
        match note.level {
            Level::Error => output::complain(&text),
            Level::Warning => output::note(&format!("warning: {text}")),
            Level::Info => output::note(&text),
        }
    }
}
