//! Programs that run another one in a terminal or on a display.

use super::{Inner, Wrapper, wrap};

const TERMINAL: &str = "-e -T -title -n -name -fn -fa -fs -fg -bg -geometry -sl";

pub(super) static ROWS: &[Wrapper] = &[
    wrap("unbuffer", "", &["unbuffer -p rm -rf /"]).flags("-p"),
    wrap("rlwrap", "-b -C -D -e -f -F -H -l -M -O -p -P -q -s -S -t -U -w -W -z", &["rlwrap -c rm -rf /", "rlwrap -a rm -rf /"]).optional("-a").flags("-A -c -d -h -i -I -m -n -N -o -r -R -T -u -v -V -X"),
    wrap("dbus-launch", "", &["dbus-launch rm -rf /"]).flags("--exit-with-session --sh-syntax --csh-syntax --auto-syntax"),
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
    wrap("zellij", "", &["zellij run -- rm -rf /"]).sub("run").inner(Inner::Dashes),
    wrap("dtach", "-e -r", &["dtach -n /tmp/s rm -rf /"]).flags("-a -A -c -n -N -p -E -z").skip(1),
    wrap("xvfb-run", "-n -s -e -f -p -w --server-num --server-args --error-file --auth-file --xauth-protocol --wait", &["xvfb-run -as x rm -rf /"])
        .flags("-a -l -h --auto-servernum --listen-tcp"),
    wrap("dbus-run-session", "", &["dbus-run-session rm -rf /"]),
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
];
