//! Text hidden by an encoding and then run.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "echo cm0gLXJmIC8= | base64 -d | sh",
        "echo cm0gLXJmIC8K | base64 --decode | bash",
        "base64 -d <<< cm0gLXJmIC8= | sh",
        "bash -c \"$(echo cm0gLXJmIC8= | base64 -d)\"",
        "eval \"$(base64 -d <<< cm0gLXJmIC8=)\"",
        "echo 726d202d7266202f | xxd -r -p | sh",
        "echo '/ fr- mr' | rev | sh",
        "echo 'ez -es /' | tr 'a-z' 'n-za-m' | bash",
        "printf '\\x72\\x6d\\x20-rf\\x20/' | sh",
        "echo -e '\\x72\\x6d -rf /' | sh",
        "echo cm0gLXJmIC8= | openssl base64 -d | sh",
        "base64 -d payload | sh",
        "gunzip -c payload.gz | bash",
        "openssl enc -d -aes-256-cbc -in x | sh",
        "python3 -c \"exec(__import__('base64').b64decode('aW1wb3J0IG9zO29zLnN5c3RlbSgncm0gLXJmIC8nKQ=='))\"",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["echo aGVsbG8= | base64 -d", "base64 -d x > y"]);
}
