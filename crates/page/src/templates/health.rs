//! Whether steersman itself works.

use maud::{Markup, html};

use super::frame::{self, Frame, Section};
use crate::sentence::sentence;
use crate::view::{Check, Health};
use crate::{chart, moment};

/// Renders the health page.
pub fn health(frame: &Frame, view: &Health) -> String {
    let is_wrong = |it: &Check| it.level == "wrong";
    let is_ill = view.doctor.as_ref().is_some_and(|it| it.checks.iter().any(is_wrong));
    let is_fine = view.problems.is_empty() && view.faults.is_empty() && !is_ill;
    let content = html! {
        h1 { "Health" }
        p.lead {
            @if is_fine { "Everything works." } @else { "Something needs your attention." }
            " steersman " (view.version)
        }
        @for problem in &view.problems { div.card.notice { (sentence(problem)) } }
        div.figures {
            (figure(&view.n_hooks.to_string(), "hooks"))
            (figure(&moment::micros(view.p50_us), "median"))
            (figure(&moment::micros(view.p95_us), "95th percentile"))
            (figure(&moment::micros(view.longest_us), "longest"))
            (figure(&view.out_of_time.to_string(), "out of time"))
        }
        (doctor(view))
        h2 { "The last hours" }
        div.charts {
            (chart::latency(&view.activity))
            (chart::calls(&view.activity))
            (chart::saved_prompts(&view.activity))
        }
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
            div.wrap tabindex="0" { table.rows.stack { tbody {
                @for it in &view.faults {
                    tr {
                        td.when { (moment::ago(it.ts, view.ts)) }
                        td { (it.module.as_deref().unwrap_or("watchdog")) }
                        td.text { (it.what) }
                        td { a href={ "/sessions/" (it.sid) "/runs/" (it.run) } { "explain" } }
                    }
                }
            } } }
        }
    };
    frame::live(frame, Section::Health, "Health", &content)
}

fn doctor(view: &Health) -> Markup {
    let Some(doctor) = &view.doctor else {
        return html! { h2 { "Doctor" } p.faint { "The doctor is checking registrations, configuration and coverage." } };
    };
    let of = |level: &str| doctor.checks.iter().filter(|it| it.level == level).count();
    let (problems, rest): (Vec<&Check>, Vec<&Check>) =
        doctor.checks.iter().partition(|it| matches!(it.level.as_str(), "wrong" | "warning"));
    html! {
        h2 { "Doctor" }
        p.faint { (of("wrong")) " wrong, " (of("warning")) " warnings, " (of("fine")) " fine, checked " (moment::ago(doctor.ts, view.ts)) }
        @if !problems.is_empty() { (checks(&problems)) }
        @if !rest.is_empty() {
            details id="doctor-rest" { summary { (rest.len()) " further findings: registrations, coverage, records" } (checks(&rest)) }
        }
    }
}

fn checks(all: &[&Check]) -> Markup {
    html! {
        div.wrap tabindex="0" { table.rows.stack { tbody {
            @for it in all {
                tr {
                    td { span class={ "chip " (match it.level.as_str() { "wrong" => "deny", "warning" => "ask", "fine" => "good", _ => "" }) } { (it.level) } }
                    td { (it.section) }
                    td.text { (sentence(&it.message)) @if let Some(place) = &it.place { div.mono.faint { (place) } } @if let Some(hint) = &it.hint { div.faint { "Hint: " (sentence(hint)) } } }
                }
            }
        } } }
    }
}

fn figure(value: &str, name: &str) -> Markup {
    html! { div.figure { b { (value) } span { (name) } } }
}
