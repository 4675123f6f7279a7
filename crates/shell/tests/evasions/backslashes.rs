//! A backslash keeps an alias away and disappears.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&["\\rm -rf /", "r\\m -rf /", "rm -\\r\\f /", "\\r\\m -rf \\/", "rm -rf \\\n/", "r\\\nm -rf /"]);
}
