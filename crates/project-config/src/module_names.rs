//! The two names of some built-in modules: the contract's, under which journals and states know them, and one that says
//! what the module does. Files and commands may use either.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::manifest::ModuleEntry;

/// The contract's names and the plain ones.
const NAMES: [(&str, &str); 5] = [
    ("graph-pretooluse", "bounds"),
    ("memory-activation", "rules"),
    ("planGraph-exec", "plan"),
    ("rlm-work", "delegation"),
    ("stop-synth", "summary"),
];

/// Returns the contract's name of a module; the name itself if it has no other.
pub fn contract_name(name: &str) -> &str {
    NAMES.iter().find(|(_, plain)| *plain == name).map_or(name, |(contract, _)| contract)
}

/// Returns the plain name of a module; the name itself if it has no other.
pub fn plain_name(name: &str) -> &str {
    NAMES.iter().find(|(contract, _)| *contract == name).map_or(name, |(_, plain)| plain)
}

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

    use super::*;
    use crate::{Config, Manifest};

    #[test]
    fn every_name_leads_to_its_module() {
        for (contract, plain) in NAMES {
            assert_eq!((contract_name(plain), plain_name(contract)), (contract, plain));
            assert_eq!((contract_name(contract), plain_name(plain)), (contract, plain));
        }
        assert_eq!((contract_name("session"), plain_name("mine")), ("session", "mine"));
    }

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
