//! Programs that run the text that is typed into them.
//!
//! WHY: a host may let its agent type into a running command without announcing it. The guard reads
//! `bash`, finds nothing to object to, and never sees the `rm -rf ~` that is typed next. So on such a
//! host a command must not open a program that runs its terminal input.

use super::{Call, Walker};
use crate::code::Language;
use crate::guard::RuleId;
use crate::place::TypedInput;
use crate::programs::Args;
use crate::programs::options::Spec;
use crate::programs::wrappers::{self, Wrapper};
use crate::reading::{Origin, Span};
use crate::text::{Taint, Text};

/// A program that runs commands its user types, and the calls of it that end by themselves.
struct Prompt {
    /// Names, separated by `|`.
    names: &'static str,
    /// Options that give it its work, separated by `|`.
    batch: &'static str,
    /// Options that take a value, separated by spaces.
    values: &'static str,
    /// When a call without such an option waits for input.
    waits: Waits,
    /// Where it reads commands from.
    keys: Keys,
}

/// Where a program reads the commands that a person types.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    /// Standard input, so a pipe or a file in its place leaves nothing to type.
    Input,
    /// The terminal, whatever standard input is.
    Terminal,
}

/// When a program waits for commands.
#[derive(Clone, Copy)]
enum Waits {
    /// With fewer operands than this: the others hold its work.
    Below(usize),
    /// Whatever its operands are.
    Always,
    /// If its first operand is one of these words, separated by `|`.
    At(&'static str),
    /// Unless its first operand is one of these words, separated by `|`: then another program of that name is meant.
    NotAt(&'static str),
    /// If one of these options, separated by `|`, precedes its first operand.
    With(&'static str),
}

use Waits::{Always, At, Below, NotAt, With};

const fn prompt(names: &'static str, batch: &'static str, values: &'static str, waits: Waits) -> Prompt {
    Prompt { names, batch, values, waits, keys: Keys::Input }
}

const fn screen(names: &'static str, batch: &'static str, values: &'static str) -> Prompt {
    Prompt { names, batch, values, waits: Always, keys: Keys::Terminal }
}

/// Programs beyond the shells and languages that [`Walker::interpreter`] follows.
#[rustfmt::skip]
static PROMPTS: &[Prompt] = &[
    // Read-eval-print loops and lesser shells.
    prompt("pry|bpython|ptpython|utop|ghci|jshell|groovysh|evcxr|gore|yaegi|nbb|bb|clj|clojure|ocaml|sbcl|clisp|ecl|guile|racket|gosh|scheme|mit-scheme|csi|swipl|gprolog|coqtop|idris2|tclsh|wish|expect|erl|scala|kotlin|kotlinc|octave|gp|maxima|sage|R|swift|dc|rc|es|ion|murex",
           "-e|--eval|-c|-f|--exec|--script|-noshell|--load", "-e --eval -c -f --exec --script --load", Below(1)),
    prompt("iex", "--version|-v", "-S -e -r --eval --sname --name --cookie", Always),
    prompt("stack|cabal", "", "", At("repl|ghci")),
    prompt("sbt", "", "", At("|console|consoleQuick|shell")),
    prompt("rebar3|flask|django-admin", "-c|--command", "-c --command --app", At("shell|shell_plus|dbshell")),
    prompt("gnuplot|m4", "-e", "-e", Below(1)),
    prompt("docker|podman|nerdctl|kubectl", "", "-n --namespace --context -c --container", At("attach")),
    prompt("jupyter", "", "", At("console|qtconsole")),
    prompt("rails|bundle|hanami", "", "", At("console|c|dbconsole|db")),
    prompt("manage.py", "-c|--command", "-c --command", At("shell|shell_plus|dbshell")),
    prompt("artisan", "--execute", "--execute", At("tinker")),
    prompt("lein|bun|deno|cargo-script", "", "", At("repl")),
    prompt("poetry|pipenv|hatch|devbox|guix|flox", "-c|--command", "-c --command", At("shell")),
    prompt("nix", "-c|--command", "-c --command", At("repl|develop|shell")),
    prompt("nix-shell", "--run|--command", "--run --command -p -A", Always),
    // Languages that stay after their script or instead of it.
    prompt("python|python2|python3|pypy|pypy3|ipython", "", "", With("-i")),
    prompt("node|nodejs|ts-node", "", "", With("-i|--interactive")),
    prompt("php", "", "", With("-a|--interactive")),
    prompt("lua|luajit|julia", "", "", With("-i")),
    prompt("perl", "", "", With("-d")),
    // Debuggers.
    prompt("gdb|lldb|cgdb|jdb|pdb|ipdb|pudb|bashdb", "-batch|--batch|-c|-b", "-ex -x -c -eval-command --eval-command", Always),
    prompt("dlv", "-c", "-c", At("debug|test|exec|attach|core|connect")),
    // Database clients: most of them can start a shell.
    prompt("psql|pgcli", "-c|-f|-l|--command|--file|--list", "-c -f -d -U -h -p -o -v -F --command --file --dbname --username --host --port --output --set", Always),
    prompt("mysql|mariadb|mycli|mysqlsh", "-e|--execute|-f|--file", "-e -u -h -P -D --execute --user --host --port --database -f --file", Always),
    prompt("sqlite3|sqlite|duckdb|litecli", "-cmd|-c|-e", "-cmd -init -separator -c -e", Below(2)),
    prompt("sqlcmd|snowsql|cqlsh|clickhouse-client|cypher-shell|usql", "-Q|-q|-i|-f|-e|--query|--execute|--file|-c", "-Q -q -i -f -e --query --execute --file -S -U -P -d -c", Always),
    prompt("mongosh|mongo", "--eval|--file|-f", "--eval --file -f --host --port -u -p", Below(2)),
    prompt("redis-cli|valkey-cli", "--eval|-x|--pipe|--scan|--stat|--bigkeys", "-h -p -a -n -u --eval", Below(1)),
    prompt("ed|red|ex", "-c", "-c -p", Always),
    // Editors, pagers and file managers start a shell at a key.
    screen("vi|vim|nvim|view|vimdiff|nano|pico|micro|helix|hx|kak|joe|mcedit|emacs|jed|vile",
           "-es|-Es|--headless|--batch|-batch|-script|--script", "-S -u -U -i -T -t -q -s -c --cmd --eval --script"),
    screen("less|more|most|pg|w3m|lynx|links|elinks", "-dump|-dump_source", "-o"),
    // MinIO's client has the name of Midnight Commander.
    Prompt { names: "mc", batch: "", values: "", keys: Keys::Terminal,
             waits: NotAt("admin|alias|anonymous|batch|cat|cp|diff|du|event|find|get|head|ilm|ls|mb|mirror|mv|ping|pipe|put|rb|ready|replicate|retention|rm|share|sql|stat|support|tag|tree|undo|version|watch") },
    screen("ranger|nnn|lf|vifm|yazi|lazygit|tig|gitui|k9s|lazydocker|ncdu|broot", "-o|-e", "-o -e"),
    // Terminals within the terminal.
    prompt("tmux", "-d", "-s -t -n -c -f -L -S", At("|attach|attach-session|a|at|new|new-session")),
    prompt("screen|byobu|zellij", "-ls|-list|-X|-dm|-dmS", "-S -p", Below(1)),
    prompt("script", "-c|--command", "", Below(2)),
    // Another user's shell, another root's, another machine's.
    prompt("sudo|doas", "", "", With("-s|-i|-e|--shell|--login|--edit")),
    prompt("run0|fakeroot|proot", "", "", Below(1)),
    prompt("systemd-run", "", "", With("-S|--shell")),
    prompt("machinectl", "", "", At("shell|login")),
    prompt("sudoedit|vipw|vigr|visudo", "-c|-V", "-f", Always),
    prompt("pwsh|powershell|cmd|wsl", "-l|--list|--status", "", Below(1)),
    prompt("su|runuser", "-c|--command|--session-command", "", Always),
    prompt("newgrp|login", "", "", Always),
    prompt("pkexec|unshare|nsenter", "", "", Below(1)),
    prompt("chroot", "", "", Below(2)),
    prompt("ssh|autossh", "-N|-V|-G|-Q|-O|-f|-W", "", Below(2)),
    prompt("mosh|telnet|rlogin|rsh", "", "-p -l", Below(2)),
    prompt("ftp|sftp|lftp|tftp|smbclient", "-b|-c|-f|-e", "-b -c -f -e -P -p -i -o -U", Always),
];

impl Walker<'_> {
    /// Records that `call` runs typed text, unless its input is given or the host announces every input.
    pub(super) fn prompts(&mut self, call: &Call) {
        if self.state.typed == TypedInput::Announced {
            return;
        }
        let Some(prompt) = PROMPTS.iter().find(|row| row.names.split('|').any(|name| name == call.name))
        else {
            return;
        };
        if prompt.keys == Keys::Input && self.state.stdin.is_some() {
            return;
        }
        let args = Args::read(call.rest(), spec_of(prompt, &call.name), matches!(prompt.waits, With(_)));
        let ends_by_itself = args.has("--help|--version")
            || !prompt.batch.is_empty() && args.has(prompt.batch)
            || quits(call.rest())
            // Servers of git answer there, not shells.
            || args.word(0).starts_with("git@");
        let waits = match prompt.waits {
            Below(enough) => args.operands.len() < enough,
            Always => true,
            At(words) => words.split('|').any(|word| word == args.word(0)),
            NotAt(words) => words.split('|').all(|word| word != args.word(0)),
            With(options) => args.has(options),
        };
        if waits && !ends_by_itself {
            self.runs_typed(call);
        }
    }

    /// Follows a program that a setting names: its caller gives it arguments and input.
    pub(crate) fn named_program(&mut self, text: &str, span: Span, setting: &str) {
        self.subshell(|walker| {
            walker.state.stdin = Some(Text::unknown("$_input", Taint::PRINTED));
            walker.text(text, span, Origin::Text(setting.to_owned()));
        });
    }

    /// Follows a setting for later commands: nothing opens yet.
    pub(crate) fn later<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let typed = std::mem::take(&mut self.state.typed);
        let result = inner(self);
        self.state.typed = typed;
        result
    }

    /// Returns whether a command could run text from the terminal that no hook sees.
    pub(crate) fn may_be_typed_into(&self) -> bool {
        self.state.typed == TypedInput::Unannounced && self.state.stdin.is_none()
    }

    /// Records that `call` runs text from the terminal.
    pub(crate) fn runs_typed(&mut self, call: &Call) {
        if self.state.typed == TypedInput::Unannounced {
            self.risk(RuleId::InteractiveProgram, call.argv[0].text.clone(), call.span);
        }
    }
}

/// Returns the options of a program: those of the wrappers and languages where it is one, else the row's.
fn spec_of(prompt: &'static Prompt, name: &str) -> Spec<'static> {
    wrappers::find(name)
        .filter(|wrapper| wrapper.sub.is_empty())
        .map(Wrapper::spec)
        .or_else(|| Language::of_program(name).map(|language| language.grammar().spec))
        .unwrap_or(Spec { values: prompt.values, is_partial: true, ..Spec::default() })
}

/// Returns whether an argument makes an editor leave: `-c wq`, `+qa!`. A file may have any name, `x` too.
fn quits(words: &[Text]) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let is_value = at > 0 && matches!(words[at - 1].text.as_str(), "-c" | "--cmd" | "-ex" | "-o");
        (is_value || word.text.starts_with('+')) && leaves(&word.text)
    })
}

fn leaves(word: &str) -> bool {
    let command = word.trim_start_matches(['+', ':']).trim_end_matches('!');
    let last = command.rsplit('|').next().unwrap_or(command).trim();
    matches!(
        last,
        "q" | "qa" | "qall" | "quit" | "quitall" | "wq" | "wqa" | "wqall" | "x" | "xa" | "xall" | "cq"
    )
}
