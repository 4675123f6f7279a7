//! git runs programs that options, settings and the environment name.

use super::{denied, passes};

#[test]
fn programs_that_git_is_given_are_followed() {
    denied(&[
        "git clone -u 'rm -rf /' ssh://h/x y",
        "git clone --upload-pack='rm -rf /' ssh://h/x y",
        "git fetch --upload-pack 'rm -rf /' origin",
        "git pull --upload-p 'rm -rf /' origin",
        "git push --receive-pack='rm -rf /' origin",
        "git push --exec='rm -rf /' origin",
        "git ls-remote --upload-pack='rm -rf /' origin",
        "git archive --remote=ssh://h/x --exec='rm -rf /' HEAD",
        "git send-email --sendmail-cmd='rm -rf /' x",
        "git clone -c core.sshCommand='rm -rf /' ssh://h/x",
        "git clone --config=core.fsmonitor='rm -rf /' x",
        "git -c mergetool.x.cmd='rm -rf /' mergetool -t x",
        "git -c man.x.cmd='rm -rf /' help -m log",
        "git -c filter.x.clean='rm -rf /' add .",
        "git -c diff.a.b.textconv='rm -rf /' diff",
        "git -c pager.log='rm -rf /' log",
        "git -c credential.https://h.helper='!rm -rf /' fetch",
        "GIT_SSH='rm -rf /' git fetch",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf /' git x",
        "env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.pager GIT_CONFIG_VALUE_0='rm -rf /' git log",
        "GIT_CONFIG_PARAMETERS=\"'alias.x=!rm -rf /'\" git x",
        "GIT_CONFIG_PARAMETERS=\"'alias.x'='!rm -rf /'\" git x",
        "git bisect run sh -c 'rm -rf /'",
        "git submodule foreach --recursive sh -c 'rm -rf /'",
    ]);
}

#[test]
fn ordinary_settings_and_programs_pass() {
    passes(&[
        "git clone -c core.autocrlf=false https://github.com/a/b",
        "git clone --upload-pack /usr/local/bin/git-upload-pack ssh://h/x",
        "git -c diff.algorithm=histogram diff",
        "git -c pager.log=false log",
        "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=me git commit -m x",
        "git bisect run cargo test -p shell",
        "git submodule foreach 'git pull'",
    ]);
}
