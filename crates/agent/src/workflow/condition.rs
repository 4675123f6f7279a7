//! The condition of a custom transition.

use std::fmt;
use std::str::FromStr;

use super::condition_parser::{ConditionError, parse};
use crate::pattern::Pattern;

/// A condition over an agent's output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// One test.
    Output(Test),
    /// Negation.
    Not(Box<Condition>),
    /// Conjunction.
    And(Box<Condition>, Box<Condition>),
    /// Disjunction.
    Or(Box<Condition>, Box<Condition>),
}

/// A test of an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// The output contains the string.
    Contains(String),
    /// The pattern matches in the output.
    Matches(Pattern),
    /// The output is this string, apart from surrounding white space.
    Equals(String),
}

impl Condition {
    /// Returns whether the condition holds for an output.
    pub fn holds(&self, output: &str) -> bool {
        match self {
            Self::Output(Test::Contains(text)) => output.contains(text.as_str()),
            Self::Output(Test::Matches(pattern)) => pattern.is_match(output).unwrap_or(false),
            Self::Output(Test::Equals(text)) => output.trim() == text.trim(),
            Self::Not(inner) => !inner.holds(output),
            Self::And(one, other) => one.holds(output) && other.holds(output),
            Self::Or(one, other) => one.holds(output) || other.holds(output),
        }
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text)
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(Test::Contains(text)) => write!(out, "output contains {}", quoted(text)),
            Self::Output(Test::Matches(pattern)) => {
                write!(out, "output matches {}", quoted(pattern.as_str()))
            }
            Self::Output(Test::Equals(text)) => write!(out, "output equals {}", quoted(text)),
            Self::Not(inner) => write!(out, "not {}", grouped(inner, 2)),
            Self::And(one, other) => write!(out, "{} and {}", grouped(one, 1), grouped(other, 2)),
            Self::Or(one, other) => write!(out, "{one} or {}", grouped(other, 1)),
        }
    }
}

/// Quotes a string; doubles each quote in it, as in YAML.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn grouped(condition: &Condition, at_least: u8) -> String {
    let binds = match condition {
        Condition::Or(..) => 0,
        Condition::And(..) => 1,
        Condition::Not(_) | Condition::Output(_) => 2,
    };
    if binds < at_least { format!("({condition})") } else { condition.to_string() }
}
