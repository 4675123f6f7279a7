//! Finds the thing that words run: a function, a builtin, a wrapper, an interpreter, a program.

use super::{Walker, glob};
use crate::guard::RuleId;
use crate::programs;
use crate::reading::{Class, Doubt, Origin, Span};
use crate::text::{Taint, Text};

/// A command that is being followed.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Base name, without version suffix or `.exe`.
    pub name: String,
    /// All words, the program first.
    pub argv: Vec<Text>,
    pub span: Span,
    /// Index of the record.
    pub command: usize,
}

impl Call {
    /// The words behind the program.
    pub(crate) fn rest(&self) -> &[Text] {
        self.argv.get(1..).unwrap_or(&[])
    }
}

/// Programs a pattern in command position (`/bin/r?`) is tried against.
const GLOBBED: [&str; 24] = [
    "rm", "dd", "sh", "bash", "mv", "shred", "mkfs", "chmod", "chown", "curl", "wget", "nc", "cat", "find",
    "python3", "perl", "ruby", "node", "sudo", "xargs", "env", "base64", "unlink", "rmdir",
];

impl Walker<'_> {
    /// Follows a command given by its words; returns its output.
    pub(crate) fn invoke(&mut self, argv: Vec<Text>, span: Span) -> Text {
        self.enter(|walker| walker.invoke_once(argv, span)).unwrap_or_default()
    }

    fn invoke_once(&mut self, argv: Vec<Text>, span: Span) -> Text {
        let Some(first) = argv.first() else { return Text::default() };
        if !first.is_known() {
            return self.invoke_unknown(argv, span);
        }
        let word = first.text.clone();
        // `command x` and every program that runs another one know nothing of functions.
        let is_program = std::mem::take(&mut self.programs_only);
        if !word.contains('/') && !is_program {
            if let Some(function) =
                self.state.functions.iter().find(|function| function.name == word).cloned()
            {
                let command = self.record(&word, self.is_itself(&argv[0], true), &argv, span);
                if self.stack.iter().filter(|name| **name == word).count() > 1 {
                    return Text::default();
                }
                self.doubt_redefined(&word, command, span);
                let output = self.call_function(&function, argv[1..].to_vec());
                self.judge_as_program(argv, span, command);
                return output;
            }
            if let Some((_, value)) = self.state.aliases.iter().find(|(name, _)| *name == word).cloned()
                && !self.stack.contains(&word)
            {
                self.stack.push(word.clone());
                let line = argv[1..].iter().fold(value, |line, arg| format!("{line} {}", quote(arg)));
                let command = self.n_commands();
                let output = self.text(&line, span, Origin::Function(word.clone()));
                self.doubt_redefined(&word, command, span);
                self.judge_as_program(argv, span, command);
                self.stack.pop();
                return output;
            }
        }
        let name = program_name(&word, first.glob);
        let is_itself = self.is_itself(first, !is_program);
        let command = self.record(&name, is_itself, &argv, span);
        let call = Call { name, argv, span, command };
        let input = self.state.stdin.as_ref().map_or(Taint::NONE, |input| input.taint);
        let mut output = self.dispatch(&call);
        if !output.is_known() {
            output.taint = output.taint.with(self.passed_on(&call, input));
        }
        if !is_itself {
            self.doubt_identity(&call);
        }
        output
    }

    /// A function or an alias that is named like a program: shells may not have it, or not yet, when the line runs.
    fn judge_as_program(&mut self, argv: Vec<Text>, span: Span, command: usize) {
        let first = &argv[0];
        if !programs::is_program(&first.text) || self.stack.contains(&first.text) && self.is_guessing {
            return;
        }
        self.classify(command, Class::Unknown);
        self.doubt(Doubt::Program, first.text.clone(), span);
        self.programs_only = true;
        if self.would_be_denied(|walker| walker.as_program(argv.clone(), span)) {
            self.as_program(argv, span);
        }
    }

    /// Follows a command that is no function and no alias.
    fn as_program(&mut self, argv: Vec<Text>, span: Span) -> Text {
        self.programs_only = true;
        self.invoke(argv, span)
    }

    /// Tries each kind of command in turn.
    fn dispatch(&mut self, call: &Call) -> Text {
        if call.rest().first().is_some_and(|word| {
            matches!(word.text.as_str(), "uninstall" | "remove" | "purge" | "un" | "erase" | "unlink")
        }) && call.rest().iter().skip(1).any(|word| word.text == "steersman")
        {
            self.risk(RuleId::GuardOff, "steersman is removed", call.span);
        }
        self.shows_secret(call);
        self.asks_metadata(call);
        self.asks_page(call);
        self.names_host_by_output(call);
        self.attacks(call);
        self.marks(call);
        self.serves(call);
        if Self::may_be_builtin(call)
            && let Some(output) = self.builtin(call)
        {
            return output;
        }
        if is_question(call) {
            return Text::unknown("$_output", Taint::PRINTED);
        }
        self.prompts(call);
        self.runs_fetched_input(call);
        self.evaluated_options(call);
        if let Some(output) = self.wrapper(call) {
            return output;
        }
        if let Some(output) = self.interpreter(call) {
            return output;
        }
        if let Some(output) = self.runner(call) {
            return output;
        }
        let output = self.output(call);
        if let Some(program) = programs::find(&call.name) {
            programs::apply(self, program, call);
            let class = self.reading.commands.get(call.command).map_or(Class::Unknown, |it| it.class);
            if class == Class::Unknown && program.class == Class::Unknown
                || matches!(program.name, "docker" | "docker-compose" | "podman")
            {
                self.runs_fetched_project(call);
            }
            if class > Class::ReadOnly {
                self.commands_in_options(call);
                self.statements_in_options(call);
            }
            if class == Class::Unknown && program.name.is_empty() {
                self.passed_words(call);
                self.destroys_by_name(call);
            }
            // A subcommand that the table lacks may run the words behind `--`.
            if class == Class::Unknown && call.name != "git" {
                match call.rest().iter().position(|word| word.text == "--") {
                    Some(at) => self.guess(&call.rest()[at + 1..], usize::MAX, call),
                    // What it does depends on the project, so any of its words may be a command or code; the first
                    // one is its subcommand, which often has the name of a program (`npm test`).
                    None if program.class == Class::Unknown => {
                        self.guess(call.rest().get(1..).unwrap_or_default(), usize::MAX, call);
                    }
                    // An option that is not listed may take code: `exiftool -if 'system("…")'`.
                    None if program.class == Class::ReadOnly && takes_no_pattern(program) => {
                        self.guess(call.rest().get(1..).unwrap_or_default(), usize::MAX, call);
                    }
                    None => {}
                }
            }
            return output;
        }
        self.mines_or_asks_nothing(call);
        if call.argv[0].text.contains('/') && self.run_file(call) {
            return output;
        }
        self.classify(call.command, Class::Unknown);
        self.doubt(Doubt::Program, call.name.clone(), call.span);
        self.check_passed_files(call);
        self.passed_words(call);
        self.commands_in_options(call);
        self.guess(call.rest(), usize::MAX, call);
        self.destroys_by_name(call);
        output
    }

    /// A program whose name is computed.
    fn invoke_unknown(&mut self, argv: Vec<Text>, span: Span) -> Text {
        let taint = argv[0].taint;
        let text = argv[0].text.clone();
        // The name is computed but its last part is written: `$BIN/rm`.
        let tail = argv[0].holes.last().map_or("", |(_, end)| text.get(*end..).unwrap_or(""));
        let name = tail.rsplit_once('/').map_or("", |(_, name)| name).to_owned();
        if !name.is_empty() {
            let command = self.record(&name, false, &argv, span);
            let call = Call { name: programs::canonical(&name).to_owned(), argv, span, command };
            let output = self.dispatch(&call);
            self.doubt_identity(&call);
            return output;
        }
        let command = self.record("", false, &argv, span);
        self.classify(command, Class::Unknown);
        self.doubt(Doubt::ProgramName, text.clone(), span);
        if taint.has(Taint::FETCHED) {
            self.reading.runs_fetched_code = true;
            self.risk(RuleId::FetchedCode, text, span);
        } else if taint.has(Taint::DECODED) {
            self.risk(RuleId::DecodedCode, text, span);
        } else if taint.has(Taint::TYPED) {
            let call = Call { name: String::new(), argv, span, command };
            self.runs_typed(&call);
        } else {
            // Whatever it is, words like those of `rm -rf` are taken at their word.
            let flags = argv[1..].iter().filter(|arg| arg.text.starts_with('-'));
            let recursive = flags.clone().any(|arg| {
                arg.text == "--recursive" || !arg.text.starts_with("--") && arg.text.contains(['r', 'R'])
            });
            let force = flags.clone().any(|arg| arg.text == "--force" || arg.text.contains('f'));
            if recursive && force {
                for arg in argv[1..].iter().filter(|arg| !arg.text.starts_with('-')) {
                    self.delete_path(arg, true, span);
                }
            }
        }
        Text::unknown("$_output", Taint::PRINTED)
    }
}

/// Returns whether the words of a program are no text that it searches for or prints.
fn takes_no_pattern(program: &programs::Program) -> bool {
    program.operands != programs::Operands::PatternThenRead && !matches!(program.name, "echo" | "printf" | "")
}

/// `PROGRAM --version`, `PROGRAM --help` of a known program: prints and ends.
fn is_question(call: &Call) -> bool {
    let letter = match call.name.as_str() {
        "ssh" => "-V",
        "lua" | "make" | "gmake" => "-v",
        _ => "--version",
    };
    matches!(call.rest(), [only] if matches!(only.text.as_str(), "--version" | "--help") || only.text == letter)
        && (programs::is_program(&call.name) || matches!(call.name.as_str(), "make" | "gmake" | "just"))
        && !matches!(call.name.as_str(), "echo" | "printf" | "test" | "[" | "find" | "rm")
}

/// The name a word in command position stands for.
fn program_name(word: &str, is_glob: bool) -> String {
    let base = base_name(word);
    if is_glob
        && base.contains(['*', '?', '['])
        // `*` alone, as `$(ls)` gives, fits everything and says nothing.
        && (base.contains(|letter: char| letter.is_alphanumeric()) || !base.contains('*'))
        && let Some(name) = GLOBBED.iter().find(|name| glob::matches(base, name))
    {
        return (*name).to_owned();
    }
    programs::canonical(base).to_owned()
}

/// The last part of a program's path.
pub(crate) fn base_name(word: &str) -> &str {
    let word = word.trim_end_matches('/');
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

/// Quotes a word so that reading it again gives the same word.
pub(crate) fn quote(arg: &Text) -> String {
    if !arg.is_known()
        || !arg.text.is_empty()
            && arg.text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./=:,@%+~".contains(&byte))
    {
        return arg.text.clone();
    }
    format!("'{}'", arg.text.replace('\'', "'\\''"))
}

/// A word as it stands when words are joined without quoting again.
pub(super) fn quote_raw(arg: &Text) -> String {
    if arg.text.contains(' ') { arg.text.clone() } else { quote(arg) }
}
