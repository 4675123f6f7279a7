//! A module's metadata.

use rquickjs::{Ctx, Object, Value};
use serde_json::Value as Json;

use crate::realm::Realm;
use crate::{ScriptError, engine_error, json};

/// The most bytes of the metadata.
const MAX_META: usize = 16 << 10;

/// The metadata of a module's default export; `None` for missing properties.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meta {
    /// The name, which should be the module's key in the manifest.
    pub name: String,
    /// The events the module handles, in its own order.
    pub supports: Vec<String>,
    /// The priority in the pipeline; lower runs first.
    pub priority: Option<i64>,
    /// Whether the module may run on `PreToolUse`.
    pub hot_path_safe: Option<bool>,
    /// Whether a failure of the module fails the event.
    pub critical: Option<bool>,
}

impl Meta {
    pub(crate) fn read(ctx: &Ctx<'_>, realm: &Realm, export: &Object<'_>) -> Result<Self, ScriptError> {
        let property = |property: &'static str, expected: &'static str| {
            let value: Value<'_> =
                export.get(property).map_err(|error| engine_error::explain(ctx, realm, &error))?;
            match json::from_js(&value, MAX_META) {
                Ok((json, _)) => Ok(json),
                Err(json::JsonError::Threw(error)) => Err(engine_error::explain(ctx, realm, &error)),
                Err(_) => Err(ScriptError::BadMeta { property, expected }),
            }
        };
        let flag = |name: &'static str| match property(name, "true or false")? {
            None => Ok(None),
            Some(Json::Bool(flag)) => Ok(Some(flag)),
            Some(_) => Err(ScriptError::BadMeta { property: name, expected: "true or false" }),
        };

        let expected = "a string that is not empty";
        let name = match property("name", expected)? {
            Some(Json::String(name)) if !name.is_empty() => name,
            _ => return Err(ScriptError::BadMeta { property: "name", expected }),
        };
        let expected = "a Set or an array of event names";
        let supports = match property("supports", expected)? {
            Some(Json::Array(names)) => names.into_iter().map(|name| match name {
                Json::String(name) => Ok(name),
                _ => Err(ScriptError::BadMeta { property: "supports", expected }),
            }),
            _ => return Err(ScriptError::BadMeta { property: "supports", expected }),
        };
        let expected = "a whole number";
        let priority = match property("priority", expected)? {
            None => None,
            Some(Json::Number(number)) if number.is_i64() => number.as_i64(),
            Some(_) => return Err(ScriptError::BadMeta { property: "priority", expected }),
        };
        Ok(Self {
            name,
            supports: supports.collect::<Result<_, _>>()?,
            priority,
            hot_path_safe: flag("hotPathSafe")?,
            critical: flag("critical")?,
        })
    }
}
