//! Unwraps programs that run another program.

mod inner;
mod words;

use super::{Call, Walker};
use crate::code::Language;
use crate::guard::RuleId;
use crate::programs;
use crate::programs::options::{Found, Item, Options};
use crate::programs::wrappers::{self, Inner, Skip, Wrapper};
use crate::reading::{Class, Doubt, Origin, Site};
use crate::text::{Taint, Text};
use words::{changes_by_itself, never_prompts, only_asks, repository};

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
            let host = |word: &Text| word.text.rsplit('@').next().is_some_and(programs::is_stranger);
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
        if wrapper.name == "kubectl" && rest.iter().any(|word| programs::reaches_node(&word.text)) {
            self.risk(RuleId::ContainerHostAccess, "kubectl --overrides", call.span);
        }
        if let Some(source) = repository(wrapper, rest) {
            self.risk(RuleId::ForeignRegistry, source, call.span);
        }
        if matches!(wrapper.name, "uvx" | "uv" | "pipx")
            && let Some(source) = rest.iter().find(|word| {
                let address = word.text.find("git+").map(|at| at + 4).or_else(|| word.text.find("http"));
                let address = address.map_or("", |at| &word.text[at..]);
                programs::is_foreign_registry(self, address)
            })
        {
            self.risk(RuleId::ForeignRegistry, source.text.clone(), call.span);
        }
        if wrapper.name == "mosh" {
            self.commands_in_options(call);
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

    /// `NAME=value` in front of the command of `env`, `sudo` and the like.
    fn assign_word(&mut self, word: &Text, call: &Call) {
        let Some((name, _)) = word.text.split_once('=') else { return };
        let value = word.slice(name.len() + 1, word.text.len());
        self.hook_variable(name, &value, call.span);
        self.sets_for_command(name, call.span);
        self.state.assign(name, value);
        self.sets_registry(name, call.span);
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
