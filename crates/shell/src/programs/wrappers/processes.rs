//! Programs that run another one with other limits, priorities, variables or signals, or under a tracer.

use super::{Inner, Skip, Wrapper, wrap};

const SETARCH_FLAGS: &str = "-B -F -I -L -R -S -T -X -Z -3 -v -h -V --32bit --fdpic-funcptrs --short-inode --addr-compat-layout --addr-no-randomize --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 --verbose --list --show";

pub(super) static ROWS: &[Wrapper] = &[
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
    wrap("ip", "-n -netns --netns -b -batch -f -family -rc -rcvbuf", &["ip netns exec x rm -rf /"])
        .sub("netns exec")
        .skip(1)
        .privileged(),
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
    wrap("gdb", "-ex -x -iex -ix -ex --command -s -e -c -p -d -cd", &["gdb -batch --args rm -rf /"])
        .flags("-nx -nh -n -q -quiet -silent -batch -batch-silent -nw -w -tui --nx --nh --quiet --silent --batch --nowindows --tui"),
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
    wrap("ssh-agent", "-a -E -O -P -t", &["ssh-agent rm -rf /", "ssh-agent -t 60 rm -rf /"])
        .flags("-c -D -d -s -k")
        .idle("-k"),
    wrap("rustup", "", &["rustup run nightly rm -rf /"]).flags("-v -q --install --verbose --quiet").sub("run").skip(1),
    wrap("sbatch", "-J -o -e -t -p -n -N -c -A --wrap", &["sbatch --wrap='rm -rf /'", "sbatch -J x --wrap 'rm -rf /'"])
        .text("--wrap")
        .inner(Inner::Option),
    wrap("tsp", "-L -N -E -D -W -S -C -K", &["tsp rm -rf /"]).flags("-n -f -m -d -B -g"),
    wrap("catchsegv", "", &["catchsegv rm -rf /"]),
    wrap("coresched", "", &["coresched new -- rm -rf /"]).inner(Inner::Dashes),
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
    wrap("faketime", "-p --pid --exclude", &["faketime -f yesterday rm -rf /"]).flags("-f -m").skip(1),
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
    wrap(
        "systemd-run",
        "-p -u -E -M -H -C --property --unit --slice --setenv --machine --host --capsule --service-type --uid --gid --nice --working-directory --description --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --path-property --socket-property --timer-property --background --job-mode",
        &["systemd-run rm -rf /", "systemd-run -tqp X=1 rm -rf /", "systemd-run --user --pty rm -rf /"],
    )
    .flags("-r -G -q -t -P -S -d -v --user --system --scope --remain-after-exit --send-sighup --collect --quiet --wait --pty --pty-late --pipe --shell --same-dir --no-block --no-ask-password --on-clock-change --on-timezone-change --slice-inherit --expand-environment --ignore-failure"),
    wrap("systemd-inhibit", "--what --who --why --mode", &["systemd-inhibit rm -rf /"]),
    wrap(
        "flock",
        "-w -E -c --timeout --wait --conflict-exit-code --command",
        &["flock /tmp/l rm -rf /", "flock -xn /tmp/l -c 'rm -rf /'", "flock -w5 /tmp/l rm -rf /"],
    )
    .flags("-s -x -e -n -u -o -F -h -V --shared --exclusive --nb --nonblock --nonblocking --unlock --close --no-fork --fcntl --verbose")
    .text("-c|--command")
    .skip(1),
    wrap("arch", "", &["arch -x86_64 rm -rf /"]),
];
