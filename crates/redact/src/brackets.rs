//! Whether brackets pair up: in code, patterns and templates they do, in a password of marks they do not.

/// Returns whether brackets only stay open, as on the first line of an expression of several.
pub(crate) fn is_open(value: &[u8]) -> bool {
    !brackets(value).is_closed_wrongly
}

/// Returns whether the brackets in `value` pair up, as they do in code and patterns, apart from those
/// that close around it.
pub(crate) fn is_balanced(value: &[u8]) -> bool {
    pairs_up(value) || pairs_up(without_closing(value))
}

fn without_closing(value: &[u8]) -> &[u8] {
    let n = value.iter().rev().take_while(|byte| b")]},;:".contains(byte)).count();
    let rest = &value[..value.len() - n];
    // The last bracket may close one of its own: `f(x))`.
    let n_own = value[rest.len()..].iter().take_while(|byte| b")]}".contains(byte)).count().min(n);
    let n_open = rest.iter().filter(|byte| b"([{".contains(byte)).count();
    let n_closed = rest.iter().filter(|byte| b")]}".contains(byte)).count();
    &value[..rest.len() + n_own.min(n_open.saturating_sub(n_closed))]
}

fn pairs_up(value: &[u8]) -> bool {
    let brackets = brackets(value);
    brackets.n_open == 0 && !brackets.is_closed_wrongly
}

struct Brackets {
    n_open: usize,
    is_closed_wrongly: bool,
}

fn brackets(value: &[u8]) -> Brackets {
    let mut open = Vec::new();
    let mut is_closed_wrongly = false;
    for &byte in value {
        match byte {
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b')' | b']' | b'}' => is_closed_wrongly |= open.pop() != Some(byte),
            _ => {}
        }
    }
    Brackets { n_open: open.len(), is_closed_wrongly }
}
