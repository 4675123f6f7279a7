//! Braces become words.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "{rm,-rf,/}",
        "{r,}m -rf / || rm -rf /{,etc}",
        "rm -rf /{bin,etc,usr}",
        "rm -{r,f} /",
        "rm -rf {a,b,/}",
        "rm -rf {~,x}",
        "rm -rf /{e,}tc",
    ]);
}
