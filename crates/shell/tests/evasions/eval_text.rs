//! `eval` reads its words as a command.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "eval 'rm -rf /'",
        "eval rm -rf /",
        "eval \"r\"\"m -rf /\"",
        "X='rm -rf /'; eval \"$X\"",
        "eval \"$(echo rm -rf /)\"",
        "eval $(printf 'rm %s /' -rf)",
        "eval eval eval rm -rf /",
        "eval \"$(cat <<'E'\nrm -rf /\nE\n)\"",
        "a='rm'; b='-rf'; c='/'; eval $a $b $c",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["eval \"$(ssh-agent -s)\"", "echo eval rm -rf /"]);
}
