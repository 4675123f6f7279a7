//! `steersman intent preview [--sessions N] [--json]`
//!
//! With `--json`: `{"intent", "sessions", "calls", "refused": [{"session", "run", "ts", "tool", "target", "reason"}]}`.

use std::ops::ControlFlow;

use event::{EventName, SessionId};
use modules::IntentSettings;
use project_config::{Config, Manifest};
use serde_json::{Value, json};
use store::Timestamp;

use super::effective_intent::EffectiveIntent;
use super::error_output;
use crate::commands::Place;
use crate::commands::session::latest_first;
use crate::environment;
use crate::exit::Exit;
use crate::output::paint::{BAD, FAINT, STRONG, paint};
use crate::output::text::{cut, one_line};
use crate::output::{self, moment, print};

/// Show which calls of the last sessions intents would have refused
///
/// Judges the recorded calls again under the intents file as it is now: under the intent that a session selected,
/// else under the one selected for this workspace. Writes nothing.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The number of sessions, the latest first
    #[arg(long, value_name = "N", default_value_t = 5)]
    sessions: usize,
    /// Print JSON: {"intent", "sessions", "calls", "refused": [{session, run, ts, tool, target, reason}]}
    #[arg(long)]
    json: bool,
}

/// A call that intents would have refused.
struct Refused {
    session: SessionId,
    run: String,
    at: Timestamp,
    tool: String,
    target: String,
    reason: String,
}

/// The judged calls of all sessions.
#[derive(Default)]
struct Preview {
    n_sessions: usize,
    n_calls: usize,
    refused: Vec<Refused>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    if let Err(exit) = error_output::read(place)? {
        return Ok(exit);
    }
    let manifest = Manifest::load(&place.workspace)?;
    let config = enforcing(Config::load(&place.workspace)?);
    let mut preview = Preview::default();
    for session in latest_first(place)?.into_iter().take(args.sessions) {
        preview.add(session, &manifest, &config, place)?;
    }
    let selected = EffectiveIntent::find(None, None, place)?;
    let intent = selected.as_ref().and_then(EffectiveIntent::id).map(ToString::to_string);
    if args.json {
        output::json(&preview.to_json(intent.as_deref()))?;
        return Ok(Exit::Fine);
    }
    preview.print();
    if intent.is_none() {
        output::hint(
            "no intent is selected for this workspace; select one with `steersman intent select ID` and run this command again",
        );
    } else if !preview.refused.is_empty() {
        output::hint("widen a scope with `steersman intent expand ID PATTERN`");
    }
    Ok(Exit::Fine)
}

/// Returns the settings with intents that refuse calls.
fn enforcing(config: Config) -> Config {
    let mut section = config.section(IntentSettings::SECTION).clone();
    if let Some(section) = section.as_object_mut() {
        section.remove("mode");
    }
    config.with_section(IntentSettings::SECTION, section)
}

impl Preview {
    fn add(
        &mut self,
        session: SessionId,
        manifest: &Manifest,
        config: &Config,
        place: &Place,
    ) -> anyhow::Result<()> {
        let home = environment::home();
        let replay = place.replay(session, manifest, config, home.as_ref());
        self.n_sessions += 1;
        replay.run(|replayed| {
            let (Ok(now), Some(record)) = (replayed.now, replayed.run.record.as_ref()) else {
                return ControlFlow::Continue(());
            };
            let Some(tool) = record.tool.clone().filter(|_| record.event == EventName::PreToolUse.as_str())
            else {
                return ControlFlow::Continue(());
            };
            self.n_calls += 1;
            let decision = &now.verdict.decision;
            if decision.is_deny() && now.decided_by.as_deref() == Some(IntentSettings::SECTION) {
                let last = replayed.run.lines.last();
                self.refused.push(Refused {
                    session,
                    run: last.map(|line| line.hook_run_id.clone()).unwrap_or_default(),
                    at: Timestamp::from_millis(last.map_or(0, |line| line.ts)),
                    tool,
                    target: timeline::target::of(record, Some(place.workspace.root().as_path())),
                    reason: decision.reason().unwrap_or_default().to_owned(),
                });
            }
            ControlFlow::Continue(())
        })?;
        Ok(())
    }

    fn print(&self) {
        let columns = output::columns().unwrap_or(80).max(60);
        let mut last = None;
        for refused in &self.refused {
            if last.replace(refused.session) != Some(refused.session) {
                print(format_args!("{}", paint(STRONG, &format!("session {}", refused.session))));
            }
            let what = one_line(&format!("{}  {}", refused.tool, refused.target));
            let time = moment::second(refused.at);
            print(format_args!(
                "  {}  {}  {}",
                paint(FAINT, &time),
                paint(BAD, "✗"),
                cut(&what, columns.saturating_sub(16))
            ));
            let first = refused.reason.lines().next().unwrap_or_default();
            output::field(&" ".repeat(15), &one_line(first));
        }
        let n = self.refused.len();
        print(format_args!(
            "{} of {} calls in {} would have been refused",
            n,
            self.n_calls,
            if self.n_sessions == 1 {
                "1 session".to_owned()
            } else {
                format!("{} sessions", self.n_sessions)
            }
        ));
    }

    fn to_json(&self, intent: Option<&str>) -> Value {
        let refused: Vec<Value> = self
            .refused
            .iter()
            .map(|it| {
                json!({
                    "session": it.session.to_string(), "run": it.run, "ts": it.at.as_millis(),
                    "tool": it.tool, "target": it.target, "reason": it.reason,
                })
            })
            .collect();
        json!({ "intent": intent, "sessions": self.n_sessions, "calls": self.n_calls, "refused": refused })
    }
}
