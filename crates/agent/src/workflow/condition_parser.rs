//! Parses a condition: `output contains 'a' and not (output matches 'b' or output equals 'c')`.
//!
//! `not` binds tightest, then `and`, then `or`. Strings have single or double quotes; a quote within
//! a string is doubled.

use super::condition::{Condition, Test};
use crate::pattern::Pattern;

/// Why a condition is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConditionError {
    /// The character at fault, from 0.
    pub column: usize,
    /// The number of characters at fault.
    pub width: usize,
    /// The message.
    pub message: String,
    /// The correct input.
    pub expected: String,
    /// The remedy.
    pub hint: Option<String>,
}

/// Deeper nesting than users write by hand.
const MOST_LEVELS: usize = 32;

const TESTS: [&str; 3] = ["contains", "matches", "equals"];

/// Parses a whole condition.
pub(super) fn parse(text: &str) -> Result<Condition, ConditionError> {
    let mut parser = Parser { chars: text.chars().collect(), at: 0, n_levels: 0 };
    let condition = parser.or()?;
    parser.skip_blanks();
    if parser.at < parser.chars.len() {
        return Err(parser.wrong("`and`, `or` or the end"));
    }
    Ok(condition)
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    n_levels: usize,
}

impl Parser {
    fn or(&mut self) -> Result<Condition, ConditionError> {
        let mut left = self.and()?;
        while self.takes("or") {
            left = Condition::Or(Box::new(left), Box::new(self.and()?));
            self.deeper()?;
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Condition, ConditionError> {
        let mut left = self.not()?;
        while self.takes("and") {
            left = Condition::And(Box::new(left), Box::new(self.not()?));
            self.deeper()?;
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Condition, ConditionError> {
        if self.takes("not") {
            self.deeper()?;
            return Ok(Condition::Not(Box::new(self.not()?)));
        }
        self.skip_blanks();
        if self.chars.get(self.at) == Some(&'(') {
            self.deeper()?;
            self.at += 1;
            let inner = self.or()?;
            self.skip_blanks();
            if self.chars.get(self.at) != Some(&')') {
                return Err(self.wrong("`)`"));
            }
            self.at += 1;
            return Ok(inner);
        }
        self.test().map(Condition::Output)
    }

    fn test(&mut self) -> Result<Test, ConditionError> {
        if !self.takes("output") {
            let mut error = self.wrong("`output`, `not` or `(`");
            error.hint = Some("write a condition like `output contains 'needs research'`".to_owned());
            return Err(error);
        }
        let Some(word) = TESTS.into_iter().find(|it| self.takes(it)) else {
            let mut error = self.wrong("`contains`, `matches` or `equals`");
            error.hint = config_file::nearest(&self.word(), TESTS).map(|it| format!("did you mean `{it}`?"));
            return Err(error);
        };
        self.skip_blanks();
        let start = self.at;
        let text = self.quoted()?;
        Ok(match word {
            "contains" => Test::Contains(text),
            "equals" => Test::Equals(text),
            _ => Test::Matches(pattern(text, start)?),
        })
    }

    fn quoted(&mut self) -> Result<String, ConditionError> {
        let start = self.at;
        let quote = match self.chars.get(self.at) {
            Some(quote @ ('\'' | '"')) => *quote,
            _ => return Err(self.wrong("a string in quotes")),
        };
        let mut text = String::new();
        self.at += 1;
        while let Some(next) = self.chars.get(self.at) {
            self.at += 1;
            if *next != quote {
                text.push(*next);
            } else if self.chars.get(self.at) == Some(&quote) {
                self.at += 1;
                text.push(quote);
            } else {
                return Ok(text);
            }
        }
        Err(ConditionError {
            column: start,
            width: self.chars.len() - start,
            message: "the string has no end".to_owned(),
            expected: format!("a closing {quote}"),
            hint: None,
        })
    }

    /// Consumes a word if it is next.
    fn takes(&mut self, word: &str) -> bool {
        self.skip_blanks();
        let is_next = self.word() == word;
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    fn word(&self) -> String {
        self.chars[self.at..].iter().take_while(|it| it.is_alphanumeric() || **it == '_').collect()
    }

    fn skip_blanks(&mut self) {
        while self.chars.get(self.at).is_some_and(|it| it.is_whitespace()) {
            self.at += 1;
        }
    }

    fn deeper(&mut self) -> Result<(), ConditionError> {
        self.n_levels += 1;
        if self.n_levels <= MOST_LEVELS {
            return Ok(());
        }
        Err(ConditionError {
            column: self.at,
            width: 1,
            message: format!("the condition has more than {MOST_LEVELS} parts"),
            expected: "a shorter condition".to_owned(),
            hint: None,
        })
    }

    fn wrong(&mut self, expected: &str) -> ConditionError {
        self.skip_blanks();
        let word = self.word();
        let (message, width) = match self.chars.get(self.at) {
            None => ("the condition ends here".to_owned(), 1),
            Some(_) if !word.is_empty() => (format!("unexpected `{word}`"), word.chars().count()),
            Some(other) => (format!("unexpected `{other}`"), 1),
        };
        ConditionError { column: self.at, width, message, expected: expected.to_owned(), hint: None }
    }
}

fn pattern(text: String, start: usize) -> Result<Pattern, ConditionError> {
    Pattern::new(text).map_err(|error| ConditionError {
        column: start + 1 + error.column,
        width: 1,
        message: format!("invalid pattern: {}", error.reason),
        expected: "a regular expression".to_owned(),
        hint: error.hint.map(str::to_owned),
    })
}
