//! The engine's metrics, in Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use automation::{AutomationId, Status};

/// Counters since the engine was opened, and gauges of its current state.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    /// Active runs.
    pub active: usize,
    /// Pending runs.
    pub queued: usize,
    pub(crate) ended: BTreeMap<(AutomationId, &'static str), u64>,
    pub(crate) retries: u64,
    pub(crate) interrupted: u64,
    pub(crate) coalesced: u64,
    pub(crate) replaced: u64,
    pub(crate) skipped: u64,
    pub(crate) waited: Times,
    pub(crate) worked: Times,
}

/// A sum of durations and their number.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Times {
    n: u64,
    sum: Duration,
}

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.n += 1;
        self.sum += time;
    }
}

impl Metrics {
    /// Counts the end of a run.
    pub(crate) fn count_end(&mut self, hook: &AutomationId, status: Status) {
        *self.ended.entry((hook.clone(), status.as_str())).or_default() += 1;
    }

    /// Returns how many runs ended with this status.
    pub fn ended(&self, status: Status) -> u64 {
        self.ended.iter().filter(|((_, word), _)| *word == status.as_str()).map(|(_, n)| n).sum()
    }

    /// Returns all metrics in Prometheus' text format.
    pub fn to_prometheus(&self) -> String {
        let mut out = String::new();
        gauge(&mut out, "steersman_active_executions", "Active runs.", self.active);
        gauge(&mut out, "steersman_queue_length", "Pending runs.", self.queued);
        head(&mut out, "steersman_executions_total", "counter", "Ended runs, by automation and status.");
        for ((hook, status), n) in &self.ended {
            let hook = escaped(hook.as_str());
            let _ = writeln!(out, "steersman_executions_total{{hook=\"{hook}\",status=\"{status}\"}} {n}");
        }
        let failures = self.ended(Status::Failed) + self.ended(Status::Timeout);
        for (name, help, n) in [
            ("steersman_failures_total", "Runs that failed or timed out.", failures),
            ("steersman_retries_total", "Failed attempts that are retried.", self.retries),
            (
                "steersman_interruptions_total",
                "Runs interrupted by the end of steersman's process.",
                self.interrupted,
            ),
            ("steersman_coalesced_total", "Occurrences superseded by a later one.", self.coalesced),
            ("steersman_replaced_total", "Pending runs replaced by a later one.", self.replaced),
            ("steersman_skipped_total", "Runs skipped because their automation was busy.", self.skipped),
        ] {
            head(&mut out, name, "counter", help);
            let _ = writeln!(out, "{name} {n}");
        }
        summary(
            &mut out,
            "steersman_queue_latency_seconds",
            "Time from queueing to the first attempt.",
            self.waited,
        );
        summary(&mut out, "steersman_execution_seconds", "Duration of an attempt.", self.worked);
        out
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn gauge(out: &mut String, name: &str, help: &str, value: usize) {
    head(out, name, "gauge", help);
    let _ = writeln!(out, "{name} {value}");
}

fn summary(out: &mut String, name: &str, help: &str, times: Times) {
    head(out, name, "summary", help);
    let _ = writeln!(out, "{name}_sum {:.3}\n{name}_count {}", times.sum.as_secs_f64(), times.n);
}

fn escaped(label: &str) -> String {
    label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_and_every_metric_has_its_kind() {
        let mut metrics = Metrics { active: 2, queued: 3, ..Metrics::default() };
        metrics.count_end(&AutomationId::new("say \"hi\"").unwrap(), Status::Failed);
        metrics.waited.add(Duration::from_millis(1500));
        let text = metrics.to_prometheus();
        for line in [
            "steersman_active_executions 2",
            "steersman_queue_length 3",
            "steersman_executions_total{hook=\"say \\\"hi\\\"\",status=\"failed\"} 1",
            "steersman_failures_total 1",
            "steersman_queue_latency_seconds_sum 1.500",
            "steersman_queue_latency_seconds_count 1",
        ] {
            assert!(text.lines().any(|it| it == line), "{line}\n{text}");
        }
        let n_kinds = text.lines().filter(|line| line.starts_with("# TYPE")).count();
        assert_eq!(n_kinds, 11);
    }
}
