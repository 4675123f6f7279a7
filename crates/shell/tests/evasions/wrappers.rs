//! A program that runs the program.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "sudo rm -rf /",
        "sudo -u root rm -rf /",
        "env rm -rf /",
        "env -i PATH=/bin rm -rf /",
        "env -S 'rm -rf /'",
        "nohup rm -rf / &",
        "timeout 5 rm -rf /",
        "timeout -s KILL 5s rm -rf /",
        "nice -n 19 rm -rf /",
        "ionice -c3 rm -rf /",
        "command rm -rf /",
        "builtin command rm -rf /",
        "exec rm -rf /",
        "time rm -rf /",
        "busybox rm -rf /",
        "setsid rm -rf /",
        "stdbuf -oL rm -rf /",
        "xargs rm -rf <<< /",
        "echo / | xargs rm -rf",
        "echo / | xargs -I{} rm -rf {}",
        "echo 'rm -rf /' | xargs -I{} sh -c {}",
        "find / -maxdepth 0 -exec rm -rf {} \\;",
        "find . -exec sh -c 'rm -rf /' \\;",
        "parallel rm -rf ::: /",
        "watch -n1 rm -rf /",
        "flock /tmp/l rm -rf /",
        "script -qc 'rm -rf /' /dev/null",
        "su root -c 'rm -rf /'",
        "doas rm -rf /",
        "sudo -- sh -c 'rm -rf /'",
        "sudo bash -c \"rm -rf /\"",
        "unshare -r rm -rf /",
        "strace -f rm -rf /",
        "sudo env X=1 nice timeout 3 bash -c 'rm -rf /'",
        "/usr/bin/env rm -rf /",
        "/usr/bin/sudo /bin/rm -rf /",
        "tmux new -d 'rm -rf /'",
        "npx rimraf /",
        "uv run rm -rf /",
        "poetry run python -c \"import os; os.system('rm -rf /')\"",
    ]);
}
