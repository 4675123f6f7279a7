//! PowerShell: statements, pipelines, blocks and sub-expressions.

use super::to_posix;
use super::{piped, verbs};
use crate::guard::RuleId;
use crate::reading::{Doubt, Outlet, Span};
use crate::text::{Taint, Text};
use crate::walk::Walker;

/// Reads PowerShell text.
pub(super) fn read(walker: &mut Walker<'_>, text: &str) {
    let mut reader = Reader { walker, text, at: 0, variables: Vec::new(), piped: Vec::new() };
    reader.statements(None);
}

struct Reader<'w, 'p, 't> {
    walker: &'w mut Walker<'p>,
    text: &'t str,
    at: usize,
    variables: Vec<(String, Text)>,
    /// The paths that the commands before this one in the pipeline found.
    piped: Vec<Text>,
}

impl Reader<'_, '_, '_> {
    /// Reads statements up to `close` or the end; returns the taint of the last one's output.
    fn statements(&mut self, close: Option<char>) -> Taint {
        let mut taint = Taint::NONE;
        let mut words: Vec<Text> = Vec::new();
        let mut start = self.at;
        let mut redirect = false;
        while let Some(character) = self.peek() {
            match character {
                _ if Some(character) == close => break,
                ';' | '\n' | '{' | '}' | ')' => {
                    self.at += 1;
                    self.run(&mut words, Taint::NONE, start, taint);
                    taint = Taint::NONE;
                    start = self.at;
                    // Found paths go into a block and out of it, but not into the next statement.
                    if matches!(character, ';' | '\n') {
                        self.piped.clear();
                    }
                }
                '|' | '&' => {
                    let doubled =
                        self.text[self.at..].starts_with("||") || self.text[self.at..].starts_with("&&");
                    self.at += if doubled { 2 } else { 1 };
                    let first = self.walker.n_commands();
                    let printed = self.run(&mut words, taint, start, taint);
                    if !doubled && character == '|' {
                        self.walker.lead(first, Outlet::Command(self.walker.n_commands()));
                    }
                    taint = if doubled || character == '&' { Taint::NONE } else { printed };
                    if doubled {
                        self.piped.clear();
                    }
                    start = self.at;
                }
                '#' => self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at),
                ' ' | '\t' | '\r' => self.at += 1,
                '>' => {
                    self.at += 1;
                    redirect = true;
                }
                '*' | '0'..='9' if self.text[self.at + 1..].starts_with('>') => self.at += 1,
                _ => {
                    let word = self.word();
                    if redirect {
                        redirect = false;
                        let span = self.span(start);
                        if !word.text.starts_with('&') && !word.text.eq_ignore_ascii_case("$null") {
                            let path = match word.value() {
                                Some(known) => Text::known(to_posix(known)),
                                None => word,
                            };
                            self.walker.write_path(&path, span);
                        }
                    } else {
                        words.push(word);
                    }
                }
            }
        }
        self.run(&mut words, taint, start, taint)
    }

    fn run(&mut self, words: &mut Vec<Text>, input: Taint, start: usize, _: Taint) -> Taint {
        let words = std::mem::take(words);
        let span = self.span(start);
        // `$x="…"` is one word.
        if let [joined] = words.as_slice()
            && let Some((name, value)) = joined.value().and_then(|joined| joined.split_once('='))
            && name.starts_with('$')
        {
            self.variables.push((name.to_ascii_lowercase(), Text::known(value)));
            return Taint::NONE;
        }
        // `$x = …` remembers a constant.
        if let [name, equals, rest @ ..] = words.as_slice()
            && equals.text == "="
            && name.text.starts_with('$')
        {
            if let [value] = rest {
                self.variables.push((name.text.to_ascii_lowercase(), value.clone()));
                return Taint::NONE;
            }
            let rest = rest.to_vec();
            let taint = self.command(&rest, input, span);
            self.variables.push((name.text.to_ascii_lowercase(), Text::unknown(name.text.clone(), taint)));
            return Taint::NONE;
        }
        self.command(&words, input, span)
    }

    fn command(&mut self, words: &[Text], input: Taint, span: Span) -> Taint {
        match words {
            [] => input,
            // `& ([scriptblock]::Create((irm …)))`
            [value]
                if value.taint.has(Taint::FETCHED)
                    && value.text.to_ascii_lowercase().contains("[scriptblock]::create") =>
            {
                self.walker.reading.runs_fetched_code = true;
                self.walker.risk(RuleId::FetchedCode, "[scriptblock]::Create", span);
                value.taint
            }
            // A value on its own is printed.
            [value] if !value.is_known() || value.text.starts_with('$') => value.taint.with(input),
            words => {
                if words.iter().any(|word| word.text.to_ascii_lowercase().contains(".downloadstring(")) {
                    self.walker.reading.network = true;
                    return Taint::FETCHED;
                }
                let words = piped::with_found(words, &self.piped);
                let walker = &mut *self.walker;
                let taint = walker.enter(|walker| verbs::run(walker, &words, input, span));
                self.piped = piped::found(&words, std::mem::take(&mut self.piped));
                taint.unwrap_or(Taint::NONE)
            }
        }
    }

    /// Reads one word: bare, quoted, a variable or a sub-expression.
    fn word(&mut self) -> Text {
        let mut word = Text::default();
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '{' | '}' | ')' | '>' => break,
                '\'' => {
                    let body = &self.text[self.at + 1..];
                    let end = body.find('\'').unwrap_or(body.len());
                    word.push_str(&body[..end]);
                    self.at = (self.at + end + 2).min(self.text.len());
                }
                '"' => self.double(&mut word),
                '`' => {
                    self.at += 1;
                    if let Some(escaped) = self.peek() {
                        self.at += escaped.len_utf8();
                        if escaped != '\n' {
                            word.push_str(escaped.encode_utf8(&mut [0; 4]));
                        }
                    }
                }
                // `IEX(…)`: the bracket opens the first argument.
                '(' if word.text.eq_ignore_ascii_case("iex")
                    || word.text.eq_ignore_ascii_case("invoke-expression") =>
                {
                    break;
                }
                '(' => {
                    self.at += 1;
                    let open = self.at;
                    let taint = self.nested();
                    self.method(&word.text, open);
                    word.push(&Text::unknown("$(…)", taint));
                }
                '$' => self.variable(&mut word),
                other => {
                    word.push_str(other.encode_utf8(&mut [0; 4]));
                    self.at += other.len_utf8();
                }
            }
        }
        let lower = word.text.to_ascii_lowercase();
        if lower.contains(".downloadstring") || lower.contains(".downloaddata") {
            self.walker.reading.network = true;
            word.taint = word.taint.with(Taint::FETCHED);
        }
        word
    }

    /// `[IO.File]::Delete("…")`: the effect of a platform method, as far as its name tells.
    fn method(&mut self, name: &str, open: usize) {
        /// Types whose methods only compute.
        const HARMLESS: [&str; 11] = [
            "[math]",
            "[string]",
            "[datetime]",
            "[guid]",
            "[convert]",
            "[int]",
            "[version]",
            "[timespan]",
            "[environment]",
            "[io.path]",
            "[text.encoding]",
        ];
        let lower = name.to_ascii_lowercase().replace("[system.", "[");
        let Some((kind, method)) = lower.split_once("::") else { return };
        if !kind.starts_with('[') || HARMLESS.contains(&kind) {
            return;
        }
        let span = self.span(open);
        let inside = self.text.get(open..self.at.saturating_sub(1)).unwrap_or("");
        let path = inside.split(['"', '\'']).nth(1).map(|path| Text::known(to_posix(path)));
        match (method, path) {
            ("delete", Some(path)) => self.walker.delete_path(&path, kind.ends_with("directory]"), span),
            ("writealltext" | "writeallbytes" | "writealllines" | "appendalltext" | "create", Some(path)) => {
                self.walker.write_path(&path, span);
            }
            _ => self.walker.doubt(Doubt::Code, name, span),
        }
    }

    fn double(&mut self, word: &mut Text) {
        self.at += 1;
        while let Some(character) = self.peek() {
            match character {
                '"' => {
                    self.at += 1;
                    return;
                }
                '`' => {
                    self.at += 1;
                    if let Some(escaped) = self.peek() {
                        self.at += escaped.len_utf8();
                        word.push_str(escaped.encode_utf8(&mut [0; 4]));
                    }
                }
                '$' => self.variable(word),
                other => {
                    word.push_str(other.encode_utf8(&mut [0; 4]));
                    self.at += other.len_utf8();
                }
            }
        }
    }

    /// `$name`, `${name}`, `$env:NAME`, `$(…)`.
    fn variable(&mut self, word: &mut Text) {
        let rest = &self.text[self.at + 1..];
        if rest.starts_with('(') {
            self.at += 2;
            let taint = self.nested();
            word.push(&Text::unknown("$(…)", taint));
            return;
        }
        let body = rest.strip_prefix('{').unwrap_or(rest);
        let end = body
            .find(|character: char| !(character.is_alphanumeric() || "_:".contains(character)))
            .unwrap_or(body.len());
        let name = format!("${}", &body[..end]);
        let is_braced = rest.starts_with('{');
        let is_closed = is_braced && body[end..].starts_with('}');
        self.at += 1 + end + usize::from(is_braced) + usize::from(is_closed);
        let lower = name.to_ascii_lowercase();
        let known = match lower.as_str() {
            "$home" | "$env:userprofile" | "$env:home" | "$env:homepath" => {
                Some(Text::known(self.walker.reading.home.clone()))
            }
            "$profile" => {
                Some(Text::known(format!("{}/documents/powershell/profile.ps1", self.walker.reading.home)))
            }
            "$pwd" => Some(Text::known(self.walker.reading.workspace.clone())),
            "$env:temp" | "$env:tmp" => Some(Text::known("/tmp")),
            "$env:systemroot" | "$env:windir" => Some(Text::known("/c/windows")),
            "$env:systemdrive" => Some(Text::known("/c")),
            "$null" => Some(Text::known("$null")),
            _ => {
                self.variables.iter().rev().find(|(known, _)| *known == lower).map(|(_, value)| value.clone())
            }
        };
        match known {
            Some(value) => word.push(&value),
            None if self.text[self.at..].trim_start().starts_with('=') => word.push_str(&name),
            None => word.push(&Text::unknown(name, Taint::NONE)),
        }
    }

    /// Reads up to the matching `)`, which is consumed.
    fn nested(&mut self) -> Taint {
        let text = self.text;
        let at = self.at;
        // Depth is bounded by the walker's levels.
        let walker = &mut *self.walker;
        let variables = std::mem::take(&mut self.variables);
        let read = walker.enter(|walker| {
            let mut inner = Reader { walker, text, at, variables, piped: Vec::new() };
            let taint = inner.statements(Some(')'));
            (taint, inner.at, inner.variables)
        });
        if let Some((taint, at, variables)) = read {
            self.at = (at + 1).min(self.text.len());
            self.variables = variables;
            taint
        } else {
            self.at = self.text.len();
            Taint::NONE
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn span(&self, start: usize) -> Span {
        let limit = self.walker.line_length();
        Span::new(start.min(limit), self.at.min(limit).max(start.min(limit)))
    }
}
