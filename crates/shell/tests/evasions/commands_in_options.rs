//! Commands in options and words of programs that few think of as running something.

use super::{denied, passes};

#[test]
fn commands_in_options_are_followed() {
    denied(&[
        "csh -fc 'rm -rf /'",
        "sort --compress-program='rm -rf /' -S1 x",
        "sort --compress-program 'sh -c \"rm -rf /\"' x",
        "npm run --script-shell='rm -rf /' build",
        "npm --script-shell 'sh -c \"rm -rf /\"' test",
        "echo 'rm -rf /' | sed e",
        "echo 'rm -rf /' | sed '1!e;p'",
        "nodemon --exec 'rm -rf /' x.ts",
        "nodemon --exec rm -rf /",
        "tcsh -c 'rm -rf /'",
        "nu -c 'rm -rf /'",
        "sudo -s -- 'rm -rf /'",
        "echo 'rm -rf /' | sudo -i",
        "echo 'rm -rf /' | sudo -s",
        "echo 'rm -rf /' | su - root",
        "su -s /bin/rm root -- -rf /",
        "su --shell=/bin/rm root -- -rf /",
        "/usr/bin/env -S -i bash -c 'rm -rf /'",
        "env -S 'bash -c' 'rm -rf /'",
        "strace -o '|rm -rf /' true",
        "strace -fo '!rm -rf /' ls",
        "gdb -batch -ex 'python import os; os.system(\"rm -rf /\")'",
        "ls | entr -s 'rm -rf /'",
        "ls | entr -cdps 'rm -rf /'",
        "fd --exec=rm -rf / x",
        "parallel ::: 'rm -rf /'",
        "autossh -M0 -o ProxyCommand='rm -rf /' h",
        "mosh --ssh='sh -c \"rm -rf /\"' h",
        "zip -T --unzip-command='rm -rf /' x y",
        "eval -- 'rm -rf /'",
        "ruby -run -e rm -- -rf /",
        "ruby --disable gems -e 'system(\"rm -rf /\")'",
        "irb -r fileutils <<< 'FileUtils.rm_rf(\"/\")'",
        "jruby -e 'system(\"rm -rf /\")'",
        "ipython -c '!rm -rf /'",
    ]);
}

#[test]
fn commands_for_terminals_are_followed() {
    denied(&[
        "tmux new-session -d -s x rm -rf /",
        "tmux -L x new-session -d 'rm -rf /'",
        "tmux -f /dev/null neww 'rm -rf /'",
        "tmux new -d -s x \\; send-keys 'rm -rf /' Enter",
        "tmux send-keys -t x rm Space -rf Space / Enter",
        "tmux if-shell 'rm -rf /' ''",
        "tmux pipe-pane 'rm -rf /'",
        "tmux popup -E 'rm -rf /'",
        "screen -dmS x rm -rf /",
        "screen -d -m -S x bash -c 'rm -rf /'",
        "screen -S x -X stuff 'rm -rf /'",
    ]);
}

#[test]
fn the_same_forms_pass_with_ordinary_commands() {
    passes(&[
        "csh -fc 'ls'",
        "sudo -n true",
        "sudo -nv",
        "env -S 'node --test' src",
        "strace -o trace.log ls",
        "ls *.rs | entr -s 'cargo check'",
        "fd -e rs --exec=rustfmt",
        "parallel ::: 'npm test' 'npm run lint'",
        "ruby -run -e httpd . -p 8000",
        "tmux new -d -s dev 'npm run dev'",
        "tmux send-keys -t dev 'npm test' Enter",
        "tmux capture-pane -t dev -p",
        "tmux kill-session -t dev",
        "screen -dmS dev npm run dev",
        "yarn workspace web exec tsc",
        "mise x node@20 -- npm test",
        "kubectl run x --image=alpine",
        "kubectl debug -it pod --image=busybox -- ls",
    ]);
}
