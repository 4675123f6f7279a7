//! Interpreters of other languages: code given on the line, in a file, or on standard input.

use super::interpreter::is_foreign_script;
use super::{Call, Walker};
use crate::code::{Grammar, Language};
use crate::guard::RuleId;
use crate::programs::Args;
use crate::programs::options::{Found, Item, Options, Spec};
use crate::reading::{Class, Doubt};
use crate::text::{Taint, Text};

/// The options of an interpreter read so far.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[derive(Default)]
struct Seen {
    /// The text that options put in front of the code.
    front: Text,
    has_code: bool,
    /// The first operand is code.
    prints: bool,
    in_place: bool,
    is_guess: bool,
    /// An option with a value came by.
    has_value: bool,
    /// Only the syntax of the script is checked.
    checks: bool,
    /// `ruby -run -e rm -- -rf x`: the code is the name of a program and the operands are its words.
    is_un: bool,
}

/// Modules of python that are the program of the same name.
const LOOKING_MODULES: [&str; 8] =
    ["pip", "ruff", "flake8", "pycodestyle", "pydocstyle", "poetry", "uv", "pipdeptree"];

/// The next step behind an option.
enum Next {
    Word,
    /// All further words are for the code.
    End,
}

impl Walker<'_> {
    /// Looks through code of another language.
    pub(super) fn language(&mut self, language: Language, call: &Call) -> Text {
        let output = Text::unknown("$_output", Taint::PRINTED);
        let grammar = language.grammar();
        let rest = call.rest();
        let mut options = Options::new(rest, grammar.spec);
        let mut seen = Seen::default();
        while let Some(item) = options.next() {
            let at = match item {
                Item::Operand(at) => at,
                Item::Option(option) => {
                    let is_module = language == Language::Python && option.is("-m");
                    if is_module && let Some(module) = &option.value {
                        self.python_module(&module.text.clone(), &rest[options.next_word()..], call);
                        return output;
                    }
                    if seen.is_un
                        && option.is("-e")
                        && let Some(program) = option.value.clone()
                    {
                        let words = rest[options.next_word()..].iter().filter(|word| word.text != "--");
                        let argv = std::iter::once(program).chain(words.cloned()).collect();
                        self.through(&call.name, |walker| walker.invoke(argv, call.span));
                        return output;
                    }
                    match self.language_option(language, &grammar, option, &mut seen, call) {
                        Next::Word => continue,
                        Next::End => return output,
                    }
                }
            };
            let word = &rest[at];
            match word.text.as_str() {
                "-" if !options.has_ended() => break,
                "run" if call.name == "deno" => {}
                "eval" if call.name == "deno" => seen.prints = true,
                "info" | "types" if call.name == "deno" && at == 0 && rest.len() == 1 => return output,
                _ if seen.prints && !seen.has_code => {
                    self.code(language, word, call);
                    return output;
                }
                _ if seen.has_code => self.code_operand(word, &seen, call),
                _ if seen.checks
                    && !seen.has_value
                    && !seen.is_guess
                    && !rest[at + 1..].iter().any(|word| word.text.starts_with('-')) =>
                {
                    self.read_path(word, call.span);
                    return output;
                }
                text if is_foreign_script(text) => {
                    self.reading.network = true;
                    self.reading.runs_fetched_code = true;
                    self.risk(RuleId::FetchedCode, text, call.span);
                    return output;
                }
                _ => {
                    self.script_operand(language, at, &seen, call);
                    if seen.is_guess {
                        self.guess(rest, at, call);
                    }
                    return output;
                }
            }
        }
        if seen.has_code {
            return output;
        }
        match self.state.stdin.clone() {
            Some(input) if language != Language::Awk => self.code(language, &input, call),
            input => {
                if input.is_none() && language != Language::Awk {
                    self.runs_typed(call);
                }
                self.classify(call.command, Class::Unknown);
                self.doubt(Doubt::Code, call.name.clone(), call.span);
            }
        }
        output
    }

    fn language_option(
        &mut self,
        language: Language,
        grammar: &Grammar,
        option: Found<'_>,
        seen: &mut Seen,
        call: &Call,
    ) -> Next {
        seen.is_guess |= !option.is_known;
        seen.in_place |= option.is("-i");
        seen.prints |= option.is(grammar.prints);
        seen.checks |= match language {
            Language::Php => option.is("-l|--syntax-check"),
            Language::Ruby => option.is("-c"),
            Language::Node => call.name != "deno" && option.is("-c|--check"),
            _ => false,
        };
        let asks_version = language == Language::Ruby && option.is("-v") && call.rest().len() == 1;
        if option.is(grammar.idle) || asks_version {
            // A value in front of it may load code all the same: `php -d extension=./x.so -v`.
            if seen.has_value {
                self.classify(call.command, Class::Unknown);
                self.doubt(Doubt::Effects, call.name.clone(), call.span);
            }
            return Next::End;
        }
        seen.has_value |= option.value.is_some();
        // It looks for its scripts itself, or serves them.
        if language == Language::Node && option.is("--test|--run")
            || language == Language::Php && option.is("-S|--server")
        {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Effects, call.name.clone(), call.span);
            return Next::End;
        }
        let (is_code, is_file) = (option.is(grammar.code), option.is(grammar.files));
        let (is_first, is_variable) = (option.is(grammar.first), option.is("-v|--assign"));
        let is_module = option.is("-M|-m");
        let is_library = language == Language::Ruby && option.is("-r");
        let Some(value) = option.value else { return Next::Word };
        seen.is_un |= is_library && value.text == "un";
        // A line of IPython that begins with `!` is for a shell.
        if is_code && call.name == "ipython" && value.text.starts_with('!') {
            let line = value.slice(1, value.text.len());
            self.through("ipython", |walker| walker.run_text(&line, call, "ipython"));
            return Next::End;
        }
        if is_code {
            let mut whole = if value.is_known() { seen.front.clone() } else { Text::default() };
            whole.push(&value);
            self.code(language, &whole, call);
            seen.has_code = true;
            if grammar.ends_with_code {
                return Next::End;
            }
        } else if is_file {
            seen.has_code = true;
            match self.script_content(&value, call.span) {
                Some(content) => self.code(language, &content, call),
                None => self.classify(call.command, Class::Unknown),
            }
        } else if is_first {
            if is_foreign_script(&value.text) {
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, value.text.clone(), call.span);
            }
            // A module runs when it is loaded.
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Script, value.text, call.span);
        } else if language == Language::Awk && is_variable {
            seen.front.push(&awk_assignment(&value));
        } else if language == Language::Perl && is_module {
            // `-MFile::Copy` is `use File::Copy`.
            seen.front.push_str(&format!("use {};\n", value.text));
        } else if language == Language::Awk && value.text == "inplace" {
            seen.in_place = true;
        }
        Next::Word
    }

    /// A file behind code on the line: perl and ruby read it, or with `-i` rewrite it.
    fn code_operand(&mut self, word: &Text, seen: &Seen, call: &Call) {
        if seen.in_place {
            self.write_path(word, call.span);
        } else {
            self.read_path(word, call.span);
        }
    }

    /// The script, or the program of awk.
    fn script_operand(&mut self, language: Language, at: usize, seen: &Seen, call: &Call) {
        let (word, behind) = (&call.rest()[at], &call.rest()[at + 1..]);
        if language == Language::Awk {
            let mut program = seen.front.clone();
            program.push(word);
            self.code(language, &program, call);
            for file in behind.iter().filter(|file| !file.text.contains('=')) {
                self.code_operand(file, seen, call);
            }
            return;
        }
        // `python manage.py flush` is the program `manage.py`.
        let name = super::base_name(&word.text);
        if crate::programs::find(name).is_some() {
            let mut argv = vec![Text::known(name)];
            argv.extend_from_slice(behind);
            self.through(&call.name, |walker| walker.invoke(argv, call.span));
            // The file is the project's, whatever it is called: `deno fmt`, `node ls`.
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Script, word.text.clone(), call.span);
            return;
        }
        if let Some(content) = self.script_content(word, call.span) {
            self.code(language, &content, call);
        }
        self.classify(call.command, Class::Unknown);
        self.doubt(Doubt::Script, word.text.clone(), call.span);
    }

    /// Looks through code in an option of a program whose language has no grammar here.
    pub(super) fn evaluated_options(&mut self, call: &Call) {
        let options: &[&str] = match call.name.as_str() {
            "erl" | "werl" => &["-eval"],
            "ghc" | "runghc" | "ghci" | "stack" => &["-e"],
            "scala" | "scala-cli" | "kotlin" | "kotlinc" | "swift" => &["-e", "--execute-script"],
            "raku" | "rakudo" | "racket" | "bb" | "nbb" | "ocaml" | "crystal" | "tclsh" => &["-e", "eval"],
            "guile" | "gosh" | "csi" | "scheme" => &["-c", "-e", "-eval"],
            "sbcl" | "ecl" | "clisp" | "clojure" | "clj" | "iex" => &["--eval", "-eval", "-e", "-x"],
            "swipl" | "gprolog" => &["-g", "-t", "--goal"],
            "octave" | "octave-cli" | "gp" | "maxima" | "sage" => &["--eval", "-c"],
            _ => return,
        };
        let rest = call.rest();
        for (at, word) in rest.iter().enumerate() {
            let glued = word.text.split_once('=').filter(|(name, _)| options.contains(name));
            let code = match glued {
                Some((name, _)) => Some(word.slice(name.len() + 1, word.text.len())),
                None if options.contains(&word.text.as_str()) => rest.get(at + 1).cloned(),
                None => None,
            };
            if let Some(code) = code {
                self.code(Language::Other, &code, call);
            }
        }
    }

    /// `python -m …`: modules that only look, and those that run something.
    fn python_module(&mut self, module: &str, rest: &[Text], call: &Call) {
        match module {
            // Read-eval-print loops.
            "code" | "asyncio" if rest.is_empty() => {
                self.runs_typed(call);
                self.classify(call.command, Class::Unknown);
                self.doubt(Doubt::Code, module, call.span);
            }
            "this" | "site" | "platform" | "tokenize" | "dis" | "calendar" => {}
            "pdb" | "ipdb" | "pudb" => {
                let args = Args::read(rest, Spec { values: "-c --command -m", ..Spec::default() }, true);
                for command in args.values("-c|--command") {
                    let at = command.text.len() - command.text.trim_start_matches(['!', ' ']).len();
                    self.code(Language::Python, &command.slice(at, command.text.len()), call);
                }
                if self.state.stdin.is_none() {
                    self.runs_typed(call);
                }
                if let Some(script) = args.operands.first() {
                    self.script_content(script, call.span);
                }
                self.classify(call.command, Class::Unknown);
            }
            "timeit" => {
                let args = Args::parse(rest, "-n -r -s -u --number --repeat --setup --unit");
                for code in args.values("-s|--setup").into_iter().chain(args.operands.iter().copied()) {
                    self.code(Language::Python, code, call);
                }
            }
            // With a second file it writes there.
            "json.tool" => {
                let files: Vec<&Text> = rest.iter().filter(|word| !word.text.starts_with('-')).collect();
                if let Some(output) = files.get(1) {
                    self.write_path(output, call.span);
                }
            }
            // `-e archive folder` unpacks.
            "zipfile" | "tarfile" => {
                let words: Vec<&Text> = rest.iter().collect();
                match words.as_slice() {
                    [flag, _, folder, ..] if matches!(flag.text.as_str(), "-e" | "--extract") => {
                        self.write_path(folder, call.span);
                        self.unpack_unnamed(folder, call.span);
                    }
                    [flag, archive, ..] if matches!(flag.text.as_str(), "-c" | "--create") => {
                        self.write_path(archive, call.span);
                    }
                    [flag, ..] if matches!(flag.text.as_str(), "-e" | "-x" | "--extract") => {
                        self.write_path(&Text::known("."), call.span);
                        self.unpack_unnamed(&Text::known("."), call.span);
                    }
                    _ => {}
                }
            }
            // It puts its results into `__pycache__` beside each file.
            "py_compile" | "compileall" => {
                for file in rest.iter().filter(|word| !word.text.starts_with('-')) {
                    self.write_path(file, call.span);
                }
            }
            "http.server" | "SimpleHTTPServer" => {
                // It serves the folder to every client.
                self.reading.network = true;
                self.classify(call.command, Class::Unknown);
                self.doubt(Doubt::Effects, call.name.clone(), call.span);
            }
            _ => {
                // `python -m pytest` and the like are the program of that name.
                let mut argv = vec![Text::known(module)];
                argv.extend_from_slice(rest);
                self.via.push(call.name.clone());
                self.invoke(argv, call.span);
                self.via.pop();
                // Any file of the project may have the name of a module: `python -m test`.
                if !LOOKING_MODULES.contains(&module) {
                    self.classify(call.command, Class::Unknown);
                    self.doubt(Doubt::Script, module, call.span);
                }
            }
        }
    }
}

/// `-v name=value` as a line of the program, where the value is as plain as it looks.
fn awk_assignment(word: &Text) -> Text {
    match word.value().and_then(|text| text.split_once('=')) {
        Some((name, value)) if !value.contains(['"', '\\', '\n']) => {
            Text::known(format!("{name} = \"{value}\"\n"))
        }
        _ => Text::default(),
    }
}
