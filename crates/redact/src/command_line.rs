//! Passwords in short options of programs: `mysql -pX`, `curl -u name:X`.
//!
//! The option is the anchor and the program is searched before it, so that the text between
//! the two is scanned like any other text.

use std::ops::Range;

use crate::contains;
use crate::placeholder::is_placeholder;
use crate::text::Text;

/// Reads `mysql … -pPASSWORD`; with a space after `-p` the next word is a database.
/// With `sshpass` and `docker login` the space is allowed.
pub(crate) fn short_p(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let line = command(text, at);
    let start = at + anchor.len();
    let takes_blank = runs(line, &["sshpass", "docker login", "podman login", "helm login", "az login"]);
    if !takes_blank && !runs(line, &["mysql", "mysqldump", "mysqladmin", "mariadb"]) {
        return;
    }
    let n_blanks = usize::from(takes_blank && text.byte(start) == Some(b' '));
    push(text, word_at(text, start + n_blanks), found);
}

/// Reads `redis-cli -a PASSWORD`.
pub(crate) fn short_a(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    if runs(command(text, at), &["redis-cli"]) {
        push(text, word_at(text, at + anchor.len()), found);
    }
}

/// Reads `gh secret set NAME --body VALUE`.
pub(crate) fn secret_body(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let line = command(text, at);
    if runs(line, &["gh secret"]) && contains(line, b" set ") {
        push(text, word_at(text, at + anchor.len()), found);
    }
}

/// Reads `curl -u name:PASSWORD`, and `curl -u KEY:`, which some services want.
pub(crate) fn user(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    if !runs(command(text, at), &["curl", "http", "https", "xh"]) {
        return;
    }
    let start = at + anchor.len();
    let start = start + text.from(start).iter().take(4).take_while(|byte| **byte == b' ').count();
    let word = start..start + n_shell_word(text.from(start));
    let bytes = text.slice(word.start, word.end);
    let Some(n_user) = bytes.iter().position(|byte| *byte == b':') else { return };
    let password = unquoted(text, word.start + n_user + 1..word.end);
    let user = unquoted(text, word.start..word.start + n_user);
    let is_template = |part: &Range<usize>| is_placeholder(text.slice(part.start, part.end));
    if password.is_empty() {
        let key = text.slice(user.start, user.end);
        if key.len() >= 8 && key.iter().any(u8::is_ascii_digit) && !is_template(&user) {
            found.push(user);
        }
    } else if password.len() >= 4
        && !is_template(&password)
        && !text.slice(password.start, password.end).starts_with(b"//")
    {
        found.push(password);
    }
}

/// Returns the length of a word of a shell, with its quotes.
fn n_shell_word(bytes: &[u8]) -> usize {
    let mut quote = None;
    let ends = |byte: &u8| {
        if let Some(open) = quote {
            quote = quote.filter(|_| *byte != open);
            return *byte == b'\n';
        }
        quote = Some(*byte).filter(|byte| b"\"'".contains(byte));
        byte.is_ascii_whitespace() || b"`<".contains(byte)
    };
    bytes.iter().take(256).position(ends).unwrap_or(bytes.len().min(256))
}

/// Returns a part of a word without the quotes around it.
fn unquoted(text: &Text<'_>, part: Range<usize>) -> Range<usize> {
    let bytes = text.slice(part.start, part.end);
    let is_quote = |byte: &&u8| b"\"'\\".contains(byte);
    let n_start = bytes.iter().take_while(is_quote).count();
    let n_end = bytes[n_start..].iter().rev().take_while(is_quote).count();
    part.start + n_start..part.end - n_end
}

/// Reads `-passin pass:PASSWORD`, OpenSSL's syntax.
pub(crate) fn openssl(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    push(text, word_at(text, at + anchor.len()), found);
}

fn push(text: &Text<'_>, word: Range<usize>, found: &mut Vec<Range<usize>>) {
    let bytes = text.slice(word.start, word.end);
    if bytes.len() >= 4
        && !is_placeholder(bytes)
        && bytes[0] != b'-'
        && !bytes.iter().all(u8::is_ascii_punctuation)
    {
        found.push(word);
    }
}

/// Returns the part of the option's command that precedes `at`, also on the lines before that a backslash continues.
fn command<'t>(text: &Text<'t>, at: usize) -> &'t [u8] {
    // WHY the limit: on a line that consists of options, each of them looks back.
    let before = text.slice(at.saturating_sub(512), at);
    let is_end = |index: &usize| {
        let line = &before[..*index];
        before[*index] == b'\n' && !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
    };
    let start = (0..before.len()).rev().find(is_end).map_or(0, |index| index + 1);
    let line = &before[start..];
    line.rsplit(|byte| b"|;&".contains(byte)).next().unwrap_or(line)
}

/// Returns whether one of `programs` is a word of `command`; of two words the second may come later.
fn runs(command: &[u8], programs: &[&str]) -> bool {
    command.split(u8::is_ascii_whitespace).any(|word| {
        let name = word.rsplit(|byte| b"/\"'`($".contains(byte)).next().unwrap_or(word);
        programs.iter().any(|program| match program.split_once(' ') {
            None => name == program.as_bytes(),
            Some((first, second)) => name == first.as_bytes() && contains(command, second.as_bytes()),
        })
    })
}

/// Returns the word at `start`, without its quotes.
fn word_at(text: &Text<'_>, start: usize) -> Range<usize> {
    let quote = text.byte(start).filter(|byte| b"\"'".contains(byte));
    let start = start + usize::from(quote.is_some());
    let is_end = |byte: u8| match quote {
        Some(quote) => byte == quote || byte == b'\n',
        None => byte.is_ascii_whitespace() || b"\"'`<".contains(&byte),
    };
    start..start + text.from(start).iter().take(256).take_while(|byte| !is_end(**byte)).count()
}
