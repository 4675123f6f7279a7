//! PowerShell: statements, pipelines, blocks and sub-expressions.

mod methods;

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

/// Operators that assign.
const ASSIGNS: [&str; 6] = ["=", "+=", "-=", "*=", "/=", "??="];

/// How a statement begins, which decides whether it is a command or a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// Nothing has been read.
    None,
    Command,
    /// A string, a variable, a number, a bracket: the statement is printed, not run.
    Value,
    /// Behind the call operator everything is a command.
    Called,
    /// The next word begins the value of an assignment.
    Assigned,
    /// It begins with this character.
    AssignedFrom(char),
}

impl First {
    const fn of(character: char) -> Self {
        match character {
            '"' | '\'' | '$' | '(' | '[' | '@' | '!' | '-' | '+' | '0'..='9' => Self::Value,
            _ => Self::Command,
        }
    }
}

fn taint_of(words: &[Text]) -> Taint {
    words.iter().fold(Taint::NONE, |taint, word| taint.with(word.taint))
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
        let mut first = First::None;
        let mut start = self.at;
        let mut redirect = false;
        while let Some(character) = self.peek() {
            match character {
                _ if Some(character) == close => break,
                ';' | '\n' | '{' | '}' | ')' => {
                    self.at += 1;
                    self.run(&mut words, &mut first, Taint::NONE, start);
                    taint = Taint::NONE;
                    start = self.at;
                    // Found paths go into a block and out of it, but not into the next statement.
                    if matches!(character, ';' | '\n') {
                        self.piped.clear();
                    }
                }
                // The call operator: whatever follows is a command.
                '&' if words.is_empty() && !self.text[self.at..].starts_with("&&") => {
                    self.at += 1;
                    first = First::Called;
                }
                '|' | '&' => {
                    let doubled =
                        self.text[self.at..].starts_with("||") || self.text[self.at..].starts_with("&&");
                    self.at += if doubled { 2 } else { 1 };
                    let n_before = self.walker.n_commands();
                    let printed = self.run(&mut words, &mut first, taint, start);
                    if !doubled && character == '|' {
                        self.walker.lead(n_before, Outlet::Command(self.walker.n_commands()));
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
                        if first == First::None {
                            first = First::of(character);
                        } else if first == First::Assigned {
                            first = First::AssignedFrom(character);
                        }
                        if words.len() == 1 && ASSIGNS.contains(&word.text.as_str()) {
                            first = First::Assigned;
                        }
                        words.push(word);
                    }
                }
            }
        }
        self.run(&mut words, &mut first, taint, start)
    }

    fn run(&mut self, words: &mut Vec<Text>, first: &mut First, input: Taint, start: usize) -> Taint {
        let words = std::mem::take(words);
        let first = std::mem::replace(first, First::None);
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
            && ASSIGNS.contains(&equals.text.as_str())
            && name.text.starts_with('$')
        {
            self.sets_variable(&name.text, span);
            if let [value] = rest
                && equals.text == "="
            {
                self.variables.push((name.text.to_ascii_lowercase(), value.clone()));
                return Taint::NONE;
            }
            let rest = rest.to_vec();
            let is_value = matches!(first, First::AssignedFrom(start) if First::of(start) == First::Value);
            let taint = if is_value { taint_of(&rest) } else { self.command(&rest, input, span) };
            self.variables.push((name.text.to_ascii_lowercase(), Text::unknown(name.text.clone(), taint)));
            return Taint::NONE;
        }
        // `& $command`: the name is decided at run time.
        if first == First::Called && words.first().is_some_and(|word| !word.is_known()) {
            self.walker.doubt(Doubt::ProgramName, words[0].text.clone(), span);
        }
        let is_fetched = |word: &Text| word.taint.has(Taint::FETCHED);
        if first == First::Value && !words.iter().any(is_fetched) {
            return taint_of(&words).with(input);
        }
        self.command(&words, input, span)
    }

    /// Variables of the environment hold for every program that starts later.
    fn sets_variable(&mut self, name: &str, span: Span) {
        let lower = name.to_ascii_lowercase();
        if let Some(variable) = lower.strip_prefix("$env:")
            && matches!(variable, "path" | "pythonpath" | "node_options" | "psmodulepath" | "git_exec_path")
        {
            self.walker.doubt(Doubt::Effects, name, span);
        }
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
                '@' if self.text[self.at + 1..].starts_with('{') => {
                    let taint = self.table();
                    word.push(&Text::unknown("@{…}", taint));
                }
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

    /// `@{ name = value; … }`: returns the taint of its values.
    fn table(&mut self) -> Taint {
        let body = &self.text[self.at + 2..];
        let mut depth = 1usize;
        let mut quote = None;
        let mut taint = Taint::NONE;
        let mut value = None;
        let mut end = body.len();
        for (at, character) in body.char_indices() {
            match character {
                _ if quote == Some(character) => quote = None,
                _ if quote.is_some() => {}
                '"' | '\'' => quote = Some(character),
                '{' | '(' => depth += 1,
                '}' | ')' => {
                    depth -= 1;
                    if depth == 0 {
                        end = at;
                        break;
                    }
                }
                '=' if depth == 1 && value.is_none() => value = Some(at + 1),
                ';' | '\n' if depth == 1 => {
                    if let Some(from) = value.take() {
                        taint = taint.with(self.inner(&body[from..at]));
                    }
                }
                _ => {}
            }
        }
        if let Some(from) = value {
            taint = taint.with(self.inner(&body[from..end]));
        }
        self.at = (self.at + 2 + end + 1).min(self.text.len());
        taint
    }

    /// Reads statements of another text; returns the taint of the last one's output.
    fn inner(&mut self, text: &str) -> Taint {
        let variables = std::mem::take(&mut self.variables);
        let walker = &mut *self.walker;
        let read = walker.enter(|walker| {
            let mut reader = Reader { walker, text, at: 0, variables, piped: Vec::new() };
            (reader.statements(None), reader.variables)
        });
        read.map_or(Taint::NONE, |(taint, variables)| {
            self.variables = variables;
            taint
        })
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
