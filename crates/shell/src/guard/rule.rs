//! A rule of the guard.

use super::RuleId;

/// The consequence of a rule that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Nothing.
    Off,
    /// It is mentioned and passes.
    Warn,
    /// The user is asked.
    Ask,
    /// It does not pass.
    Deny,
}

impl Level {
    /// Returns the level of this name, as written in a configuration.
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "off" => Self::Off,
            "warn" => Self::Warn,
            "ask" => Self::Ask,
            "deny" => Self::Deny,
            _ => return None,
        })
    }

    /// Returns the name used in configurations and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A rule of the guard.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Names it in configurations and reasons.
    pub id: RuleId,
    /// The level unless a policy sets another.
    pub level: Level,
    /// Why, as a sentence.
    pub why: &'static str,
    /// A safer way.
    pub hint: &'static str,
    /// Commands it fits.
    pub matches: &'static [&'static str],
    /// Commands it does not fit.
    pub not_matches: &'static [&'static str],
}
