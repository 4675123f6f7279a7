//! Tools with an option that runs a command.

use crate::denied;

#[test]
fn is_seen_through() {
    denied(&[
        "git -c alias.x='!rm -rf /' x",
        "git -c core.pager='rm -rf /' log",
        "git -c core.sshCommand='rm -rf /' fetch",
        "git submodule foreach 'rm -rf /'",
        "git rebase --exec 'rm -rf /' main",
        "git bisect run rm -rf /",
        "GIT_SSH_COMMAND='rm -rf /' git fetch",
        "PAGER='rm -rf /' git log",
        "tar cf x --checkpoint-action=exec='rm -rf /' y",
        "tar xf x --to-command='rm -rf /'",
        "find . -name x -execdir rm -rf / \\;",
        "find . -ok rm -rf / \\;",
        "rsync -e 'sh -c \"rm -rf /\"' a b:",
        "rg --pre 'rm' x; rm -rf /",
        "gdb -batch -ex 'shell rm -rf /'",
        "nodemon --exec 'rm -rf /'",
        "fd -x rm -rf / \\;",
        "fd . / -x rm -rf; rm -rf /",
        "psql -c '\\! rm -rf /'",
        "trap 'rm -rf /' EXIT",
        "PROMPT_COMMAND='rm -rf /'",
        "docker run --rm alpine sh -c 'rm -rf /'",
    ]);
}
