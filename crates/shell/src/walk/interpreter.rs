//! Interpreters: shells, and languages whose code is looked through.

use super::{Call, Walker};
use crate::code::Language;
use crate::guard::RuleId;
use crate::programs::looks;
use crate::reading::{Class, Doubt};
use crate::text::{Taint, Text};

/// Shells that read our dialect, or close enough: a simple command is the same in all of them.
const SHELLS: [&str; 20] = [
    "sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "lksh", "pdksh", "yash", "csh",
    "tcsh", "nu", "xonsh", "elvish", "osh", "ysh", "brush",
];

/// Shells that only check the syntax with `-n`; to others it means something else.
const CHECK: [&str; 11] =
    ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "lksh", "yash"];

impl Walker<'_> {
    /// Follows an interpreter; `None` when it is something else.
    pub(super) fn interpreter(&mut self, call: &Call) -> Option<Text> {
        if SHELLS.contains(&call.name.as_str()) {
            return Some(self.shell(call));
        }
        if matches!(call.name.as_str(), "powershell" | "pwsh" | "cmd") || is_windows_tool(call) {
            self.classify(call.command, Class::Unknown);
            let runs_input = call.rest().last().is_none_or(|last| last.text == "-");
            if runs_input && self.state.stdin.as_ref().is_some_and(|input| input.taint.has(Taint::FETCHED)) {
                self.reading.runs_fetched_code = true;
                self.risk(RuleId::FetchedCode, call.name.clone(), call.span);
            }
            crate::windows::run(self, &call.argv, call.span);
            return Some(Text::unknown("$_output", Taint::PRINTED));
        }
        let language = Language::of_program(&call.name)?;
        self.classify(call.command, Class::ReadOnly);
        // The code of other languages is unknown anyway.
        let loads =
            || call.rest().iter().any(|word| word.text.contains("@load") || word.text.contains("@include"));
        if language == Language::Awk && (!looks::prove("awk", call.rest()).is_listed() || loads()) {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Effects, call.name.clone(), call.span);
        }
        Some(self.language(language, call))
    }

    /// Follows a shell: text of `-c`, a script, or standard input.
    ///
    /// WHY: shells read their options on their own: `-c` is a flag whose text is the first operand, `-o` takes
    /// the next word wherever it stands in a bundle, and `+` switches options off.
    fn shell(&mut self, call: &Call) -> Text {
        let rest = call.rest();
        let mut seen = ShellOptions::default();
        let mut at = 0;
        while let Some(arg) = rest.get(at) {
            let text = arg.text.as_str();
            if text.len() < 2 || !text.starts_with(['-', '+']) || !arg.is_known() {
                at += usize::from(text == "-");
                break;
            }
            at += 1;
            match text.trim_start_matches('-') {
                "" => break,
                "rcfile" | "init-file" => {
                    if let Some(file) = rest.get(at) {
                        self.subshell(|walker| walker.source(file, call));
                    }
                    at += 1;
                }
                "version" | "help" => return Text::unknown("$_output", Taint::PRINTED),
                "init-command" | "command" => {
                    seen.texts.extend(rest.get(at).cloned());
                    at += 1;
                }
                "emulate" => at += 1,
                "norc" | "noprofile" | "posix" | "login" | "restricted" | "verbose" | "debugger"
                | "noediting" | "interactive" | "no-config" | "private" => {}
                "no-execute" => seen.only_checks = true,
                long if text.starts_with("--") => {
                    if let Some((_, value)) =
                        long.split_once('=').filter(|(name, _)| name.ends_with("command"))
                    {
                        seen.texts.push(Text::known(value));
                    }
                }
                _ => at += seen.bundle(arg, &call.name, rest.get(at)),
            }
        }
        self.run_shell(call, rest.get(at..).unwrap_or(&[]), &seen)
    }

    fn run_shell(&mut self, call: &Call, operands: &[Text], seen: &ShellOptions) -> Text {
        // An interactive shell runs what it reads all the same.
        if seen.only_checks && !seen.is_interactive {
            if let Some(script) = operands.first().filter(|_| !seen.has_command) {
                self.read_path(script, call.span);
            }
            return Text::unknown("$_output", Taint::PRINTED);
        }
        let mut output = Text::default();
        for text in &seen.texts {
            output.push(&self.subshell(|walker| walker.run_text(text, call, &call.name)));
        }
        if let Some((first, arguments)) = operands.split_first().filter(|_| !seen.reads_input) {
            if !seen.has_command {
                return self.run_script(first, arguments, call);
            }
            return self.subshell(|walker| {
                // The first word behind the text is `$0`.
                walker.state.positional = arguments.get(1..).unwrap_or(&[]).to_vec();
                if let Some(name) = arguments.first() {
                    walker.state.assign("0", name.clone());
                }
                walker.run_text(first, call, &call.name)
            });
        }
        if !seen.texts.is_empty() {
            return output;
        }
        // The output of an interactive shell is worth as much as the machine itself.
        let taint = if seen.is_interactive { Taint::SECRET } else { Taint::PRINTED };
        match self.state.stdin.clone() {
            Some(input) if input.text.is_empty() => Text::default(),
            Some(input) => {
                let mut output = self.subshell(|walker| {
                    walker.state.positional = operands.to_vec();
                    walker.run_text(&input, call, "stdin")
                });
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
}

/// The options of a shell read so far.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Default)]
struct ShellOptions {
    /// The first operand is text to run.
    has_command: bool,
    is_interactive: bool,
    /// The script is read and not run.
    only_checks: bool,
    /// Operands are `$1`, `$2`, … of the script on standard input.
    reads_input: bool,
    /// Text that options carry themselves: `fish -c'…'`.
    texts: Vec<Text>,
}

impl ShellOptions {
    /// Reads bundled letters; returns how many of the words behind them they take.
    fn bundle(&mut self, word: &Text, shell: &str, next: Option<&Text>) -> usize {
        let is_on = word.text.starts_with('-');
        let mut taken = 0;
        for (at, letter) in word.text.char_indices().skip(1) {
            let behind = at + letter.len_utf8();
            let rest = &word.text[behind..];
            match letter {
                'c' | 'C' if shell == "fish" => {
                    let value = if rest.is_empty() {
                        next.cloned()
                    } else {
                        Some(word.slice(behind, word.text.len()))
                    };
                    self.texts.extend(value);
                    return usize::from(rest.is_empty());
                }
                'c' if is_on => {
                    self.has_command = true;
                    // Only fish reads it so; a user who writes it means it so.
                    if rest.contains(|letter: char| !letter.is_ascii_alphanumeric()) {
                        self.texts.push(word.slice(behind, word.text.len()));
                        return taken;
                    }
                }
                'i' => self.is_interactive = true,
                'n' if is_on && CHECK.contains(&shell) => self.only_checks = true,
                's' if is_on => self.reads_input = true,
                'o' | 'O' if shell == "zsh" && !rest.is_empty() => return taken,
                'o' | 'O' | 'A' if letter != 'A' || matches!(shell, "ksh" | "mksh" | "lksh") => taken += 1,
                _ => {}
            }
        }
        taken
    }
}

/// Returns whether a program is a shell that reads our dialect.
pub(crate) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
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
