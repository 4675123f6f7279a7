//! A timeline as lines for the terminal.
//!
//! Every row is: time, a sign and the word for it, what, and details below it where they
//! matter. What happened in a subagent is set in under that agent's id.

use anstyle::Style;
use dispatch::history::Overview;
use event::Phase;
use host::Host;
use store::Timestamp;

use super::timeline::{Call, Entry, Outcome, Turn, What};
use crate::output::paint::{BAD, CAREFUL, FAINT, GOOD, PLAIN, STRONG, paint};
use crate::output::text::{cut, one_line, pad, width, wrap};
use crate::output::{self, moment, print};

/// Draws turns.
pub(super) struct Drawing<'a> {
    turns: &'a [Turn],
    runs: Runs,
    columns: usize,
    tool_columns: usize,
}

/// Whose runs are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// Those that were refused or asked about: what people want explained or permitted.
    Stopped,
    /// All.
    All,
}

/// A row: its sign, its word, what it says, and what stands below it.
struct Row {
    sign: &'static str,
    word: &'static str,
    style: Style,
    text: String,
    after: String,
    below: Vec<(Style, String)>,
}

/// Where nobody looks at a screen, lines are as wide as on an ordinary one.
const USUAL_COLUMNS: usize = 110;

/// The longest word for what happened.
const WORD_COLUMNS: usize = "compact".len();

/// Below a row there are at most so many lines of one text; `session explain` has them all.
const MOST_LINES_BELOW: usize = 4;

/// The main agent.
const MAIN_AGENT: &str = "u00";

impl<'a> Drawing<'a> {
    /// Takes what shall be drawn.
    pub(super) fn new(turns: &'a [Turn], runs: Runs) -> Self {
        let tools = turns.iter().flat_map(|turn| &turn.entries).filter_map(|entry| match &entry.what {
            What::Call(call) => Some(width(&call.tool)),
            What::Result { tool, .. } => Some(width(tool)),
            _ => None,
        });
        Self {
            turns,
            runs,
            columns: output::columns().unwrap_or(USUAL_COLUMNS).max(40),
            tool_columns: tools.max().unwrap_or(0).min(18),
        }
    }

    /// Prints everything.
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
        print(format_args!("{} to {until} UTC, {}", moment::day_and_second(first), self.counts()));
        if let Some(cwd) = cwd {
            print(format_args!("{}", paint(FAINT, &cut(&one_line(cwd), self.columns))));
        }
    }

    fn counts(&self) -> String {
        let entries = || self.turns.iter().flat_map(|turn| &turn.entries);
        let count = |is: &dyn Fn(&What) -> bool| entries().filter(|entry| is(&entry.what)).count();
        let calls = |is: &dyn Fn(&Call) -> bool| count(&|what| matches!(what, What::Call(call) if is(call)));
        let failed = |outcome: &Outcome| !outcome.ok;
        let n_failed = calls(&|call| call.outcome.as_ref().is_some_and(failed))
            + count(&|what| matches!(what, What::Result { outcome, .. } if failed(outcome)));
        let prompts = self.turns.iter().filter(|turn| turn.number > 0).count();
        let parts = [
            (prompts, "turn", "turns"),
            (calls(&|_| true), "tool call", "tool calls"),
            (calls(&|call| call.decision == "deny"), "denied", "denied"),
            (calls(&|call| call.decision == "ask"), "asked", "asked"),
            (n_failed, "failed", "failed"),
        ];
        let said = parts.iter().enumerate().filter(|(index, (n, ..))| *index < 2 || *n > 0);
        let said = said.map(|(_, (n, one, many))| format!("{n} {}", if *n == 1 { one } else { many }));
        said.collect::<Vec<_>>().join(", ")
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
        let blanks = " ".repeat(width(&word));
        for (style, text) in &row.below {
            for line in first_lines(text, room - 2) {
                print(format_args!("{indent}{}{blanks}{} {line}", paint(FAINT, &agent), paint(*style, "│")));
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
            module.as_deref().map(|module| format!(" by {module}")).unwrap_or_default()
        };
        match &entry.what {
            What::Call(call) => self.call(call),
            What::Result { tool, outcome } => {
                let mut row = if outcome.ok {
                    row("✓", "done", GOOD, tool.clone())
                } else {
                    row("!", "failed", BAD, tool.clone())
                };
                row.below.extend(outcome.error.clone().map(|error| (BAD, error)));
                row
            }
            What::Refused { event, module, reason } => Row {
                below: vec![(BAD, reason.clone())],
                ..row("✗", "deny", BAD, format!("{event} refused{}", by(module)))
            },
            What::Start { source, model } => {
                let facts: Vec<_> = [source, model].into_iter().flatten().cloned().collect();
                let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(", ")) };
                row("○", "start", PLAIN, format!("session{facts}"))
            }
            What::Phase { from, to, why } => {
                let style = if to == Phase::Blocked.as_str() { BAD } else { PLAIN };
                row("»", "phase", style, format!("{from} → {to}: {why}"))
            }
            What::Compaction { trigger } => {
                let trigger = trigger.as_deref().map(|trigger| format!(" ({trigger})")).unwrap_or_default();
                row("≈", "compact", PLAIN, format!("the context is shortened{trigger}"))
            }
            What::AgentStart { role } => {
                row("┌", "agent", PLAIN, format!("{} begins", role.as_deref().unwrap_or("subagent")))
            }
            What::AgentStop { role } => {
                row("└", "agent", PLAIN, format!("{} ends", role.as_deref().unwrap_or("subagent")))
            }
            What::Stop { kept_going } => {
                let again = if *kept_going { " again, after a hook kept it going" } else { "" };
                row("●", "stop", PLAIN, format!("the agent ends its turn{again}"))
            }
            What::Failure { module, error, critical } => Row {
                below: vec![(BAD, error.clone())],
                ..row(
                    "!",
                    "error",
                    BAD,
                    format!("{}module {module} failed", if *critical { "critical " } else { "" }),
                )
            },
            What::OutOfTime { budget_ms, module: Some(module) } => row(
                "!",
                "late",
                CAREFUL,
                format!("{module} was not done within {budget_ms} ms and does not count"),
            ),
            What::OutOfTime { budget_ms, module: None } => {
                let event = entry.run.split('-').next().unwrap_or_default();
                row(
                    "!",
                    "late",
                    CAREFUL,
                    format!("{event} answered by the watchdog after {budget_ms} ms; nothing was decided"),
                )
            }
            What::Plan { text, holds } => {
                row("»", "plan", if *holds { PLAIN } else { CAREFUL }, text.clone())
            }
            What::Warning { text } => row("!", "warn", CAREFUL, text.clone()),
            What::Note { name, module } => row("·", "note", FAINT, format!("{name}{}", by(module))),
        }
    }

    fn call(&self, call: &Call) -> Row {
        let (sign, word, style) = match (call.decision.as_str(), &call.outcome) {
            ("deny", _) => ("✗", "deny", BAD),
            ("ask", _) => ("?", "ask", CAREFUL),
            (_, Some(Outcome { ok: false, .. })) => ("!", "failed", BAD),
            ("allow", _) => ("✓", "allow", GOOD),
            _ => ("✓", "pass", GOOD),
        };
        let mut below = Vec::new();
        if matches!(call.decision.as_str(), "deny" | "ask") {
            let module = call.module.as_deref().unwrap_or("nobody");
            let verb = match (call.decision.as_str(), call.could_not_ask) {
                (_, true) => "asked, and therefore denied,",
                ("ask", _) => "asked",
                _ => "denied",
            };
            below
                .push((style, format!("{verb} by {module}: {}", call.reason.as_deref().unwrap_or_default())));
        }
        if call.rewritten {
            below.push((CAREFUL, "runs with a rewritten input".to_owned()));
        }
        if let Some(Outcome { ok: false, error, .. }) = &call.outcome {
            below.push((BAD, error.clone().unwrap_or_else(|| "the tool failed".into())));
        }
        let tool = pad(&cut(&one_line(&call.tool), self.tool_columns), self.tool_columns);
        let slow = call.outcome.as_ref().and_then(|outcome| outcome.ms).filter(|ms| *ms >= 1000);
        let after = slow.map(|ms| format!("{}.{} s", ms / 1000, ms % 1000 / 100)).unwrap_or_default();
        Row { sign, word, style, text: format!("{tool}  {}", one_line(&call.target)), after, below }
    }
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
