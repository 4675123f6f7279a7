//! The recorded table as Markdown, for `docs/hosts.md`.

use std::fmt::Write;

use super::outcome::Outcome;
use super::record::Record;

/// Returns the table as Markdown, with numbered notes. `title` names a program, `about` describes a scenario.
pub(crate) fn markdown<'a>(
    record: &Record,
    title: impl Fn(&str) -> &'a str,
    about: impl Fn(&str) -> &'a str,
) -> String {
    let programs = record.programs.iter().map(|(id, version)| format!(" {} {version} |", title(id)));
    let mut text = format!("| scenario |{}\n", programs.collect::<String>());
    let _ = writeln!(text, "|{}", "---|".repeat(record.programs.len() + 1));
    let mut notes: Vec<String> = Vec::new();
    for (scenario, outcomes) in &record.scenarios {
        let mut row = vec![format!("**{scenario}**: {}", about(scenario))];
        for (program, _) in &record.programs {
            let outcome = outcomes.iter().find(|(id, _)| id == program).map(|(_, outcome)| outcome);
            let (sign, note) = match outcome {
                Some(Outcome::Passed { .. }) => ("✓", None),
                Some(Outcome::Failed(failures)) => {
                    let checks: Vec<&str> = failures.iter().map(|failure| failure.check.as_str()).collect();
                    ("✗", Some(format!("does not hold: {}", checks.join("; "))))
                }
                Some(Outcome::NotApplicable(reason)) => ("–", Some(reason.clone())),
                None => ("not run", None),
            };
            row.push(match note {
                Some(note) => format!("{sign} {}", note_number(&mut notes, &note)),
                None => sign.to_owned(),
            });
        }
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    let _ = writeln!(
        text,
        "\n✓ every check held · ✗ failed · – not applicable. Recorded with steersman {} at commit `{}`.",
        record.steersman, record.commit
    );
    for (index, note) in notes.iter().enumerate() {
        let _ = writeln!(text, "{}{}. {note}", if index == 0 { "\n" } else { "" }, index + 1);
    }
    text
}

/// Returns the number of a note, the same for the same text.
fn note_number(notes: &mut Vec<String>, note: &str) -> usize {
    if let Some(index) = notes.iter().position(|known| known == note) {
        return index + 1;
    }
    notes.push(note.to_owned());
    notes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::table::tests::record;

    #[test]
    fn the_page_numbers_each_note_once() {
        let expected = "| scenario | Program 2.1 | Program 0.9 |\n\
                        |---|---|---|\n\
                        | **basic**: about | ✓ | ✓ |\n\
                        | **intents**: about | ✗ 1 | – 2 |\n\
                        | **subagent**: about | not run | – 2 |\n\
                        \n\
                        ✓ every check held · ✗ failed · – not applicable. Recorded with steersman 0.1.0 at commit `abc`.\n\
                        \n\
                        1. does not hold: a\n\
                        2. no subagents\n";
        assert_eq!(markdown(&record(), |_| "Program", |_| "about"), expected);
    }
}
