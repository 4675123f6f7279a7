//! A harmless name for something else.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "f() { if true; then f | f & fi; }; f",
        "f() { case x in x) f | f & ;; esac; }; f",
        "f() { while :; do f | f & done; }; f",
        "f() { rm -rf /; }; f",
        "f() { rm -rf \"$1\"; }; f /",
        "function f { rm -rf \"$@\"; }; f / x",
        "f() { g \"$1\"; }; g() { rm -rf \"$1\"; }; f /",
        "alias ls='rm -rf /'; ls",
        "alias x=rm; x -rf /",
        "ls() { command rm -rf /; }; ls",
        "f() { \"$@\"; }; f rm -rf /",
        "f() { local d=/; rm -rf $d; }; f",
        "f() ( rm -rf / ); f",
        "cd() { rm -rf /; }; cd x",
        "git() { rm -rf /; }; git status",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["f() { rm -rf /; }", "alias x='rm -rf /'"]);
}
