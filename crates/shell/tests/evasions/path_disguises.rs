//! Another spelling of the same place.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "rm -rf /home/../",
        "rm -rf //",
        "rm -rf /./",
        "rm -rf /etc/../",
        "rm -rf ./../../../../../",
        "rm -rf /home/me/",
        "rm -rf /home/me/work/project/.",
        "rm -rf $HOME/.",
        "rm -rf ~me",
        "rm -rf ~root",
        "rm -rf ~+",
        "rm -rf \"$PWD/..\"",
        "rm -rf /home/me/work/project/../",
        "rm -rf src/../../other",
        "rm -rf ./src/../",
        "rm -rf /proc/1/root",
        "rm -rf file:///etc",
        "rm -rf -- /",
        "rm -rf -- -x /",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["rm -rf src/../dist", "rm -rf ./build/"]);
}
