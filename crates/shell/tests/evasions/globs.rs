//! A pattern finds the program or the folder.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "/bin/r? -rf /",
        "/???/rm -rf /",
        "/b*n/rm -rf /",
        "rm -rf /e*",
        "rm -rf /[e]tc",
        "rm -rf ~/*",
        "rm -rf /ho*/me",
        "/bin/[r]m -rf /",
        "rm -rf .*",
        "rm -rf ~/.[a-z]*",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["rm -rf build/*", "rm -f *.o", "rm -rf .cache/*"]);
}
