// tidy: long, because it is one table.
//! Programs that run another program: `sudo`, `env`, `timeout`, `npx`, `docker run`, … A table.

use super::options::Spec;
use crate::reading::Site;

/// How the inner command is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inner {
    /// The rest of the words is the command.
    Words,
    /// The rest of the words, joined, is text for a shell.
    Shell,
    /// Only the value of an option of [`Wrapper::text`] runs; operands may stand in front of it.
    Option,
    /// Behind `--`.
    Dashes,
}

/// A program that runs another program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrapper {
    pub name: &'static str,
    /// Subcommands that must follow, up to three words each, alternatives separated by `|`; empty for none. `*` is any word.
    pub sub: &'static str,
    /// Options that take a value, separated by blanks; see [`Spec`].
    pub values: &'static str,
    /// Options whose value may be left out.
    pub optional: &'static str,
    /// Options without a value.
    pub flags: &'static str,
    /// Options whose value is a file that is written.
    pub outputs: &'static str,
    /// Options whose value is text for a shell, `|` between them.
    pub text: &'static str,
    /// Options with which it runs nothing, blanks between them.
    pub idle: &'static str,
    /// Operands in front of the command: a duration, a lock file, a host.
    pub skip: Skip,
    pub inner: Inner,
    pub site: Site,
    pub privilege: bool,
    /// Lines whose inner command must be found; only tests keep them.
    #[cfg(test)]
    pub matches: &'static [&'static str],
}

/// Operands in front of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    /// So many.
    Operands(usize),
    /// One, if it is a number: a priority that some policies do without.
    Number,
    /// One, if it is the first word of all.
    FirstWord,
}

const fn wrap(name: &'static str, values: &'static str, matches: &'static [&'static str]) -> Wrapper {
    #[cfg(not(test))]
    let _ = matches;
    Wrapper {
        name,
        sub: "",
        values,
        optional: "",
        flags: "",
        outputs: "",
        text: "",
        idle: "",
        skip: Skip::Operands(0),
        inner: Inner::Words,
        site: Site::Local,
        privilege: false,
        #[cfg(test)]
        matches,
    }
}

impl Wrapper {
    /// Which options it has.
    pub(crate) const fn spec(&self) -> Spec<'static> {
        Spec { values: self.values, optional: self.optional, flags: self.flags, is_partial: false }
    }
    const fn sub(mut self, sub: &'static str) -> Self {
        self.sub = sub;
        self
    }
    const fn optional(mut self, optional: &'static str) -> Self {
        self.optional = optional;
        self
    }
    const fn flags(mut self, flags: &'static str) -> Self {
        self.flags = flags;
        self
    }
    const fn outputs(mut self, outputs: &'static str) -> Self {
        self.outputs = outputs;
        self
    }
    const fn text(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }
    const fn idle(mut self, idle: &'static str) -> Self {
        self.idle = idle;
        self
    }
    const fn skip(mut self, skip: usize) -> Self {
        self.skip = Skip::Operands(skip);
        self
    }
    const fn skip_some(mut self, skip: Skip) -> Self {
        self.skip = skip;
        self
    }
    const fn inner(mut self, inner: Inner) -> Self {
        self.inner = inner;
        self
    }
    const fn site(mut self, site: Site) -> Self {
        self.site = site;
        self
    }
    const fn privileged(mut self) -> Self {
        self.privilege = true;
        self
    }
}

const SUDO: &str = "-C -D -g -h -p -R -r -t -T -U -u -a -c --close-from --chdir --group --host --prompt --chroot --role --type --command-timeout --other-user --user --auth-type --login-class";
const SUDO_FLAGS: &str = "-A -b -B -E -e -H -i -K -k -l -n -N -P -S -s -V -v --askpass --background --bell --edit --set-home --login --remove-timestamp --reset-timestamp --list --non-interactive --no-update --preserve-groups --stdin --shell --version --validate --help";
const SETARCH_FLAGS: &str = "-B -F -I -L -R -S -T -X -Z -3 -v -h -V --32bit --fdpic-funcptrs --short-inode --addr-compat-layout --addr-no-randomize --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 --verbose --list --show";
const SSH: &str = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w";
const SSH_FLAGS: &str = "-1 -2 -4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y";
const TERMINAL: &str = "-e -T -title -n -name -fn -fa -fs -fg -bg -geometry -sl";
const UV: &str = "--with --with-requirements --with-editable --python -p --extra --no-extra --group --only-group --no-group --package --directory --project --env-file --index --default-index --index-url -i --extra-index-url --find-links -f --cache-dir --config-file --refresh-package --upgrade-package -P --reinstall-package --resolution --prerelease --color --python-platform --index-strategy --keyring-provider --link-mode --allow-insecure-host --config-setting -C --exclude-newer --from";
const DOCKER_RUN: &str = "-v --volume -e --env -p --publish --name -w --workdir -u --user --network --net --mount --entrypoint -m --memory --cpus --platform -l --label --env-file --add-host --gpus --restart --hostname -h --cap-add --cap-drop --device --tmpfs --shm-size --ulimit --log-driver --log-opt --pull --security-opt --dns --ip --ipc --pid --runtime --stop-signal --volumes-from --expose -a --attach --cidfile --cpuset-cpus --health-cmd --userns -f --file --project-name --profile --index --detach-keys -c --cpu-shares --annotation --blkio-weight --cgroup-parent --cgroupns --cpu-period --cpu-quota --cpuset-mems --device-cgroup-rule --dns-option --dns-search --domainname --group-add --health-interval --health-retries --health-timeout --health-start-period --ip6 --isolation --kernel-memory --label-file --link --link-local-ip --mac-address --memory-reservation --memory-swap --memory-swappiness --network-alias --net-alias --oom-score-adj --pids-limit --stop-timeout --storage-opt --sysctl --uts --volume-driver --context -H --host --config --log-level --connection --url --identity";
const DOCKER_FLAGS: &str = "-d --detach -i --interactive -t --tty -q --quiet -P --publish-all -D --debug --init --no-healthcheck --oom-kill-disable --privileged --read-only --rm --sig-proxy --disable-content-trust --tls --tlsverify -T --no-TTY --no-deps --build --remove-orphans --service-ports --use-aliases";

/// All wrappers.
pub(crate) static WRAPPERS: &[Wrapper] = &[
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
        "env",
        "-u -C -S -a -P -L -U --unset --chdir --split-string --argv0",
        &["env A=1 rm -rf /", "env -i rm -rf /", "env - rm -rf /", "env -iu X rm -rf /", "env -iS'rm -rf /'"],
    )
    .optional("--block-signal --default-signal --ignore-signal")
    .flags("-i -0 -v --ignore-environment --null --debug --list-signal-handling --help --version"),
    wrap("nohup", "", &["nohup rm -rf /"]),
    wrap("timeout", "-k -s --kill-after --signal", &["timeout 5 rm -rf /", "timeout -k 1 5s rm -rf /"])
        .flags("-f -p -v --foreground --preserve-status --verbose")
        .skip(1),
    wrap("gtimeout", "-k -s --kill-after --signal", &["gtimeout 5 rm -rf /"])
        .flags("-f -p -v --foreground --preserve-status --verbose")
        .skip(1),
    wrap("nice", "-n --adjustment", &["nice -n 19 rm -rf /", "nice -n5 rm -rf /", "nice -5 rm -rf /"])
        .flags("-0 -1 -2 -3 -4 -5 -6 -7 -8 -9"),
    wrap("ionice", "-c -n --class --classdata -u --uid -P --pgid", &["ionice -c 3 rm -rf /", "ionice -tc3 rm -rf /"])
        .flags("-t --ignore -p --pid")
        .idle("-p --pid -P --pgid -u --uid"),
    wrap(
        "chrt",
        "-T -P -D --sched-runtime --sched-period --sched-deadline",
        &["chrt 10 rm -rf /", "chrt -f 10 rm -rf /", "chrt --batch rm -rf /"],
    )
    .flags("-a -b -d -e -f -i -m -o -p -r -R -v --all-tasks --batch --deadline --ext --fifo --idle --max --other --pid --rr --reset-on-fork --verbose")
    .idle("-p --pid")
    .skip_some(Skip::Number),
    wrap("taskset", "", &["taskset 1 rm -rf /", "taskset -c 0 rm -rf /", "taskset --cpu-list 0,2 rm -rf /"])
        .flags("-a -c -p --all-tasks --cpu-list --pid")
        .idle("-p --pid")
        .skip(1),
    wrap("time", "-f -o --format --output", &["time -v rm -rf /", "time -vo x rm -rf /"])
        .flags("-a -h -l -p -q -v --append --portability --quiet --verbose")
        .outputs("-o --output"),
    wrap("gtime", "-f -o --format --output", &["gtime -v rm -rf /"])
        .flags("-a -p -q -v --append --portability --quiet --verbose")
        .outputs("-o --output"),
    wrap("stdbuf", "-i -o -e --input --output --error", &["stdbuf -oL rm -rf /", "stdbuf -i 0 rm -rf /"]),
    wrap("unbuffer", "", &["unbuffer -p rm -rf /"]).flags("-p"),
    wrap("setsid", "", &["setsid -cf rm -rf /"]).flags("-c -f -w --ctty --fork --wait"),
    wrap("setarch", "", &["setarch x86_64 -R rm -rf /", "setarch -R rm -rf /"])
        .flags(SETARCH_FLAGS)
        .optional("-p --pid")
        .skip_some(Skip::FirstWord),
    wrap("linux32", "", &["linux32 rm -rf /"]).flags(SETARCH_FLAGS),
    wrap("linux64", "", &["linux64 -R rm -rf /"]).flags(SETARCH_FLAGS),
    wrap("i386", "", &["i386 rm -rf /"]).flags(SETARCH_FLAGS),
    wrap("x86_64", "", &["x86_64 rm -rf /"]).flags(SETARCH_FLAGS),
    wrap("uname26", "", &["uname26 rm -rf /"]).flags(SETARCH_FLAGS),
    wrap(
        "prlimit",
        "-p --pid -o --output",
        &["prlimit --nofile=10 rm -rf /", "prlimit -n10:20 rm -rf /"],
    )
    .optional("-c -d -e -f -i -l -m -n -q -r -s -t -u -v -x -y --core --data --nice --fsize --sigpending --memlock --rss --nofile --msgqueue --rtprio --stack --cpu --nproc --as --locks --rttime")
    .flags("--noheadings --raw --verbose")
    .idle("-p --pid"),
    wrap(
        "numactl",
        "-i -p -P -m -N -C -w --interleave --preferred --preferred-many --membind --cpunodebind --physcpubind --weighted-interleave",
        &["numactl -N 0 -m0 rm -rf /", "numactl --cpunodebind=0 rm -rf /"],
    )
    .flags("-l -a -b -s -H --localalloc --all --balancing --show --hardware"),
    wrap("cgexec", "-g", &["cgexec -g cpu:x rm -rf /"]).flags("--sticky -b"),
    wrap("choom", "-n --adjust -p --pid", &["choom -n 10 -- rm -rf /"]).idle("-p --pid"),
    wrap("cpulimit", "-l --limit -p --pid -e --exe -P --path", &["cpulimit -l 5 -- rm -rf /"])
        .flags("-z --lazy -i --include-children -v --verbose -b --background -f --foreground -q --quiet"),
    wrap(
        "runcon",
        "-r -t -u -l --role --type --user --range",
        &["runcon -t x_t rm -rf /", "runcon u:r:t:s0 rm -rf /"],
    )
    .flags("-c --compute")
    .skip_some(Skip::FirstWord),
    wrap("aa-exec", "-p --profile -n --namespace -f --file", &["aa-exec -p x -- rm -rf /"])
        .flags("-i --immediate -v --verbose -d --debug"),
    wrap("ip", "-n -netns --netns -b -batch -f -family -rc -rcvbuf", &["ip netns exec x rm -rf /"])
        .sub("netns exec")
        .skip(1)
        .privileged(),
    wrap("setuidgid", "", &["setuidgid nobody rm -rf /"]).skip(1).privileged(),
    wrap("s6-setuidgid", "", &["s6-setuidgid nobody rm -rf /"]).skip(1).privileged(),
    wrap("envdir", "", &["envdir ./env rm -rf /"]).skip(1),
    wrap("chpst", "-u -U -b -e -/ -C -n -l -L -m -d -o -p -f -c -r -t", &["chpst -u x rm -rf /"])
        .flags("-v -V -P -0 -1 -2"),
    wrap("tini", "-p -e", &["tini -s -- rm -rf /"]).flags("-s -w -g -v"),
    wrap("dumb-init", "-r --rewrite", &["dumb-init -c rm -rf /"]).flags("-c --single-child -v --verbose"),
    wrap("torsocks", "-u -p -P -a --user --pass --address --port", &["torsocks -i rm -rf /"]).flags("-i -d -q"),
    wrap("torify", "", &["torify rm -rf /"]).flags("-v -d -q"),
    wrap("proxychains", "-f", &["proxychains -q rm -rf /"]).flags("-q"),
    wrap("trickle", "-d -u -w -t -l -n", &["trickle -s -d 10 rm -rf /"]).flags("-s -v"),
    wrap("ifne", "", &["echo x | ifne rm -rf /"]).flags("-n"),
    wrap("rlwrap", "-b -C -D -e -f -F -H -l -M -O -p -P -q -s -S -t -U -w -W -z", &["rlwrap -c rm -rf /", "rlwrap -a rm -rf /"]).optional("-a").flags("-A -c -d -h -i -I -m -n -N -o -r -R -T -u -v -V -X"),
    wrap("gdb", "-ex -x -iex -ix -ex --command -s -e -c -p -d -cd", &["gdb -batch --args rm -rf /"]),
    wrap(
        "ld.so",
        "--library-path --preload --argv0 --inhibit-rpath --audit --glibc-hwcaps-prepend --glibc-hwcaps-mask",
        &["/lib64/ld-linux-x86-64.so.2 /bin/rm -rf /", "ld-linux.so.2 --library-path x /bin/rm -rf /"],
    )
    .flags("--list --verify --inhibit-cache --list-tunables --list-diagnostics"),
    wrap("daemonize", "-a -c -e -o -p -l -u -E", &["daemonize /bin/rm -rf /"]),
    wrap("daemon", "-n -u -r -D -U -L -N --name --user --chroot --chdir --umask --output --stdout --stderr --errlog --dbglog --pidfile", &["daemon -- rm -rf /"]),
    wrap("softlimit", "-a -c -d -f -l -m -o -p -r -s -t", &["softlimit -m 100 rm -rf /"]),
    wrap("logsave", "", &["logsave /dev/null rm -rf /"]).flags("-a -s -v").skip(1),
    wrap("tsp", "-L -N -E -D -W -S -C -K", &["tsp rm -rf /"]).flags("-n -f -m -d -B -g"),
    wrap("dbus-launch", "", &["dbus-launch rm -rf /"]).flags("--exit-with-session --sh-syntax --csh-syntax --auto-syntax"),
    wrap("systemd-nspawn", "-D -i -M -u -S -E --directory --image --machine --user --slice --setenv --bind --bind-ro --chdir", &["systemd-nspawn -D / rm -rf /"])
        .flags("-b -a -x -U -q -n --boot --as-pid2 --ephemeral --quiet --read-only"),
    wrap("xterm", TERMINAL, &["xterm -e 'rm -rf /'", "xterm -hold -e rm -rf /"]).flags("-hold -ls").text("-e").inner(Inner::Option),
    wrap("x-terminal-emulator", TERMINAL, &["x-terminal-emulator -e rm -rf /"]).text("-e").inner(Inner::Option),
    wrap("urxvt", TERMINAL, &["urxvt -e rm -rf /"]).flags("-hold").text("-e").inner(Inner::Option),
    wrap("konsole", "-p --profile --workdir -e", &["konsole -e rm -rf /"]).text("-e").inner(Inner::Option),
    wrap("alacritty", "-t -T -o -e --title --command --working-directory --config-file", &["alacritty -e rm -rf /"])
        .text("-e|--command")
        .inner(Inner::Option),
    wrap("gnome-terminal", "-e --command --title --profile --working-directory", &["gnome-terminal -- rm -rf /", "gnome-terminal -e 'rm -rf /'"])
        .text("-e|--command")
        .inner(Inner::Dashes),
    wrap("kitty", "-T -d -o -c --title --directory --override --config --session", &["kitty rm -rf /"]),
    wrap("catchsegv", "", &["catchsegv rm -rf /"]),
    wrap("coresched", "", &["coresched new -- rm -rf /"]).inner(Inner::Dashes),
    wrap("guix", "", &["guix shell x -- rm -rf /"]).sub("shell|environment").inner(Inner::Dashes),
    wrap("devbox", "-c --config -e --env", &["devbox run -- rm -rf /"]).sub("run"),
    wrap("distrobox", "-n --name", &["distrobox enter -n x -- rm -rf /"])
        .sub("enter")
        .inner(Inner::Dashes),
    wrap("zellij", "", &["zellij run -- rm -rf /"]).sub("run").inner(Inner::Dashes),
    wrap("dtach", "-e -r", &["dtach -n /tmp/s rm -rf /"]).flags("-a -A -c -n -N -p -E -z").skip(1),
    wrap("start-stop-daemon", "-x -a -n -u -p -c -g -d -r -N -k -s --exec --startas --name --user --pidfile --chuid --group --chdir --chroot --nicelevel --umask --signal", &["start-stop-daemon -S -x /bin/rm -- -rf /"])
        .flags("-S -K -T -H -b -m -o -q -t -v --start --stop --background"),
    wrap("command", "", &["command rm -rf /", "command -p rm -rf /"]).flags("-p -v -V").idle("-v -V"),
    wrap("builtin", "", &["builtin eval rm -rf /"]),
    wrap("exec", "-a", &["exec rm -rf /", "exec -la x rm -rf /"]).flags("-c -l"),
    wrap("nocorrect", "", &["nocorrect rm -rf /"]),
    wrap("noglob", "", &["noglob rm -rf /"]),
    wrap("busybox", "", &["busybox rm -rf /"]),
    wrap("toybox", "", &["toybox rm -rf /"]),
    wrap("chronic", "", &["chronic rm -rf /"]),
    wrap("caffeinate", "-t -w", &["caffeinate -dit 5 rm -rf /"]).flags("-d -i -m -s -u"),
    wrap("eatmydata", "", &["eatmydata rm -rf /"]),
    wrap("fakeroot", "-l -s -i -b --lib --faked", &["fakeroot -u rm -rf /"]).flags("-u --unknown-is-real"),
    wrap("faketime", "-p --pid --exclude", &["faketime -f yesterday rm -rf /"]).flags("-f -m").skip(1),
    wrap("firejail", "", &["firejail rm -rf /"]),
    wrap("proot", "-r -b -m -q -w -k -v -R -S --rootfs --bind --mount --qemu --pwd --cwd --kernel-release", &["proot -0 -b /x rm -rf /"]),
    wrap(
        "strace",
        "-a -b -e -E -I -o -O -p -P -s -S -u -U -X --attach --columns --env --output --string-limit --summary-sort-by --summary-columns --summary-syscall-overhead --trace-path --user --argv0 --detach-on --interruptible",
        &["strace -f rm -rf /", "strace -fe trace=file -o x rm -rf /", "strace -ffttTo x rm -rf /"],
    )
    .optional("--trace --abbrev --verbose --raw --read --write --fault --inject --kvm --status --signal --quiet --decode-fds --secontext --const-print-style --strings-in-hex --syscall-times --relative-timestamps --absolute-timestamps --timestamps --daemonize")
    .flags("-A -c -C -d -D -f -F -h -i -k -n -N -q -r -t -T -v -V -w -x -y -Y -z -Z --debug --follow-forks --output-separately --instruction-pointer --syscall-number --stack-trace --summary --summary-only --summary-wall-clock --no-abbrev --successful-only --failed-only --output-append-mode --seccomp-bpf --tips")
    .outputs("-o --output"),
    wrap(
        "ltrace",
        "-a -A -D -e -F -l -n -o -p -s -u -w -x -X --align --config --debug --library --output --indent --where",
        &["ltrace rm -rf /", "ltrace -fo x rm -rf /"],
    )
    .flags("-b -c -C -f -h -i -L -r -S -t -T -V --no-signals --demangle --help --version")
    .outputs("-o --output"),
    wrap(
        "perf",
        "-e -o -p -t -C -F -c -r -I -M -G -m -D --event --output --pid --tid --cpu --freq --count --repeat --interval-print --metrics --cgroup --delay --call-graph",
        &["perf stat rm -rf /", "perf stat -d -r 3 rm -rf /"],
    )
    .flags("-a -d -g -v -n -B -A -R -s -q -i --all-cpus --detailed --no-inherit --null --verbose")
    .outputs("-o --output")
    .sub("stat|record|trace|mem|lock|sched"),
    wrap("valgrind", "", &["valgrind rm -rf /"]).outputs("--log-file --xml-file"),
    wrap("xvfb-run", "-n -s -e -f -p -w --server-num --server-args --error-file --auth-file --xauth-protocol --wait", &["xvfb-run -as x rm -rf /"])
        .flags("-a -l -h --auto-servernum --listen-tcp"),
    wrap("dbus-run-session", "", &["dbus-run-session rm -rf /"]),
    wrap(
        "systemd-run",
        "-p -u -E -M -H -C --property --unit --slice --setenv --machine --host --capsule --service-type --uid --gid --nice --working-directory --description --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --path-property --socket-property --timer-property --background --job-mode",
        &["systemd-run rm -rf /", "systemd-run -tqp X=1 rm -rf /", "systemd-run --user --pty rm -rf /"],
    )
    .flags("-r -G -q -t -P -S -d -v --user --system --scope --remain-after-exit --send-sighup --collect --quiet --wait --pty --pty-late --pipe --shell --same-dir --no-block --no-ask-password --on-clock-change --on-timezone-change --slice-inherit --expand-environment --ignore-failure"),
    wrap("systemd-inhibit", "--what --who --why --mode", &["systemd-inhibit rm -rf /"]),
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
        "flock",
        "-w -E -c --timeout --wait --conflict-exit-code --command",
        &["flock /tmp/l rm -rf /", "flock -xn /tmp/l -c 'rm -rf /'", "flock -w5 /tmp/l rm -rf /"],
    )
    .flags("-s -x -e -n -u -o -F -h -V --shared --exclusive --nb --nonblock --nonblocking --unlock --close --no-fork --fcntl --verbose")
    .text("-c|--command")
    .skip(1),
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
    wrap("cross-env", "", &["cross-env A=1 rm -rf /"]),
    wrap("dotenv", "-f -e", &["dotenv rm -rf /", "dotenv -- rm -rf /"]),
    wrap("dotenvx", "-f", &["dotenvx run -- rm -rf /"]).sub("run"),
    wrap("op", "--env-file", &["op run -- rm -rf /"]).sub("run"),
    wrap("doppler", "-p -c --project --config", &["doppler run -- rm -rf /"]).sub("run"),
    wrap("infisical", "--env", &["infisical run -- rm -rf /"]).sub("run"),
    wrap("aws-vault", "", &["aws-vault exec prod -- rm -rf /"]).sub("exec").skip(1),
    wrap("direnv", "", &["direnv exec . rm -rf /"]).sub("exec").skip(1),
    wrap("mise", "-C --cd -E --env -j --jobs -c --command", &["mise exec -- rm -rf /", "mise x node@20 -- rm -rf /", "mise x -c 'rm -rf /'"])
        .sub("exec|x")
        .text("-c|--command")
        .inner(Inner::Dashes),
    wrap("tox", "-e -c --conf --workdir --root", &["tox exec -e py -- rm -rf /"]).sub("exec|e").inner(Inner::Dashes),
    wrap("lerna", "--scope --ignore --concurrency --since", &["lerna exec -- rm -rf /", "lerna exec rm -rf /"]).sub("exec"),
    wrap("nx", "", &["nx exec -- rm -rf /"]).sub("exec"),
    wrap("rbenv", "", &["rbenv exec rm -rf /"]).sub("exec"),
    wrap("pyenv", "", &["pyenv exec rm -rf /"]).sub("exec"),
    wrap("nodenv", "", &["nodenv exec rm -rf /"]).sub("exec"),
    wrap("jenv", "", &["jenv exec rm -rf /"]).sub("exec"),
    wrap("rvm", "", &["rvm do rm -rf /", "rvm 3.3 do rm -rf /"]).sub("do|exec|* do"),
    wrap("asdf", "", &["asdf exec rm -rf /"]).sub("exec"),
    wrap("volta", "--node", &["volta run rm -rf /"]).sub("run"),
    wrap("fnm", "--using", &["fnm exec rm -rf /"]).sub("exec"),
    wrap("nvm", "", &["nvm exec 20 rm -rf /"]).sub("exec|run").skip(1),
    wrap("poetry", "-C -P --directory --project", &["poetry run rm -rf /"]).sub("run"),
    wrap("uv", UV, &["uv run rm -rf /", "uv run --with x --no-sync rm -rf /", "uv tool run --from x rm -rf /"])
        .sub("run|tool run"),
    wrap("uvx", UV, &["uvx rimraf /"]),
    wrap("pipx", "--spec --python", &["pipx run rimraf /"]).sub("run"),
    wrap("pipenv", "", &["pipenv run rm -rf /"]).sub("run"),
    wrap("pdm", "-p -c --project --config -L --lockfile", &["pdm run rm -rf /"]).sub("run"),
    wrap("hatch", "-e -p --env --project --data-dir --cache-dir --config", &["hatch run rm -rf /"]).sub("run"),
    wrap("rye", "", &["rye run rm -rf /"]).sub("run"),
    wrap("pixi", "-e --environment --manifest-path --color", &["pixi run rm -rf /"]).sub("run"),
    wrap("conda", "-n -p --name --prefix --cwd", &["conda run -n x rm -rf /"]).sub("run"),
    wrap("mamba", "-n -p --name --prefix", &["mamba run -n x rm -rf /"]).sub("run"),
    wrap("micromamba", "-n -p", &["micromamba run -n x rm -rf /"]).sub("run"),
    wrap("bundle", "--gemfile", &["bundle exec rm -rf /"]).sub("exec"),
    wrap("npx", "-p --package -c --call -w --workspace --prefix --cache --registry --userconfig", &["npx rimraf /", "npx -y rimraf /", "npx -yc 'rm -rf /'"])
        .flags("-y --yes --no -q --quiet --no-install --ignore-existing --prefer-offline --offline -ws --workspaces")
        .text("-c|--call"),
    wrap("shx", "", &["shx rm -rf /", "npx shx rm -rf /"]),
    wrap("bunx", "", &["bunx rimraf /"]),
    wrap("pnpx", "--package", &["pnpx rimraf /", "pnpx -c 'rm -rf /'"]).flags("-c --shell-mode --silent"),
    wrap("npm", "-p --package --prefix -w --workspace -c --call -C", &["npm exec rimraf /", "npm exec -- rimraf /", "npm x --call='rm -rf /'", "npm explore x -- rm -rf /"])
        .flags("-y --yes -ws --workspaces")
        .text("-c|--call")
        .sub("exec|x|explore *"),
    wrap("pnpm", "-C --dir --filter -F --package", &["pnpm exec rimraf /", "pnpm -r exec rimraf /", "pnpm exec -c 'rm -rf /'"])
        .flags("-r -c --recursive --parallel --shell-mode -w --workspace-root --silent")
        .sub("exec|dlx"),
    wrap("yarn", "--cwd -p --package", &["yarn exec rimraf /", "yarn dlx -p x rimraf /", "yarn workspace x exec rm -rf /", "yarn workspaces foreach -A exec rm -rf /", "yarn -s exec 'rm -rf /'"])
        .flags("-s --silent -q --quiet -A --all -W -v -i -t -R --parallel --recursive --worktree --verbose --interlaced --topological")
        .sub("exec|dlx|workspace * exec|workspace * dlx|workspaces foreach exec"),
    wrap("bun", "", &["bun x rimraf /"]).sub("x"),
    wrap("xcrun", "--sdk", &["xcrun rm -rf /"]),
    wrap("arch", "", &["arch -x86_64 rm -rf /"]),
    wrap("wine", "", &["wine rm -rf /"]),
    wrap("wsl", "-d -u --cd --distribution --user -e --exec", &["wsl -d Ubuntu rm -rf /"]),
    wrap("rtk", "", &["rtk rm -rf /"]),
    wrap("sem", "-j", &["sem rm -rf /"]).inner(Inner::Shell),
    wrap("watch", "-n -q -s --interval --equexit --shotsdir", &["watch -n 1 rm -rf /", "watch 'rm -rf /'", "watch -dn1 rm -rf /", "watch -x rm -rf /"])
        .optional("--differences")
        .flags("-b -c -C -d -e -f -g -h -p -r -t -v -w -x --beep --color --no-color --errexit --chgexit --precise --no-rerun --no-title --no-wrap --exec --follow").inner(Inner::Shell),
    wrap(
        "hyperfine",
        "-w -r -m -M -s -P -D -c -C -S -i -u --warmup --runs --min-runs --max-runs --setup --conclude --cleanup --parameter-scan:3 --parameter-step-size --parameter-list:2 --command-name --shell --ignore-failure --style --sort --time-unit --input --output --min-benchmarking-time -p --prepare --export-json --export-markdown --export-csv --export-asciidoc --export-orgmode -n -L",
        &["hyperfine 'rm -rf /'"],
    )
    .outputs("--export-json --export-markdown --export-csv --export-asciidoc --export-orgmode")
    .inner(Inner::Shell),
    wrap("entr", "", &["ls | entr rm -rf /", "ls | entr -cs 'rm -rf /'"]).flags("-a -c -d -n -p -r -s -x -z"),
    wrap("watchexec", "-w -e -i -f --watch --exts --filter --ignore", &["watchexec -e rs rm -rf /"])
        .inner(Inner::Shell),
    wrap("nodemon", "-w -e -x -i -d -C --watch --ext --ignore --exec --delay --signal --cwd", &["nodemon --exec 'rm -rf /'"])
        .text("-x|--exec")
        .inner(Inner::Option),
    wrap("concurrently", "-n -c --names", &["concurrently 'rm -rf /'"]).inner(Inner::Shell),
    wrap(
        "script",
        "-O -I -B -T -m -E -o -c --command --echo --log-out --log-in --log-io --log-timing --logging-format --output-limit",
        &["script -qc 'rm -rf /' /dev/null", "script -qec'rm -rf /' x", "script --comm='rm -rf /'", "script -q /dev/null rm -rf /"],
    )
    .optional("-t --timing")
    .flags("-a -e -f -q -h -V --append --return --flush --force --quiet")
    .outputs("-O -I -B -T --log-out --log-in --log-io --log-timing")
    .text("-c|--command")
    .inner(Inner::Option),
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
    wrap("nix-shell", "-p -I -i -A --run --command --packages --attr --arg:2 --argstr:2 --keep --option:2", &["nix-shell --run 'rm -rf /'", "nix-shell -p x --command='rm -rf /'"])
        .flags("--pure --impure")
        .text("--run|--command")
        .inner(Inner::Option),
    wrap("nix", "", &["nix develop -c rm -rf /", "nix shell nixpkgs#x --command rm -rf /"])
        .sub("develop|shell"),
    wrap("cargo", "-w -i -d -s -x --shell --exec --watch --ignore --delay", &["cargo watch -s 'rm -rf /'", "cargo watch -qcs 'rm -rf /'"])
        .flags("-q -c --clear --quiet --why --poll --postpone")
        .text("-s|--shell")
        .sub("watch")
        .inner(Inner::Option),
    wrap("vagrant", "-c --command", &["vagrant ssh -c 'rm -rf /'", "vagrant ssh box -c'rm -rf /'"])
        .sub("ssh")
        .text("-c|--command")
        .inner(Inner::Option)
        .site(Site::Remote),
    wrap(
        "docker",
        DOCKER_RUN,
        &[
            "docker exec web rm -rf /",
            "docker run --rm -v /x:/y alpine rm -rf /",
            "docker container exec web rm -rf /",
            "docker run -itv /x:/y alpine rm -rf /",
            "docker run --rm --entrypoint sh alpine -c 'rm -rf /'",
        ],
    )
    .flags(DOCKER_FLAGS)
    .sub("run|exec|container run|container exec")
    .skip(1)
    .site(Site::Container),
    wrap("podman", DOCKER_RUN, &["podman run --rm alpine rm -rf /"])
        .flags(DOCKER_FLAGS)
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("nerdctl", DOCKER_RUN, &["nerdctl run alpine rm -rf /"])
        .flags(DOCKER_FLAGS)
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("docker-compose", DOCKER_RUN, &["docker-compose exec db rm -rf /"])
        .flags(DOCKER_FLAGS)
        .sub("run|exec")
        .skip(1)
        .site(Site::Container),
    wrap("kubectl", "-n --namespace -c --container --context -f", &["kubectl exec -it pod -- rm -rf /", "kubectl debug node/x -it --image=alpine -- rm -rf /"])
        .sub("exec|debug|run")
        .inner(Inner::Dashes)
        .site(Site::Container),
    wrap("oc", "-n --namespace -c", &["oc exec pod -- rm -rf /"])
        .sub("exec|rsh")
        .inner(Inner::Dashes)
        .site(Site::Container),
    wrap("lxc", "", &["lxc exec c -- rm -rf /"]).sub("exec").inner(Inner::Dashes).site(Site::Container),
    wrap("heroku", "-a --app", &["heroku run -a x rm -rf /"]).sub("run").site(Site::Remote),
    wrap(
        "ssh",
        SSH,
        &["ssh host rm -rf /", "ssh -i k user@host 'rm -rf /'", "ssh -tp 22 host rm -rf /", "ssh host -p22 -- rm -rf /"],
    )
    .flags(SSH_FLAGS)
    .skip(1)
    .inner(Inner::Shell)
    .site(Site::Remote),
    wrap("mosh", "--ssh -p --port --client --server --predict --family --bind-server", &["mosh host -- rm -rf /"]).skip(1).site(Site::Remote),
    wrap("autossh", "-M -B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w", &["autossh -M 0 host rm -rf /"])
        .flags(SSH_FLAGS)
        .skip(1)
        .inner(Inner::Shell)
        .site(Site::Remote),
    wrap("sshpass", "-p -f -d -P", &["sshpass -p x ssh host rm -rf /", "sshpass -px ssh host rm -rf /"]).optional("-e").flags("-v -h -V"),
];

/// Returns the wrapper of this name.
pub(crate) fn find(name: &str) -> Option<&'static Wrapper> {
    let mut at = super::index::hash(name.as_bytes()) % SLOTS;
    while SLOTS_OF_NAMES[at] != EMPTY {
        let wrapper = &WRAPPERS[usize::from(SLOTS_OF_NAMES[at])];
        if wrapper.name == name {
            return Some(wrapper);
        }
        at = (at + 1) % SLOTS;
    }
    None
}

/// Slots of the open hash table; a power of two, about twice the number of wrappers.
const SLOTS: usize = 512;

/// A slot without a wrapper.
const EMPTY: u8 = u8::MAX;

static SLOTS_OF_NAMES: [u8; SLOTS] = {
    let mut slots = [EMPTY; SLOTS];
    let mut row = 0;
    while row < WRAPPERS.len() {
        assert!(row < EMPTY as usize, "more wrappers than a slot can name");
        let mut at = super::index::hash(WRAPPERS[row].name.as_bytes()) % SLOTS;
        while slots[at] != EMPTY {
            at = (at + 1) % SLOTS;
        }
        #[expect(clippy::cast_possible_truncation, reason = "asserted above")]
        let position = row as u8;
        slots[at] = position;
        row += 1;
    }
    slots
};
