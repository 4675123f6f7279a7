//! Compound commands and function definitions.

use super::cursor::{Cursor, Failure};
use super::list;
use super::list::{script, trailing_redirects};
use super::tree::{Command, Piece, Word};
use super::{dollar, simple, word};

/// Reads a compound command, a function definition or a simple command.
pub(super) fn command(cursor: &mut Cursor) -> Result<Command, Failure> {
    if cursor.looking_at("((")
        && let Some(test) = arithmetic_command(cursor)?
    {
        return Ok(test);
    }
    if cursor.peek() == Some(b'(') {
        cursor.at += 1;
        let body = parenthesised(cursor)?;
        let redirects = trailing_redirects(cursor)?;
        return Ok(Command::Group { body, subshell: true, redirects });
    }
    match cursor.peek_plain() {
        "{" => {
            cursor.at += 1;
            let body = cursor.deeper(|cursor| script(cursor, &["}"]))?;
            expect_word(cursor, "}")?;
            let redirects = trailing_redirects(cursor)?;
            Ok(Command::Group { body, subshell: false, redirects })
        }
        "if" => cursor.deeper(if_command),
        "while" | "until" => cursor.deeper(while_command),
        "for" | "select" => cursor.deeper(for_command),
        "case" => cursor.deeper(case_command),
        "function" => cursor.deeper(function_keyword),
        "[[" => cursor.deeper(conditional),
        "coproc" => cursor.deeper(coproc),
        _ => match function_name(cursor) {
            Some((name, start)) => cursor.deeper(|cursor| function_body(cursor, name, start)),
            None => simple::simple(cursor),
        },
    }
}

/// Reads a list up to and including the `)` that ends it; the `(` is consumed.
pub(super) fn parenthesised(cursor: &mut Cursor) -> Result<super::Script, Failure> {
    cursor.deeper(|cursor| {
        cursor.parens += 1;
        let body = script(cursor, &[])?;
        cursor.parens -= 1;
        if cursor.peek() != Some(b')') {
            return Err(cursor.fail("a `(` is not closed"));
        }
        cursor.at += 1;
        Ok(body)
    })
}

fn expect_word(cursor: &mut Cursor, expected: &'static str) -> Result<(), Failure> {
    cursor.skip_lines()?;
    if cursor.peek_plain() == expected {
        cursor.at += expected.len();
        Ok(())
    } else {
        Err(cursor.fail(match expected {
            "}" => "a `{` is not closed",
            "then" => "`then` is missing",
            "fi" => "`fi` is missing",
            "do" => "`do` is missing",
            "done" => "`done` is missing",
            _ => "a reserved word is missing",
        }))
    }
}

/// `(( … ))`; `None` when it turns out to be a subshell in a subshell.
fn arithmetic_command(cursor: &mut Cursor) -> Result<Option<Command>, Failure> {
    let start = cursor.at;
    let Some(pieces) = dollar::arithmetic(cursor, 2)? else { return Ok(None) };
    let words = vec![Word { pieces: vec![Piece::Arithmetic(pieces)], span: cursor.span_from(start) }];
    let redirects = trailing_redirects(cursor)?;
    Ok(Some(Command::Test { words, redirects }))
}

fn if_command(cursor: &mut Cursor) -> Result<Command, Failure> {
    cursor.at += 2;
    let mut branches = Vec::new();
    loop {
        branches.push(script(cursor, &["then"])?);
        expect_word(cursor, "then")?;
        branches.push(script(cursor, &["elif", "else", "fi"])?);
        match cursor.peek_plain() {
            "elif" => cursor.at += 4,
            "else" => {
                cursor.at += 4;
                branches.push(script(cursor, &["fi"])?);
                break;
            }
            _ => break,
        }
    }
    expect_word(cursor, "fi")?;
    Ok(Command::If { branches, redirects: trailing_redirects(cursor)? })
}

fn while_command(cursor: &mut Cursor) -> Result<Command, Failure> {
    cursor.at += 5;
    let condition = script(cursor, &["do"])?;
    expect_word(cursor, "do")?;
    let body = script(cursor, &["done"])?;
    expect_word(cursor, "done")?;
    Ok(Command::While { condition, body, redirects: trailing_redirects(cursor)? })
}

fn for_command(cursor: &mut Cursor) -> Result<Command, Failure> {
    cursor.at += cursor.peek_plain().len();
    cursor.skip_blanks();
    let mut words = None;
    let mut name = String::new();
    if cursor.looking_at("((") {
        let start = cursor.at;
        let Some(pieces) = dollar::arithmetic(cursor, 2)? else {
            return Err(cursor.fail("a `((` is not closed"));
        };
        words = Some(vec![Word { pieces: vec![Piece::Arithmetic(pieces)], span: cursor.span_from(start) }]);
    } else {
        let head = word::word(cursor)?.ok_or_else(|| cursor.fail("the name of a loop is missing"))?;
        head.bare().unwrap_or_default().clone_into(&mut name);
        cursor.skip_lines()?;
        if cursor.peek_plain() == "in" {
            cursor.at += 2;
            let mut list = Vec::new();
            loop {
                cursor.skip_blanks();
                match word::word(cursor)? {
                    Some(word) => list.push(word),
                    None => break,
                }
            }
            words = Some(list);
        }
    }
    cursor.skip_blanks();
    if cursor.peek() == Some(b';') {
        cursor.at += 1;
    }
    cursor.skip_lines()?;
    let closing = if cursor.peek_plain() == "{" { ("{", "}") } else { ("do", "done") };
    expect_word(cursor, closing.0)?;
    let body = script(cursor, &[closing.1])?;
    expect_word(cursor, closing.1)?;
    Ok(Command::For { name, words, body, redirects: trailing_redirects(cursor)? })
}

fn case_command(cursor: &mut Cursor) -> Result<Command, Failure> {
    cursor.at += 4;
    cursor.skip_blanks();
    let subject = word::word(cursor)?.ok_or_else(|| cursor.fail("the word of `case` is missing"))?;
    cursor.skip_lines()?;
    if cursor.peek_plain() != "in" {
        return Err(cursor.fail("`in` is missing"));
    }
    cursor.at += 2;
    let mut arms = Vec::new();
    loop {
        cursor.skip_lines()?;
        if cursor.peek_plain() == "esac" {
            cursor.at += 4;
            break;
        }
        if cursor.peek() == Some(b'(') {
            cursor.at += 1;
        }
        let mut patterns = Vec::new();
        loop {
            cursor.skip_blanks();
            patterns.push(word::word(cursor)?.ok_or_else(|| cursor.fail("a pattern of `case` is missing"))?);
            cursor.skip_blanks();
            match cursor.peek() {
                Some(b'|') => cursor.at += 1,
                Some(b')') => {
                    cursor.at += 1;
                    break;
                }
                _ => return Err(cursor.fail("a pattern of `case` is not closed")),
            }
        }
        let body = script(cursor, &["esac"])?;
        arms.push((patterns, body));
        for terminator in [";;&", ";;", ";&"] {
            if cursor.looking_at(terminator) {
                cursor.at += terminator.len();
                break;
            }
        }
        if cursor.peek() == Some(b')') || cursor.peek().is_none() {
            return Err(cursor.fail("`esac` is missing"));
        }
    }
    Ok(Command::Case { subject, arms, redirects: trailing_redirects(cursor)? })
}

/// `name()` in front of a body, consumed; restores the position otherwise.
fn function_name(cursor: &mut Cursor) -> Option<(String, usize)> {
    let bytes = cursor.text.as_bytes();
    let start = cursor.at;
    let mut end = start;
    while bytes.get(end).is_some_and(|byte| {
        byte.is_ascii_alphanumeric()
            || byte.is_ascii() && b"_-.:+@/!?~^%,[]".contains(byte)
            || !byte.is_ascii()
    }) {
        end += 1;
    }
    let name = cursor.text.get(start..end)?;
    let mut at = end;
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    if name.is_empty() || bytes.get(at) != Some(&b'(') {
        return None;
    }
    at += 1;
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    if bytes.get(at) != Some(&b')') {
        return None;
    }
    cursor.at = at + 1;
    Some((name.to_owned(), start))
}

fn function_keyword(cursor: &mut Cursor) -> Result<Command, Failure> {
    let start = cursor.at;
    cursor.at += 8;
    cursor.skip_blanks();
    if let Some((name, _)) = function_name(cursor) {
        return function_body(cursor, name, start);
    }
    let name = word::word(cursor)?.ok_or_else(|| cursor.fail("the name of a function is missing"))?;
    let name = name.bare().unwrap_or_default().to_owned();
    function_body(cursor, name, start)
}

fn function_body(cursor: &mut Cursor, name: String, start: usize) -> Result<Command, Failure> {
    cursor.skip_lines()?;
    let body = list::command(cursor)?;
    Ok(Command::Function { name, body: Box::new(body), span: cursor.span_from(start) })
}

/// `[[ … ]]`: words up to `]]`; operators and parentheses run nothing.
fn conditional(cursor: &mut Cursor) -> Result<Command, Failure> {
    cursor.at += 2;
    let mut words = Vec::new();
    let mut is_pattern = false;
    loop {
        cursor.skip_lines()?;
        if cursor.peek_plain() == "]]" {
            cursor.at += 2;
            break;
        }
        match cursor.peek() {
            None => return Err(cursor.fail("a `[[` is not closed")),
            Some(b'(' | b')' | b'|' | b'&' | b'<' | b'>' | b';') => {
                if matches!(cursor.peek(), Some(b'<' | b'>')) && cursor.peek_at(1) == Some(b'(') {
                    words.extend(word::word(cursor)?);
                } else {
                    cursor.at += 1;
                }
            }
            Some(_) => {
                let found = word::pattern_word(cursor, is_pattern)?
                    .ok_or_else(|| cursor.fail("a `[[` is not closed"))?;
                is_pattern = matches!(found.bare(), Some("=~" | "==" | "=" | "!="));
                words.push(found);
            }
        }
        cursor.pay(1)?;
    }
    Ok(Command::Test { words, redirects: trailing_redirects(cursor)? })
}

fn coproc(cursor: &mut Cursor) -> Result<Command, Failure> {
    cursor.at += 6;
    cursor.skip_blanks();
    let start = cursor.at;
    // `coproc NAME compound`: the name stands only in front of a compound command.
    let name = cursor.peek_plain();
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        cursor.at += name.len();
        cursor.skip_blanks();
        let follows = cursor.peek_plain();
        if !(cursor.peek() == Some(b'(')
            || matches!(follows, "{" | "if" | "while" | "until" | "for" | "case"))
        {
            cursor.at = start;
        }
    }
    Ok(Command::Coproc(Box::new(list::command(cursor)?)))
}
