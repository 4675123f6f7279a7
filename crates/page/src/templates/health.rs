//! Whether steersman itself works.

use maud::{Markup, html};

use super::frame::{self, Frame, Section};
use crate::view::Health;
use crate::{chart, moment};

/// Renders the health page.
pub fn health(frame: &Frame, view: &Health) -> String {
    let is_fine = view.problems.is_empty() && view.faults.is_empty();
    let content = html! {
        h1 { "Health" }
        p.lead {
            @if is_fine { "Everything works." } @else { "Something needs your attention." }
            " steersman " (view.version) " · " code { "steersman doctor" } " checks the registrations"
        }
        @for problem in &view.problems { div.card.notice { (problem) } }
        div.figures {
            (figure(&view.n_hooks.to_string(), "hooks"))
            (figure(&moment::micros(view.p50_us), "median"))
            (figure(&moment::micros(view.p95_us), "95th percentile"))
            (figure(&moment::micros(view.longest_us), "longest"))
            (figure(&view.out_of_time.to_string(), "out of time"))
        }
        (chart::latency(&view.activity))
        (chart::calls(&view.activity))
        h2 { "Modules" }
        @if view.modules.is_empty() { p.faint { "No hook ran in this time." } } @else {
            div.wrap tabindex="0" { table.rows {
                thead { tr { th { "Module" } th.num { "Runs" } th.num { "Mean" } th.num { "Longest" } th.num { "Errors" } } }
                tbody {
                    @for it in &view.modules {
                        tr {
                            td { (it.name) } td.num { (it.n) } td.num { (moment::micros(it.mean_us)) } td.num { (moment::micros(it.longest_us)) }
                            td.num { @if it.errors > 0 { span.bad { (it.errors) } } @else { "0" } }
                        }
                    }
                }
            } }
        }
        h2 { "Failures" }
        @if view.faults.is_empty() { p.faint { "No module failed, and no run exceeded its budget." } } @else {
            div.wrap tabindex="0" { table.rows { tbody {
                @for it in &view.faults {
                    tr {
                        td.when { (moment::ago(it.ts, view.ts)) }
                        td { (it.module.as_deref().unwrap_or("watchdog")) }
                        td { (it.what) }
                        td { a href={ "/sessions/" (it.sid) "/runs/" (it.run) } { "explain" } }
                    }
                }
            } } }
        }
    };
    frame::live(frame, Section::Health, "Health", &content)
}

fn figure(value: &str, name: &str) -> Markup {
    html! { div.figure { b { (value) } span { (name) } } }
}
