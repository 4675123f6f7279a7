//! Unwraps programs that run another program.

mod words;

use super::invoke::quote;
use super::{Call, Walker};
use crate::code::Language;
use crate::guard::RuleId;
use crate::programs::options::{Found, Item, Options};
use crate::programs::wrappers::{self, Inner, Skip, Wrapper};
use crate::reading::{Class, Doubt, Origin, Site};
use crate::text::{Taint, Text};
use words::{changes_by_itself, is_question, never_prompts, only_asks};

impl Walker<'_> {
    /// Follows a wrapper. Returns `None` if the call is not a wrapper, or wraps nothing.
    pub(super) fn wrapper(&mut self, call: &Call) -> Option<Text> {
        match call.name.as_str() {
            "xargs" | "parallel" => return Some(self.xargs(call)),
            "find" | "fd" | "fdfind" => {
                self.find_commands(call);
                return None;
            }
            "tmux" | "screen" => return self.terminal(call),
            _ => {}
        }
        let wrapper = wrappers::find(&call.name)?;
        let Some(rest) = behind_subcommand(wrapper, call) else {
            // Its subcommand may stand behind an option whose value is not known as one.
            if call.rest().first().is_some_and(|word| word.text.starts_with('-')) {
                self.guess(call.rest(), usize::MAX, call);
            }
            return None;
        };
        let is_privileged = wrapper.privilege && !only_asks(wrapper, rest);
        // Without a password, and only to look: judged when it is known what runs.
        let may_only_look = wrapper.name == "sudo" && never_prompts(rest);
        let first = self.n_commands();
        self.reading.privilege |= is_privileged;
        if is_privileged && !may_only_look {
            self.risk(RuleId::Privilege, call.name.clone(), call.span);
        }
        if wrapper.site == Site::Remote {
            self.reading.network = true;
            if self.state.stdin.as_ref().is_some_and(|input| input.taint.has(Taint::SECRET)) {
                self.risk(RuleId::SecretExfiltration, call.name.clone(), call.span);
            }
            let host = |word: &Text| word.text.rsplit('@').next().is_some_and(crate::programs::is_stranger);
            if self.state.stdin.as_ref().is_some_and(|input| input.taint.has(Taint::WORKSPACE))
                && call.name == "ssh"
                && rest.iter().any(|word| !word.text.contains([' ', '/', '=']) && host(word))
            {
                self.risk(RuleId::UploadWorkspace, call.name.clone(), call.span);
            }
        }
        if matches!(wrapper.name, "docker" | "podman" | "nerdctl" | "docker-compose") {
            self.container_options(wrapper, rest, call);
        }
        if matches!(wrapper.name, "ssh" | "autossh") {
            self.ssh_options(call);
        }
        if changes_by_itself(wrapper, call) {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Effects, call.name.clone(), call.span);
        }
        let output = self.unwrap(wrapper, rest, call);
        let looks = self.reading.commands.get(first..).is_some_and(|inner| {
            !inner.is_empty() && inner.iter().all(|command| command.class == Class::ReadOnly)
        });
        if is_privileged && may_only_look && !looks {
            self.risk(RuleId::Privilege, call.name.clone(), call.span);
        }
        let output = output?;
        if wrapper.site == Site::Remote && !output.is_known() {
            let mut output = output;
            output.taint = output.taint.with(Taint::FETCHED);
            return Some(output);
        }
        Some(output)
    }

    /// Reads the options of a wrapper and follows its inner command. Returns `None` if it runs nothing known.
    fn unwrap(&mut self, wrapper: &'static Wrapper, rest: &[Text], call: &Call) -> Option<Text> {
        let variables = self.state.variables.clone();
        let folder = self.state.cwd.clone();
        let found = self.wrapped(wrapper, rest, call);
        let output = self.follow(wrapper, &found, rest, call);
        if found.is_guess {
            self.guess(rest, found.at, call);
        }
        self.state.variables = variables;
        self.state.cwd = folder;
        output
    }

    /// Finds the inner command behind the options and operands of a wrapper.
    fn wrapped(&mut self, wrapper: &'static Wrapper, rest: &[Text], call: &Call) -> Wrapped {
        let mut found =
            Wrapped { at: rest.len(), shell: wrapper.inner == Inner::Shell, ..Wrapped::default() };
        let mut n_operands = 0;
        let mut options = Options::new(rest, wrapper.spec());
        while let Some(item) = options.next() {
            let at = match item {
                Item::Operand(at) => at,
                Item::Option(option) => {
                    found.is_idle |= option.is_of(wrapper.idle);
                    found.is_guess |= !option.is_known;
                    self.wrapper_option(wrapper, option, &mut found, call);
                    // The next words are split off the value, or are the command even if they look like options.
                    if found.rest_is_inner {
                        found.at = options.next_word();
                        break;
                    }
                    continue;
                }
            };
            let word = &rest[at];
            let is_skipped = match wrapper.skip {
                // `runuser USER -c …`, but `runuser -u USER COMMAND`.
                _ if wrapper.name == "runuser" => n_operands == 0 && !found.names_user,
                Skip::Operands(n) => n_operands < n,
                Skip::Number => {
                    n_operands == 0 && word.text.starts_with(|first: char| first.is_ascii_digit())
                }
                Skip::FirstWord => at == 0,
            };
            if wrapper.inner == Inner::Option {
                found.operands.push(at);
            } else if wrapper.inner == Inner::Dashes && !options.has_ended() || wrapper.name == "nix" {
                // Only the words behind `--` or `--command` run.
            } else if is_assignment(&word.text) && takes_assignments(wrapper.name) {
                self.assign_word(word, call);
            } else if word.text == "-" && n_operands == 0 && matches!(wrapper.name, "env" | "runuser") {
                // `env -` is `env -i`, `runuser -` is `runuser -l`.
            } else if is_skipped {
                n_operands += 1;
                // Behind an image stand words for the container.
                if wrapper.site == Site::Container {
                    found.at = options.at();
                    break;
                }
            } else {
                found.at = at;
                break;
            }
        }
        found
    }

    /// Takes note of one option of a wrapper.
    fn wrapper_option(
        &mut self,
        wrapper: &'static Wrapper,
        option: Found<'_>,
        found: &mut Wrapped,
        call: &Call,
    ) {
        let is_folder = match wrapper.name {
            "env" | "make" | "uv" | "uvx" => option.is("-C|--chdir|--directory"),
            "sudo" | "run0" => option.is("-D|--chdir"),
            "unshare" | "proot" => option.is("-w|--wd|--pwd|--cwd"),
            "npm" | "pnpm" | "yarn" => option.is("-C|--dir|--cwd|--prefix"),
            _ => option.is("--chdir|--working-directory"),
        };
        found.shell |= match wrapper.name {
            "pnpm" | "pnpx" | "yarn" => option.is("-c|--shell-mode"),
            "entr" => option.is("-s"),
            "sudo" | "doas" => option.is("-s|-i|--shell|--login"),
            _ => false,
        };
        found.rest_is_inner |= match wrapper.name {
            "env" => option.is("-S|--split-string"),
            "nix" => option.is("-c|--command"),
            "gdb" => option.is("--args|-args"),
            _ => false,
        };
        found.names_user |= wrapper.name == "runuser" && option.is("-u|--user");
        let is_output = option.is_of(wrapper.outputs);
        let is_text = option.is(wrapper.text);
        let is_folder = is_folder && wrapper.site == Site::Local;
        let starts = wrapper.name == "start-stop-daemon" && option.is("-x|-a|--exec|--startas");
        let enters = wrapper.site == Site::Container && option.is("--entrypoint")
            || wrapper.name == "flatpak" && option.is("--command");
        let is_shell = wrapper.name == "su" && option.is("-s|--shell");
        let connects = wrapper.name == "mosh" && option.is("--ssh");
        // Behind the program all further words are its own.
        let is_terminal = wrapper.inner == Inner::Option && wrapper.text.starts_with("-e") && is_text;
        found.rest_is_inner |= is_terminal;
        let workdir = wrapper.site == Site::Container && option.is("-w|--workdir");
        let gdb = wrapper.name == "gdb" && option.is("-ex|-iex|--eval-command|--init-eval-command");
        let splits = wrapper.name == "env" && found.rest_is_inner;
        let is_around = option.is("-p|--prepare|-s|--setup|-c|--cleanup|-C|--conclude");
        let Some(value) = option.value else { return };
        let is_around = wrapper.name == "hyperfine" && is_around;
        if is_around {
            // It runs around each measured command.
            self.through("hyperfine", |walker| walker.run_text(&value, call, "hyperfine"));
        } else if is_output && wrapper.name == "strace" && value.text.starts_with(['|', '!']) {
            // strace pipes its output into that command.
            let command = value.slice(1, value.text.len());
            self.through("strace", |walker| walker.run_text(&command, call, "strace"));
        } else if is_output {
            self.write_path(&value, call.span);
        } else if connects {
            self.through("mosh", |walker| walker.named_program(&value.text, call.span, "mosh"));
        } else if is_terminal {
            found.entry = Some(value);
        } else if is_text || splits {
            found.texts.push(value);
        } else if is_folder {
            self.state.cwd = Some(self.resolve(&value).0);
        } else if starts || enters || is_shell {
            found.entry = Some(value).filter(|entry| !entry.text.is_empty());
        } else if workdir {
            found.folder = Some(value).filter(|folder| folder.is_known() && folder.text.starts_with('/'));
        } else if gdb && let Some(line) = value.text.strip_prefix("shell ").or(value.text.strip_prefix('!')) {
            self.through("gdb", |walker| walker.text(line, call.span, Origin::Text("gdb".to_owned())));
        } else if gdb
            && let Some(code) = value.text.strip_prefix("python ").or(value.text.strip_prefix("py "))
        {
            self.code(Language::Python, &Text::known(code), call);
        }
    }

    /// Follows the inner command of a wrapper.
    fn follow(
        &mut self,
        wrapper: &'static Wrapper,
        found: &Wrapped,
        rest: &[Text],
        call: &Call,
    ) -> Option<Text> {
        let mut inner = rest.get(found.at..).unwrap_or(&[]).to_vec();
        if found.is_idle {
            return None;
        }
        if wrapper.site == Site::Container && inner.first().is_some_and(|word| word.text == "--") {
            inner.remove(0);
        }
        // `script FILE [COMMAND…]`
        if let ("script", [file, ..]) = (wrapper.name, found.operands.as_slice()) {
            self.write_path(&rest[*file], call.span);
        }
        if wrapper.name == "env"
            && let Some(first) = found.texts.first()
        {
            // The split text may begin with options of env itself: `env -S -i bash`.
            let line = format!("env {}", first.text);
            let line = inner.iter().fold(line, |line, word| format!("{line} {}", quote(word)));
            return Some(self.within(wrapper, |walker| walker.run_text(&Text::known(line), call, "env")));
        }
        // nodemon hands its operands to the program of `--exec`.
        if let ("nodemon", [program]) = (wrapper.name, found.texts.as_slice()) {
            let operands = found.operands.iter().map(|at| quote(&rest[*at]));
            let line = operands.fold(program.text.clone(), |line, word| format!("{line} {word}"));
            self.within(wrapper, |walker| walker.named_program(&line, call.span, "nodemon"));
            return Some(Text::default());
        }
        if !found.texts.is_empty() {
            let mut output = Text::default();
            for text in &found.texts {
                output.push(&self.within(wrapper, |walker| walker.run_text(text, call, wrapper.name)));
            }
            return Some(output);
        }
        if wrapper.inner == Inner::Option && !found.rest_is_inner {
            return self.follow_operands(wrapper, found, rest, call);
        }
        // Runners of packages hand a single word to a shell.
        let is_text =
            !wrapper.sub.is_empty() && matches!(inner.as_slice(), [word] if word.text.contains(' '));
        let mut is_shell = found.shell || is_text;
        if let Some(entry) = found.entry.clone() {
            is_shell |= found.rest_is_inner && inner.is_empty();
            inner.insert(0, entry);
        }
        if inner.is_empty() {
            if wrapper.site == Site::Container && self.state.stdin.is_none() && is_interactive(wrapper, rest)
            {
                self.runs_typed(call);
            }
            let runs = wrapper.sub.is_empty() || wrapper.site != Site::Local && wrapper.name != "kubectl";
            return runs.then(|| self.bare_wrapper(call, found.shell));
        }
        // In another root the program is another one; a unit of systemd stays.
        if wrapper.name == "systemd-run" && rest.iter().any(|word| word.text.starts_with("--on-")) {
            self.risk(RuleId::ScheduleLater, "systemd-run", call.span);
        }
        if matches!(wrapper.name, "chroot" | "systemd-run") {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Effects, call.name.clone(), call.span);
        } else {
            self.classify(call.command, Class::ReadOnly);
        }
        Some(self.within(wrapper, |walker| {
            if let Some(folder) = &found.folder {
                walker.state.cwd = Some(crate::path::normalise(&folder.text));
            }
            walker.inner_words(wrapper, is_shell, inner, call)
        }))
    }

    /// Programs that run the value of an option, and some of them their operands.
    fn follow_operands(
        &mut self,
        wrapper: &'static Wrapper,
        found: &Wrapped,
        rest: &[Text],
        call: &Call,
    ) -> Option<Text> {
        // `su - USER` is `su -l USER`.
        let is_login = wrapper.name == "su" && found.operands.first().is_some_and(|at| rest[*at].text == "-");
        match (wrapper.name, &found.operands[usize::from(is_login)..]) {
            ("script", [_, inner, ..]) => {
                self.classify(call.command, Class::ReadOnly);
                let inner = rest[*inner..].to_vec();
                Some(self.within(wrapper, |walker| walker.invoke(inner, call.span)))
            }
            // `sg GROUP COMMAND`
            ("sg", [_, text]) => {
                let text = rest[*text].clone();
                Some(self.within(wrapper, |walker| walker.run_text(&text, call, "sg")))
            }
            // `su USER -- WORDS` passes the words to the user's shell, or to the shell of `-s`.
            ("su", [_, inner, ..]) => {
                let mut argv = vec![found.entry.clone().unwrap_or_else(|| Text::known("sh"))];
                argv.extend_from_slice(&rest[*inner..]);
                Some(self.within(wrapper, |walker| walker.invoke(argv, call.span)))
            }
            _ => wrapper.privilege.then(|| self.bare_wrapper(call, true)),
        }
    }

    /// `NAME=value` in front of the command of `env`, `sudo` and the like.
    fn assign_word(&mut self, word: &Text, call: &Call) {
        let Some((name, _)) = word.text.split_once('=') else { return };
        let value = word.slice(name.len() + 1, word.text.len());
        self.hook_variable(name, &value, call.span);
        self.sets_for_command(name, call.span);
        self.state.assign(name, value);
        self.sets_registry(name, call.span);
    }

    /// Follows the words of an inner command, which some wrappers hand to a shell.
    fn inner_words(&mut self, wrapper: &Wrapper, shell: bool, inner: Vec<Text>, call: &Call) -> Text {
        if !shell {
            if inner.first().is_some_and(|word| super::interpreter::is_foreign_script(&word.text)) {
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, inner[0].text.clone(), call.span);
            }
            self.programs_only = true;
            return self.invoke(inner, call.span);
        }
        // Each word of these is a command of its own; the others join their words.
        let separator = if matches!(wrapper.name, "hyperfine" | "concurrently") { "; " } else { " " };
        let is_one = inner.len() == 1;
        let mut text = Text::default();
        for (index, word) in inner.iter().enumerate() {
            if index > 0 {
                text.push_str(separator);
            }
            text.push(word);
        }
        // `watch -x rm -rf /` runs its words, `watch rm -rf /` joins them; reading both ways misses neither.
        if !is_one && self.site != Site::Remote {
            self.invoke(inner, call.span);
        }
        self.run_text(&text, call, wrapper.name)
    }

    /// Follows `inner` as wrapped by `wrapper`.
    fn within<T>(&mut self, wrapper: &Wrapper, inner: impl FnOnce(&mut Self) -> T) -> T {
        let site = self.site;
        if wrapper.site != Site::Local {
            self.site = wrapper.site;
        }
        self.via.push(wrapper.name.to_owned());
        let result = if wrapper.name == "exec" || wrapper.name == "builtin" || wrapper.name == "command" {
            inner(self)
        } else {
            let site = wrapper.site;
            self.subshell(|walker| {
                // A folder in a container or on another machine is not ours.
                if site != Site::Local {
                    walker.state.cwd = Some("/app".to_owned());
                }
                inner(walker)
            })
        };
        self.via.pop();
        self.site = site;
        self.mounts.clear();
        result
    }

    /// A wrapper without a command: `env` prints secrets, `sudo -i` opens a shell.
    fn bare_wrapper(&mut self, call: &Call, is_shell: bool) -> Text {
        match call.name.as_str() {
            "env" => Text::unknown("$_output", Taint::SECRET),
            // They print which processor it is, or which commands are permitted.
            "arch" if call.rest().is_empty() => Text::unknown("$_output", Taint::PRINTED),
            "sudo" if is_question(call.rest()) => Text::unknown("$_output", Taint::PRINTED),
            "sudo" | "su" | "doas" | "ssh" if self.state.stdin.is_some() => {
                let input = self.state.stdin.clone().unwrap_or_default();
                if call.name == "sudo" && !is_shell {
                    Text::default()
                } else {
                    self.run_text(&input, call, "stdin")
                }
            }
            _ => {
                self.classify(call.command, Class::Unknown);
                Text::unknown("$_output", Taint::PRINTED)
            }
        }
    }
}

/// The parsed words of a wrapper.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Default)]
struct Wrapped {
    /// Where the inner command begins; the number of words if the wrapper has no inner command.
    at: usize,
    /// Text for a shell, given by options.
    texts: Vec<Text>,
    /// The words are text for a shell.
    shell: bool,
    /// All that follows is the inner command.
    rest_is_inner: bool,
    /// `runuser -u`: the user is not the first operand.
    names_user: bool,
    /// An option says that nothing runs.
    is_idle: bool,
    /// An option is not in the table: the command may begin elsewhere.
    is_guess: bool,
    /// The folder in a container.
    folder: Option<Text>,
    /// Runs instead of the program that the words or the image name.
    entry: Option<Text>,
    /// Operands of a program that runs the value of an option.
    operands: Vec<usize>,
}

/// The words behind the subcommand a wrapper needs; `None` when another one stands there.
fn behind_subcommand<'c>(wrapper: &Wrapper, call: &'c Call) -> Option<&'c [Text]> {
    let rest = call.rest();
    if wrapper.sub.is_empty() {
        return Some(rest);
    }
    // `docker compose run`
    let begin = usize::from(rest.first().is_some_and(|arg| arg.text == "compose"));
    let words = &rest[begin..];
    let mut operands = Options::new(words, wrapper.spec()).filter_map(|item| match item {
        Item::Operand(at) => Some(at),
        Item::Option(_) => None,
    });
    let operands =
        [operands.next()?, operands.next().unwrap_or(words.len()), operands.next().unwrap_or(words.len())];
    wrapper.sub.split('|').find_map(|sub| {
        let mut behind = 0;
        // `*` stands for any word: `yarn workspace NAME exec`.
        for (at, part) in sub.split(' ').enumerate() {
            let word = words.get(operands[at])?;
            if part != "*" && part != word.text {
                return None;
            }
            behind = operands[at] + 1;
        }
        Some(&words[behind..])
    })
}

/// Returns whether `NAME=value` in front of the command is for it, not the command.
fn takes_assignments(wrapper: &str) -> bool {
    matches!(wrapper, "env" | "sudo" | "cross-env" | "dotenv" | "doas")
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Returns whether a container's own program, which nothing on the line names, gets the terminal: `docker run -it IMAGE`,
/// `oc rsh POD`.
fn is_interactive(wrapper: &Wrapper, rest: &[Text]) -> bool {
    let (mut n_operands, mut is_open) = (0, false);
    for item in Options::new(rest, wrapper.spec()) {
        match item {
            Item::Option(option) => is_open |= option.is("-i|--interactive|--stdin"),
            Item::Operand(_) => n_operands += 1,
        }
    }
    is_open || wrapper.name == "oc" && n_operands < 2
}
