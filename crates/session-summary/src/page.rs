//! `summary.md`: the figures of a session for people.

use std::fmt::Write;

use crate::listing::Listing;
use crate::markdown::{code, count, duration, minute, words};
use crate::summary::{End, FailureLine, StopSummary, StoppedCall};

/// The longest subject and the longest reason, in characters.
const SUBJECT: usize = 120;
const REASON: usize = 300;

/// Builds the page.
pub fn draw(summary: &StopSummary) -> String {
    let mut page = Page::default();
    page.heading(summary);
    page.asked(summary);
    page.done(summary);
    page.changed(summary);
    page.commands(summary);
    page.stopped("Denied", &summary.denied);
    page.stopped("Asked about", &summary.asked);
    page.failures(&summary.failures);
    page.checks(summary);
    page.open_nodes(summary);
    page.source(summary);
    page.0
}

/// A page that grows line by line.
#[derive(Default)]
struct Page(String);

impl Page {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    fn title(&mut self, title: &str, total: Option<u64>) {
        let total = total.map(|total| format!(" ({total})")).unwrap_or_default();
        self.line(&format!("\n## {title}{total}\n"));
    }

    fn more<T>(&mut self, list: &Listing<T>) {
        if list.left_out() > 0 {
            self.line(&format!("\n… and {} more.", list.left_out()));
        }
    }

    fn heading(&mut self, summary: &StopSummary) {
        let time = &summary.time;
        self.line(&format!("# Session {} on {}\n", summary.session_id, summary.host));
        self.line(&format!(
            "{} to {} UTC: {}, of which {} without long pauses. {}, {}, {}.",
            minute(time.started_ts),
            minute(time.ended_ts),
            duration(time.wall_ms),
            duration(time.active_ms),
            count(summary.turns, "turn", "turns"),
            count(summary.works, "piece of work", "pieces of work"),
            count(summary.subagents, "subagent", "subagents"),
        ));
        if summary.journal.bytes_left > 0 {
            self.line(&format!(
                "\n**Incomplete**: the budget ended after {}; the last {} bytes of the journal were not read.",
                count(summary.journal.lines, "line", "lines"),
                summary.journal.bytes_left
            ));
        }
    }

    fn asked(&mut self, summary: &StopSummary) {
        self.title("Asked", Some(summary.prompts.total));
        for prompt in &summary.prompts.items {
            let what = match &prompt.text {
                Some(text) => words(text.trim().lines().next().unwrap_or_default(), REASON),
                None => format!("a prompt of {}", count(prompt.chars, "character", "characters")),
            };
            self.line(&format!(
                "- turn {}, {}, {}: {what}",
                prompt.turn_id,
                minute(prompt.ts),
                prompt.work_id
            ));
        }
        if summary.prompts.left_out() > 0 {
            self.line(&format!("\nOnly the last {} are shown.", summary.prompts.items.len()));
        }
    }

    fn done(&mut self, summary: &StopSummary) {
        let calls = &summary.calls;
        self.title("Done", None);
        self.line(&format!(
            "{}: {} passed, {} denied, {} asked about. {} ended well, {} failed.\n",
            count(calls.judged, "tool call", "tool calls"),
            calls.passed,
            calls.denied,
            calls.asked,
            calls.done,
            calls.failed
        ));
        if summary.faults > 0 {
            self.line(&format!(
                "{} of steersman itself: see `steersman session show {}`.\n",
                count(summary.faults, "fault", "faults"),
                summary.session_id
            ));
        }
        if summary.tools.is_empty() {
            return;
        }
        self.line("| tool | calls | denied | asked | failed |\n|---|---:|---:|---:|---:|");
        for (tool, it) in &summary.tools {
            let tool = code(tool, SUBJECT);
            self.line(&format!("| {tool} | {} | {} | {} | {} |", it.calls, it.denied, it.asked, it.failed));
        }
    }

    fn changed(&mut self, summary: &StopSummary) {
        self.title("Changed files", Some(summary.changed.total));
        if summary.changed.items.is_empty() {
            return self.line(
                "None by a tool that names its files. The journal does not record the changes of commands.",
            );
        }
        self.line("| file | writes | deletions |\n|---|---:|---:|");
        for file in &summary.changed.items {
            self.line(&format!("| {} | {} | {} |", code(&file.path, 200), file.writes, file.deletions));
        }
        self.more(&summary.changed);
    }

    fn commands(&mut self, summary: &StopSummary) {
        if summary.commands.items.is_empty() {
            return;
        }
        self.title("Commands", Some(summary.commands.total));
        self.line("| command | times | failed |\n|---|---:|---:|");
        for it in &summary.commands.items {
            self.line(&format!("| {} | {} | {} |", code(&it.command, SUBJECT), it.times, it.failed));
        }
        self.more(&summary.commands);
    }

    fn stopped(&mut self, title: &str, list: &Listing<StoppedCall>) {
        if list.items.is_empty() {
            return;
        }
        self.title(title, Some(list.total));
        for it in &list.items {
            let ran = match it.ran {
                0 => String::new(),
                ran => format!(", ran {}", count(ran, "time", "times")),
            };
            self.line(&format!(
                "- {} {}, {} by {}{ran}: {}",
                code(&it.tool, SUBJECT),
                code(&it.subject, SUBJECT),
                count(it.times, "time", "times"),
                code(event::plain_name(&it.by), SUBJECT),
                words(&it.reason, REASON)
            ));
        }
        self.more(list);
    }

    fn failures(&mut self, list: &Listing<FailureLine>) {
        if list.items.is_empty() {
            return;
        }
        self.title("Failures", Some(list.total));
        for it in &list.items {
            let end = match it.end {
                End::Fixed { ts } => format!("worked at {}", minute(ts)),
                End::Open => "did not work since".to_owned(),
            };
            self.line(&format!(
                "- {} {} failed {}, {end}. Last: {}",
                code(&it.tool, SUBJECT),
                code(&it.subject, SUBJECT),
                count(it.times, "time", "times"),
                words(&it.last_error, REASON)
            ));
        }
        self.more(list);
    }

    fn checks(&mut self, summary: &StopSummary) {
        if summary.checks.items.is_empty() {
            return;
        }
        self.title("Acceptance checks", Some(summary.checks.total));
        for check in &summary.checks.items {
            let (command, took) = (code(&check.command, SUBJECT), duration(check.ms));
            let node =
                check.node.as_deref().map(|node| format!(" ({})", code(node, SUBJECT))).unwrap_or_default();
            let why =
                if check.why.is_empty() { String::new() } else { format!(": {}", words(&check.why, REASON)) };
            self.line(&format!("- {command}{node} {} after {took}{why}", check.result));
        }
        self.more(&summary.checks);
    }

    fn open_nodes(&mut self, summary: &StopSummary) {
        if summary.open_nodes.items.is_empty() {
            return;
        }
        self.title("Open in the plan", Some(summary.open_nodes.total));
        for node in &summary.open_nodes.items {
            let (id, description) = (code(&node.id, SUBJECT), words(&node.description, REASON));
            self.line(&format!("- {id} {}: {description}", node.status));
        }
        self.more(&summary.open_nodes);
    }

    fn source(&mut self, summary: &StopSummary) {
        self.line(&format!(
            "\n---\n\nDerived from the first {} ({} bytes) of `events.jsonl`; `summary.json` has the same for programs.",
            count(summary.journal.lines, "line", "lines"),
            summary.journal.bytes
        ));
    }
}
