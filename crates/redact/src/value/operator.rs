//! The operators between a name and its value, and the types that may precede one.

/// The kind of an operator.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    /// `=` and its relatives.
    Assign,
    /// `:`, which also announces a type or a sentence.
    Colon,
    /// `==` and its relatives: only a literal after it counts.
    Compare,
}

/// The longest first, so that `:=` is not read as `:`.
const OPERATORS: [(&str, Operator); 18] = [
    (":::=", Operator::Assign),
    ("::=", Operator::Assign),
    ("===", Operator::Compare),
    ("!==", Operator::Compare),
    ("??=", Operator::Assign),
    ("||=", Operator::Assign),
    (":=", Operator::Assign),
    ("=>", Operator::Assign),
    ("==", Operator::Compare),
    ("!=", Operator::Compare),
    ("?=", Operator::Assign),
    ("+=", Operator::Assign),
    (".=", Operator::Assign),
    ("|=", Operator::Assign),
    ("<-", Operator::Assign),
    ("=", Operator::Assign),
    ("?:", Operator::Colon),
    (":", Operator::Colon),
];

/// The most bytes of a type.
const MAX_TYPE: usize = 48;

/// Returns the operator at the start of `rest` and its length.
pub(super) fn read(rest: &[u8]) -> Option<(Operator, usize)> {
    // `=~` compares with a pattern, and `::` is part of a path.
    let first = *rest.first().filter(|byte| b":=!?+.|<".contains(byte))?;
    if rest.starts_with(b"=~") {
        return None;
    }
    let is_here = |text: &str| text.as_bytes()[0] == first && rest.starts_with(text.as_bytes());
    let (text, operator) = *OPERATORS.iter().find(|(text, _)| is_here(text))?;
    if text == ":" && rest.get(1) == Some(&b':') {
        return None;
    }
    Some((operator, text.len()))
}

/// Returns the length of a type of one word and the `=` after it, if a value follows: `string = "…"`.
pub(super) fn n_plain_type(rest: &[u8]) -> Option<usize> {
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.[]*".contains(byte);
    let n_word = rest.iter().take(MAX_TYPE).take_while(|byte| is_type(byte)).count();
    let n_blank = rest[n_word..].iter().take(8).take_while(|byte| **byte == b' ').count();
    let after = n_word + n_blank;
    let is_value = |byte: &u8| b" \"'`".contains(byte);
    let is_typed = n_word > 1 && rest.get(after) == Some(&b'=') && rest.get(after + 1).is_some_and(is_value);
    is_typed.then_some(after + 1)
}

/// Returns the length of a type and the `=` after it, if a value follows: `&'static str = "…"`.
pub(super) fn n_type(rest: &[u8]) -> Option<usize> {
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b" _<>&'|?.[]*".contains(byte);
    let n_type = rest.iter().take(MAX_TYPE).take_while(|byte| is_type(byte)).count();
    let is_value = |byte: &u8| b" \"'`".contains(byte);
    let is_typed =
        n_type > 1 && rest.get(n_type) == Some(&b'=') && rest.get(n_type + 1).is_some_and(is_value);
    is_typed.then_some(n_type + 1)
}
