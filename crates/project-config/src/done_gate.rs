//! The setting `doneGate` of `config.json`: whether an agent may stop while an acceptance command fails.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

/// `"doneGate": true`, or the seconds that all commands together may take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DoneGate {
    seconds: u32,
}

impl DoneGate {
    /// The name of the setting.
    pub const SECTION: &'static str = "doneGate";

    /// The longest time, in seconds.
    pub const MAX_SECONDS: u32 = 3600;

    /// The time without a number, in seconds.
    pub const DEFAULT_SECONDS: u32 = 300;

    /// Returns how many seconds the commands may take; `None` if the gate is off.
    pub fn seconds(self) -> Option<u32> {
        (self.seconds > 0).then_some(self.seconds)
    }
}

impl<'de> Deserialize<'de> for DoneGate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Switch)
    }
}

struct Switch;

impl Visitor<'_> for Switch {
    type Value = DoneGate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "true, false or a number of seconds up to {}", DoneGate::MAX_SECONDS)
    }

    fn visit_bool<E: de::Error>(self, is_on: bool) -> Result<DoneGate, E> {
        Ok(DoneGate { seconds: if is_on { DoneGate::DEFAULT_SECONDS } else { 0 } })
    }

    fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<DoneGate, E> {
        match u32::try_from(seconds) {
            Ok(seconds) if seconds <= DoneGate::MAX_SECONDS => Ok(DoneGate { seconds }),
            _ => Err(E::invalid_value(de::Unexpected::Unsigned(seconds), &self)),
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for DoneGate {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "DoneGate".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Whether an agent is kept from stopping while an acceptance command fails; a number is the \
                            seconds that all commands together may take.",
            "anyOf": [
                {"type": "boolean"},
                {"type": "integer", "minimum": 0, "maximum": Self::MAX_SECONDS},
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_switch_or_a_time() {
        let read = |value| serde_json::from_value::<DoneGate>(value).map(DoneGate::seconds);
        assert_eq!(read(json!(true)).unwrap(), Some(DoneGate::DEFAULT_SECONDS));
        assert_eq!(read(json!(false)).unwrap(), None);
        assert_eq!(read(json!(0)).unwrap(), None);
        assert_eq!(read(json!(90)).unwrap(), Some(90));
        for wrong in [json!(-1), json!(3601), json!("yes"), json!({}), json!(1.5)] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains("true, false or a number of seconds up to 3600"), "{error}");
        }
    }
}
