//! Text that reaches a shell on its standard input.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "echo 'rm -rf /' | sh",
        "echo rm -rf / | bash",
        "printf 'rm -rf /\\n' | bash -s",
        "cat <<EOF | sh\nrm -rf /\nEOF",
        "sh <<EOF\nrm -rf /\nEOF",
        "bash -s <<'EOF'\nrm -rf /\nEOF",
        "bash <<< 'rm -rf /'",
        "echo 'rm -rf /' | tee /dev/stderr | bash",
        "echo 'rm -rf /' | cat | cat | sh",
        "{ echo rm; } | xargs -I% % -rf /",
        "echo 'rm -rf /' | sudo bash",
        "echo 'rm -rf /' | ssh host bash",
        "ssh host <<EOF\nrm -rf /\nEOF",
        "cat <<< 'rm -rf /' | bash",
        "yes 'rm -rf /' | head -1 | sh; echo 'rm -rf /' | sh",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["echo 'rm -rf /' | grep rm", "echo 'rm -rf /' | cat", "echo 'rm -rf /' > notes.txt"]);
}
