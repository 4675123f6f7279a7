//! Lists and pipelines: `a; b && c | d &`.

use super::cursor::{Cursor, Failure};
use super::tree::{Command, Item, Join, Pipeline, Redirect, Script};
use super::{compound, redirect};

/// Reads commands until the end of the text, a `)`, or one of the reserved words in `until`.
pub(super) fn script(cursor: &mut Cursor, until: &[&str]) -> Result<Script, Failure> {
    let mut items = Vec::new();
    let mut join = Join::Then;
    loop {
        cursor.skip_lines()?;
        if at_end(cursor, until) {
            if join != Join::Then {
                return Err(cursor.fail("a command is missing behind `&&` or `||`"));
            }
            return Ok(Script { items });
        }
        let pipeline = pipeline(cursor)?;
        cursor.skip_blanks();
        let mut background = false;
        let mut next = Join::Then;
        match cursor.peek() {
            Some(b'&') if cursor.peek_at(1) == Some(b'&') => {
                cursor.at += 2;
                next = Join::And;
            }
            Some(b'|') if cursor.peek_at(1) == Some(b'|') => {
                cursor.at += 2;
                next = Join::Or;
            }
            Some(b'&') => {
                cursor.at += 1;
                background = true;
            }
            Some(b';') if !matches!(cursor.peek_at(1), Some(b';' | b'&')) => cursor.at += 1,
            Some(b'\n' | b';' | b')') | None => {}
            Some(_) if at_end(cursor, until) => {}
            Some(_) => return Err(cursor.fail("expected the end of a command")),
        }
        items.push(Item { join, pipeline, background });
        join = next;
    }
}

/// Returns whether a list ends here.
fn at_end(cursor: &Cursor, until: &[&str]) -> bool {
    match cursor.peek() {
        None | Some(b')') => true,
        Some(b';') => matches!(cursor.peek_at(1), Some(b';' | b'&')),
        Some(_) => !until.is_empty() && until.contains(&cursor.peek_plain()),
    }
}

fn pipeline(cursor: &mut Cursor) -> Result<Pipeline, Failure> {
    let mut commands = Vec::new();
    loop {
        skip_prefixes(cursor)?;
        commands.push(command(cursor)?);
        cursor.skip_blanks();
        if cursor.peek() != Some(b'|') || cursor.peek_at(1) == Some(b'|') {
            return Ok(Pipeline { commands });
        }
        cursor.at += 1;
        if cursor.peek() == Some(b'&') {
            cursor.at += 1;
        }
        cursor.skip_lines()?;
    }
}

/// Skips `!` and `time [-p]`, which do not change the commands that run.
fn skip_prefixes(cursor: &mut Cursor) -> Result<(), Failure> {
    loop {
        cursor.skip_blanks();
        match cursor.peek_plain() {
            "!" => cursor.at += 1,
            "time" => {
                let before = cursor.at;
                cursor.at += 4;
                cursor.skip_blanks();
                while matches!(cursor.peek_plain(), "-p" | "--") {
                    cursor.at += 2;
                    cursor.skip_blanks();
                }
                // `time` alone and `/usr/bin/time -v cmd` style options are an ordinary command.
                if matches!(cursor.peek(), None | Some(b'\n' | b';' | b'|' | b'&' | b')' | b'-')) {
                    cursor.at = before;
                    return Ok(());
                }
            }
            _ => return Ok(()),
        }
        cursor.pay(1)?;
    }
}

/// Reads one command of a pipeline with the redirections behind it.
pub(super) fn command(cursor: &mut Cursor) -> Result<Command, Failure> {
    cursor.skip_blanks();
    cursor.pay(1)?;
    compound::command(cursor)
}

/// Reads the redirections that follow a compound command.
pub(super) fn trailing_redirects(cursor: &mut Cursor) -> Result<Vec<Redirect>, Failure> {
    let mut redirects = Vec::new();
    loop {
        cursor.skip_blanks();
        match redirect::redirect(cursor)? {
            Some(redirect) => redirects.push(redirect),
            None => return Ok(redirects),
        }
    }
}
