//! The name or the path is printed by another command.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "$(echo rm) -rf /",
        "`echo rm` -rf /",
        "$(printf rm) -rf /",
        "rm -rf $(echo /)",
        "rm -rf `echo /`",
        "$(which rm) -rf /",
        "$(command -v rm) -rf /",
        "$(echo mr | rev) -rf /",
        "$(echo sn | tr sn rm) -rf /",
        "$(tr 'a-z' 'n-za-m' <<< ez) -rf /",
        "echo \"$(rm -rf /)\"",
        "x=\"$(rm -rf /)\"",
        "ls `rm -rf /`",
        "echo \"${x:-$(rm -rf /)}\"",
        "echo $((1 + $(rm -rf / ; echo 1)))",
        "cat <<EOF\n$(rm -rf /)\nEOF",
        "cat <<EOF\n`rm -rf /`\nEOF",
        "[[ -n $(rm -rf /) ]]",
        "for x in $(rm -rf /); do :; done",
        "case $(rm -rf /) in x) ;; esac",
        "a[$(rm -rf /)]=1; echo \"${a[$(rm -rf /)]}\"",
        "echo $[ $(rm -rf /) ]",
        "echo ${ rm -rf /; }",
        "echo \"`echo \\`rm -rf /\\``\"",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&[
        "git commit -m \"$(cat <<'EOF'\nrm -rf /\nEOF\n)\"",
        "echo '$(rm -rf /)'",
        "echo \"\\$(rm -rf /)\"",
    ]);
}
