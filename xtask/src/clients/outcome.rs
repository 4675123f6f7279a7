//! The outcome of one scenario on one program.

use std::fmt;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// One thing that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    /// The expectation, as a sentence.
    pub(crate) name: String,
    /// Whether it held.
    pub(crate) passed: bool,
    /// The observation that contradicts it; empty if it held.
    pub(crate) detail: String,
}

impl Check {
    /// Encodes the check for the process outside the laboratory.
    pub(crate) fn to_json(&self) -> Value {
        json!({"name": self.name, "passed": self.passed, "detail": self.detail})
    }

    /// Decodes a check from a laboratory.
    pub(crate) fn from_json(value: &Value) -> Result<Self> {
        let text = |name: &str| value[name].as_str().map(str::to_owned);
        Ok(Self {
            name: text("name").context("a check has no name")?,
            passed: value["passed"].as_bool().context("a check has no result")?,
            detail: text("detail").unwrap_or_default(),
        })
    }
}

/// A check that did not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The expectation, as a sentence.
    pub(crate) check: String,
    /// The observation; may be empty.
    pub(crate) detail: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.check)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// The outcome of one scenario on one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All checks held.
    Passed {
        /// The number of checks.
        n_checks: usize,
    },
    /// The checks that did not hold.
    Failed(Vec<Failure>),
    /// The program has nothing that the scenario could test.
    NotApplicable(String),
}

impl Outcome {
    /// Returns the outcome of some checks; no check at all is a failure.
    pub(crate) fn of(checks: &[Check]) -> Self {
        let failed = checks.iter().filter(|check| !check.passed);
        let failed: Vec<Failure> =
            failed.map(|check| Failure { check: check.name.clone(), detail: check.detail.clone() }).collect();
        match (failed.is_empty(), checks.len()) {
            (true, 0) => Self::failed("the scenario makes a check", ""),
            (true, n_checks) => Self::Passed { n_checks },
            (false, _) => Self::Failed(failed),
        }
    }

    /// Returns the outcome of a single failed check.
    pub(crate) fn failed(check: &str, detail: &str) -> Self {
        Self::Failed(vec![Failure { check: check.to_owned(), detail: detail.to_owned() }])
    }

    /// Encodes the outcome for the record.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Self::Passed { n_checks } => json!({"passed": n_checks}),
            Self::Failed(failures) => {
                let failures = failures.iter().map(|it| json!({"check": it.check, "detail": it.detail}));
                json!({"failed": failures.collect::<Vec<_>>()})
            }
            Self::NotApplicable(reason) => json!({"notApplicable": reason}),
        }
    }

    /// Decodes an outcome from the record.
    pub(crate) fn from_json(value: &Value) -> Result<Self> {
        if let Some(n_checks) = value["passed"].as_u64() {
            return Ok(Self::Passed { n_checks: usize::try_from(n_checks)? });
        }
        if let Some(reason) = value["notApplicable"].as_str() {
            return Ok(Self::NotApplicable(reason.to_owned()));
        }
        let failures = value["failed"].as_array().with_context(|| format!("unknown outcome {value}"))?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let failures =
            failures.iter().map(|it| Failure { check: text(&it["check"]), detail: text(&it["detail"]) });
        Ok(Self::Failed(failures.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, passed: bool, detail: &str) -> Check {
        Check { name: name.to_owned(), passed, detail: detail.to_owned() }
    }

    #[test]
    fn one_failed_check_fails_the_scenario() {
        assert_eq!(
            Outcome::of(&[check("a", true, ""), check("b", true, "")]),
            Outcome::Passed { n_checks: 2 }
        );
        let mixed = [check("a", true, ""), check("b", false, "x"), check("c", false, "")];
        let Outcome::Failed(failures) = Outcome::of(&mixed) else { panic!("two checks failed") };
        assert_eq!(failures.iter().map(ToString::to_string).collect::<Vec<_>>(), ["b: x", "c"]);
        assert!(matches!(Outcome::of(&[]), Outcome::Failed(_)));
    }

    #[test]
    fn outcomes_and_checks_survive_json() {
        let outcomes = [
            Outcome::Passed { n_checks: 3 },
            Outcome::failed("a", "x"),
            Outcome::NotApplicable("no hooks".to_owned()),
        ];
        for outcome in outcomes {
            assert_eq!(Outcome::from_json(&outcome.to_json()).unwrap(), outcome);
        }
        assert!(Outcome::from_json(&json!({})).is_err());
        let check = check("a", false, "x");
        assert_eq!(Check::from_json(&check.to_json()).unwrap(), check);
    }
}
