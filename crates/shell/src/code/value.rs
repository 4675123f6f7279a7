//! Constants in code: strings, joined strings, names that hold strings.

use super::Language;
use super::expansion::{Piece, pieces};
use super::token::Token;
use crate::text::{Taint, Text};
use crate::walk::decode_base64;

/// The known names and folders of code.
pub(super) struct Values<'a> {
    pub language: Language,
    pub home: &'a str,
    pub cwd: Option<&'a str>,
    pub names: &'a [(String, Text)],
    /// Names that hold lists of words.
    pub lists: &'a [(String, Vec<Text>)],
}

impl Values<'_> {
    /// Evaluates one argument to the words it gives: several for a list.
    pub(super) fn list(&self, tokens: &[Token]) -> Vec<Text> {
        if let [Token::Mark('[' | '('), inner @ .., Token::Mark(']' | ')')] = tokens {
            return split(inner).into_iter().map(|item| self.one(item)).collect();
        }
        // `c("-rf", "x")` of R.
        if let [Token::Name(name), Token::Mark('('), inner @ .., Token::Mark(')')] = tokens
            && self.language == Language::R
            && name == "c"
        {
            return split(inner).into_iter().map(|item| self.one(item)).collect();
        }
        // `run(words)`, `system(*words)`, `spawn("rm", ...words)`.
        let spread =
            tokens.iter().position(|token| !matches!(token, Token::Mark('*' | '.' | '@'))).unwrap_or(0);
        if let [Token::Name(name)] = &tokens[spread..]
            && let Some((_, list)) = self.lists.iter().rev().find(|(known, _)| known == name)
        {
            return list.clone();
        }
        vec![self.one(tokens)]
    }

    /// Evaluates one argument to text; parts that are not constant become holes.
    #[expect(clippy::too_many_lines, reason = "one arm per kind of name")]
    pub(super) fn one(&self, tokens: &[Token]) -> Text {
        let mut value = Text::default();
        let mut at = 0;
        let mut joined = false;
        let mut from_environment = false;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                Token::Text { text, .. } if from_environment => {
                    from_environment = false;
                    match (text.as_str(), self.cwd) {
                        ("HOME" | "USERPROFILE", _) => value.push_str(self.home),
                        ("PWD", Some(cwd)) => value.push_str(cwd),
                        _ => value.push(&hole()),
                    }
                }
                Token::Text { text, expands, .. } => {
                    if joined
                        && !value.text.is_empty()
                        && !value.text.ends_with('/')
                        && !text.starts_with('/')
                    {
                        value.push_str("/");
                    }
                    // `"%s" % x` of python.
                    let is_filled =
                        self.language == Language::Python && tokens.get(at) == Some(&Token::Mark('%'));
                    if is_filled {
                        value.push(&hole());
                    } else if *expands {
                        value.push(&self.expanded(text));
                    } else {
                        value.push_str(text);
                    }
                }
                // A parameter may have the name of a module: `def wipe(path)`.
                Token::Name(name)
                    if name == "path"
                        && at.checked_sub(2).is_none_or(|before| tokens[before] != Token::Mark('.'))
                        && self.names.iter().any(|(known, _)| known == name) =>
                {
                    let known = self.names.iter().rev().find(|(known, _)| known == name);
                    value.push(known.map_or(&Text::default(), |(_, known)| known));
                }
                Token::Name(name) => match name.as_str() {
                    "chr" | "fromCharCode" => {
                        while let Some(token) = tokens.get(at) {
                            match token {
                                Token::Number(number) => {
                                    let character =
                                        u32::try_from(*number).ok().and_then(char::from_u32).unwrap_or('?');
                                    value.push_str(character.encode_utf8(&mut [0; 4]));
                                }
                                Token::Mark(')') => break,
                                _ => {}
                            }
                            at += 1;
                        }
                    }
                    "HOME" | "USERPROFILE" | "homedir" | "home" => {
                        from_environment = false;
                        if !value.text.ends_with(self.home) {
                            value.push_str(self.home);
                        }
                    }
                    "getcwd" | "cwd" | "pwd" | "PWD" => match self.cwd {
                        Some(cwd) => value.push_str(cwd),
                        None => value.push(&hole()),
                    },
                    "b64decode" | "decode64" | "base64_decode" | "atob" | "decode_base64" => {
                        if let Some(Token::Text { text, .. }) =
                            tokens[at..].iter().find(|token| matches!(token, Token::Text { .. }))
                        {
                            match decode_base64(text) {
                                Some(decoded) => value.push_str(&decoded),
                                None => value.push(&Text::unknown("$_code", Taint::DECODED)),
                            }
                            at = tokens.len();
                        }
                    }
                    // People cannot read this at a glance, whatever it says.
                    "fromhex" | "unhexlify" => {
                        value.push(&Text::unknown("$_code", Taint::DECODED));
                        at = tokens.len();
                    }
                    "recv" | "recvfrom" | "recv_into" | "urlopen" | "urlretrieve" | "requests" | "fetch"
                    | "urllib" | "http" | "https" | "axios" | "Net" | "URI" => {
                        value.push(&Text::unknown("$_code", Taint::FETCHED));
                        at = tokens.len();
                    }
                    "file_get_contents" if matches!(tokens.get(at + 1), Some(Token::Text { text, .. }) if text.starts_with("http")) =>
                    {
                        value.push(&Text::unknown("$_code", Taint::FETCHED));
                        at = tokens.len();
                    }
                    "mkdtemp" | "mkdtempSync" | "mktemp" | "gettempdir" | "tmpdir" | "TemporaryDirectory" => {
                        value.push_str("/tmp/tmp");
                        at = tokens.len();
                    }
                    // `Buffer.from("…", "base64")` of node.
                    "Buffer" => {
                        if let Some(decoded) = buffer(&tokens[at..]) {
                            value.push(&decoded);
                            at = tokens.len();
                        }
                    }
                    "join" => joined = true,
                    "environ" | "getenv" | "ENV" | "env" => from_environment = true,
                    // `require('os')` names a module, no value.
                    "require" | "__import__" | "import" => at = (at + 3).min(tokens.len()),
                    "os" | "glob" | "path" | "process" | "expanduser" | "Path" | "pathlib" | "abspath"
                    | "resolve" | "str" | "b" | "decode" | "encode" | "read" | "text" | "Dir" | "File"
                    | "expand_path" | "shlex" | "quote" | "String" | "toString" | "base64" | "tempfile"
                    | "from" | "utf8" | "codecs" => {}
                    // `process.env.X`, which is not the name `X`.
                    _ if from_environment => {
                        from_environment = false;
                        value.push(&hole());
                    }
                    other => match self.names.iter().rev().find(|(name, _)| name == other) {
                        Some((_, known)) => value.push(known),
                        None => value.push(&hole()),
                    },
                },
                Token::Mark('[')
                    if matches!(
                        tokens.get(at..at + 3),
                        Some([Token::Mark(':'), Token::Mark(':'), Token::Mark('-')])
                    ) =>
                {
                    if value.is_known() {
                        value.text = value.text.chars().rev().collect();
                    }
                    at += 5;
                }
                Token::Mark('/') if !value.text.is_empty() => value.push_str("/"),
                Token::Number(_) | Token::Mark(_) => {}
            }
        }
        value
    }

    /// Puts values in the places of names; those that are not known become holes.
    fn expanded(&self, text: &str) -> Text {
        let mut value = Text::default();
        for piece in pieces(self.language, text) {
            match piece {
                Piece::Plain(text) => value.push_str(text),
                Piece::Name(wanted) => match self.names.iter().rev().find(|(name, _)| name == wanted) {
                    Some((_, known)) => value.push(known),
                    None => value.push(&hole()),
                },
                Piece::Other => value.push(&hole()),
            }
        }
        value
    }
}

/// Returns the decoded text of a buffer. Returns `None` if it is plain.
fn buffer(tokens: &[Token]) -> Option<Text> {
    let mut texts = tokens.iter().filter_map(|token| match token {
        Token::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let code = texts.next()?;
    let known = match texts.next()? {
        "base64" => decode_base64(code),
        "hex" => None,
        _ => return None,
    };
    Some(known.map_or_else(|| Text::unknown("$_code", Taint::DECODED), Text::known))
}

fn hole() -> Text {
    Text::unknown("$_code", Taint::PRINTED)
}

/// Splits tokens at commas that stand outside of brackets.
pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let mut depth = 0i32;
    let mut start = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(',') if depth == 0 => {
                parts.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if start < tokens.len() {
        parts.push(&tokens[start..]);
    }
    parts.into_iter().map(trim).collect()
}

/// Drops line ends around an argument.
fn trim(mut tokens: &[Token]) -> &[Token] {
    while let [Token::Mark('\n'), rest @ ..] | [rest @ .., Token::Mark('\n')] = tokens {
        tokens = rest;
    }
    tokens
}
