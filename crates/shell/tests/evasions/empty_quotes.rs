//! Quotes around nothing split a name without changing it.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "r''m -rf /",
        "r\"\"m -rf /",
        "rm -r''f /",
        "'r'm -rf ~",
        "\"rm\" '-rf' \"/\"",
        "rm -rf '/'\"\"",
        "\"r\"'m' -rf /e\"\"tc",
    ]);
}
