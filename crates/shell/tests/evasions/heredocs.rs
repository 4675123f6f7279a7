//! A here-document that is run, not written.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "bash <<EOF\nrm -rf /\nEOF",
        "bash <<'EOF'\nrm -rf /\nEOF",
        "bash <<-EOF\n\trm -rf /\n\tEOF",
        "cat <<EOF | bash\nrm -rf /\nEOF",
        "python3 <<EOF\nimport os\nos.system('rm -rf /')\nEOF",
        "psql <<EOF\nDROP DATABASE x;\nEOF",
        "mysql app <<'SQL'\nDROP TABLE users;\nSQL",
        "bash <<A; cat <<B\nrm -rf /\nA\nhello\nB",
        "sudo bash <<EOF\nrm -rf /\nEOF",
        "ssh host <<'EOF'\nrm -rf /\nEOF",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&[
        "cat <<EOF\nrm -rf /\nEOF",
        "gh issue create --body-file - <<'EOF'\nrm -rf /\nEOF",
        "cat > notes.md <<'EOF'\n$(rm -rf /)\nEOF",
    ]);
}
