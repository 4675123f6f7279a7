//! The language of sed: the files that a script reads and writes, and the commands it runs.

/// An effect of a script beyond its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Effect {
    /// `r FILE`, `R FILE`.
    Reads(String),
    /// `w FILE`, `s/…/…/w FILE`.
    Writes(String),
    /// `e COMMAND`.
    Runs(String),
    /// `s/…/COMMAND/e`: the replacement becomes a command.
    RunsReplacement(String),
    /// `e` alone: each line of the input is a command.
    RunsInput,
    /// The script cannot be read as sed reads it.
    Unreadable,
}

/// More commands than this are not read.
const COMMANDS: usize = 1024;

/// Returns the effects of a script.
pub(super) fn effects(script: &str) -> Vec<Effect> {
    let mut reader = Reader { rest: script, found: Vec::new() };
    for _ in 0..COMMANDS {
        match reader.command() {
            Some(true) => {}
            Some(false) => return reader.found,
            None => break,
        }
    }
    reader.found.push(Effect::Unreadable);
    reader.found
}

struct Reader<'s> {
    rest: &'s str,
    found: Vec<Effect>,
}

impl<'s> Reader<'s> {
    /// Reads one command. Returns `Some(false)` at the end, `None` if it is not one of sed's.
    fn command(&mut self) -> Option<bool> {
        self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ';' | '}'));
        if self.rest.is_empty() {
            return Some(false);
        }
        self.addresses()?;
        let Some(letter) = self.rest.chars().next() else { return Some(true) };
        self.rest = &self.rest[letter.len_utf8()..];
        match letter {
            '{' | '}' | ';' | '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z'
            | 'F' => {}
            'l' | 'L' | 'q' | 'Q' => {
                self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
            }
            '#' | 'a' | 'i' | 'c' => self.text(),
            ':' => drop(self.word(&['\n', ';'])),
            'b' | 't' | 'T' | 'v' => drop(self.word(&['\n', ';', '}'])),
            'r' | 'R' => {
                let file = self.line();
                self.found.push(Effect::Reads(file.to_owned()));
            }
            'w' | 'W' => {
                let file = self.line();
                self.found.push(Effect::Writes(file.to_owned()));
            }
            'e' => {
                let command = self.line();
                self.found.push(match command.trim_end_matches('}').trim() {
                    "" => Effect::RunsInput,
                    text if text.starts_with(';') => Effect::RunsInput,
                    _ => Effect::Runs(command.to_owned()),
                });
            }
            's' => self.substitute()?,
            'y' => {
                let delimiter = self.delimiter()?;
                self.part(delimiter)?;
                self.part(delimiter)?;
            }
            _ => return None,
        }
        Some(true)
    }

    /// Numbers, `$`, `/pattern/`, `\,pattern,`, ranges, steps, `!`.
    fn addresses(&mut self) -> Option<()> {
        for _ in 0..8 {
            self.rest = self.rest.trim_start_matches(|c: char| {
                c.is_ascii_digit() || matches!(c, ',' | '$' | '!' | '~' | '+' | ' ' | '\t')
            });
            if let Some(pattern) = self.rest.strip_prefix('/') {
                self.rest = pattern;
                self.pattern('/')?;
            } else if let Some(pattern) = self.rest.strip_prefix('\\') {
                let delimiter = pattern.chars().next()?;
                self.rest = &pattern[delimiter.len_utf8()..];
                self.pattern(delimiter)?;
            } else {
                return Some(());
            }
            self.rest = self.rest.trim_start_matches(['I', 'M']);
        }
        None
    }

    fn substitute(&mut self) -> Option<()> {
        let delimiter = self.delimiter()?;
        self.pattern(delimiter)?;
        let replacement = self.part(delimiter)?;
        let mut runs = false;
        while let Some(flag) = self.rest.chars().next() {
            match flag {
                'g' | 'G' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {}
                'e' => runs = true,
                'w' => {
                    self.rest = &self.rest[1..];
                    let file = self.line();
                    self.found.push(Effect::Writes(file.to_owned()));
                    break;
                }
                _ => break,
            }
            self.rest = &self.rest[flag.len_utf8()..];
        }
        if runs {
            let text = replacement.replace(&format!("\\{delimiter}"), &delimiter.to_string());
            self.found.push(Effect::RunsReplacement(text));
        }
        Some(())
    }

    fn delimiter(&mut self) -> Option<char> {
        let delimiter = self.rest.chars().next().filter(|delimiter| !matches!(delimiter, '\n' | '\\'))?;
        self.rest = &self.rest[delimiter.len_utf8()..];
        Some(delimiter)
    }

    /// Reads a regular expression: a delimiter inside of `[…]` is a letter like any other.
    fn pattern(&mut self, delimiter: char) -> Option<()> {
        let text = self.rest;
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            let behind = at + character.len_utf8();
            if character == delimiter {
                self.rest = &text[behind..];
                return Some(());
            }
            at = match character {
                '\\' => behind + text[behind..].chars().next().map_or(0, char::len_utf8),
                '[' => end_of_brackets(text, behind).unwrap_or(behind),
                _ => behind,
            };
        }
        None
    }

    /// Reads up to a delimiter that is not escaped.
    fn part(&mut self, delimiter: char) -> Option<&'s str> {
        let mut is_escaped = false;
        for (at, character) in self.rest.char_indices() {
            if is_escaped {
                is_escaped = false;
            } else if character == '\\' {
                is_escaped = true;
            } else if character == delimiter {
                let part = &self.rest[..at];
                self.rest = &self.rest[at + character.len_utf8()..];
                return Some(part);
            }
        }
        None
    }

    fn word(&mut self, ends: &[char]) -> &'s str {
        let end = self.rest.find(ends).unwrap_or(self.rest.len());
        let word = self.rest[..end].trim();
        self.rest = &self.rest[end..];
        word
    }

    fn line(&mut self) -> &'s str {
        self.word(&['\n'])
    }

    /// The text of `a`, `i` and `c`: lines that end in a backslash are followed by another one.
    fn text(&mut self) {
        loop {
            let line = self.line();
            self.rest = self.rest.strip_prefix('\n').unwrap_or("");
            if !line.ends_with('\\') || self.rest.is_empty() {
                return;
            }
        }
    }
}

/// Returns where a bracket expression ends that starts in front of `at`.
fn end_of_brackets(text: &str, at: usize) -> Option<usize> {
    let inner = &text[at..];
    let negated = usize::from(inner.starts_with('^'));
    let literal = usize::from(inner[negated..].starts_with(']'));
    let from = at + negated + literal;
    text[from..].find(']').map(|end| from + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_that_only_print_have_no_effects() {
        for script in [
            "s/a/b/g",
            "1,20p",
            "/start/,/end/p",
            "$d",
            "5q",
            "s|a|b|;s,c,d,2",
            "/x/{s/a/b/;p}",
            "y/abc/xyz/",
            "\\,a/b,d",
            "1~2p",
            "/a/I,+3d",
            "$!N;P;D",
            ":a;N;$!ba;s/\\n/ /g",
            "a hello w out",
            "1i\\\ntext w x",
            "s/w x/e/",
            "s/[^/]*$//",
            "/^#/!p",
            "n;d",
            "=",
            "0~4G",
            "s/a\\/b/c/p",
            "# comment w x",
            "",
        ] {
            assert_eq!(effects(script), [], "{script}");
        }
    }

    #[test]
    fn files_and_commands_are_found_wherever_they_stand() {
        let writes = |file: &str| Effect::Writes(file.to_owned());
        let reads = |file: &str| Effect::Reads(file.to_owned());
        assert_eq!(effects("1r.env"), [reads(".env")]);
        assert_eq!(effects("/x/R /etc/passwd\np"), [reads("/etc/passwd")]);
        assert_eq!(effects("$!{r a\n};w out"), [reads("a"), writes("out")]);
        assert_eq!(effects("w out"), [writes("out")]);
        assert_eq!(effects("/x/w out"), [writes("out")]);
        assert_eq!(effects("\\,a,w out"), [writes("out")]);
        assert_eq!(effects("/a/!w out"), [writes("out")]);
        assert_eq!(effects("$!{w out\n}"), [writes("out")]);
        assert_eq!(effects("s|a|b|gw out"), [writes("out")]);
        assert_eq!(effects("s,a,b,;w out"), [writes("out")]);
        assert_eq!(effects("s/a;b/c/w out"), [writes("out")]);
        assert_eq!(effects("y/a/b/;w out"), [writes("out")]);
        assert_eq!(effects("1e touch x"), [Effect::Runs("touch x".to_owned())]);
        assert_eq!(effects("e"), [Effect::RunsInput]);
        assert_eq!(effects("s/.*/rm x/e"), [Effect::RunsReplacement("rm x".to_owned())]);
        assert_eq!(effects("k"), [Effect::Unreadable]);
    }
}
