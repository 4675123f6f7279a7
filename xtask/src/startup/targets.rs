//! The promised ratios between the p10 of two contestants.

/// A promise: `of` takes at most `at_most` times as long as `over`.
pub(crate) struct Target {
    /// For people.
    pub(crate) text: &'static str,
    /// The id of a contestant.
    pub(crate) of: &'static str,
    /// The id of the one it is compared with.
    pub(crate) over: &'static str,
    /// The ratio.
    pub(crate) at_most: f64,
}

/// The folders in scope of the confined run that is measured.
pub(crate) const FOLDERS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

/// Every promise about the start of this program.
pub(crate) const TARGETS: &[Target] = &[
    Target { text: "default modules over `/bin/true`", of: "default", over: "true", at_most: 0.75 },
    Target { text: "default modules over an empty program", of: "default", over: "empty", at_most: 2.5 },
    Target {
        text: "default modules over the same job in Node",
        of: "default",
        over: "node",
        at_most: 1.0 / 80.0,
    },
    Target { text: "a shell command over a file that is read", of: "tests", over: "read", at_most: 1.1 },
    Target {
        text: "a command that is approved over the same command without approvals",
        of: "approve",
        over: "look",
        at_most: 1.1,
    },
    Target { text: "one `hook.mjs` over default modules", of: "script", over: "default", at_most: 2.0 },
    Target {
        text: "200 intents of 50 globs over default modules",
        of: "intents",
        over: "default",
        at_most: 1.25,
    },
    Target {
        text: "all eight modules with their files over default modules",
        of: "modules",
        over: "default",
        at_most: 1.3,
    },
    Target {
        text: "`steersman run` with ten folders over a plain wrapper",
        of: "confined",
        over: "wrapper",
        at_most: 1.45,
    },
    Target { text: "a long history over a fresh workspace", of: "history", over: "default", at_most: 1.05 },
];

/// Returns the promises as a Markdown table, for the generated part of the page about the measurement.
#[cfg(test)]
pub(crate) fn table() -> String {
    use std::fmt::Write;
    let mut table = "| p10 of | at most |\n|---|---|\n".to_owned();
    for target in TARGETS {
        let _ = writeln!(table, "| {} | {} |", target.text, ratio(target.at_most));
    }
    table
}

/// Returns a ratio as people write it: `0.75 ×`, or `1/80` if it is small.
pub(crate) fn ratio(value: f64) -> String {
    if value > 0.0 && value < 0.1 { format!("1/{:.0}", 1.0 / value) } else { format!("{value:.2} ×") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::startup::scenario::SCENARIOS;

    #[test]
    fn every_target_is_about_contestants_that_there_are() {
        let others = ["true", "empty", "node", "wrapper", "confined"];
        let exists = |id: &str| others.contains(&id) || SCENARIOS.iter().any(|it| it.id == id);
        for target in TARGETS {
            assert!(exists(target.of) && exists(target.over), "{}", target.text);
        }
    }

    #[test]
    fn small_ratios_are_fractions() {
        assert_eq!([ratio(0.75), ratio(1.0 / 80.0), ratio(2.0)], ["0.75 ×", "1/80", "2.00 ×"]);
    }
}
