//! `steersman serve [--editor] [--port N] [--no-web] [--open] [--grace SECONDS] [--max-watches N] [--quiet] [--json]`

mod browser;
mod editor;
mod page_inspection;
mod pin_watch;
mod screen_thread;
mod serve_screen;

use std::sync::Arc;
use std::time::Duration;

use automation::WorkspaceSettings;
use engine::Settings;
use modules::agent_tools::known_tools;
use serve::{LockError, Note, ServerStatus, Setup};
use store::{AutomationFiles, Trust, TrustStatus, TrustedFiles};

use super::automation::{effective_files, trusted_version};
use super::{Place, agent, session, trace};
use crate::exit::Exit;
use crate::{environment, output};
use page_inspection::PageInspection;
use screen_thread::ScreenThread;
use serve_screen::ServeScreen;

/// Run the automations of this workspace until stopped
///
/// Watches files, commits, specifications and sessions, runs the automations they trigger, and serves a
/// status page and `/metrics` for Prometheus on this machine. One server per workspace. The next server
/// executes the runs that are still queued when this one stops.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct Args {
    /// Serve the editor extension that started this command: print the address and a token for it first, log as with
    /// `--json`, and stop when stdin ends
    #[arg(long, conflicts_with_all = ["no_web", "open"])]
    editor: bool,
    /// The port of the web page on 127.0.0.1 [default: 4717, or any free port]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Do not serve the web page
    #[arg(long, conflicts_with = "port")]
    no_web: bool,
    /// Open the page in the browser
    #[arg(long, conflicts_with = "no_web")]
    open: bool,
    /// How many seconds running automations may take to finish when the server stops
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    grace: u64,
    /// Watch at most N folders; if there are more, poll their files every few seconds [default: the system's
    /// limit]
    #[arg(long, value_name = "N")]
    max_watches: Option<usize>,
    /// Do not print starts and ends of runs; failures of runs are printed
    #[arg(long, short)]
    quiet: bool,
    /// Log events as JSON lines: {ts, level, code, message}
    #[arg(long)]
    json: bool,
}

/// The port tried first.
const PORT: u16 = 4717;

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let editor = if args.editor { editor::find(place) } else { None };
    let screen = ServeScreen::new(args.json || args.editor, args.quiet);
    let is_watched = screen.is_watched();
    let printing = ScreenThread::start(screen);
    let screen = printing.sender();
    let announce = |url: &str, port| screen.line(editor::announcement(editor.as_ref(), url, port));
    let mut tell = |note: Note| screen.note(note);
    let mut show = |status: &ServerStatus| screen.status(status);
    let setup = Setup {
        settings: settings(place),
        port: (!args.no_web).then_some(args.port.unwrap_or(PORT)),
        any_port: args.port.is_none(),
        user_state: place.user_state().ok().cloned(),
        is_person: ::session::person::check(&place.workspace, place.user_state().ok()).is_ok(),
        inspection: Arc::new(PageInspection { place: place.clone() }),
        editor: editor.clone(),
        announce: if args.editor { Some(&announce) } else { None },
        open_browser: if args.open { Some(&browser::open) } else { None },
        max_watches: args.max_watches,
        shutdown_timeout: Duration::from_secs(args.grace),
        check_trust: &|files| verify_trust(place, files),
        trusted_version: &|name| trusted_version(place, name),
        agents: &|| agent::world(place),
        remove_old_sessions: &|| session::sweep(place),
        anchor_trace: &|| trace::anchor_at_end_of_turn(place).map_err(|error| format!("{error:#}")),
        log: &mut tell,
        status: if is_watched { Some(&mut show) } else { None },
    };
    if args.editor {
        editor::stop_with_stdin();
    }
    let of_pins = screen.clone();
    pin_watch::start(place.clone(), move |note| of_pins.note(note));
    let served = serve::serve(setup);
    printing.end();
    match served {
        Ok(()) => Ok(Exit::Fine),
        Err(LockError::Held(holder)) => {
            output::error(&LockError::Held(holder.clone()).to_string());
            if let Some(port) = holder.port {
                output::hint(&format!("open its page at http://127.0.0.1:{port}/"));
            }
            Ok(Exit::No)
        }
        Err(error @ LockError::HeldByUnknown) => {
            output::error(&error.to_string());
            Ok(Exit::No)
        }
        Err(error) => Err(error.into()),
    }
}

/// Returns the settings for runs in this workspace.
pub(crate) fn settings(place: &Place) -> Settings {
    let variables = runner::Environment::from_variables(environment::variables());
    let mut settings = Settings::new(place.workspace.clone(), variables);
    settings.set_automation(WorkspaceSettings::of(effective_files(place).files()));
    settings.extension_folders = environment::extension_folders();
    settings.tool_names = known_tools(&[]);
    settings.agent_variable = Some(environment::AGENT);
    settings.confiner = environment::running_program().filter(|_| cfg!(target_os = "linux"));
    settings
}

/// Returns the workspace's automation files as trusted, or the reason why none of them may run.
pub(crate) fn verify_trust(place: &Place, files: &AutomationFiles) -> Result<TrustedFiles, String> {
    let judged = || -> anyhow::Result<Result<TrustedFiles, TrustStatus>> {
        Ok(Trust::load(place.user_state()?)?.verify(place.workspace.root(), files))
    };
    match judged() {
        Ok(Ok(trusted)) => Ok(trusted),
        Ok(Err(TrustStatus::Changed { files })) => Err(format!(
            "no automation runs: {} changed since you trusted it; run `steersman trust` to review and allow the change",
            files.join(", ")
        )),
        Ok(Err(TrustStatus::Never | TrustStatus::Trusted)) => {
            Err("no automation runs until you trust this workspace; run `steersman trust`".to_owned())
        }
        Err(error) => {
            Err(format!("no automation runs: cannot check whether this workspace is trusted: {error:#}"))
        }
    }
}
