//! `$'…'` spells any letter by its number.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "$'\\x72\\x6d' -rf /",
        "$'\\162\\155' -rf /",
        "rm -rf $'\\x2f'",
        "$'\\u0072m' -rf /",
        "$'rm' $'-rf' $'\\057'",
        "rm -rf $'\\x7e'/../../",
    ]);
}
