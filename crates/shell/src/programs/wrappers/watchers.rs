//! Programs that run commands again and again, side by side, or when files change.

use super::{Inner, Wrapper, wrap};

pub(super) static ROWS: &[Wrapper] = &[
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
    wrap("cargo", "-w -i -d -s -x --shell --exec --watch --ignore --delay", &["cargo watch -s 'rm -rf /'", "cargo watch -qcs 'rm -rf /'"])
        .flags("-q -c --clear --quiet --why --poll --postpone")
        .text("-s|--shell")
        .sub("watch")
        .inner(Inner::Option),
];
