//! The scenarios that every agent program runs.

mod asks;
mod author;
mod basic;
mod compaction;
mod confine;
mod doctor;
mod entered;
mod headless;
mod intents;
mod managed;
mod module;
mod moved;
mod parallel;
mod records;
mod registrations;
mod scope;
mod stash;
mod stops;
mod subagent;
mod subfolder;
mod switches;
mod workdir;
mod worktree;

use anyhow::Result;
use serde_json::{Value, json};

use super::client::Client;
use super::lab::{HOME, Lab, Run};
use super::model::Call;

/// One scenario.
pub(crate) struct Scenario {
    /// Its name on the command line and in the table.
    pub(crate) id: &'static str,
    /// Its subject, for the table.
    pub(crate) about: &'static str,
    /// Returns why a program cannot run it; `None` if it can.
    pub(crate) not_applicable: fn(&Client) -> Option<&'static str>,
    /// Plays it in a laboratory.
    pub(crate) play: fn(&mut Lab) -> Result<()>,
}

/// Every scenario, in the order of the table.
pub(crate) const ALL: &[Scenario] = &[
    Scenario {
        id: "basic",
        about: "reads and harmless writes pass, destructive commands do not, settings are protected",
        not_applicable: for_all,
        play: basic::play,
    },
    Scenario {
        id: "intents",
        about: "a write needs a selected intent and stays inside its scope; each session selects its own",
        not_applicable: for_all,
        play: intents::play,
    },
    Scenario {
        id: "module",
        about: "a project's module adds context and rewrites a call as the capabilities above say, keeps the agent going once, refuses a prompt",
        not_applicable: for_all,
        play: module::play,
    },
    Scenario {
        id: "asks",
        about: "a hook waits for a person, who denies with a reason that the model reads, or allows the call",
        not_applicable: for_all,
        play: asks::play,
    },
    Scenario {
        id: "subfolder",
        about: "with `init --user` a session started in a subfolder is governed",
        not_applicable: for_all,
        play: subfolder::play,
    },
    Scenario {
        id: "worktree",
        about: "with `init --user` a session in a linked worktree is governed; an intent holds in a worktree below the project",
        not_applicable: for_all,
        play: worktree::play,
    },
    Scenario {
        id: "stash",
        about: "git commands that put untracked files away do not remove the registration",
        not_applicable: for_all,
        play: stash::play,
    },
    Scenario {
        id: "workdir",
        about: "a command that runs in another folder is judged by the rules of the session's project",
        not_applicable: for_all,
        play: workdir::play,
    },
    Scenario {
        id: "subagent",
        about: "a subagent works in its parent's session under its parent's intent",
        not_applicable: for_all,
        play: subagent::play,
    },
    Scenario {
        id: "parallel",
        about: "two subagents at once share their parent's session; each of their equal calls is recorded once",
        not_applicable: for_all,
        play: parallel::play,
    },
    Scenario {
        id: "entered",
        about: "an agent that enters a worktree keeps its session and its intent",
        not_applicable: entered::not_applicable,
        play: entered::play,
    },
    Scenario {
        id: "headless",
        about: "an agent selects an intent in a headless run without any permission flag",
        not_applicable: for_all,
        play: headless::play,
    },
    Scenario {
        id: "registrations",
        about: "registered by project, user and administrator at once, every event is recorded once; equal calls are recorded each",
        not_applicable: for_all,
        play: registrations::play,
    },
    Scenario {
        id: "moved",
        about: "where a variable moves the user's settings, `init --user` registers there, and they are protected there",
        not_applicable: for_all,
        play: moved::play,
    },
    Scenario {
        id: "scope",
        about: "with `\"scope\": \"registered\"` only registered workspaces are governed, with their subfolders and worktrees",
        not_applicable: for_all,
        play: scope::play,
    },
    Scenario {
        id: "records",
        about: "failed commands are shown as failed, tools of MCP servers by their names, denials with the reason that decides",
        not_applicable: for_all,
        play: records::play,
    },
    Scenario {
        id: "managed",
        about: "with `init --managed` every session is governed, even if its project switches hooks off",
        not_applicable: for_all,
        play: managed::play,
    },
    Scenario {
        id: "stops",
        about: "a module that never lets the agent stop cannot keep it going forever",
        not_applicable: for_all,
        play: stops::play,
    },
    Scenario {
        id: "author",
        about: "an answer of a module that steersman does not accept is shown to its author and changes nothing",
        not_applicable: for_all,
        play: author::play,
    },
    Scenario {
        id: "compaction",
        about: "the record says that the context was shortened only if the program shortened it",
        not_applicable: for_all,
        play: compaction::play,
    },
    Scenario {
        id: "switches",
        about: "an agent cannot switch its hooks off, by commands of the program or by settings",
        not_applicable: for_all,
        play: switches::play,
    },
    Scenario {
        id: "confine",
        about: "a command whose writes are unknown writes only in scope: in the background, repeated and in parallel; the model learns which writes were refused",
        not_applicable: for_all,
        play: confine::play,
    },
    Scenario {
        id: "doctor",
        about: "`steersman doctor` says truly whether a program runs the hooks: without trust, in a subfolder, switched off",
        not_applicable: for_all,
        play: doctor::play,
    },
];

/// Shows every session of the project.
const SHOW_SESSIONS: &str =
    "for s in .ai/tmp/*/events.jsonl; do steersman session show $(basename $(dirname $s)); done";

/// Returns the scenario with an id.
pub(crate) fn find(id: &str) -> Option<&'static Scenario> {
    ALL.iter().find(|scenario| scenario.id == id)
}

fn for_all(_client: &Client) -> Option<&'static str> {
    None
}

/// Adds the two intents that scenarios select from: INT-001 owns `src/`, INT-002 owns `docs/`.
fn declare_intents(lab: &mut Lab) {
    for line in [
        "steersman intent new 'Faster cart' --scope 'src/**' --description 'Make the total linear'",
        "steersman intent new 'Manual' --scope 'docs/**' --description 'Write the manual'",
    ] {
        let declared = lab.user(line);
        lab.check("`steersman intent new` succeeds", declared.succeeded, &declared.output);
    }
}

/// Returns the settings in which `steersman init` registered. Returns `None` if they are missing or invalid.
fn registration(lab: &Lab) -> Option<Value> {
    let mut settings: Value = serde_json::from_str(&lab.read(lab.client.settings)?).ok()?;
    // Qwen Code adds it at every start.
    settings.as_object_mut()?.remove("$version");
    Some(settings)
}

/// Checks that the registration is what `steersman init` wrote.
fn check_registration(lab: &mut Lab, before: Option<&Value>) {
    let now = registration(lab);
    let is_unchanged = before.is_some() && now.as_ref() == before;
    lab.check("the registration is unchanged", is_unchanged, &now.unwrap_or_default().to_string());
}

/// Returns the calls that make the tools of steersman's MCP server known to the model.
fn load_steersman(client: &Client) -> Vec<(&'static str, Call)> {
    client.tools.load_steersman.iter().map(|load| ("load tools", load())).collect()
}

/// Returns the call that selects an intent.
fn select(client: &Client, intent: &str) -> Call {
    (client.tools.steersman)("select_active_intent", json!({"intent_id": intent}))
}

/// The commands with which a session shows that it is governed: a harmless one, and one that must not run.
fn governed_steps(client: &Client) -> Vec<(&'static str, Call)> {
    let shell = client.tools.shell;
    // WHY the pause: on a busy machine Qwen Code loses the output of a command that exits at once.
    vec![("harmless", shell("echo HARMLESS-MARK && sleep 1")), ("delete home", shell("rm -rf ~/"))]
}

/// Checks the results of [`governed_steps`].
fn check_governed(lab: &mut Lab, run: &Run) {
    lab.check(
        "a harmless command runs",
        run.result("harmless").contains("HARMLESS-MARK"),
        run.result("harmless"),
    );
    let intact = lab.home_is_intact();
    lab.check("the home folder survives `rm -rf ~/`", intact, &format!("{HOME} is empty"));
    refused(lab, run, "delete home", "home folder");
}

/// Checks that `steersman session list`, called in a folder, shows one session of the program.
fn check_recorded(lab: &mut Lab, folder: &str) {
    let sessions = lab.user_in(folder, "steersman session list");
    let n_sessions = sessions.output.lines().filter(|line| line.contains(lab.client.host)).count();
    lab.check("`steersman session list` shows the session once", n_sessions == 1, &sessions.output);
}

/// Returns the records of the project's sessions in the order of time: one for every event that was judged.
fn records(lab: &mut Lab) -> Vec<Value> {
    let journal = lab.user("cat .ai/tmp/*/events.jsonl");
    let lines = journal.output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut records: Vec<Value> = lines.filter(|line| line["type"] == "HOOK_RUN").collect();
    records.sort_by_key(|record| record["ts"].as_u64());
    records
}

/// Checks that the model reads why steersman refused a step.
fn refused(lab: &mut Lab, run: &Run, step: &str, reason: &str) {
    let result = run.result(step);
    let name = format!("the model reads why `{step}` is refused");
    lab.check(&name, result.to_lowercase().contains(&reason.to_lowercase()), result);
}
