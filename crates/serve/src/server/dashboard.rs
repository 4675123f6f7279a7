//! Renders the page and the metrics.

use std::fmt::Write;

use automation::Configuration;

use super::Server;
use crate::page::{PageContent, escaped};

impl Server<'_> {
    pub(super) fn update_page(&self) {
        let metrics = self.engine.metrics();
        let mut page = format!(
            "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"5\"><title>steersman</title>\
             <style>body{{font:15px system-ui;margin:2em}}td,th{{padding:.2em .8em;text-align:left}}</style>\
             <h1>steersman</h1><p>{}</p><p>{} running, {} queued</p>",
            escaped(&self.workspace.root().to_string()),
            metrics.active,
            metrics.queued
        );
        if let Some(objection) = &self.objection {
            let _ = write!(page, "<p><strong>{}</strong></p>", escaped(objection));
        }
        page.push_str("<table><tr><th>automation</th><th>trigger</th><th>action</th><th>enabled</th></tr>");
        page.push_str(&self.rows);
        page.push_str("</table>");
        let queue_state = self.engine.queue_state();
        for (id, why) in
            self.configuration.automations().filter_map(|it| Some((&it.id, queue_state.paused(&it.id)?)))
        {
            let id = escaped(id.as_str());
            let _ = write!(
                page,
                "<p><strong>{id} is paused</strong>: {}; run <code>steersman automation enable {id}</code> to resume it</p>",
                escaped(why)
            );
        }
        page.push_str("<p><a href=\"/metrics\">metrics</a></p>");
        self.page.set(PageContent { metrics: metrics.to_prometheus(), page });
    }
}

/// Returns the automations as rows of the page's table. WHY apart: the server renders the page at every
/// step, but the automations change rarely, and there may be a thousand.
pub(super) fn rows(configuration: &Configuration) -> String {
    let mut rows = String::new();
    for automation in configuration.automations() {
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(automation.label()),
            escaped(&automation.trigger.to_string()),
            automation.action.word(),
            if automation.enabled { "yes" } else { "no" }
        );
    }
    rows
}
