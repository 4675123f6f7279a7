//! Passwords in URLs: `scheme://user:password@host`, and Go's `user:password@tcp(host)`.

use std::ops::Range;

use crate::placeholder::is_placeholder;
use crate::randomness::looks_random;
use crate::text::Text;

/// The maximum length of the part before the host.
const MOST: usize = 512;

/// Reads the user part after `://`.
pub(crate) fn user_info(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>) {
    let start = at + anchor.len();
    let rest = text.from(start);
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'<>`\\".contains(byte);
    let n_authority = rest.iter().take(MOST).take_while(|byte| !is_end(byte)).count();
    let Some(n_user_info) = rest[..n_authority].iter().rposition(|byte| *byte == b'@') else { return };
    let user_info = &rest[..n_user_info];
    let Some(n_user) = user_info.iter().position(|byte| *byte == b':') else {
        if user_info.len() >= 16 && !is_placeholder(user_info) && looks_random(user_info) {
            found.push(start..start + n_user_info);
        }
        return;
    };
    let user = &user_info[..n_user];
    let password = &user_info[n_user + 1..];
    if user.iter().any(|byte| b"?#@,;()[]{}".contains(byte)) && !is_placeholder(user) {
        return;
    }
    if !is_port(password) && !is_placeholder(password) && password.len() >= 4 && !is_format(password) {
        found.push(start + n_user + 1..start + n_user_info);
    }
}

/// Reads the password before `@tcp(` and `@unix(`.
pub(crate) fn go_data_source(text: &Text<'_>, at: usize, _: &str, found: &mut Vec<Range<usize>>) {
    let before = text.before(at, 128);
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`".contains(byte);
    let n_user_info = before.iter().rev().take_while(|byte| !is_end(byte)).count();
    let user_info = &before[before.len() - n_user_info..];
    let Some(n_user) = user_info.iter().position(|byte| *byte == b':') else { return };
    let password = &user_info[n_user + 1..];
    if password.len() >= 3 && !is_placeholder(password) && !is_format(password) && !password.contains(&b'/') {
        found.push(at - password.len()..at);
    }
}

/// `http://localhost:3000#user@example`: the digits are a port.
fn is_port(password: &[u8]) -> bool {
    let n_digits = password.iter().take_while(|byte| byte.is_ascii_digit()).count();
    n_digits > 0 && password.get(n_digits).is_some_and(|byte| b"?#".contains(byte))
}

/// `%s`, `{}`, `$1`, `#{x}`, `" + x + "`: filled in later.
fn is_format(password: &[u8]) -> bool {
    password.starts_with(b"%s")
        || password.starts_with(b"{")
        || password.starts_with(b"$") && password.len() <= 4
        || password.iter().all(|byte| *byte == b'*' || *byte == b'.')
        || ["password", "passwd", "mypass", "secret", "pass", "pwd"].iter().any(|word| {
            password.len() <= word.len() + 1 && password.to_ascii_lowercase().starts_with(word.as_bytes())
        })
}
