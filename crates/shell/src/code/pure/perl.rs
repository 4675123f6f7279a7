//! Perl one-liners that only match, compute and print.

use super::is_in;

const WORDS: &str = "print printf say if unless else elsif and or not xor eq ne lt gt le ge cmp x length uc lc ucfirst lcfirst split \
    join sprintf substr index rindex reverse sort keys values map grep scalar defined exists my our for foreach while until next \
    last BEGIN END chomp chop push pop shift unshift abs int sqrt ord chr hex oct log exp sin cos time localtime gmtime wantarray \
    return STDIN STDOUT STDERR undef sum max min uniq a b F n";

/// Returns whether each word is listed, each pattern is only matched and no text is code.
pub(super) fn is_pure(code: &str) -> bool {
    // Code in patterns and in texts, commands, and files that a pattern between angles finds.
    if ["(?{", "(??{", "@{", "${", "`", "&$", "->", "<*", "|\""].iter().any(|mark| code.contains(mark)) {
        return false;
    }
    let mut scan = Scan { code: code.as_bytes(), at: 0, is_value: false };
    scan.is_pure()
}

struct Scan<'c> {
    code: &'c [u8],
    at: usize,
    /// Whether a value has just ended: a slash divides.
    is_value: bool,
}

impl Scan<'_> {
    fn is_pure(&mut self) -> bool {
        while let Some(byte) = self.code.get(self.at).copied() {
            self.at += 1;
            match byte {
                b' ' | b'\t' | b'\n' => {}
                b'"' | b'\'' => {
                    if !self.skip(byte) {
                        return false;
                    }
                    self.is_value = true;
                }
                b'/' if !self.is_value => {
                    if !self.skip(b'/') {
                        return false;
                    }
                    self.flags();
                    self.is_value = true;
                }
                // Handles of files, and patterns for names of files.
                b'<' if !self.is_value
                    && !self.code[self.at..].starts_with(b">")
                    && !self.code[self.at..].starts_with(b"STDIN>") =>
                {
                    return false;
                }
                b'$' | b'@' | b'%' if !self.is_value || byte != b'%' => {
                    // The name of a variable, or one of the marks that are variables.
                    let start = self.at;
                    self.word();
                    if self.at == start {
                        self.at += 1;
                    }
                    self.is_value = true;
                }
                b'#' => return false,
                _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                    self.at -= 1;
                    if !self.name() {
                        return false;
                    }
                }
                _ => self.is_value = byte.is_ascii_digit() || matches!(byte, b')' | b']' | b'}'),
            }
        }
        true
    }

    /// A word: a function, an operator, a quoted text or a replacement.
    fn name(&mut self) -> bool {
        let start = self.at;
        self.word();
        let word = String::from_utf8_lossy(&self.code[start..self.at]).into_owned();
        let delimiter = self.code.get(self.at).copied();
        let is_quote = delimiter.is_some_and(|byte| b"/{([|!#,~".contains(&byte));
        match word.as_str() {
            "q" | "qq" | "qw" | "m" | "qr" if is_quote => {
                self.at += 1;
                self.is_value = true;
                let ends = self.skip(closing(delimiter));
                self.flags();
                ends
            }
            "s" | "tr" | "y" if is_quote => {
                self.at += 1;
                if !self.skip(closing(delimiter)) {
                    return false;
                }
                if matches!(delimiter, Some(b'{' | b'(' | b'[')) {
                    if self.code.get(self.at) != delimiter.as_ref() {
                        return false;
                    }
                    self.at += 1;
                }
                if !self.skip(closing(delimiter)) {
                    return false;
                }
                self.is_value = true;
                // The replacement is code with `e`.
                word != "s" || !self.flags().contains(&b'e')
            }
            _ => {
                self.is_value = false;
                is_in(WORDS, &word)
            }
        }
    }

    fn word(&mut self) {
        while self.code.get(self.at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            self.at += 1;
        }
    }

    /// Reads letters behind a pattern.
    fn flags(&mut self) -> &[u8] {
        let start = self.at;
        while self.code.get(self.at).is_some_and(u8::is_ascii_alphabetic) {
            self.at += 1;
        }
        &self.code[start..self.at]
    }

    /// Goes behind the next `end` that no backslash hides; returns `false` without one, or if a subscript in front
    /// of it is code: `"$x[f()]"`.
    fn skip(&mut self, end: u8) -> bool {
        let start = self.at;
        while let Some(byte) = self.code.get(self.at) {
            self.at += 1 + usize::from(*byte == b'\\');
            if *byte == end {
                return !has_computed_subscript(&self.code[start..self.at.min(self.code.len())]);
            }
        }
        false
    }
}

fn closing(open: Option<u8>) -> u8 {
    match open {
        Some(b'{') => b'}',
        Some(b'(') => b')',
        Some(b'[') => b']',
        Some(other) => other,
        None => 0,
    }
}

/// Returns whether a string has a variable whose subscript calls something.
fn has_computed_subscript(text: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.iter().enumerate().filter(|(_, byte)| matches!(byte, b'$' | b'@')).any(|(at, _)| {
        let behind = &text[at + 1..];
        let name = behind.iter().take_while(|byte| is_name(byte)).count();
        match behind.get(name) {
            Some(b'[' | b'{') => {
                let mut inner = behind[name + 1..].iter().take_while(|byte| !matches!(byte, b']' | b'}'));
                inner.any(|byte| matches!(byte, b'(' | b' ' | b'`'))
            }
            _ => false,
        }
    })
}
