//! Unwraps programs that run another program.

use super::invoke::quote_raw;
use super::{Call, Walker};
use crate::guard::RuleId;
use crate::programs::Args;
use crate::programs::wrappers::{self, Inner, Wrapper};
use crate::reading::{Class, Origin, Site};
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Follows a wrapper; `None` when the call is none, or wraps nothing.
    pub(super) fn wrapper(&mut self, call: &Call) -> Option<Text> {
        match call.name.as_str() {
            "xargs" | "parallel" => return Some(self.xargs(call)),
            "find" | "fd" | "fdfind" => {
                self.find_commands(call);
                return None;
            }
            "tmux" | "screen" => return self.terminal(call),
            "command" if call.rest().first().is_some_and(|arg| matches!(arg.text.as_str(), "-v" | "-V")) => {
                return None;
            }
            _ => {}
        }
        let wrapper = wrappers::named(&call.name).next()?;
        let rest = behind_subcommand(wrapper, call)?;
        if wrapper.privilege {
            self.reading.privilege = true;
            self.risk(RuleId::Privilege, call.name.clone(), call.span);
        }
        if wrapper.site == Site::Remote {
            self.reading.network = true;
            if self.state.stdin.as_ref().is_some_and(|input| input.taint.has(Taint::SECRET)) {
                self.risk(RuleId::SecretExfiltration, call.name.clone(), call.span);
            }
        }
        if matches!(wrapper.name, "docker" | "podman" | "nerdctl" | "docker-compose") {
            self.container_options(call);
        }
        if wrapper.name == "ssh" {
            self.ssh_options(call);
        }
        self.wrapper_outputs(wrapper, rest, call);
        let output = match wrapper.inner {
            Inner::Option(names) => {
                let args = Args::parse(rest, &format!("{} {}", wrapper.values, names.replace('|', " ")));
                let Some(text) = args.values(names).first().map(|text| (*text).clone()) else {
                    return wrapper.privilege.then(|| self.bare_wrapper(call));
                };
                self.within(wrapper, |walker| walker.run_text(&text, call, wrapper.name))
            }
            Inner::Words | Inner::Dashes | Inner::Shell => self.unwrap_words(wrapper, rest, call)?,
        };
        if wrapper.site == Site::Remote && !output.is_known() {
            let mut output = output;
            output.taint = output.taint.with(Taint::FETCHED);
            return Some(output);
        }
        Some(output)
    }

    /// Finds the files that a wrapper itself writes, up to where the inner command begins.
    fn wrapper_outputs(&mut self, wrapper: &'static Wrapper, rest: &[Text], call: &Call) {
        let is_output = |name: &str| wrapper.outputs.split(' ').any(|output| output == name);
        let takes = |name: &str| wrapper.values.split(' ').any(|value| value == name) || is_output(name);
        let mut words = rest.iter();
        while let Some(word) = words.next().filter(|_| !wrapper.outputs.is_empty()) {
            let text = word.text.as_str();
            if let Some(at) = text.find('=').filter(|at| text.starts_with("--") && is_output(&text[..*at])) {
                self.write_path(&word.slice(at + 1, text.len()), call.span);
            } else if text == "--" || !text.starts_with('-') {
                // `script` has its file where others have their command.
                if wrapper.name == "script" && text != "--" {
                    self.write_path(word, call.span);
                }
                return;
            } else if takes(text) {
                let value = words.next();
                if let Some(value) = value.filter(|_| is_output(text)) {
                    self.write_path(value, call.span);
                }
            } else if wrapper.name == "script" && text.starts_with('-') && text.ends_with('c') {
                // `-qc COMMAND`
                words.next();
            }
        }
    }

    fn unwrap_words(&mut self, wrapper: &'static Wrapper, rest: &[Text], call: &Call) -> Option<Text> {
        let variables = self.state.variables.clone();
        let mut at = 0;
        let mut skip = wrapper.skip;
        let folder = self.state.cwd.clone();
        let container = (wrapper.site == Site::Container).then(|| Container::options(wrapper, rest));
        if wrapper.inner == Inner::Dashes {
            at = rest.iter().position(|arg| arg.text == "--").map_or(rest.len(), |at| at + 1);
            skip = 0;
        }
        while let Some(arg) = rest.get(at) {
            let text = arg.text.as_str();
            if text == "--" {
                at += 1;
                if skip == 0 {
                    break;
                }
            } else if text.starts_with('-') && text.len() > 1 {
                let takes = wrapper.values.split(' ').any(|value| value == text);
                if wrapper.name == "env" && (text.starts_with("-S") || text.starts_with("--split-string")) {
                    let joined: String = rest[at..].iter().map(quote_raw).collect::<Vec<_>>().join(" ");
                    let line = joined
                        .trim_start_matches("--split-string")
                        .trim_start_matches("-S")
                        .trim_start_matches(['=', ' ']);
                    return Some(self.run_text(&Text::known(line), call, "env"));
                }
                if is_shell_text(wrapper.name, text) {
                    let code = rest.get(at + 1).cloned()?;
                    return Some(self.run_text(&code, call, wrapper.name));
                }
                if let Some(folder) =
                    text.strip_prefix("--chdir=").or_else(|| text.strip_prefix("--directory="))
                {
                    self.state.cwd = Some(self.resolve(&Text::known(folder)).0);
                }
                if matches!(text, "-C" | "-D" | "--chdir" | "--directory" | "-w" | "--workdir")
                    && takes
                    && wrapper.site == Site::Local
                    && let Some(folder) = rest.get(at + 1)
                {
                    self.state.cwd = self.resolve(folder).0.into();
                }
                if wrapper.name == "nix" && matches!(text, "-c" | "--command") {
                    at += 1;
                    break;
                }
                at += if takes { 2 } else { 1 };
            } else if is_assignment(text)
                && matches!(wrapper.name, "env" | "sudo" | "cross-env" | "dotenv" | "doas")
            {
                let name = text.split_once('=')?.0.to_owned();
                let value = arg.slice(name.len() + 1, arg.text.len());
                self.hook_variable(&name, &value, call.span);
                self.state.assign(&name, value);
                at += 1;
            } else if wrapper.name == "nix" {
                at += 1;
            } else if skip > 0 {
                skip -= 1;
                at += 1;
            } else {
                break;
            }
        }
        let mut inner = rest.get(at..).unwrap_or(&[]).to_vec();
        if let Some(entry) = container.as_ref().and_then(|container| container.entry.clone()) {
            inner.insert(0, entry);
        }
        let output = if inner.is_empty() {
            if wrapper.sub.is_empty() || wrapper.site != Site::Local {
                Some(self.bare_wrapper(call))
            } else {
                None
            }
        } else {
            self.classify(call.command, Class::ReadOnly);
            Some(self.within(wrapper, |walker| {
                if let Some(folder) = container.and_then(|container| container.folder) {
                    walker.state.cwd = Some(crate::path::normalise(&folder.text));
                }
                walker.inner_words(wrapper, inner, call)
            }))
        };
        self.state.variables = variables;
        self.state.cwd = folder;
        output
    }

    /// Follows the words of an inner command, which some wrappers hand to a shell.
    fn inner_words(&mut self, wrapper: &Wrapper, inner: Vec<Text>, call: &Call) -> Text {
        if wrapper.inner != Inner::Shell {
            if inner.first().is_some_and(|word| super::interpreter::is_foreign_script(&word.text)) {
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, inner[0].text.clone(), call.span);
            }
            self.programs_only = true;
            return self.invoke(inner, call.span);
        }
        let is_one = inner.len() == 1;
        let mut text = Text::default();
        for (index, word) in inner.iter().enumerate() {
            if index > 0 {
                text.push_str(if self.site == Site::Remote { " " } else { "; " });
            }
            text.push(word);
        }
        // `watch rm -rf /` and `hyperfine 'a' 'b'` differ; reading both ways misses neither.
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
    fn bare_wrapper(&mut self, call: &Call) -> Text {
        match call.name.as_str() {
            "env" => Text::unknown("$_output", Taint::SECRET),
            "sudo" | "su" | "doas" | "ssh" if self.state.stdin.is_some() => {
                let input = self.state.stdin.clone().unwrap_or_default();
                if call.name == "sudo" { Text::default() } else { self.run_text(&input, call, "stdin") }
            }
            _ => {
                self.classify(call.command, Class::Unknown);
                Text::unknown("$_output", Taint::PRINTED)
            }
        }
    }

    /// Text typed into a terminal multiplexer runs there.
    fn terminal(&mut self, call: &Call) -> Option<Text> {
        let words: Vec<&Text> = call.rest().iter().filter(|arg| !arg.text.starts_with('-')).collect();
        let runs = words.first().is_some_and(|word| {
            matches!(
                word.text.as_str(),
                "new"
                    | "new-session"
                    | "new-window"
                    | "neww"
                    | "split-window"
                    | "splitw"
                    | "send-keys"
                    | "send"
                    | "respawn-pane"
                    | "run-shell"
                    | "run"
            )
        });
        if call.name == "tmux" && !runs {
            return None;
        }
        // `screen -dmS name program words`: behind the options stands a command.
        if call.name == "screen" {
            let mut rest = call.rest();
            while let Some((first, behind)) =
                rest.split_first().filter(|(first, _)| first.text.starts_with('-'))
            {
                let takes = first.text.ends_with(['S', 'c', 'e', 'h', 'p', 't', 'T', 'r', 'x']);
                rest = if takes { behind.get(1..).unwrap_or(&[]) } else { behind };
                if matches!(first.text.as_str(), "-X" | "-ls" | "-list") {
                    rest = &[];
                }
            }
            let inner = rest.to_vec();
            if !inner.is_empty() {
                self.through("screen", |walker| walker.invoke(inner, call.span));
            }
        }
        for word in words.iter().skip(1).filter(|word| word.text.contains(' ')) {
            let text = (*word).clone();
            self.subshell(|walker| walker.text(&text.text, call.span, Origin::Text(call.name.clone())));
        }
        self.classify(call.command, Class::Unknown);
        Some(Text::default())
    }
}

/// What the options of a container say about the command that runs in it.
struct Container {
    folder: Option<Text>,
    /// Runs in place of what the image would run.
    entry: Option<Text>,
}

impl Container {
    fn options(wrapper: &Wrapper, rest: &[Text]) -> Self {
        // Behind the first operand stand words of another program.
        let mut end = 0;
        while let Some(word) = rest.get(end).filter(|word| word.text.starts_with('-') && word.text != "--") {
            end += if wrapper.values.split(' ').any(|value| value == word.text) { 2 } else { 1 };
        }
        let args = Args::parse(&rest[..end.min(rest.len())], wrapper.values);
        let last = |names: &str| args.values(names).last().map(|value| (*value).clone());
        let folder = last("-w|--workdir").filter(|folder| folder.is_known() && folder.text.starts_with('/'));
        Self { folder, entry: last("--entrypoint").filter(|entry| !entry.text.is_empty()) }
    }
}

/// The words behind the subcommand a wrapper needs; `None` when another one stands there.
fn behind_subcommand<'c>(wrapper: &Wrapper, call: &'c Call) -> Option<&'c [Text]> {
    let rest = call.rest();
    if wrapper.sub.is_empty() {
        return Some(rest);
    }
    let is_compose = rest.first().is_some_and(|arg| arg.text == "compose");
    let mut at = usize::from(is_compose);
    while let Some(arg) = rest.get(at) {
        if arg.text.starts_with('-') {
            let takes = wrapper.values.split(' ').any(|value| value == arg.text);
            at += if takes { 2 } else { 1 };
            continue;
        }
        let next = rest.get(at + 1).map_or("", |arg| arg.text.as_str());
        for sub in wrapper.sub.split('|') {
            match sub.split_once(' ') {
                None if sub == arg.text => return Some(&rest[at + 1..]),
                Some((first, second)) if first == arg.text && second == next => return Some(&rest[at + 2..]),
                _ => {}
            }
        }
        return None;
    }
    None
}

/// Whether the value of this option is text for a shell, in place of words.
fn is_shell_text(wrapper: &str, option: &str) -> bool {
    match wrapper {
        "npx" | "npm" | "pnpm" | "yarn" | "pnpx" => matches!(option, "-c" | "--call" | "--shell-mode"),
        "flock" => matches!(option, "-c" | "--command"),
        _ => false,
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}
