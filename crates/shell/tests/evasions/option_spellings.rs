//! The same options, written differently.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "rm -r -f /",
        "rm -fr /",
        "rm -Rf /",
        "rm --recursive --force /",
        "rm --recurs --forc /",
        "rm -rfv /",
        "rm -vrf --one-file-system /",
        "rm / -rf",
        "rm -r / -f",
        "rm -f -- / -r; rm -rf /",
        "git push origin main -f",
        "git push --force-with-lease=main origin main",
        "git clean -d -f -x",
        "git clean -dfx",
        "chmod 777 -R /",
        "chown --recursive x /",
    ]);
}
