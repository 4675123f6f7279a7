//! The result: Markdown for people and the README, JSON for programs.

use std::fmt::Write;

use serde_json::{Value, json};

use super::contestant::Contestant;
use super::targets::{TARGETS, Target, ratio};

/// Returns both tables with the method above them.
pub(crate) fn markdown(contestants: &[Contestant], machine: &str) -> String {
    let rows: Vec<Row> = contestants.iter().map(Row::of).collect();
    render(&rows, machine)
}

/// Returns the same numbers for programs.
pub(crate) fn json(contestants: &[Contestant], machine: &str) -> Value {
    let rows: Vec<Row> = contestants.iter().map(Row::of).collect();
    let numbers = |row: &Row| {
        json!({
            "id": row.id, "title": row.title, "runs": row.n_runs, "p10Micros": row.p10.round(), "p50Micros": row.p50.round(),
            "p10OverTrue": over(&rows, row.id, "true"), "p10OverEmpty": over(&rows, row.id, "empty"),
        })
    };
    let promise = |target: &Target| {
        let measured = over(&rows, target.of, target.over);
        json!({
            "target": target.text, "of": target.of, "over": target.over, "atMost": target.at_most,
            "measured": measured, "reached": measured.map(|it| it <= target.at_most),
        })
    };
    json!({
        "machine": machine,
        "contestants": rows.iter().map(numbers).collect::<Vec<_>>(),
        "targets": TARGETS.iter().map(promise).collect::<Vec<_>>(),
    })
}

/// The measurements of a contestant.
struct Row {
    id: &'static str,
    title: &'static str,
    n_runs: usize,
    p10: f64,
    p50: f64,
}

impl Row {
    fn of(contestant: &Contestant) -> Self {
        let times = &contestant.times;
        Self {
            id: contestant.id,
            title: contestant.title,
            n_runs: times.len(),
            p10: times.percentile(10).as_secs_f64() * 1e6,
            p50: times.percentile(50).as_secs_f64() * 1e6,
        }
    }
}

fn over(rows: &[Row], of: &str, over: &str) -> Option<f64> {
    let p10 = |id: &str| rows.iter().find(|row| row.id == id).map(|row| row.p10);
    let below = p10(over).filter(|it| *it > 0.0)?;
    // Finer than this is noise.
    Some((p10(of)? / below * 1e4).round() / 1e4)
}

fn render(rows: &[Row], machine: &str) -> String {
    let mut text = format!(
        "One `PreToolUse` of Claude Code for a shell command that writes a file, wall time from spawn to exit. All programs ran in\n\
         turn, in an order shuffled every round; every answer and every journal line was checked.\n\
         Machine: {machine}.\n\n\
         | program | runs | p10 µs | p50 µs | p10 over `/bin/true` | p10 over empty |\n\
         |---|---:|---:|---:|---:|---:|\n"
    );
    for row in rows {
        let compared = |id| over(rows, row.id, id).map_or_else(|| "–".to_owned(), |it| format!("{it:.2}"));
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} | {:.0} | {} | {} |",
            row.title,
            row.n_runs,
            row.p10,
            row.p50,
            compared("true"),
            compared("empty")
        );
    }
    text.push_str("\n| target (p10) | at most | measured | |\n|---|---:|---:|---|\n");
    for target in TARGETS {
        let measured = over(rows, target.of, target.over);
        let verdict = match measured {
            Some(measured) if measured <= target.at_most => "reached",
            Some(_) => "**not reached**",
            None => "not measured",
        };
        let shown = measured.map_or_else(|| "–".to_owned(), ratio);
        let _ = writeln!(text, "| {} | {} | {shown} | {verdict} |", target.text, ratio(target.at_most));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(id: &'static str, p10: f64) -> Row {
        Row { id, title: id, n_runs: 3, p10, p50: p10 * 2.0 }
    }

    #[test]
    fn a_target_is_reached_not_reached_or_not_measured() {
        let rows = [row("true", 1000.0), row("empty", 200.0), row("default", 600.0), row("history", 600.0)];
        let text = render(&rows, "a machine");
        assert!(text.contains("| default | 3 | 600 | 1200 | 0.60 | 3.00 |\n"), "{text}");
        assert!(
            text.contains("| default modules over `/bin/true` | 0.75 × | 0.60 × | reached |\n"),
            "{text}"
        );
        assert!(
            text.contains("| default modules over an empty program | 2.50 × | 3.00 × | **not reached** |\n"),
            "{text}"
        );
        assert!(
            text.contains("| default modules over the same job in Node | 1/80 | – | not measured |\n"),
            "{text}"
        );
        assert!(
            text.contains("| a long history over a fresh workspace | 1.05 × | 1.00 × | reached |\n"),
            "{text}"
        );
    }
}
