//! Simple commands: assignments, redirections, and handing the words on.

use super::Walker;
use crate::guard::RuleId;
use crate::reading::{Class, Origin, Outlet, Span};
use crate::syntax::{Assign, AssignValue, Operator, Redirect, Simple, Target, Word};
use crate::text::{Taint, Text};

/// Where the streams of a command go.
#[derive(Default)]
pub(super) struct Outlets {
    pub stdin: Option<Text>,
    /// File that gets standard output, and whether it is appended to.
    file: Option<(String, bool)>,
    /// Standard output goes to a place that no later command reads.
    gone: bool,
}

impl Outlets {
    /// Returns whether nothing of standard output is seen.
    pub(super) const fn keep(&self) -> bool {
        self.file.is_some() || self.gone
    }
}

/// Variables with which an agent program reads other settings than the user's or the administrator's, or none.
const MOVES_AGENT_SETTINGS: [&str; 15] = [
    "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
    "CLAUDE_CODE_PERSONAL_HOOKS_OFF",
    "CLAUDE_CODE_SAFE_MODE",
    "CLAUDE_CODE_SIMPLE",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_CLI_HOME",
    "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
    "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
    "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
    "QWEN_CODE_SAFE_MODE",
    "QWEN_CODE_SYSTEM_SETTINGS_PATH",
    "QWEN_CODE_TRUSTED_FOLDERS_PATH",
    "QWEN_HOME",
];

impl Walker<'_> {
    /// Follows a simple command once for each value its variables may have.
    pub(super) fn simple(&mut self, simple: &Simple) -> Text {
        let before = (self.alternative, self.n_alternatives);
        self.n_alternatives = 1;
        let mut output = self.simple_once(simple);
        if !self.in_alternation && self.n_alternatives > 1 {
            self.in_alternation = true;
            for alternative in 1..self.n_alternatives {
                self.alternative = alternative;
                let more = self.simple_once(simple);
                output.push(&more);
            }
            self.in_alternation = false;
        }
        let n = if self.in_alternation { self.n_alternatives.max(before.1) } else { before.1 };
        (self.alternative, self.n_alternatives) = (before.0, n);
        output
    }

    fn simple_once(&mut self, simple: &Simple) -> Text {
        if simple.words.is_empty() {
            for assign in &simple.assigns {
                self.assign(assign);
                self.sets_for_shell(&assign.name, simple.span);
                self.sets_registry(&assign.name, simple.span);
            }
            self.work(0);
            let outlets = self.redirects(&simple.redirects);
            // `$(<file)` prints the file.
            let output = outlets.stdin.clone().unwrap_or_default();
            return self.pour(&outlets, output);
        }
        let argv: Vec<Text> = simple.words.iter().flat_map(|word| self.fields(word)).collect();
        let outlets = self.redirects(&simple.redirects);
        let stdin = self.state.stdin.clone();
        if outlets.stdin.is_some() {
            self.state.stdin.clone_from(&outlets.stdin);
        }
        if let Some((path, _)) = &outlets.file {
            self.fills_disk(&argv, path, simple.span);
        }
        let first = self.n_commands();
        let output = if simple.assigns.is_empty() {
            self.invoke(argv, simple.span)
        } else {
            // Only these variables end with the command: `IFS= read -r line` leaves `line` behind.
            let before: Vec<_> = simple
                .assigns
                .iter()
                .map(|assign| (assign.name.as_str(), self.state.variable(&assign.name).cloned()))
                .collect();
            for assign in &simple.assigns {
                self.assign(assign);
                self.sets_for_command(&assign.name, simple.span);
                self.sets_registry(&assign.name, simple.span);
            }
            let output = self.invoke(argv, simple.span);
            self.work(self.state.variables.len());
            for (name, variable) in before.into_iter().rev() {
                self.state.put_back(name, variable);
            }
            output
        };
        self.state.stdin = stdin;
        if outlets.keep() {
            self.lead(first, Outlet::Kept);
        }
        self.opened_class = Class::ReadOnly;
        self.pour(&outlets, output)
    }

    fn assign(&mut self, assign: &Assign) {
        match &assign.value {
            AssignValue::Scalar(word) => {
                let mut value = self.value(word);
                if assign.append
                    && let Some(mut old) = self.lookup(&assign.name)
                {
                    old.push(&value);
                    value = old;
                }
                let span = word.span;
                self.hook_variable(&assign.name, &value, span);
                self.copy(value.text.len());
                self.state.assign(&assign.name, value);
            }
            AssignValue::Array(words) => {
                let elements = words.iter().flat_map(|word| self.fields(word)).collect();
                self.state.assign_array(&assign.name, elements, assign.append);
            }
        }
    }

    /// Checks variables that make programs run something else.
    pub(super) fn hook_variable(&mut self, name: &str, value: &Text, span: Span) {
        match name {
            "LD_PRELOAD" | "LD_AUDIT" | "DYLD_INSERT_LIBRARIES" | "BASH_ENV" if !value.text.is_empty() => {
                self.risk(RuleId::LibraryHijack, format!("{name}={}", value.text), span);
            }
            "NODE_OPTIONS" | "PERL5OPT" | "RUBYOPT" | "PYTHONSTARTUP" | "JAVA_TOOL_OPTIONS" => {
                let text = value.text.as_str();
                if ["--require", "-r", "--import", "-M", "-javaagent"].iter().any(|flag| text.contains(flag))
                    || name == "PYTHONSTARTUP"
                {
                    self.risk(RuleId::EnvironmentHook, format!("{name}={text}"), span);
                }
            }
            "PROMPT_COMMAND"
            | "GIT_SSH_COMMAND"
            | "GIT_SSH"
            | "GIT_EDITOR"
            | "GIT_SEQUENCE_EDITOR"
            | "EDITOR"
            | "VISUAL"
            | "PAGER"
            | "GIT_PAGER"
            | "MANPAGER"
            | "LESSOPEN"
            | "GIT_ASKPASS"
            | "SSH_ASKPASS"
            | "GIT_EXTERNAL_DIFF"
            | "GIT_PROXY_COMMAND"
            | "GH_PAGER"
            | "AWS_PAGER"
            | "SYSTEMD_PAGER"
            | "BAT_PAGER"
            | "DELTA_PAGER"
            | "BROWSER" => {
                // `LESSOPEN='|cmd %s'` pipes the file through the command.
                let command = value.value().map(|value| value.trim_start_matches(['|', '-']));
                if let Some(command) = command.filter(|value| !value.is_empty()) {
                    self.named_program(command, span, name);
                }
            }
            // Prompts are expanded like text in double quotes, `PS4` for every command under `set -x`.
            "PS0" | "PS1" | "PS2" | "PS4" => {
                if let Some(prompt) = value.value().filter(|value| value.contains(['$', '`'])) {
                    let line = format!(": \"{}\"", prompt.replace('"', "\\\""));
                    self.subshell(|walker| {
                        walker.state.stdin = None;
                        walker.text(&line, span, Origin::Text(name.to_owned()))
                    });
                }
            }
            _ if name.starts_with("STEERSMAN_") || MOVES_AGENT_SETTINGS.contains(&name) => {
                self.risk(RuleId::GuardOff, format!("{name}={}", value.text), span);
            }
            _ => {}
        }
    }

    /// Records the files that redirections open.
    pub(super) fn redirects(&mut self, redirects: &[Redirect]) -> Outlets {
        let mut outlets = Outlets::default();
        for redirect in redirects {
            match &redirect.target {
                Target::HereDoc(document) => {
                    let documents = std::rc::Rc::clone(&self.documents);
                    if let Some(pieces) = documents.get(document.index) {
                        let value = self.value_of(pieces, Span::default());
                        self.give(redirect, value, &mut outlets);
                    }
                }
                Target::Word(word) => self.redirect(redirect, word, &mut outlets),
            }
        }
        outlets
    }

    /// Passes text to a descriptor: standard input, or another one that is read by its name later.
    fn give(&mut self, redirect: &Redirect, value: Text, outlets: &mut Outlets) {
        match redirect.descriptor {
            None | Some(0) => outlets.stdin = Some(value),
            Some(number) => {
                self.state.write(&format!("/proc/self/fd/{number}"), value.clone(), false);
                self.state.write(&format!("/dev/fd/{number}"), value, false);
            }
        }
    }

    fn redirect(&mut self, redirect: &Redirect, word: &Word, outlets: &mut Outlets) {
        if redirect.operator == Operator::HereString {
            let mut value = self.value(word);
            value.push_str("\n");
            self.give(redirect, value, outlets);
            return;
        }
        let Some(target) = self.fields(word).into_iter().next() else { return };
        self.is_opening = true;
        self.open(redirect, &target, word.span, outlets);
        self.is_opening = false;
    }

    fn open(&mut self, redirect: &Redirect, target: &Text, span: Span, outlets: &mut Outlets) {
        let is_stdout = matches!(redirect.descriptor, None | Some(1));
        let is_descriptor =
            target.text == "-" || target.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        match redirect.operator {
            Operator::Duplicate if is_descriptor => {
                if redirect.descriptor == Some(0)
                    && let Some(content) = self.state.content(&format!("/dev/fd/{}", target.text))
                {
                    outlets.stdin = Some(content.clone());
                }
                if is_stdout && target.text == "2" {
                    outlets.gone = true;
                }
            }
            // Whatever the variable holds: the other end may be a machine, `sh <&${COPROC[0]}`.
            Operator::Duplicate if redirect.descriptor == Some(0) => {
                let taint = if self.reading.network { Taint::FETCHED } else { Taint::NONE };
                outlets.stdin = Some(Text::unknown(target.text.clone(), taint));
            }
            Operator::Read => {
                let content = self.read_file(target, span);
                self.give(redirect, content, outlets);
            }
            Operator::ReadWrite => {
                outlets.stdin = Some(self.read_file(target, span));
                self.write_path(target, span);
            }
            Operator::Write | Operator::Append | Operator::Both | Operator::Duplicate => {
                let path = self.write_path(target, span);
                if is_stdout || redirect.operator == Operator::Both {
                    outlets.file = path.map(|path| (path, redirect.operator == Operator::Append));
                    outlets.gone = outlets.file.is_none();
                }
            }
            // Their text is standard input; no file opens.
            Operator::HereString | Operator::HereDoc => {}
        }
    }

    /// Sends the output of a command where its redirections point.
    pub(super) fn pour(&mut self, outlets: &Outlets, output: Text) -> Text {
        if let Some((path, append)) = &outlets.file {
            self.state.write(path, output, *append);
            return Text::default();
        }
        if outlets.gone { Text::default() } else { output }
    }

    /// Reads a file that is redirected or printed: as written by this line, or from the disk when it is small.
    pub(super) fn read_file(&mut self, target: &Text, span: Span) -> Text {
        if let Some(rest) =
            target.text.strip_prefix("/dev/tcp/").or_else(|| target.text.strip_prefix("/dev/udp/"))
        {
            self.reading.network = true;
            let host = rest.split('/').next().unwrap_or("");
            let taint = if crate::network::is_local_host(host) { Taint::PRINTED } else { Taint::FETCHED };
            return Text::unknown("$_output", taint);
        }
        // Its own input, which without a pipe or a file is the terminal.
        if matches!(target.text.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") {
            let typed = || Text::unknown("$(</dev/stdin)", Taint::TYPED.with(Taint::PRINTED));
            return self.state.stdin.clone().unwrap_or_else(typed);
        }
        let path = self.read_path(target, span);
        let taint = path.as_deref().map_or(Taint::PRINTED, |path| self.secrecy(path)).with(target.taint);
        let path = path.unwrap_or_else(|| self.resolve(target).0);
        if let Some(content) = self.state.content(&path) {
            let mut content = content.clone();
            content.taint = content.taint.with(taint);
            return content;
        }
        let taint = if path == "/dev/tty" { taint.with(Taint::TYPED) } else { taint };
        Text::unknown(format!("$(<{})", target.text), taint.with(Taint::PRINTED))
    }
}
