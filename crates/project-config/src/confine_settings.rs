//! The section `confine` of `config.json`: when commands run confined, and the files and hosts that they may reach besides their scope.

use std::fmt;

use host::Host;
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

/// `"confine": "unproven"`, or `"confine": { "mode": "unproven", "sockets": [], "caches": [] }`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConfineSettings {
    /// When the shell calls of a session run confined; absent: `unproven` under intents on hosts where confinement was
    /// seen to hold, `off` elsewhere.
    pub mode: Option<ConfineMode>,
    /// Sockets, and folders of sockets, that confined commands may connect to; `~/` is the home.
    pub sockets: Vec<String>,
    /// Folders that confined commands may write besides the known caches; `~/` is the home.
    pub caches: Vec<String>,
}

/// When the shell calls of a session run confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ConfineMode {
    /// Never.
    Off,
    /// Unless they are proven read-only, or all their writes are known and in scope.
    Unproven,
    /// Always, where possible.
    All,
    /// Always; a call that cannot be confined is asked about, or denied where the host cannot ask.
    Required,
}

impl ConfineMode {
    /// Returns its name in the settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Unproven => "unproven",
            Self::All => "all",
            Self::Required => "required",
        }
    }
}

impl ConfineSettings {
    /// The name of the section.
    pub const SECTION: &'static str = "confine";

    /// Returns the mode for a session of a host.
    pub fn mode_on(&self, host: Host, has_intents: bool) -> ConfineMode {
        let default = if has_intents && host.why_unconfined().is_none() {
            ConfineMode::Unproven
        } else {
            ConfineMode::Off
        };
        self.mode.unwrap_or(default)
    }
}

/// The section as an object.
#[derive(Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
struct ConfineWire {
    /// When the shell calls of a session run confined.
    mode: Option<ConfineMode>,
    /// Sockets, and folders of sockets, that confined commands may connect to; `~/` is the home.
    sockets: Vec<String>,
    /// Folders that confined commands may write besides the known caches; `~/` is the home.
    caches: Vec<String>,
}

/// WHY by hand: an untagged enum would report a typing mistake without the place and the possible values.
impl<'de> Deserialize<'de> for ConfineSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ModeOrObject;

        impl<'de> Visitor<'de> for ModeOrObject {
            type Value = ConfineSettings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`off`, `unproven`, `all`, `required` or an object")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<ConfineSettings, E> {
                let mode = ConfineMode::deserialize(de::value::StrDeserializer::<E>::new(text))?;
                Ok(ConfineSettings { mode: Some(mode), ..ConfineSettings::default() })
            }

            fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<ConfineSettings, M::Error> {
                let wire = ConfineWire::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ConfineSettings { mode: wire.mode, sockets: wire.sockets, caches: wire.caches })
            }
        }

        deserializer.deserialize_any(ModeOrObject)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ConfineSettings {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ConfineSettings".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mode = generator.subschema_for::<ConfineMode>();
        let object = generator.subschema_for::<ConfineWire>();
        schemars::json_schema!({"anyOf": [mode, object]})
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::*;

    #[test]
    fn a_mode_is_written_alone_or_beside_the_lists() {
        let parsed = |value: Value| from_value::<ConfineSettings>(value);
        assert_eq!(parsed(json!("off")).unwrap().mode, Some(ConfineMode::Off));
        assert_eq!(parsed(json!({"mode": "required"})).unwrap().mode, Some(ConfineMode::Required));
        let lists = parsed(json!({"sockets": ["~/s"], "caches": ["~/c"]})).unwrap();
        assert_eq!((lists.mode, lists.sockets, lists.caches), (None, vec!["~/s".into()], vec!["~/c".into()]));
        for (wrong, says) in [
            (
                json!("always"),
                "unknown variant `always`, expected one of `off`, `unproven`, `all`, `required`",
            ),
            (json!(true), "expected `off`, `unproven`, `all`, `required` or an object"),
            (json!({"mode": 1}), "expected"),
        ] {
            let error = parsed(wrong.clone()).unwrap_err().to_string();
            assert!(error.contains(says), "{wrong}: {error}");
        }
    }

    #[test]
    fn the_default_depends_on_intents_and_on_what_was_seen_to_hold() {
        let mode = |mode, host, has_intents| {
            ConfineSettings { mode, ..ConfineSettings::default() }.mode_on(host, has_intents)
        };
        assert_eq!(mode(None, Host::ClaudeCode, true), ConfineMode::Unproven);
        assert_eq!(mode(None, Host::ClaudeCode, false), ConfineMode::Off);
        assert_eq!(mode(None, Host::Codex, true), ConfineMode::Off);
        assert_eq!(mode(Some(ConfineMode::All), Host::Cursor, false), ConfineMode::All);
    }
}
