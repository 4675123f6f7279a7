//! A shell in a shell in a shell.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "bash -c 'rm -rf /'",
        "sh -c \"rm -rf /\"",
        "bash -lc 'rm -rf /'",
        "bash -xec 'rm -rf /'",
        "bash -c \"bash -c 'rm -rf /'\"",
        "sh -c 'sh -c \"sh -c \\\"rm -rf /\\\"\"'",
        "zsh -c 'rm -rf /'",
        "bash -c 'rm -rf \"$1\"' x /",
        "bash -c 'rm -rf \"$0\"' /",
        "bash -c '\"$@\"' x rm -rf /",
        "bash --norc -c 'rm -rf /'",
        "X='rm -rf /'; bash -c \"$X\"",
        "dash -c 'cd /; rm -rf *'",
        "fish -c 'rm -rf /'",
    ]);
}
