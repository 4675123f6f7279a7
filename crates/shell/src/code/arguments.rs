//! The words of a call in code: between its brackets, or behind its name.

use super::Language;
use super::token::Token;

/// The maximum number of tokens that the reader follows in the arguments of a call.
const MAX_ARGUMENT_TOKENS: usize = 2000;

/// The tokens between the brackets of a call, or up to the line's end where brackets may be left out.
pub(super) fn arguments(language: Language, tokens: &[Token], at: usize) -> Option<&[Token]> {
    match tokens.get(at)? {
        Token::Mark('(') => {
            let mut depth = 0usize;
            for (length, token) in tokens[at..].iter().take(MAX_ARGUMENT_TOKENS).enumerate() {
                match token {
                    Token::Mark('(') => depth += 1,
                    Token::Mark(')') => {
                        depth -= 1;
                        if depth == 0 {
                            return Some(&tokens[at + 1..at + length]);
                        }
                    }
                    _ => {}
                }
            }
            Some(&tokens[at + 1..tokens.len().min(at + MAX_ARGUMENT_TOKENS)])
        }
        Token::Text { .. } | Token::Name(_) | Token::Mark('[' | '$' | '@')
            if matches!(language, Language::Perl | Language::Ruby | Language::Lua) =>
        {
            let end = tokens[at..]
                .iter()
                .take(MAX_ARGUMENT_TOKENS)
                .position(|token| matches!(token, Token::Mark(';' | '\n' | '}')))
                .unwrap_or(tokens.len() - at);
            Some(&tokens[at..at + end])
        }
        _ => None,
    }
}

/// A string that names a place in the network.
pub(super) fn is_address(token: &Token) -> bool {
    matches!(token, Token::Text { text, .. } if text.starts_with("http://") || text.starts_with("https://"))
}

/// A name that is itself an argument: `f(name)`, `f(x, name)`.
pub(super) fn is_handed_on(tokens: &[Token], at: usize) -> bool {
    at > 0
        && matches!(tokens[at - 1], Token::Mark('(' | ','))
        && matches!(tokens.get(at + 1), Some(Token::Mark(')' | ',')))
}

/// Returns the part of an argument whose values are followed: all of it, or the list in `{ args: ["-r", "x"] }`.
/// Returns `None` for other options.
pub(super) fn followed(part: &[Token]) -> Option<&[Token]> {
    if !is_keyword(part) {
        return Some(part);
    }
    let named = |pair: &[Token]| matches!(pair, [Token::Name(name), Token::Mark(':')] if name == "args");
    let list = &part[part.windows(2).position(named)? + 2..];
    let end = list.iter().position(|token| *token == Token::Mark(']'))?;
    list.get(..=end)
}

/// `shell=True`, `{ recursive: true }`: no values we follow.
pub(super) fn is_keyword(part: &[Token]) -> bool {
    matches!(part, [Token::Name(_), Token::Mark('='), ..] | [Token::Mark('{'), ..])
}
