//! The packages that dispatch must not depend on, so that no hook event pays for them.
//!
//! WHY: every one of these was measured to cost more at start-up than the rest
//! of a dispatch together, or drags in one that does. `cargo tree` with the
//! default features is asked, so an optional import behind a feature that is off
//! by default (the schemas of `dispatch`) is fine.

use crate::tree::{self, Node};

/// The crate whose dependencies are the fast set.
pub(crate) const FAST: &str = "dispatch";

/// A package that the fast set must not reach.
struct Forbidden {
    package: &'static str,
    what: &'static str,
    instead: &'static str,
}

const BACKGROUND: &str =
    "work that waits belongs to `engine` or `serve`; dispatch appends to a journal and they pick it up";
const AT_THE_TOP: &str =
    "read the arguments in `cli`, which has branched to dispatch before it needs more than a comparison";
const SCHEMAS: &str = "check by types; schemas belong to `schema`, `doctor`, `serve` and the tests, behind a feature that is off by default";
const LOGS: &str = "dispatch writes its own journal; a subscriber is set up by `cli` for the commands that are not `dispatch`";
const GLOBS: &str = "it compiles every pattern to a `regex`; match globs with a crate that does not";

const FORBIDDEN: &[Forbidden] = &[
    Forbidden { package: "tokio", what: "an async runtime", instead: BACKGROUND },
    Forbidden { package: "async-std", what: "an async runtime", instead: BACKGROUND },
    Forbidden { package: "smol", what: "an async runtime", instead: BACKGROUND },
    Forbidden { package: "hyper", what: "an HTTP stack", instead: BACKGROUND },
    Forbidden { package: "reqwest", what: "an HTTP stack", instead: BACKGROUND },
    Forbidden { package: "ureq", what: "an HTTP stack", instead: BACKGROUND },
    Forbidden { package: "axum", what: "an HTTP stack", instead: BACKGROUND },
    Forbidden { package: "notify", what: "a file watcher", instead: BACKGROUND },
    Forbidden { package: "rusqlite", what: "a database", instead: BACKGROUND },
    Forbidden { package: "libsqlite3-sys", what: "a database", instead: BACKGROUND },
    Forbidden { package: "clap", what: "an argument parser with a cost at start-up", instead: AT_THE_TOP },
    Forbidden { package: "tracing-subscriber", what: "a log subscriber", instead: LOGS },
    Forbidden { package: "env_logger", what: "a log subscriber", instead: LOGS },
    Forbidden { package: "jsonschema", what: "schemas compiled at run time", instead: SCHEMAS },
    Forbidden { package: "schemars", what: "schemas made at run time", instead: SCHEMAS },
    Forbidden { package: "globset", what: "globs on top of `regex`", instead: GLOBS },
];

/// Returns a sentence, the chain of edges and a hint for every forbidden package that is reached.
pub(crate) fn breaches(nodes: &[Node]) -> Vec<String> {
    FORBIDDEN
        .iter()
        .filter_map(|forbidden| {
            let chain = tree::path_to(nodes, |name| name == forbidden.package)?;
            Some(format!(
                "{FAST} reaches `{}`, {}\n  over: {}\n  hint: {}",
                forbidden.package,
                forbidden.what,
                chain.join(" -> "),
                forbidden.instead
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIGHT: &str = "0 dispatch v0.1.0 (/x/dispatch)\n1 event v0.1.0 (/x/event)\n2 serde_json v1.0.154\n1 regex v1.13.1\n";

    #[test]
    fn a_light_tree_passes() {
        assert_eq!(breaches(&tree::parse(LIGHT)), Vec::<String>::new());
    }

    #[test]
    fn a_forbidden_package_is_named_with_the_edges_that_lead_to_it() {
        let heavy = format!(
            "{LIGHT}1 script v0.1.0 (/x/script)\n2 bridge v2.0.0\n3 memchr v2.7.6\n3 tokio v1.52.0 (*)\n"
        );
        let found = breaches(&tree::parse(&heavy));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("dispatch reaches `tokio`, an async runtime\n"), "{}", found[0]);
        assert!(found[0].contains("over: dispatch -> script -> bridge -> tokio\n"), "{}", found[0]);
        assert!(found[0].contains("hint: "), "{}", found[0]);
    }

    #[test]
    fn every_forbidden_package_is_found() {
        for forbidden in FORBIDDEN {
            let heavy = format!("{LIGHT}1 {} v1.0.0\n", forbidden.package);
            assert_eq!(breaches(&tree::parse(&heavy)).len(), 1, "{}", forbidden.package);
        }
    }

    #[test]
    fn a_package_whose_name_only_starts_like_a_forbidden_one_passes() {
        let tree = format!("{LIGHT}1 tokio-util-lookalike v1.0.0\n1 clap_lex v0.7.0\n");
        assert_eq!(breaches(&tree::parse(&tree)), Vec::<String>::new());
    }
}
