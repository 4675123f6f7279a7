//! The table of scenarios and programs for a terminal.

use std::fmt::Write;

use super::outcome::Outcome;
use super::record::Record;

/// Returns the table for a terminal, with the failed checks below it.
pub(crate) fn terminal(record: &Record) -> String {
    let mut rows = vec![header(record)];
    let mut below = String::new();
    for (scenario, outcomes) in &record.scenarios {
        let mut row = vec![scenario.clone()];
        for (program, _) in &record.programs {
            let outcome = outcomes.iter().find(|(id, _)| id == program).map(|(_, outcome)| outcome);
            row.push(match outcome {
                Some(Outcome::Passed { .. }) => "passed".to_owned(),
                Some(Outcome::Failed(_)) => "FAILED".to_owned(),
                Some(Outcome::NotApplicable(_)) => "n/a".to_owned(),
                None => "not run".to_owned(),
            });
            let details: Vec<String> = match outcome {
                Some(Outcome::Failed(failures)) => failures.iter().map(ToString::to_string).collect(),
                Some(Outcome::NotApplicable(reason)) => vec![reason.clone()],
                _ => Vec::new(),
            };
            for detail in details {
                let _ = writeln!(below, "{scenario} on {program}: {detail}");
            }
        }
        rows.push(row);
    }
    let n_columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    if !below.is_empty() {
        let _ = write!(text, "\n{below}");
    }
    text
}

/// Returns the first row: the programs with their versions.
fn header(record: &Record) -> Vec<String> {
    let programs = record.programs.iter().map(|(program, version)| format!("{program} {version}"));
    std::iter::once("scenario".to_owned()).chain(programs).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns one outcome of each kind.
    pub(in crate::clients) fn record() -> Record {
        let passed = || Outcome::Passed { n_checks: 2 };
        let reason = || Outcome::NotApplicable("no subagents".to_owned());
        Record {
            steersman: "0.1.0".to_owned(),
            commit: "abc".to_owned(),
            host_sources: String::new(),
            programs: vec![("claude".to_owned(), "2.1".to_owned()), ("codex".to_owned(), "0.9".to_owned())],
            scenarios: vec![
                ("basic".to_owned(), vec![("claude".to_owned(), passed()), ("codex".to_owned(), passed())]),
                (
                    "intents".to_owned(),
                    vec![("claude".to_owned(), Outcome::failed("a", "x")), ("codex".to_owned(), reason())],
                ),
                ("subagent".to_owned(), vec![("codex".to_owned(), reason())]),
            ],
        }
    }

    #[test]
    fn the_terminal_shows_failed_checks_below_the_table() {
        let expected = "scenario  claude 2.1  codex 0.9\n\
                        basic     passed      passed\n\
                        intents   FAILED      n/a\n\
                        subagent  not run     n/a\n\
                        \n\
                        intents on claude: a: x\n\
                        intents on codex: no subagents\n\
                        subagent on codex: no subagents\n";
        assert_eq!(terminal(&record()), expected);
    }
}
