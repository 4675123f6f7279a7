//! `steersman ask [--all] [--json] | allow ID | deny ID`

mod allow;
mod deny;
mod list;
mod live;
mod notify;

use std::io::{self, IsTerminal};

use asks::{Answer, AnswerError, OpenAsk, Outcome};

use super::Place;
use crate::exit::Exit;
use crate::output;

pub(crate) use notify::{start_detached, to_trust};

/// Answer agents that wait for your decision
///
/// Hooks wait where an agent program cannot ask and `"ask": {"wait": SECONDS}` is set in .ai/hooks/config.json. In a
/// terminal this shows them as they come: allow a call once or for the session, or deny it with a reason that the model
/// reads. Only a person may answer.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// Asks of every workspace
    #[arg(long)]
    all: bool,
    /// Print the asks as JSON and exit
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Allow(allow::Args),
    Deny(deny::Args),
    #[command(hide = true)]
    Notify(notify::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    // Other programs of this user must not read its memory or take its sockets. A failure takes nothing away: the hook
    // checks who sends an answer.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable);
    match &args.verb {
        Some(Verb::Allow(args)) => allow::run(args, place),
        Some(Verb::Deny(args)) => deny::run(args, place),
        Some(Verb::Notify(args)) => notify::run(args, place),
        None => {
            let selection = Selection { place, all: args.all };
            let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
            if args.json || !is_terminal {
                return list::print(&selection, args.json);
            }
            live::run(&selection)
        }
    }
}

/// The asks that a command shows.
struct Selection<'a> {
    place: &'a Place,
    all: bool,
}

impl Selection<'_> {
    /// Returns the asks that wait, without those in `known`.
    fn open(&self, known: &[&asks::AskId]) -> anyhow::Result<Vec<OpenAsk>> {
        let mut found = asks::open(self.place.user_state()?, known);
        let root = self.place.workspace.root().to_string();
        found.retain(|open| self.all || open.ask.workspace == root);
        Ok(found)
    }
}

/// Answers the ask whose id begins with these digits, in whatever workspace it waits.
fn answer(place: &Place, digits: &str, answer: &Answer) -> anyhow::Result<Exit> {
    let mut found: Vec<OpenAsk> = match asks::AskId::parse(digits) {
        Some(id) => asks::find(place.user_state()?, &id).into_iter().collect(),
        None => Selection { place, all: true }.open(&[])?,
    };
    found.retain(|open| open.ask.id.as_str().starts_with(digits) && !digits.is_empty());
    match found.as_mut_slice() {
        [] => {
            output::error(&format!("no open ask has the id `{}`", output::text::one_line(digits)));
            output::hint("run `steersman ask --all --json` for the open asks");
            Ok(Exit::No)
        }
        [open] => {
            let call = format!("{}  {}", open.ask.tool, open.ask.call);
            Ok(match open.answer(answer) {
                Ok(()) => {
                    output::note(&format!("{}: {}", done(answer), output::text::one_line(&call)));
                    Exit::Fine
                }
                Err(error) => {
                    report(&error);
                    Exit::No
                }
            })
        }
        several => {
            output::error(&format!("{} asks have ids that begin with `{digits}`", several.len()));
            output::hint("name one by its whole id");
            Ok(Exit::No)
        }
    }
}

/// Returns the effect of an answer.
const fn done(answer: &Answer) -> &'static str {
    match answer {
        Answer::Allow { scope: asks::Scope::Once } => "allowed once",
        Answer::Allow { scope: asks::Scope::Session } => "allowed for this session",
        Answer::Deny { .. } => "denied",
    }
}

fn report(error: &AnswerError) {
    let text = explain(error);
    let (what, hints): (Vec<_>, Vec<_>) = text.lines().partition(|line| !line.starts_with("hint: "));
    output::error(&format!("cannot answer: {}", what.join("\n")));
    for line in hints {
        output::hint(line.trim_start_matches("hint: "));
    }
}

/// Returns why an answer does not count.
fn explain(error: &AnswerError) -> String {
    match error {
        AnswerError::Ended(Outcome::Answered(earlier)) => {
            format!("it was answered already: {}", done(earlier))
        }
        AnswerError::Ended(Outcome::TimedOut) => {
            "no answer arrived in time, so the hook denied the call".to_owned()
        }
        AnswerError::Ended(Outcome::Withdrawn) => {
            "the agent program no longer waits for an answer".to_owned()
        }
        other => other.to_string(),
    }
}
