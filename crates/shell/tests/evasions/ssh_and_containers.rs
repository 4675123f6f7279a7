//! Somewhere else is still somewhere.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "ssh host rm -rf /",
        "ssh host 'cd / && rm -rf *'",
        "ssh -o StrictHostKeyChecking=no root@h 'rm -rf /'",
        "ssh host \"bash -c 'rm -rf /'\"",
        "docker exec -it web bash -c 'rm -rf /'",
        "docker run --rm -v /:/host alpine ls",
        "kubectl exec -n prod pod -- sh -c 'rm -rf /'",
        "docker compose exec web rm -rf /",
        "docker exec db psql -c 'DROP DATABASE x'",
    ]);
}
