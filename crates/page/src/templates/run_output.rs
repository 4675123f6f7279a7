//! One run of an automation with its output.

use maud::html;

use super::frame::{self, Frame, Section};
use crate::moment;
use crate::sentence::sentence;
use crate::view::RunOutput;

/// Renders a run with its output.
pub fn run_output(frame: &Frame, view: &RunOutput) -> String {
    let record = &view.record;
    let status = record.status.as_str();
    let content = html! {
        p { a href="/automations" { "Automations" } }
        h1 { (record.hook_id.as_str()) " " span class={ "chip " (status) } { (status) } }
        p.lead.mono { (record.id.as_str()) }
        dl.facts {
            dt { "Trigger" } dd { (record.trigger) }
            @if let Some(file) = &record.file { dt { "File" } dd.mono { (file) } }
            @if let Some(ts) = moment::parse(&record.queued_ts) { dt { "Queued" } dd { (moment::ago(ts, view.ts)) } }
            @if let Some(took) = view.duration_ms { dt { "Took" } dd { (moment::duration(took)) } }
            @if let Some(code) = record.exit_code { dt { "Exit code" } dd { (code) } }
            dt { "Attempts" } dd { (record.attempts) }
            @if let Some(error) = &record.error { dt { "Error" } dd.bad { (sentence(&error.message)) " (" (error.code) ")" } }
        }
        @if frame.may_change && !view.has_ended {
            form method="post" action={ "/automations/runs/" (record.id.as_str()) "/cancel" } {
                button type="submit" id="cancel" { "Cancel" }
            }
        }
        h2 { "Output" }
        @match record.logs.as_deref().filter(|it| !it.is_empty()) {
            Some(logs) => pre tabindex="0" { (logs) },
            None => p.faint { @if view.has_ended { "The run printed nothing." } @else { "The run has printed nothing yet." } },
        }
    };
    if view.has_ended {
        frame::fixed(frame, Some(Section::Automations), record.hook_id.as_str(), &content)
    } else {
        frame::live(frame, Section::Automations, record.hook_id.as_str(), &content)
    }
}
