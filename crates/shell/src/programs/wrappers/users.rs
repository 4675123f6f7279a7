//! Programs that run another one as another user, with other rights, or inside of another root.

use super::{Inner, Skip, Wrapper, wrap};

const SUDO: &str = "-C -D -g -h -p -R -r -t -T -U -u -a -c --close-from --chdir --group --host --prompt --chroot --role --type --command-timeout --other-user --user --auth-type --login-class";
const SUDO_FLAGS: &str = "-A -b -B -E -e -H -i -K -k -l -n -N -P -S -s -V -v --askpass --background --bell --edit --set-home --login --remove-timestamp --reset-timestamp --list --non-interactive --no-update --preserve-groups --stdin --shell --version --validate --help";

pub(super) static ROWS: &[Wrapper] = &[
    wrap("sudo", SUDO, &["sudo rm -rf /", "sudo -nu x rm -rf /", "sudo --us=x -EH rm -rf /"])
        .optional("--preserve-env")
        .flags(SUDO_FLAGS)
        .privileged(),
    wrap("doas", "-a -C -u", &["doas rm -rf /", "doas -nu x rm -rf /"]).flags("-L -n -s").privileged(),
    wrap("pkexec", "--user", &["pkexec rm -rf /"]).flags("--disable-internal-agent --keep-cwd").privileged(),
    wrap(
        "run0",
        "-u --user -g --group --unit --property --description --slice --nice -D --chdir --setenv --background --machine",
        &["run0 rm -rf /", "run0 -ux rm -rf /"],
    )
    .privileged(),
    wrap("gosu", "", &["gosu root rm -rf /"]).skip(1).privileged(),
    wrap("su-exec", "", &["su-exec root rm -rf /"]).skip(1).privileged(),
    wrap(
        "runcon",
        "-r -t -u -l --role --type --user --range",
        &["runcon -t x_t rm -rf /", "runcon u:r:t:s0 rm -rf /"],
    )
    .flags("-c --compute")
    .skip_some(Skip::FirstWord),
    wrap("aa-exec", "-p --profile -n --namespace -f --file", &["aa-exec -p x -- rm -rf /"])
        .flags("-i --immediate -v --verbose -d --debug"),
    wrap("setuidgid", "", &["setuidgid nobody rm -rf /"]).skip(1).privileged(),
    wrap("s6-setuidgid", "", &["s6-setuidgid nobody rm -rf /"]).skip(1).privileged(),
    wrap("systemd-nspawn", "-D -i -M -u -S -E --directory --image --machine --user --slice --setenv --bind --bind-ro --chdir", &["systemd-nspawn -D / rm -rf /"])
        .flags("-b -a -x -U -q -n --boot --as-pid2 --ephemeral --quiet --read-only"),
    wrap("fakeroot", "-l -s -i -b --lib --faked", &["fakeroot -u rm -rf /"]).flags("-u --unknown-is-real"),
    wrap("firejail", "", &["firejail rm -rf /"]),
    wrap("proot", "-r -b -m -q -w -k -v -R -S --rootfs --bind --mount --qemu --pwd --cwd --kernel-release", &["proot -0 -b /x rm -rf /"]),
    wrap("chroot", "-u -g -G --userspec --groups", &["chroot /mnt rm -rf /", "chroot --userspec x:y /mnt rm -rf /"])
        .flags("--skip-chdir -n").skip(1).privileged(),
    wrap(
        "unshare",
        "-S -G -R -w -l --setuid --setgid --root --wd --map-user --map-group --map-users --map-groups --owner --setgroups --propagation --monotonic --boottime --load-interp",
        &["unshare -r rm -rf /", "unshare -rmw /x rm -rf /", "unshare --map-root-user -S 0 rm -rf /"],
    )
    .optional("--mount --uts --ipc --net --pid --user --cgroup --time --mount-proc --mount-binfmt --kill-child")
    .flags("-m -u -i -n -p -U -C -T -f -r -c -h --fork --map-root-user --map-current-user --map-auto --keep-caps"),
    wrap(
        "nsenter",
        "-t -S -G -W -N --target --setuid --setgid --wdns --net-socket",
        &["nsenter -t 1 -m rm -rf /", "nsenter -at1 rm -rf /", "nsenter --target 1 --mount -- rm -rf /"],
    )
    .optional("-m -u -i -n -p -C -U -T -r -w --mount --uts --ipc --net --pid --user --cgroup --time --root --wd")
    .flags("-a -F -e -c -Z --all --env --no-fork --preserve-credentials --keep-caps --follow-context --user-parent --join-cgroup")
    .privileged(),
    wrap(
        "setpriv",
        "--groups --inh-caps --ambient-caps --bounding-set --ruid --euid --rgid --egid --reuid --regid --securebits --pdeathsig --selinux-label --apparmor-profile --ptracer --landlock-access --landlock-rule --seccomp-filter",
        &["setpriv rm -rf /", "setpriv --reuid 0 --init-groups rm -rf /"],
    )
    .flags("-d -h -V --dump --no-new-privs --nnp --clear-groups --keep-groups --init-groups --list-caps --reset-env"),
    wrap(
        "bwrap",
        "--args --argv0 --userns --userns2 --pidns --uid --gid --hostname --chdir --setenv:2 --unsetenv --lock-file --sync-fd --bind:2 --bind-try:2 --dev-bind:2 --dev-bind-try:2 --ro-bind:2 --ro-bind-try:2 --bind-fd:2 --ro-bind-fd:2 --remount-ro --overlay-src --overlay:3 --tmp-overlay --ro-overlay --exec-label --file-label --proc --dev --tmpfs --mqueue --dir --file:2 --bind-data:2 --ro-bind-data:2 --symlink:2 --seccomp --add-seccomp-fd --block-fd --userns-block-fd --info-fd --json-status-fd --cap-add --cap-drop --perms --size --chmod:2",
        &["bwrap rm -rf /", "bwrap --bind / / --dev /dev --unshare-all rm -rf /"],
    )
    .flags("--unshare-user --unshare-user-try --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup --unshare-cgroup-try --unshare-all --share-net --disable-userns --assert-userns-disabled --clearenv --new-session --die-with-parent --as-pid-1 --level-prefix"),
    wrap(
        "su",
        "-c -g -G -s -w --command --session-command --group --supp-group --shell --whitelist-environment",
        &["su -c 'rm -rf /'", "su root -c 'rm -rf /'", "su -lc'rm -rf /' root", "su - root --comm='rm -rf /'", "su root -- -c 'rm -rf /'"],
    )
    .flags("-m -p -l -f -P -T -h -V --login --fast --preserve-environment --pty --no-pty")
    .text("-c|--command|--session-command")
    .inner(Inner::Option)
    .privileged(),
    wrap(
        "runuser",
        "-u -c -g -G -s -w --user --command --session-command --group --supp-group --shell --whitelist-environment",
        &["runuser -u x -- rm -rf /", "runuser x -c 'rm -rf /'", "runuser -l x -c 'rm -rf /'", "runuser -ux rm -rf /"],
    )
    .flags("-m -p -l -f -P -T -h -V --login --fast --preserve-environment --pty --no-pty")
    .text("-c|--command|--session-command")
    .privileged(),
    wrap("sg", "-c", &["sg docker -c 'rm -rf /'", "sg docker 'rm -rf /'"]).flags("-").text("-c").inner(Inner::Option),
];
