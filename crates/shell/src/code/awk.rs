//! awk: the files and commands that `print` writes to.
//!
//! WHY it is followed further than other languages: their code always counts as unknown, while an awk program counts
//! as read-only unless a check here finds an effect.

use super::look::Look;
use super::token::Token;
use crate::reading::{Class, Doubt};
use crate::text::{Taint, Text};

/// Parts of one expression that are followed.
const MAX_PARTS: usize = 64;

impl Look<'_, '_, '_> {
    /// `print > "file"`, `print | "command"`, `"command" | getline`.
    pub(super) fn awk_mark(&mut self, tokens: &[Token], at: usize, mark: char) {
        let is = |at: usize, mark: char| tokens.get(at) == Some(&Token::Mark(mark));
        let follows = |mark: char| at > 0 && is(at - 1, mark);
        if changes_operands(tokens, at, mark) {
            // awk reads the files that the program names there.
            self.awk_command(&Text::unknown("$_awk", Taint::NONE));
        }
        match mark {
            '<' if is_behind_getline(&tokens[..at]) => {
                let file = self.awk_value(&tokens[at + 1..]);
                self.walker.read_path(&file, self.call.span);
            }
            // `>=` compares, and so does whatever stands in no `print`.
            '>' if !is(at + 1, '=') && !follows('>') && is_in_print(&tokens[..at]) => {
                let target = self.awk_value(&tokens[at + 1 + usize::from(is(at + 1, '>'))..]);
                self.walker.write_path(&target, self.call.span);
            }
            '|' if !is(at + 1, '|') && !follows('|') => {
                let behind = &tokens[at + 1 + usize::from(is(at + 1, '&'))..];
                if matches!(behind.first(), Some(Token::Name(name)) if name == "getline") {
                    let command = self.awk_value(last_expression(&tokens[..at]));
                    self.awk_command(&command);
                } else if is_in_print(&tokens[..at]) {
                    let command = self.awk_value(behind);
                    // `print "rm -rf /" | "sh"`: the shell runs the printed text.
                    let is_shell = matches!(
                        command.text.trim(),
                        "sh" | "bash" | "zsh" | "dash" | "/bin/sh" | "/bin/bash"
                    );
                    if is_shell
                        && let Some(Token::Text { text, .. }) = at.checked_sub(1).map(|at| &tokens[at])
                    {
                        self.shell(&[Text::known(text.clone())]);
                    }
                    self.awk_command(&command);
                }
            }
            // `@name(…)` calls the function that a variable names.
            '@' if matches!(tokens.get(at + 1), Some(Token::Name(_))) => {
                self.awk_command(&Text::unknown("$_awk", Taint::NONE));
            }
            _ => {}
        }
    }

    /// `system(…)`: the text of the whole expression runs.
    pub(super) fn awk_system(&mut self, arguments: &[Token]) {
        let command = self.awk_value(arguments);
        self.awk_command(&command);
        if !command.is_known() {
            // The constant parts may show the command: `system("rm -rf " $1)`.
            self.shell(std::slice::from_ref(&command));
        }
    }

    fn awk_command(&mut self, command: &Text) {
        if command.is_known() {
            self.shell(std::slice::from_ref(command));
        } else {
            self.walker.classify(self.call.command, Class::Unknown);
            self.walker.doubt(Doubt::Code, "awk", self.call.span);
        }
    }

    /// The text of an expression: parts that stand side by side are joined.
    fn awk_value(&self, tokens: &[Token]) -> Text {
        let hole = || Text::unknown("$_awk", Taint::NONE);
        let mut value = Text::default();
        let mut depth = 0usize;
        for token in tokens.iter().take(MAX_PARTS) {
            match token {
                Token::Mark('(') => depth += 1,
                Token::Mark(')') if depth > 0 => depth -= 1,
                Token::Mark(';' | '\n' | '}' | ')' | '|') => return value,
                Token::Text { text, .. } => value.push_str(text),
                Token::Name(name) => {
                    let mut assigned = self.names.iter().filter(|(known, _)| known == name);
                    match (assigned.next(), assigned.next()) {
                        (Some((_, known)), None) if known.is_known() => value.push(known),
                        _ => value.push(&hole()),
                    }
                }
                Token::Number(number) => value.push_str(&number.to_string()),
                Token::Mark(_) => value.push(&hole()),
            }
        }
        value
    }
}

/// Returns whether a mark changes `ARGV` or `ARGC`, or hands `ARGV` to a function, which may change it.
fn changes_operands(tokens: &[Token], at: usize, mark: char) -> bool {
    let is = |at: usize, mark: char| tokens.get(at) == Some(&Token::Mark(mark));
    let is_name = |at: Option<usize>, name: &str| matches!(at.and_then(|at| tokens.get(at)), Some(Token::Name(it)) if it == name);
    let before = at.checked_sub(1);
    match mark {
        '(' | ',' => is_name(Some(at + 1), "ARGV") && !is(at + 2, '['),
        '+' | '-' if is(at + 1, mark) => is_name(before, "ARGC") || is_name(Some(at + 2), "ARGC"),
        '=' if !is(at + 1, '=')
            && !before.is_some_and(|before| ['=', '!', '<', '>'].iter().any(|sign| is(before, *sign))) =>
        {
            // `+=` and its like.
            let end = at - usize::from(before.is_some_and(|at| "+-*/%^".chars().any(|sign| is(at, sign))));
            let Some(last) = end.checked_sub(1) else { return false };
            if !is(last, ']') {
                return is_name(Some(last), "ARGC");
            }
            let mut depth = 0usize;
            for index in (0..=last).rev() {
                match &tokens[index] {
                    Token::Mark(']') => depth += 1,
                    Token::Mark('[') if depth == 1 => return is_name(index.checked_sub(1), "ARGV"),
                    Token::Mark('[') => depth -= 1,
                    _ => {}
                }
            }
            false
        }
        _ => false,
    }
}

/// Returns whether the tokens end behind `getline` or `getline name`.
fn is_behind_getline(before: &[Token]) -> bool {
    let is_getline = |token: &Token| matches!(token, Token::Name(name) if name == "getline");
    before.iter().rev().take(2).any(is_getline)
}

/// Returns whether the tokens end inside of a `print`, outside of brackets.
fn is_in_print(before: &[Token]) -> bool {
    let mut depth = 0usize;
    for token in before.iter().rev() {
        match token {
            Token::Mark(')') => depth += 1,
            Token::Mark('(') if depth == 0 => return false,
            Token::Mark('(') => depth -= 1,
            Token::Mark(';' | '\n' | '{' | '}') if depth == 0 => return false,
            Token::Name(name) if depth == 0 && matches!(name.as_str(), "print" | "printf") => return true,
            _ => {}
        }
    }
    false
}

/// Returns the expression in front of `| getline`, back to the start of its statement.
fn last_expression(before: &[Token]) -> &[Token] {
    let mut depth = 0usize;
    for (at, token) in before.iter().enumerate().rev() {
        match token {
            Token::Mark(')') => depth += 1,
            Token::Mark('(') if depth == 0 => return &before[at + 1..],
            Token::Mark('(') => depth -= 1,
            Token::Mark(';' | '\n' | '{' | '}' | '=') if depth == 0 => return &before[at + 1..],
            _ => {}
        }
    }
    before
}
