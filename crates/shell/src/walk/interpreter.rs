//! Interpreters: shells, and languages whose code is looked through.

use super::{Call, Walker};
use crate::code::Language;
use crate::guard::RuleId;
use crate::reading::{Class, Doubt};
use crate::text::{Taint, Text};

/// Shells that read our dialect, or close enough.
const SHELLS: [&str; 12] =
    ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "lksh", "pdksh", "yash"];

impl Walker<'_> {
    /// Follows an interpreter; `None` when it is something else.
    pub(super) fn interpreter(&mut self, call: &Call) -> Option<Text> {
        if SHELLS.contains(&call.name.as_str()) {
            return Some(self.shell(call));
        }
        if matches!(call.name.as_str(), "powershell" | "pwsh" | "cmd") || is_windows_tool(call) {
            self.classify(call.command, Class::Unknown);
            crate::windows::run(self, &call.argv, call.span);
            return Some(Text::unknown("$_output", Taint::PRINTED));
        }
        let language = Language::of_program(&call.name)?;
        self.classify(call.command, Class::ReadOnly);
        Some(self.language(language, call))
    }

    fn shell(&mut self, call: &Call) -> Text {
        let mut rest = call.rest().iter().enumerate();
        let mut has_command = false;
        let mut is_interactive = false;
        while let Some((index, arg)) = rest.next() {
            let text = arg.text.as_str();
            match text {
                "-o" | "+o" | "-O" | "+O" | "--rcfile" | "--init-file" if !has_command => {
                    if let Some((_, value)) = rest.next()
                        && text.ends_with("file")
                    {
                        let file = value.clone();
                        self.subshell(|walker| walker.source(&file, call));
                    }
                }
                "--version" | "--help" => return Text::unknown("$_output", Taint::PRINTED),
                "--" => {
                    if let Some((index, _)) = rest.next() {
                        return self.shell_operand(call, index, has_command);
                    }
                }
                "-s" | "-" => break,
                flag if flag.starts_with("--") && arg.is_known() => {}
                flag if flag.starts_with(['-', '+']) && flag.len() > 1 && arg.is_known() => {
                    has_command |= flag.starts_with('-') && flag.contains('c');
                    is_interactive |= flag.contains('i');
                }
                _ => return self.shell_operand(call, index, has_command),
            }
        }
        // What an interactive shell prints is worth as much as the machine itself.
        let taint = if is_interactive { Taint::SECRET } else { Taint::PRINTED };
        match self.state.stdin.clone() {
            Some(input) if input.text.is_empty() => Text::default(),
            Some(input) => {
                let mut output = self.subshell(|walker| walker.run_text(&input, call, "stdin"));
                output.taint = output.taint.with(taint);
                output
            }
            None => {
                self.runs_typed(call);
                self.classify(call.command, Class::Unknown);
                self.doubt(Doubt::Code, call.name.clone(), call.span);
                Text::unknown("$_output", taint)
            }
        }
    }

    fn shell_operand(&mut self, call: &Call, index: usize, has_command: bool) -> Text {
        let operand = call.rest()[index].clone();
        let arguments = call.rest()[index + 1..].to_vec();
        if !has_command {
            return self.run_script(&operand, &arguments, call);
        }
        self.subshell(|walker| {
            // The first word behind the text is `$0`.
            walker.state.positional = arguments.get(1..).unwrap_or(&[]).to_vec();
            if let Some(name) = arguments.first() {
                walker.state.assign("0", name.clone());
            }
            walker.run_text(&operand, call, &call.name)
        })
    }

    /// Looks through code of another language: given on the line, in a file, or on standard input.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of word")]
    fn language(&mut self, language: Language, call: &Call) -> Text {
        let output = Text::unknown("$_output", Taint::PRINTED);
        let mut rest = call.rest().iter();
        let mut has_code = false;
        // What the options put in front of the code.
        let mut assigned = Text::default();
        while let Some(arg) = rest.next() {
            let text = arg.text.as_str();
            // `-MFile::Copy` is `use File::Copy`.
            if language == Language::Perl
                && let Some(module) = text.strip_prefix("-M").or_else(|| text.strip_prefix("-m"))
            {
                assigned.push_str(&format!("use {module};\n"));
                continue;
            }
            let is_joined =
                text.len() > 2 && language.joined_flags().iter().any(|flag| text.starts_with(flag));
            if !is_joined
                && language.inline_flags().iter().any(|flag| text == *flag || is_cluster(text, flag))
            {
                if let Some(code) = rest.next() {
                    let mut whole = if code.is_known() { assigned.clone() } else { Text::default() };
                    whole.push(code);
                    self.code(language, &whole, call);
                    has_code = true;
                    if language == Language::Python || language == Language::Node {
                        return output;
                    }
                }
                continue;
            }
            if let Some(code) =
                language.inline_flags().iter().find_map(|flag| text.strip_prefix(&format!("{flag}=")))
                && text.starts_with("--")
            {
                self.code(language, &Text::known(code), call);
                return output;
            }
            if call.name == "deno" && text == "run" {
                continue;
            }
            if is_foreign_script(text) {
                self.reading.network = true;
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, text, call.span);
                return output;
            }
            match text {
                "--version" | "-V" | "-VV" | "--help" | "-h" => return output,
                // It looks for its scripts itself.
                "--test" | "--run" if language == Language::Node => {
                    self.classify(call.command, Class::Unknown);
                    self.doubt(Doubt::Effects, call.name.clone(), call.span);
                    return output;
                }
                // To others it is a variable (awk), or a word more about what they run all the same.
                "-v" if language.only_says_its_version() => return output,
                "-m" if language == Language::Python => {
                    let module = rest.next().map(|arg| arg.text.clone()).unwrap_or_default();
                    self.python_module(&module, rest.as_slice(), call);
                    return output;
                }
                "-" => break,
                "-v" | "--assign" if language == Language::Awk => {
                    assigned.push(&rest.next().map(awk_assignment).unwrap_or_default());
                }
                "-f" | "--file" | "-E" | "--exec" if language == Language::Awk => {
                    has_code = true;
                    if let Some(file) = rest.next() {
                        self.awk_program(file, call);
                    }
                }
                flag if language == Language::Awk && flag.starts_with("-f") && arg.is_known() => {
                    has_code = true;
                    self.awk_program(&arg.slice(2, text.len()), call);
                }
                flag if language.value_flags().contains(&flag) => {
                    rest.next();
                }
                flag if flag.starts_with('-') && arg.is_known() => {}
                _ if has_code => {
                    // Perl and ruby one-liners read, or with `-i` rewrite, the files behind the code.
                    let in_place = call.rest().iter().any(|arg| {
                        arg.text.starts_with("-i")
                            || arg.text.starts_with("-pi")
                            || arg.text.starts_with("-ni")
                            || language == Language::Awk && arg.text.ends_with("inplace")
                    });
                    if in_place {
                        self.write_path(arg, call.span);
                    } else {
                        self.read_path(arg, call.span);
                    }
                }
                _ => {
                    if language == Language::Awk {
                        assigned.push(arg);
                        self.code(language, &assigned, call);
                        // `gawk -i inplace`
                        let in_place = call.rest().iter().any(|arg| arg.text.ends_with("inplace"));
                        for file in rest.filter(|file| !file.text.contains('=')) {
                            if in_place {
                                self.write_path(file, call.span);
                            } else {
                                self.read_path(file, call.span);
                            }
                        }
                        return output;
                    }
                    // `python manage.py flush` is the program `manage.py`.
                    let name = super::base_name(text);
                    if crate::programs::find(name).is_some() {
                        let mut argv = vec![Text::known(name)];
                        argv.extend_from_slice(rest.as_slice());
                        self.through(&call.name, |walker| walker.invoke(argv, call.span));
                        return output;
                    }
                    if let Some(content) = self.script_content(arg, call.span) {
                        self.code(language, &content, call);
                    }
                    self.classify(call.command, Class::Unknown);
                    self.doubt(Doubt::Script, arg.text.clone(), call.span);
                    return output;
                }
            }
        }
        if has_code {
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

    /// `awk -f program`: as good as the program that can be read.
    fn awk_program(&mut self, file: &Text, call: &Call) {
        match self.script_content(file, call.span) {
            Some(content) => self.code(Language::Awk, &content, call),
            None => self.classify(call.command, Class::Unknown),
        }
    }

    /// `python -m …`: modules that only look, and those that run something.
    fn python_module(&mut self, module: &str, rest: &[Text], call: &Call) {
        match module {
            // Read-eval-print loops.
            "code" | "asyncio" if rest.is_empty() => self.runs_typed(call),
            "this" | "site" | "platform" | "tokenize" | "dis" | "calendar" => {}
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
                    }
                    [flag, archive, ..] if matches!(flag.text.as_str(), "-c" | "--create") => {
                        self.write_path(archive, call.span);
                    }
                    [flag, ..] if matches!(flag.text.as_str(), "-e" | "--extract") => {
                        self.write_path(&Text::known("."), call.span);
                    }
                    _ => {}
                }
            }
            // Puts what it makes into `__pycache__` beside each file.
            "py_compile" | "compileall" => {
                for file in rest.iter().filter(|word| !word.text.starts_with('-')) {
                    self.write_path(file, call.span);
                }
            }
            "http.server" | "SimpleHTTPServer" => self.reading.network = true,
            _ => {
                // `python -m pytest` and the like are the program of that name.
                let mut argv = vec![Text::known(module)];
                argv.extend_from_slice(rest);
                self.via.push(call.name.clone());
                self.invoke(argv, call.span);
                self.via.pop();
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

/// Tools of Windows that other shells can start too.
fn is_windows_tool(call: &Call) -> bool {
    match call.name.as_str() {
        "reg" | "vssadmin" | "wbadmin" | "bcdedit" | "schtasks" | "takeown" | "icacls" | "diskpart"
        | "netsh" | "wmic" | "certutil" | "mshta" | "regsvr32" | "rundll32" | "bitsadmin" | "wevtutil" => {
            true
        }
        "Remove-Item"
        | "Clear-Disk"
        | "Format-Volume"
        | "Clear-Content"
        | "Stop-Computer"
        | "Restart-Computer"
        | "Set-ExecutionPolicy"
        | "Set-MpPreference"
        | "Invoke-Expression" => true,
        "net" | "cipher" => {
            call.rest().iter().any(|arg| arg.text.starts_with('/') || arg.text.starts_with("user"))
        }
        _ => false,
    }
}

/// An address in place of a script, unless a registry of packages answers there.
pub(super) fn is_foreign_script(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else {
        return false;
    };
    let host = rest.split(['/', ':', '?']).next().unwrap_or("");
    !crate::network::is_local_url(text)
        && !matches!(
            host,
            "deno.land"
                | "jsr.io"
                | "github.com"
                | "gitlab.com"
                | "esm.sh"
                | "cdn.jsdelivr.net"
                | "unpkg.com"
        )
}

/// `-ne` ends in `-e`: one-letter flags may be written together.
fn is_cluster(text: &str, flag: &str) -> bool {
    let Some(letter) = flag.strip_prefix('-').filter(|letter| letter.len() == 1) else { return false };
    text.len() > 2
        && text.starts_with('-')
        && !text.starts_with("--")
        && text.ends_with(letter)
        && text[1..].bytes().all(|byte| byte.is_ascii_alphanumeric())
}
