//! The two names of some built-in modules: the contract's, under which journals and states know them, and one that says
//! what the module does. Files and commands may use either; texts for people use the second.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_module() {
        for (contract, plain) in NAMES {
            assert_eq!((contract_name(plain), plain_name(contract)), (contract, plain));
            assert_eq!((contract_name(contract), plain_name(plain)), (contract, plain));
        }
        assert_eq!((contract_name("session"), plain_name("mine")), ("session", "mine"));
    }
}
