//! Effects that show only in the code as a whole: a search with a removal, printed secrets, computed names.

use super::Language;
use super::arguments::arguments;
use super::front::{Front, front};
use super::look::Look;
use super::token::Token;
use super::value::split;
use crate::guard::RuleId;
use crate::text::Text;

/// Facts about processes that psutil is asked for by name.
const PROCESS_FIELDS: [&str; 10] = [
    "pid",
    "ppid",
    "name",
    "cmdline",
    "exe",
    "username",
    "status",
    "cpu_percent",
    "memory_info",
    "create_time",
];

impl Look<'_, '_, '_> {
    /// `words.append("/")`, `words.push("/")`, `words += ["/"]` with a list of constants.
    pub(super) fn grow_list(&mut self, tokens: &[Token], at: usize, name: &str) {
        let is_sum = matches!(tokens.get(at + 1..at + 3), Some([Token::Mark('+'), Token::Mark('=')]));
        let (list, added) = match name {
            "append" | "push" | "extend" | "concat" => {
                let Some([Token::Name(list), Token::Mark('.')]) =
                    at.checked_sub(2).and_then(|from| tokens.get(from..at))
                else {
                    return;
                };
                let Some(added) = arguments(self.language, tokens, at + 1) else { return };
                (list.as_str(), added)
            }
            _ if is_sum => {
                let behind = &tokens[at + 3..];
                let end = behind.iter().position(|token| matches!(token, Token::Mark(';' | '\n')));
                (name, &behind[..end.unwrap_or(behind.len())])
            }
            _ => return,
        };
        let values = self.values();
        let words: Vec<Text> = split(added).into_iter().flat_map(|part| values.list(part)).take(64).collect();
        if let Some((_, known)) = self.lists.iter_mut().rev().find(|(known, _)| known == list)
            && known.len() < 256
        {
            known.extend(words);
        }
    }

    /// `find(sub { unlink }, "/home")` of perl: what it finds is removed.
    pub(super) fn finds(&mut self, tokens: &[Token]) {
        if self.language != Language::Perl
            || !self.code.contains("File::Find")
            || !self.code.contains("unlink")
        {
            return;
        }
        for (at, token) in tokens.iter().enumerate() {
            let is_search =
                matches!(token, Token::Name(name) if matches!(name.as_str(), "find" | "finddepth"));
            let Some(arguments) = arguments(self.language, tokens, at + 1).filter(|_| is_search) else {
                continue;
            };
            for root in arguments {
                if let Token::Text { text, .. } = root {
                    let mut found = Text::known(format!("{text}/**"));
                    found.glob = true;
                    self.walker.delete_path(&found, false, self.call.span);
                }
            }
        }
    }

    /// Returns whether the code opens a prompt that runs typed text: a debugger, a read-eval-print loop.
    pub(super) fn opens_prompt(&self) -> bool {
        let marks: &[&str] = match self.language {
            Language::Python => {
                &["code.interact(", "breakpoint()", ".set_trace(", "IPython.embed(", "InteractiveConsole("]
            }
            Language::Node => {
                &["repl.start(", "require('repl')", "require(\"repl\")", "from 'repl'", "node:repl"]
            }
            Language::Ruby => &["binding.irb", "binding.pry", "IRB.start", "Pry.start"],
            Language::Php => &["psysh", "Psy\\sh("],
            Language::Lua => &["debug.debug("],
            Language::Julia => &["@infiltrate", "run_repl("],
            Language::R => &["browser()"],
            Language::Elixir => &["IEx.pry"],
            Language::Perl | Language::Awk | Language::AppleScript | Language::Groovy | Language::Other => {
                &[]
            }
        };
        marks.iter().any(|mark| self.code.contains(mark))
    }

    /// Remembers the texts of short code: `python3 -c "print('rm -rf /')" | sh` runs them.
    pub(super) fn may_print(&mut self, tokens: &[Token]) {
        const TEXTS: usize = 8;
        let texts = tokens.iter().filter_map(|token| match token {
            Token::Text { text, .. } if text.contains(' ') && text.len() < 1024 => Some(text.clone()),
            _ => None,
        });
        self.walker.printed = texts.take(TEXTS).collect();
    }

    /// Returns whether files are encrypted and written back: without the key they are gone.
    fn replaces_by_ciphertext(&self) -> bool {
        let has = |marks: &[&str]| marks.iter().any(|mark| self.code.contains(mark));
        has(&["encrypt(", "Fernet(", "AES.new", "ChaCha20", "createCipheriv", "SecretBox("])
            && has(&[
                "'wb'",
                "\"wb\"",
                "'rb+'",
                "\"rb+\"",
                "'r+b'",
                "\"r+b\"",
                "writeFile",
                "write_bytes",
                "File.write",
            ])
    }

    /// A walk over a folder together with a removal: everything the walk finds may go.
    pub(super) fn walks(&mut self, tokens: &[Token]) {
        let removes = ["remove(", "unlink", "rmtree", "rmdir", "File.delete", "rm_rf"]
            .iter()
            .any(|verb| self.code.contains(verb));
        if !removes && !self.replaces_by_ciphertext() {
            return;
        }
        for (at, token) in tokens.iter().enumerate() {
            let Token::Name(name) = token else { continue };
            let is_pattern = matches!(name.as_str(), "glob" | "iglob" | "globSync");
            if !is_pattern
                && !matches!(
                    name.as_str(),
                    "walk" | "rglob" | "scandir" | "listdir" | "iterdir" | "readdirSync" | "children"
                )
            {
                continue;
            }
            let root = match front(tokens, at, &self.modules) {
                Front::Path(path) => Some(path),
                _ => arguments(self.language, tokens, at + 1),
            };
            let Some(root) = root.and_then(|root| split(root).into_iter().next()) else { continue };
            let mut found = self.values().one(root);
            if !found.is_known() || found.text.is_empty() {
                continue;
            }
            if !is_pattern || !found.text.contains('*') {
                found.push_str("/**");
            }
            found.glob = true;
            self.walker.delete_path(&found, false, self.call.span);
        }
    }

    /// Code that prints the environment, a variable with a secret name, or a file with secrets.
    pub(super) fn shows_secrets(&mut self, n_reads: usize) {
        const PRINTS: [&str; 14] = [
            "print", "console.", "puts", "echo", "stdout", "pp ", "p ENV", "p(", "var_dump", "inspect",
            "say ", "cat(", "IO.", "println",
        ];
        let is_printed = PRINTS.iter().any(|print| self.code.contains(print))
            || self.call.rest().iter().any(|word| matches!(word.text.as_str(), "-p" | "--print" | "-pe"));
        if !is_printed || !self.walker.is_local() {
            return;
        }
        let files: Vec<String> =
            self.walker.reading.reads[n_reads..].iter().map(|read| read.path.clone()).collect();
        let is_file = files.iter().any(|path| self.walker.is_shown_secret(path));
        if is_file || super::environment::prints_secrets(self.code) {
            self.walker.risk_of(RuleId::SecretShown, self.language.name(), self.call.span, self.call.command);
        }
    }

    /// `os.kill(1, 9)`, `process.kill(1)`, `kill 9, -1`: the same as `kill NUMBER`.
    fn kills_by_number(&mut self, tokens: &[Token]) {
        // Perl and Ruby name the signal first, and may leave out the brackets.
        let is_signal_first = matches!(self.language, Language::Perl | Language::Ruby);
        let is_end = |token: &Token| matches!(token, Token::Mark(';' | '\n' | '}'));
        for (at, token) in tokens.iter().enumerate() {
            if !matches!(token, Token::Name(name) if matches!(name.as_str(), "kill" | "killpg" | "posix_kill"))
            {
                continue;
            }
            let rest = &tokens[at + 1..];
            let bare = || &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
            let words = match arguments(self.language, tokens, at + 1) {
                Some(words) => words,
                None if is_signal_first => bare(),
                None => continue,
            };
            let (n_skipped, n_taken) = if is_signal_first { (1, 8) } else { (0, 1) };
            for part in split(words).into_iter().skip(n_skipped).take(n_taken) {
                let number = match part {
                    [Token::Number(number)] => *number,
                    [Token::Mark('-'), Token::Number(number)] => -*number,
                    // `os.killpg(os.getpgid(1), …)`
                    _ if part.iter().any(|token| *token == Token::Name("getpgid".to_owned()))
                        && part.contains(&Token::Number(1)) =>
                    {
                        1
                    }
                    _ => continue,
                };
                let argv = ["kill", "-9", "--", &number.to_string()].map(Text::known);
                self.walker.invoke(argv.to_vec(), self.call.span);
            }
        }
    }

    /// Processes that psutil finds by name and ends: the same as `pkill NAME`.
    pub(super) fn kills(&mut self, tokens: &[Token]) {
        self.kills_by_number(tokens);
        let ends = [".kill(", ".terminate(", "send_signal(", ".suspend("];
        if !self.code.contains("process_iter") && !self.code.contains("psutil.pids")
            || !ends.iter().any(|end| self.code.contains(end))
        {
            return;
        }
        let names = tokens.iter().filter_map(|token| match token {
            Token::Text { text, .. } if !PROCESS_FIELDS.contains(&text.as_str()) => Some(text.as_str()),
            _ => None,
        });
        let names: Vec<&str> = names.filter(|name| !name.is_empty() && !name.contains(' ')).take(8).collect();
        // Without a name in the code every process may be meant.
        for name in if names.is_empty() { vec!["."] } else { names } {
            self.walker.invoke(vec![Text::known("pkill"), Text::known(name)], self.call.span);
        }
    }
}

/// Returns whether a request in the code carries data.
pub(super) fn sends_data(code: &str) -> bool {
    const MARKS: [&str; 10] = [
        "data=",
        "files=",
        "body:",
        "body=",
        ".post(",
        ".put(",
        "post_form",
        "upload",
        "sendall(",
        "storbinary",
    ];
    MARKS.iter().any(|mark| code.contains(mark))
}

/// Returns whether an argument is text that a decoder makes: `exec(b64decode(…))`, `eval(atob(…))`.
pub(super) fn is_decoded(arguments: &[Token]) -> bool {
    const DECODERS: [&str; 21] = [
        "b64decode",
        "b32decode",
        "a85decode",
        "decode_base64",
        "decode64",
        "base64_decode",
        "fromhex",
        "unhexlify",
        "a2b_hex",
        "a2b_base64",
        "decompress",
        "inflate",
        "gzinflate",
        "gzuncompress",
        "str_rot13",
        "hex2bin",
        "chr",
        "fromCharCode",
        "atob",
        "unpack",
        "pack",
    ];
    arguments.iter().any(|token| match token {
        Token::Name(name) => DECODERS.contains(&name.as_str()),
        Token::Text { text, .. } => matches!(text.as_str(), "rot13" | "rot_13" | "base64" | "hex" | "zlib"),
        Token::Number(_) | Token::Mark(_) => false,
    })
}

/// Returns whether the code calls something by a computed name: `x["sys"+"tem"](…)`, `$f(…)`, `send(:system, …)`.
pub(super) fn has_computed_callee(language: Language, tokens: &[Token], code: &str) -> bool {
    let marks: &[&str] = match language {
        Language::Python => {
            &["__builtins__", "__dict__[", "attrgetter(", "globals()[", "vars(", "locals()[", "methodcaller("]
        }
        Language::Ruby => &["send(", "send ", "method(:", "instance_eval", "class_eval"],
        Language::Lua => &["load(", "loadstring(", "_G["],
        Language::Node => &["global[", "globalThis[", "Reflect.", "process.binding"],
        _ => &[],
    };
    marks.iter().any(|mark| code.contains(mark))
        || tokens.windows(2).any(|pair| pair == [Token::Mark(']'), Token::Mark('(')])
            && matches!(language, Language::Python | Language::Node | Language::Php | Language::Lua)
        || language == Language::Php
            && tokens
                .windows(3)
                .any(|triple| matches!(triple, [Token::Mark('$'), Token::Name(_), Token::Mark('(')]))
}
