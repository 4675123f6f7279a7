//! `steersman ask notify ID`: tells a person that an ask waits. The hook that waits starts it and does not wait for it.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use asks::{Ask, AskId};
use project_config::{Config, NotifySettings, NotifyWebhook};
use redact::Filter;
use runner::{Cancel, Environment, Invocation, Limits, Run};
use store::{ScriptFiles, Trust};

use crate::commands::Place;
use crate::detached;
use crate::environment;
use crate::exit::Exit;
use crate::output;

/// How long a command or a server may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Run the command and the webhook of `notify` for an ask
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The id of the ask
    id: String,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let user_state = place.user_state()?;
    let open = AskId::parse(&args.id).and_then(|id| asks::find(user_state, &id));
    let Some(open) = open else {
        output::error("no hook waits for an answer to this ask any more");
        return Ok(Exit::No);
    };
    let settings: NotifySettings = Config::load(&place.workspace)?.typed(NotifySettings::SECTION)?;
    let Some(line) = settings.to_trust() else { return Ok(Exit::Fine) };
    let root = place.workspace.root();
    let trust = Trust::load(user_state)?;
    let scripts = ScriptFiles::read(&place.workspace)?.fingerprint();
    if !trust.covers(root, &scripts) || !trust.covers_validation(root, &line) {
        output::error("cannot notify: this workspace's `notify` is not trusted");
        output::hint("run `steersman trust`");
        return Ok(Exit::No);
    }
    let body = serde_json::to_string(&open.ask)?;
    // The connection would keep one of the hook's places for clients.
    drop(open);
    if !settings.command.is_empty() {
        start(&settings.command, &body, place)?;
    }
    if let Some(webhook) = &settings.webhook {
        post(webhook, &body)?;
    }
    Ok(Exit::Fine)
}

/// Returns the line about notifications that a user trusts. Returns `None` without notifications.
pub(crate) fn to_trust(place: &Place) -> Option<String> {
    let config = Config::load(&place.workspace).ok()?;
    config.typed::<NotifySettings>(NotifySettings::SECTION).ok()?.to_trust()
}

/// Starts the notification of an ask, as a process that outlives this one: the ask waits anyway.
pub(crate) fn start_detached(ask: &Ask) {
    detached::start(["ask", "notify", ask.id.as_str(), "--workspace", &ask.workspace]);
}

fn start(command: &[String], body: &str, place: &Place) -> anyhow::Result<()> {
    let environment = Environment::from_variables(environment::variables());
    let folder = place.workspace.root().as_path();
    let program = runner::find(OsStr::new(&command[0]), &environment, folder);
    let invocation = Invocation {
        program: program.unwrap_or_else(|| PathBuf::from(&command[0])),
        args: command[1..].iter().map(Into::into).collect(),
        stdin: body.as_bytes().to_vec(),
    };
    let run = Run {
        invocation: &invocation,
        folder,
        environment: &environment,
        mark: &format!("notify-{}", std::process::id()),
        limits: Limits::with_timeout(TIMEOUT),
        filter: &Filter::default(),
        cancel: &Cancel::new(),
        pipe: None,
    };
    runner::run(&run, &mut |_, _| {}).context("cannot run the command of `notify`")?;
    Ok(())
}

/// Posts the ask, signed with the key in the environment.
fn post(webhook: &NotifyWebhook, body: &str) -> anyhow::Result<()> {
    let variables = Environment::from_variables(environment::variables());
    let key = variables.get(&webhook.secret_env).and_then(|key| key.to_str()).filter(|key| !key.is_empty());
    let key = key.with_context(|| {
        format!("cannot sign the notification: the variable `{}` is not set", webhook.secret_env)
    })?;
    let signature = encoding::hex::encode(&hmac_sha256::HMAC::mac(body.as_bytes(), key.as_bytes()));
    let header = ("x-steersman-signature".to_owned(), format!("sha256={signature}"));
    let status = engine::post_json(&webhook.url, &[header], body, TIMEOUT).map_err(anyhow::Error::msg)?;
    anyhow::ensure!((200..300).contains(&status), "the webhook answered with status {status}");
    Ok(())
}
