//! Control flow decides which value it is.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "if true; then X=rm; else X=echo; fi; $X -rf /",
        "if false; then X=echo; else X=rm; fi; $X -rf /",
        "for d in a b /; do rm -rf \"$d\"; done",
        "for c in rm; do $c -rf /; done",
        "while true; do rm -rf /; done",
        "until false; do rm -rf /; done",
        "case x in x) rm -rf /;; esac",
        "X=echo; false || X=rm; $X -rf /",
        "for p in / ~ /etc; do rm -rf $p; done",
        "select x in a; do rm -rf /; done",
        "for ((i=0;i<1;i++)); do rm -rf /; done",
        "true && rm -rf /",
        "false || rm -rf /",
        "! rm -rf /",
        "{ rm -rf /; }",
        "( rm -rf / )",
        "coproc rm -rf /",
        "rm -rf / &",
        "if rm -rf /; then :; fi",
        "while read d; do rm -rf \"$d\"; done <<< /",
        "echo / | while read d; do rm -rf \"$d\"; done",
        "find / | while read f; do rm -rf \"$f\"; done",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["for d in a b; do rm -rf \"$d\"; done", "if false; then echo rm -rf /; fi"]);
}
