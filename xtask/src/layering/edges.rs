//! Checks the imports of every crate against the table of layers.

use super::layers::{self, Layer, TESTKIT, WORKSHOP};
use crate::metadata::{Crate, Edge, Kind};

/// Returns a sentence and a hint for every import that the table does not permit.
pub(crate) fn breaches(crates: &[Crate]) -> Vec<String> {
    let mut breaches = Vec::new();
    for it in crates {
        match layers::of(&it.name) {
            Some(layer) => breaches.extend(it.edges.iter().filter_map(|edge| breach(layer, edge))),
            None => breaches.push(format!(
                "crate `{}` has no layer\n  hint: give it one in xtask/src/layering/layers.rs and a line in the code map of ARCHITECTURE.md",
                it.name
            )),
        }
    }
    breaches
}

fn breach(layer: &Layer, edge: &Edge) -> Option<String> {
    let (from, to) = (layer.package, edge.to.as_str());
    if !edge.ours {
        if let Some(only) =
            layers::importers(to).filter(|only| !only.contains(&from) && edge.kind != Kind::Dev)
        {
            let only = only.join("` and `");
            return Some(format!(
                "`{from}` -> `{to}`: only `{only}` may import it\n  hint: add the function there"
            ));
        }
        let permitted = layer.outside?;
        let fine = edge.kind == Kind::Dev || permitted.contains(&to);
        return (!fine).then(|| {
            format!(
                "`{from}` -> `{to}`: `{from}` promises to need nothing but {}\n  hint: do the work in the crate above that needs `{to}`",
                permitted.join(", ")
            )
        });
    }
    if layer.may_import.contains(&to) || (edge.kind == Kind::Dev && to == TESTKIT) {
        return None;
    }
    let (why, hint) = match layers::of(to) {
        None => ("which has no layer", "give it one in xtask/src/layering/layers.rs"),
        Some(below) if below.level == WORKSHOP => {
            ("which is never shipped", "only `testkit` may be imported, and only from [dev-dependencies]")
        }
        Some(below) if below.level == layer.level => (
            "which is a sibling on the same layer",
            "move what both need to a layer below, or let the layer above join the two",
        ),
        Some(below) if below.level > layer.level => (
            "which is on a layer above",
            "pass the value or the function in from above instead of importing it",
        ),
        Some(_) => (
            "which is below, but not in its list",
            "a new edge is an architecture change: say so in the commit and add it in xtask/src/layering/layers.rs",
        ),
    };
    Some(format!("`{from}` -> `{to}`, {why}\n  hint: {hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata;

    /// Checks a workspace in which `from` asks for `to` below `kind`.
    fn check(from: &str, kind: &str, to: &str, expected: &[&str]) {
        let ours = layers::of(to).is_some() || to == "newcomer";
        let path = if ours { r#","path":"crates/x""# } else { "" };
        let kind = if kind == "normal" { "null".to_owned() } else { format!("\"{kind}\"") };
        let text = format!(
            r#"{{"target_directory":"t","packages":[
                {{"name":"{from}","version":"0.1.0","dependencies":[{{"name":"{to}","kind":{kind}{path}}}]}}]}}"#
        );
        let workspace = metadata::parse(&text).unwrap();
        let found: Vec<String> =
            breaches(&workspace.crates).iter().map(|it| it.lines().next().unwrap().to_owned()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn an_import_downwards_that_the_table_lists_is_fine() {
        check("store", "normal", "event", &[]);
        check("dispatch", "normal", "script", &[]);
        check("steersman", "normal", "dispatch", &[]);
    }

    #[test]
    fn an_import_of_a_sibling_is_a_breach() {
        check("host", "normal", "store", &["`host` -> `store`, which is a sibling on the same layer"]);
        check("shell", "build", "redact", &["`shell` -> `redact`, which is a sibling on the same layer"]);
    }

    #[test]
    fn an_import_upwards_is_a_breach_even_for_tests() {
        check("event", "normal", "store", &["`event` -> `store`, which is on a layer above"]);
        check("store", "dev", "dispatch", &["`store` -> `dispatch`, which is on a layer above"]);
    }

    #[test]
    fn an_import_downwards_that_the_table_does_not_list_is_a_breach() {
        check("runner", "normal", "store", &["`runner` -> `store`, which is below, but not in its list"]);
    }

    #[test]
    fn testkit_is_for_tests_only() {
        check("store", "dev", "testkit", &[]);
        check("store", "normal", "testkit", &["`store` -> `testkit`, which is never shipped"]);
        check("store", "dev", "xtask", &["`store` -> `xtask`, which is never shipped"]);
    }

    #[test]
    fn a_crate_that_the_table_does_not_know_is_a_breach() {
        check("newcomer", "normal", "event", &["crate `newcomer` has no layer"]);
        check("dispatch", "normal", "newcomer", &["`dispatch` -> `newcomer`, which has no layer"]);
    }

    #[test]
    fn a_package_that_a_crate_wraps_has_no_other_importer() {
        check("config-file", "normal", "jsonc-parser", &[]);
        check("host", "dev", "jsonc-parser", &[]);
        check(
            "host",
            "normal",
            "jsonc-parser",
            &["`host` -> `jsonc-parser`: only `config-file` may import it"],
        );
        check("shell", "normal", "regex", &["`shell` -> `regex`: only `agent` and `redact` may import it"]);
    }

    #[test]
    fn event_needs_nothing_but_json_values() {
        check("event", "normal", "serde_json", &[]);
        check("event", "dev", "proptest", &[]);
        check(
            "event",
            "normal",
            "serde",
            &["`event` -> `serde`: `event` promises to need nothing but serde_json"],
        );
    }
}
