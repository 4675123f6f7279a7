//! Reads the modules of a manifest, which may use either name of a module.

use std::collections::BTreeMap;

use event::contract_name;
use serde::{Deserialize, Deserializer};

use crate::manifest::ModuleEntry;

/// Reads the modules of a manifest under the contract's names. A project's own script keeps its name.
pub(crate) fn modules<'de, D>(deserializer: D) -> Result<BTreeMap<String, ModuleEntry>, D::Error>
where
    D: Deserializer<'de>,
{
    let written = BTreeMap::<String, ModuleEntry>::deserialize(deserializer)?;
    let mut modules = BTreeMap::new();
    for (name, entry) in &written {
        let contract = if entry.path.is_none() { contract_name(name) } else { name };
        if contract != name && written.contains_key(contract) {
            let message =
                format!("`{name}` and `{contract}` are one module; hint: remove one of the two entries");
            return Err(serde::de::Error::custom(message));
        }
        modules.insert(contract.to_owned(), entry.clone());
    }
    Ok(modules)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{Config, Manifest};

    #[test]
    fn a_manifest_may_use_either_name_but_not_both() {
        let parse = |text: &str| Manifest::parse(Path::new("m.json"), text.as_bytes());
        for name in ["stop-synth", "summary"] {
            let manifest = parse(&format!(r#"{{"version": 1, "modules": {{"{name}": {{"priority": 7}}}}}}"#));
            assert_eq!(manifest.unwrap().modules["stop-synth"].priority, Some(7));
        }
        let own =
            parse(r#"{"version": 1, "modules": {"rules": {"path": "features/rules/hook.mjs"}}}"#).unwrap();
        assert_eq!(own.modules.keys().collect::<Vec<_>>(), ["rules"]);
        let both = parse(r#"{"version": 1, "modules": {"plan": {}, "planGraph-exec": {}}}"#)
            .unwrap_err()
            .to_string();
        assert!(both.contains("`plan` and `planGraph-exec` are one module"), "{both}");
    }

    #[test]
    fn settings_may_use_either_name_and_a_mistake_has_its_place() {
        let parse = |text: &str| Config::parse(Path::new("c.json"), text.as_bytes().to_vec()).unwrap();
        for name in ["graph-pretooluse", "bounds"] {
            let config = parse(&format!("{{\n  \"{name}\": {{\"limit\": 1, \"wrong\": true}}\n}}"));
            assert_eq!(config.section("graph-pretooluse")["limit"], 1);
            let error = config.about("/graph-pretooluse/wrong", "unknown").to_string();
            assert!(error.contains("line 2, column"), "{error}");
        }
    }
}
