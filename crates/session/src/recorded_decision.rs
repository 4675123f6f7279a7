//! The decision of a run or of a module, as a journal line names it.

use std::borrow::Cow;

use event::Decision;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A decision without its reason, which the line has beside it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecordedDecision {
    /// No module objected; the host followed its own rules.
    #[default]
    Abstain,
    /// Permitted without asking the user.
    Allow,
    /// The user had to decide.
    Ask,
    /// Not permitted.
    Deny,
}

impl RecordedDecision {
    /// All decisions, from the weakest to the strictest.
    pub const ALL: [Self; 4] = [Self::Abstain, Self::Allow, Self::Ask, Self::Deny];

    /// Returns the contract's word for the decision.
    pub fn as_str(self) -> &'static str {
        self.with_reason(String::new()).as_str()
    }

    /// Returns the decision with this word. Returns `None` for any other word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|decision| decision.as_str() == word)
    }

    /// Returns the decision with its reason, if it can have one.
    pub fn with_reason(self, reason: String) -> Decision {
        match self {
            Self::Abstain => Decision::Abstain,
            Self::Allow => Decision::Allow,
            Self::Ask => Decision::Ask { reason },
            Self::Deny => Decision::Deny { reason },
        }
    }
}

impl From<&Decision> for RecordedDecision {
    fn from(decision: &Decision) -> Self {
        match decision {
            Decision::Abstain => Self::Abstain,
            Decision::Allow => Self::Allow,
            Decision::Ask { .. } => Self::Ask,
            Decision::Deny { .. } => Self::Deny,
        }
    }
}

impl Serialize for RecordedDecision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// WHY an unknown word is an error: a repeated call gets the recorded decision, and a word of a newer build may mean
/// a stricter one than any default.
impl<'de> Deserialize<'de> for RecordedDecision {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&word).ok_or_else(|| de::Error::custom(format_args!("unknown decision `{word}`")))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RecordedDecision {
    fn schema_name() -> Cow<'static, str> {
        "RecordedDecision".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": Self::ALL.map(Self::as_str) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_is_read_as_it_was_written() {
        for decision in RecordedDecision::ALL {
            let text = serde_json::to_string(&decision).unwrap();
            assert_eq!(serde_json::from_str::<RecordedDecision>(&text).unwrap(), decision);
            assert_eq!(RecordedDecision::from(&decision.with_reason("why".to_owned())), decision);
        }
    }

    #[test]
    fn a_word_of_a_newer_build_is_no_decision() {
        assert!(serde_json::from_str::<RecordedDecision>(r#""quarantine""#).is_err());
    }
}
