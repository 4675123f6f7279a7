//! Prints a timeline on the terminal.
//!
//! A row has the time, a sign, a word and a string, with details below it where needed. Rows of a subagent are
//! indented under its id.

use std::collections::BTreeSet;

use anstyle::Style;
use event::{Phase, plain_name};
use host::Host;
use session::RecordedDecision;
use session::history::Overview;
use store::Timestamp;
use timeline::{Call, Entry, EntryKind, Outcome, Turn};

use crate::output::paint::{BAD, CAREFUL, FAINT, GOOD, PLAIN, STRONG, paint};
use crate::output::text::{cut, cut_middle, one_line, pad, width, wrap};
use crate::output::{self, moment, print};

/// Prints the turns of a session.
pub(super) struct TimelinePrinter<'a> {
    turns: &'a [Turn],
    runs: Runs,
    columns: usize,
    tool_columns: usize,
}

/// The runs whose ids are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// Denied runs and asks, which users want explained or permitted.
    Stopped,
    /// All runs.
    All,
}

/// A row: its sign, its word, its text, and the lines below it.
struct Row {
    sign: &'static str,
    word: &'static str,
    style: Style,
    text: String,
    after: String,
    below: Vec<(Style, String)>,
}

/// The width if stdout is not a terminal.
const USUAL_COLUMNS: usize = 80;

/// The width of the tools' column, unless two names would look the same in it.
const USUAL_TOOL_COLUMNS: usize = 18;

/// The longest word for what happened.
const WORD_COLUMNS: usize = "compact".len();

/// The maximum number of lines below a row for one text; `session explain` prints all.
const MOST_LINES_BELOW: usize = 8;

/// The main agent.
const MAIN_AGENT: &str = "u00";

impl<'a> TimelinePrinter<'a> {
    /// Takes the turns to print.
    pub(super) fn new(turns: &'a [Turn], runs: Runs) -> Self {
        let tools = turns.iter().flat_map(|turn| &turn.entries).filter_map(|entry| match &entry.what {
            EntryKind::Call(call) => Some(one_line(&call.tool)),
            EntryKind::Result { tool, .. } => Some(one_line(tool)),
            _ => None,
        });
        Self {
            turns,
            runs,
            columns: output::columns().unwrap_or(USUAL_COLUMNS).max(40),
            tool_columns: tool_columns(&tools.collect()),
        }
    }

    /// Prints the session.
    pub(super) fn print(&self, session: &Overview, cwd: Option<&str>) {
        self.print_heading(session, cwd);
        for turn in self.turns {
            print(format_args!(""));
            self.print_turn(turn);
        }
    }

    fn print_heading(&self, session: &Overview, cwd: Option<&str>) {
        let host = session.host.as_deref().unwrap_or("unknown host");
        let title = Host::from_name(host).map_or_else(|| one_line(host), |host| host.title().to_owned());
        let style = if session.phase == Phase::Blocked { BAD } else { PLAIN };
        print(format_args!(
            "{}  {title}  {}  {}",
            paint(STRONG, &format!("session {}", session.id)),
            session.work,
            paint(style, session.phase.as_str())
        ));
        let times =
            self.turns.iter().flat_map(|turn| turn.entries.iter().map(|entry| entry.ts).chain([turn.ts]));
        let (first, last) = times.fold((u64::MAX, 0), |(first, last), ts| (first.min(ts), last.max(ts)));
        let (first, last) = (Timestamp::from_millis(first.min(last)), Timestamp::from_millis(last));
        let until = if first.as_millis() / 86_400_000 == last.as_millis() / 86_400_000 {
            moment::second(last)
        } else {
            moment::day_and_second(last)
        };
        let facts = format!("{} to {until} UTC, {}", moment::day_and_second(first), self.counts());
        for line in wrap(&facts, self.columns) {
            print(format_args!("{line}"));
        }
        if let Some(cwd) = cwd {
            print(format_args!("{}", paint(FAINT, &cut(&one_line(cwd), self.columns))));
        }
    }

    fn counts(&self) -> String {
        let entries = || self.turns.iter().flat_map(|turn| &turn.entries);
        let count = |is: &dyn Fn(&EntryKind) -> bool| entries().filter(|entry| is(&entry.what)).count();
        let calls =
            |is: &dyn Fn(&Call) -> bool| count(&|what| matches!(what, EntryKind::Call(call) if is(call)));
        let failed = |outcome: &Outcome| !outcome.ok;
        let n_failed = calls(&|call| call.outcome.as_ref().is_some_and(failed))
            + count(&|what| matches!(what, EntryKind::Result { outcome, .. } if failed(outcome)));
        let prompts = self.turns.iter().filter(|turn| turn.number > 0).count();
        let parts = [
            (prompts, "turn", "turns"),
            (calls(&|_| true), "tool call", "tool calls"),
            (calls(&|call| call.decision == RecordedDecision::Deny), "denied", "denied"),
            (calls(&|call| call.decision == RecordedDecision::Ask), "asked", "asked"),
            (n_failed, "failed", "failed"),
            (calls(&|call| call.no_result), "without a result", "without a result"),
        ];
        let shown = parts.iter().enumerate().filter(|(index, (n, ..))| *index < 2 || *n > 0);
        let shown = shown.map(|(_, (n, one, many))| format!("{n} {}", if *n == 1 { one } else { many }));
        shown.collect::<Vec<_>>().join(", ")
    }

    fn print_turn(&self, turn: &Turn) {
        let title = match turn.number {
            0 => "before the first prompt".to_owned(),
            number => format!("turn {number}"),
        };
        let prompt = turn.prompt.as_ref().map(|prompt| {
            format!("prompt of {} characters ({})", prompt.chars, cut(&one_line(&prompt.hash), 16))
        });
        let time = (turn.number > 0).then(|| moment::second(Timestamp::from_millis(turn.ts)));
        let work = (turn.number > 0).then(|| one_line(&turn.work_id));
        let facts: Vec<_> =
            [time, work, prompt].into_iter().flatten().map(|fact| format!(" · {fact}")).collect();
        let facts = facts.concat();
        let rule = "─".repeat(self.columns.saturating_sub(width(&title) + width(&facts) + 5));
        print(format_args!(
            "{} {}{facts} {}",
            paint(FAINT, "──"),
            paint(STRONG, &title),
            paint(FAINT, &rule)
        ));
        if let Some(text) = turn.prompt.as_ref().and_then(|prompt| prompt.text.as_deref()) {
            for line in first_lines(text, self.columns - 4) {
                print(format_args!("  {} {line}", paint(FAINT, "»")));
            }
        }
        for entry in &turn.entries {
            self.print_entry(entry);
        }
    }

    fn print_entry(&self, entry: &Entry) {
        let mut row = self.row(entry);
        let is_stopped = matches!(row.word, "deny" | "ask");
        if is_stopped || self.runs == Runs::All {
            row.below.push((row.style, one_line(&entry.run)));
        }
        let time = moment::second(Timestamp::from_millis(entry.ts));
        let agent = match entry.agent.as_str() {
            MAIN_AGENT => String::new(),
            id => format!("│ {} ", one_line(id)),
        };
        let word = format!("{} {} ", row.sign, pad(row.word, WORD_COLUMNS));
        let room = self.columns.saturating_sub(width(&time) + 2 + width(&agent) + width(&word)).max(20);
        let after = if row.after.is_empty() { String::new() } else { format!("  {}", row.after) };
        print(format_args!(
            "{}  {}{}{}{}",
            paint(FAINT, &time),
            paint(FAINT, &agent),
            paint(row.style, &word),
            cut(&row.text, room.saturating_sub(width(&after))),
            paint(FAINT, &after)
        ));
        let indent = " ".repeat(width(&time) + 2);
        let spaces = " ".repeat(width(&word));
        for (style, text) in &row.below {
            for line in first_lines(text, room - 2) {
                print(format_args!("{indent}{}{spaces}{} {line}", paint(FAINT, &agent), paint(*style, "│")));
            }
        }
    }

    fn row(&self, entry: &Entry) -> Row {
        let row = |sign, word, style, text: String| Row {
            sign,
            word,
            style,
            text: one_line(&text),
            after: String::new(),
            below: Vec::new(),
        };
        let by = |module: &Option<String>| {
            module.as_deref().map(|module| format!(" by {}", plain_name(module))).unwrap_or_default()
        };
        match &entry.what {
            EntryKind::Call(call) => self.call(call),
            EntryKind::Result { tool, outcome } => {
                let mut row = if outcome.ok {
                    row("✓", "done", GOOD, tool.clone())
                } else {
                    row("!", "failed", BAD, tool.clone())
                };
                row.below.extend(outcome.error.clone().map(|error| (BAD, error)));
                row
            }
            EntryKind::Refused { event, module, reason } => Row {
                below: vec![(BAD, reason.clone())],
                ..row("✗", "deny", BAD, format!("{event} denied{}", by(module)))
            },
            EntryKind::Start { source, model } => {
                let facts: Vec<_> = [source, model].into_iter().flatten().cloned().collect();
                let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(", ")) };
                row("○", "start", PLAIN, format!("session{facts}"))
            }
            EntryKind::Phase { from, to, why } => {
                let style = if to == Phase::Blocked.as_str() { BAD } else { PLAIN };
                row("»", "phase", style, format!("{from} → {to}: {why}"))
            }
            EntryKind::Compaction { trigger, is_certain } => {
                let trigger = trigger.as_deref().map(|trigger| format!(" ({trigger})")).unwrap_or_default();
                row(
                    "≈",
                    "compact",
                    PLAIN,
                    format!(
                        "the host {} the context{trigger}",
                        if *is_certain { "compacts" } else { "may compact" }
                    ),
                )
            }
            EntryKind::AgentStart { role } => {
                row("┌", "agent", PLAIN, format!("{} starts", role.as_deref().unwrap_or("subagent")))
            }
            EntryKind::AgentStop { role } => {
                row("└", "agent", PLAIN, format!("{} ends", role.as_deref().unwrap_or("subagent")))
            }
            EntryKind::Stop { kept_going } => {
                let again = if *kept_going { " again, after a hook made it continue" } else { "" };
                row("●", "stop", PLAIN, format!("the agent ends its turn{again}"))
            }
            EntryKind::Failure { module, error, critical } => Row {
                below: vec![(BAD, error.clone())],
                ..row(
                    "!",
                    "error",
                    BAD,
                    format!("{}module {module} failed", if *critical { "critical " } else { "" }),
                )
            },
            EntryKind::OutOfTime { budget_ms, module: Some(module) } => {
                row("!", "late", CAREFUL, format!("{module} exceeded {budget_ms} ms; its answer was ignored"))
            }
            EntryKind::OutOfTime { budget_ms, module: None } => {
                let event = entry.run.split('-').next().unwrap_or_default();
                row(
                    "!",
                    "late",
                    CAREFUL,
                    format!("the watchdog answered {event} after {budget_ms} ms without a decision"),
                )
            }
            EntryKind::Order { text, stops } => {
                row("■", "order", if *stops { BAD } else { GOOD }, text.clone())
            }
            EntryKind::Plan { text, holds } => {
                row("»", "plan", if *holds { PLAIN } else { CAREFUL }, text.clone())
            }
            EntryKind::Confined { text, holds } => {
                let (sign, style) = if *holds { ("·", FAINT) } else { ("!", CAREFUL) };
                row(sign, "kernel", style, text.clone())
            }
            EntryKind::Warning { text } => row("!", "warn", CAREFUL, text.clone()),
            EntryKind::Note { name, module } => {
                let name = name.to_lowercase().replace('_', " ");
                row("·", "note", FAINT, format!("{name}{}", by(module)))
            }
        }
    }

    fn call(&self, call: &Call) -> Row {
        let (sign, word, style) = match (call.decision, &call.outcome) {
            (RecordedDecision::Deny, _) => ("✗", "deny", BAD),
            (RecordedDecision::Ask, _) => ("?", "ask", CAREFUL),
            (_, Some(Outcome { ok: false, .. })) => ("!", "failed", BAD),
            _ if call.no_result => ("?", "unknown", CAREFUL),
            (RecordedDecision::Allow, _) => ("✓", "allow", GOOD),
            (RecordedDecision::Abstain, _) => ("✓", "pass", GOOD),
        };
        let mut below = Vec::new();
        if matches!(call.decision, RecordedDecision::Deny | RecordedDecision::Ask) {
            let module = plain_name(call.module.as_deref().unwrap_or("steersman"));
            let verb = match (call.decision, call.could_not_ask) {
                (_, true) => "asked, therefore denied",
                (RecordedDecision::Ask, _) => "asked",
                _ => "denied",
            };
            below
                .push((style, format!("{verb} by {module}: {}", call.reason.as_deref().unwrap_or_default())));
        }
        if let Some(basis) = &call.approved {
            below.push((GOOD, format!("approved without a prompt: {}", basis_in_words(basis))));
        }
        if call.rewritten {
            below.push((CAREFUL, "runs with a rewritten input".to_owned()));
        }
        if call.no_result && call.decision != RecordedDecision::Deny {
            below.push((
                CAREFUL,
                "the program reported no result, so the call may have failed or not run".to_owned(),
            ));
        }
        if let Some(Outcome { ok: false, error, .. }) = &call.outcome {
            below.push((BAD, error.clone().unwrap_or_else(|| "the tool failed".into())));
        }
        let tool = pad(&cut_middle(&one_line(&call.tool), self.tool_columns), self.tool_columns);
        let slow = call.outcome.as_ref().and_then(|outcome| outcome.ms).filter(|ms| *ms >= 1000);
        let after = slow.map(|ms| format!("{}.{} s", ms / 1000, ms % 1000 / 100)).unwrap_or_default();
        Row { sign, word, style, text: format!("{tool}  {}", one_line(&call.target)), after, below }
    }
}

/// Says why a call was approved.
fn basis_in_words(basis: &str) -> &str {
    match basis {
        "read-only" => "it changes nothing and reads only the workspace",
        "in-scope" => "all its writes are known and in the scope of the intent",
        dispatch::SEALED_BASIS => {
            "it ran sealed: in the scope of the intent, without the network and private files"
        }
        other => other,
    }
}

/// Returns the width of the tools' column: the smallest from the usual one in which all names differ.
fn tool_columns(tools: &BTreeSet<String>) -> usize {
    let longest = tools.iter().map(|tool| width(tool)).max().unwrap_or(0);
    let all_differ = |columns: &usize| {
        let cut: BTreeSet<String> = tools.iter().map(|tool| cut_middle(tool, *columns)).collect();
        cut.len() == tools.len()
    };
    (longest.min(USUAL_TOOL_COLUMNS)..longest).find(all_differ).unwrap_or(longest)
}

fn first_lines(text: &str, columns: usize) -> Vec<String> {
    let mut lines = wrap(text, columns);
    if lines.len() > MOST_LINES_BELOW {
        lines.truncate(MOST_LINES_BELOW);
        if let Some(last) = lines.last_mut() {
            last.push_str(" …");
        }
    }
    lines.into_iter().map(|line| cut(&line, columns)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_one_server_look_different() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        for (tools, columns) in [
            (&["Bash", "Read"][..], 4),
            (&["mcp__steersman__select_active_intent"], 18),
            (&["mcp__steersman__list_intents", "mcp__steersman__current_intent"], 18),
            (&["mcp__one__select_active_intent", "mcp__two__select_active_intent"], 19),
        ] {
            let tools = names(tools);
            assert_eq!(tool_columns(&tools), columns, "{tools:?}");
            let cut: BTreeSet<String> = tools.iter().map(|tool| cut_middle(tool, columns)).collect();
            assert_eq!(cut.len(), tools.len(), "{cut:?}");
        }
    }
}
