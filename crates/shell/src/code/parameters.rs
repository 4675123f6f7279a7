//! Parameters of functions in code: the values that calls of the function give them.

use super::arguments::arguments;
use super::look::Look;
use super::token::Token;
use super::value::split;
use crate::text::Text;

impl Look<'_, '_, '_> {
    /// `def f(path): …` and `f("/")`: the parameters have the values of the last call.
    pub(super) fn bind_parameters(&mut self, tokens: &[Token], at: usize) {
        let (Some(Token::Name(function)), Some(Token::Mark('('))) = (tokens.get(at), tokens.get(at + 1))
        else {
            return;
        };
        let Some(parameters) = arguments(self.language, tokens, at + 1) else { return };
        let calls = tokens[at + 1..]
            .iter()
            .enumerate()
            .filter(|(_, token)| matches!(token, Token::Name(name) if name == function));
        let calls: Vec<usize> = calls.map(|(offset, _)| at + 1 + offset).take(8).collect();
        for call in calls {
            let Some(given) = arguments(self.language, tokens, call + 1) else { continue };
            let values = self.values();
            let bound: Vec<(String, Text)> = split(parameters)
                .into_iter()
                .zip(split(given))
                .filter_map(|(parameter, value)| match parameter.first() {
                    Some(Token::Name(name)) => Some((name.clone(), values.one(value))),
                    _ => None,
                })
                .collect();
            self.names.extend(bound);
        }
    }
}
