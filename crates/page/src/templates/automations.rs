//! The automations with their runs and their history.

use automation::Status;
use maud::{Markup, html};

use super::frame::{self, Frame, Section};
use crate::sentence::sentence;
use crate::view::{AutomationRow, Automations, EndedRun, OpenRun};
use crate::{chart, moment};

/// Renders the automations.
pub fn automations(frame: &Frame, view: &Automations) -> String {
    let n_enabled = view.automations.iter().filter(|it| it.enabled).count();
    let content = html! {
        h1 { "Automations" }
        p.lead { (n_enabled) " of " (view.automations.len()) " enabled" }
        @if let Some(problem) = &view.problem {
            div.card.notice { (sentence(problem)) }
        }
        @for problem in &view.file_problems { div.card.notice.bad { (sentence(problem)) } }
        @if view.automations.is_empty() {
            p.card.empty { "No automations. Declare them in " code { ".akira/hooks.json" } "." }
        } @else {
            div.wrap tabindex="0" {
                table.rows.stack {
                    thead { tr {
                        th { "Automation" } th { "Trigger" } th { "Runs what" } th { "Latest runs" } th.num { "Runs" } th { "Last" }
                        @if frame.may_change { th { "Actions" } }
                    } }
                    tbody { @for it in &view.automations { (row(it, view.ts, frame.may_change)) } }
                }
            }
        }
        @if view.automations.iter().any(|it| it.n_runs > 0) { (chart::runs(&view.automations)) }
        h2 { "Running and queued" }
        @if view.runs.is_empty() { p.faint { "Nothing runs." } } @else { (open_runs(&view.runs, view.ts, frame.may_change)) }
        h2 { "History" }
        (search(view))
        @if let Some(problem) = &view.history_problem { p.bad { (sentence(problem)) } }
        @if view.history.is_empty() { p.card.empty { "No ended run matches." } } @else { (ended_rows(&view.history, view.ts)) }
    };
    frame::live(frame, Section::Automations, "Automations", &content)
}

fn row(it: &AutomationRow, now: u64, may_change: bool) -> Markup {
    html! {
        tr {
            td.text {
                b { (it.label) } " "
                @if !it.enabled { span.chip { "off" } }
                @if it.label != it.id { div.mono.faint { (it.id) } }
                @if let Some(why) = &it.paused { div.bad { "paused: " (sentence(why)) } }
                @if let Some(why) = &it.impediment { div.bad { (sentence(why)) } }
            }
            td { (it.trigger) @if let Some(pattern) = &it.pattern { div.mono.faint { (pattern) } } }
            td.tight { (it.action) }
            td { (chart::ticks(&it.latest)) }
            td.num { (it.n_runs) }
            td.when { @if let Some(ts) = it.last_run.as_deref().and_then(moment::parse) { (moment::ago(ts, now)) } }
            @if may_change {
                td.tight {
                    form.inline method="post" action={ "/automations/" (it.id) "/run" } {
                        button type="submit" id={ "run-" (it.id) } { "Run" }
                    }
                    " "
                    form.inline method="post" action={ "/automations/" (it.id) (if it.enabled { "/disable" } else { "/enable" }) } {
                        button type="submit" id={ "switch-" (it.id) } { (if it.enabled { "Disable" } else { "Enable" }) }
                    }
                    @if it.paused.is_some() {
                        " "
                        form.inline method="post" action={ "/automations/" (it.id) "/resume" } {
                            button type="submit" id={ "resume-" (it.id) } { "Resume" }
                        }
                    }
                }
            }
        }
    }
}

fn search(view: &Automations) -> Markup {
    let statuses = Status::ALL.into_iter().filter(|status| status.is_final());
    html! {
        form.search method="get" action="/automations" role="search" {
            input #search type="search" name="q" value=(view.search) placeholder="Search output, files, errors" aria-label="Search the history";
            select name="status" aria-label="Status" {
                option value="" { "every status" }
                @for status in statuses {
                    option value=(status.as_str()) selected[status.as_str() == view.status] { (status.as_str()) }
                }
            }
            button type="submit" { "Search" }
        }
    }
}

/// Renders running and queued runs.
pub(super) fn open_runs(runs: &[OpenRun], now: u64, may_change: bool) -> Markup {
    let has_files = runs.iter().any(|run| run.file.is_some());
    html! {
        div.wrap tabindex="0" {
            table.rows.stack {
                thead { tr { th { "State" } th { "Automation" } th { "For" } th { "Trigger" } @if has_files { th { "File" } } @if may_change { th { "Actions" } } } }
                tbody {
                    @for run in runs {
                        tr {
                            td { span class={ "chip " (run.status) } { (run.status) } }
                            td { a href={ "/automations/runs/" (run.id) } { (run.hook_id) } }
                            td.when { (moment::span(now.saturating_sub(run.since))) @if run.attempts > 1 { ", attempt " (run.attempts) } }
                            td { (run.trigger) }
                            @if has_files { td.mono.text { (run.file.as_deref().unwrap_or_default()) } }
                            @if may_change {
                                td.tight {
                                    @if run.status != "canceling" {
                                        form.inline method="post" action={ "/automations/runs/" (run.id) "/cancel" } {
                                            button type="submit" id={ "cancel-" (run.id) } { "Cancel" }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Renders ended runs.
pub(super) fn ended_rows(runs: &[EndedRun], now: u64) -> Markup {
    html! {
        div.wrap tabindex="0" {
            table.rows.stack {
                thead { tr { th { "Status" } th { "Automation" } th { "Ended" } th.num { "Took" } th { "File or trigger" } th { "Error" } } }
                tbody {
                    @for it in runs {
                        @let record = &it.record;
                        tr {
                            td { span class={ "chip " (record.status.as_str()) } { (record.status.as_str()) } }
                            td { a href={ "/automations/runs/" (record.id.as_str()) } { (record.hook_id.as_str()) } }
                            td.when { @if let Some(ts) = record.end_ts.as_deref().and_then(moment::parse) { (moment::ago(ts, now)) } }
                            td.num { (it.duration_ms.map(moment::duration).unwrap_or_default()) }
                            td.mono { (record.file.as_deref().unwrap_or(&record.trigger)) }
                            td.text {
                                @if let Some(error) = &record.error { (sentence(&error.message)) }
                                @if let Some(line) = it.error_line.as_ref().filter(|line| record.error.as_ref().is_none_or(|error| error.message != **line)) {
                                    div.mono.faint { (line) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
