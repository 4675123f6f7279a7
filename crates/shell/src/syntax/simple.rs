//! Simple commands: assignments, words and redirections in any order.

use super::cursor::{Cursor, Failure};
use super::tree::{Command, Simple};
use super::{assign, redirect, word};

/// Words that cannot begin a command: they close something that was not opened.
const STRAY: [&str; 8] = ["then", "do", "done", "fi", "esac", "elif", "else", "}"];

/// Reads a simple command; fails when nothing stands here.
pub(super) fn simple(cursor: &mut Cursor) -> Result<Command, Failure> {
    let start = cursor.at;
    if STRAY.contains(&cursor.peek_plain()) {
        return Err(cursor.fail("a reserved word stands where a command should"));
    }
    let mut simple = Simple::default();
    loop {
        cursor.skip_blanks();
        if let Some(redirect) = redirect::redirect(cursor)? {
            simple.redirects.push(redirect);
            continue;
        }
        if simple.words.is_empty()
            && let Some(assign) = assign::assign(cursor)?
        {
            simple.assigns.push(assign);
            continue;
        }
        let before = cursor.at;
        match word::word(cursor)? {
            Some(word) => simple.words.push(word),
            None if cursor.at == before => break,
            None => {}
        }
    }
    if simple.words.is_empty() && simple.assigns.is_empty() && simple.redirects.is_empty() {
        return Err(cursor.fail("a command is missing"));
    }
    // Spaces behind the last word do not belong to the command.
    let end = cursor.text.get(start..cursor.at).map_or(0, |text| text.trim_end().len());
    let keep = cursor.at;
    cursor.at = start + end;
    simple.span = cursor.span_from(start);
    cursor.at = keep;
    Ok(Command::Simple(simple))
}
