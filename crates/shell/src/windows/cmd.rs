//! cmd.exe: commands joined by `&`, `&&`, `||`, `|`, with `^` as escape.

use super::path::to_posix;
use super::verbs;
use crate::span::Span;
use crate::text::{Taint, Text};
use crate::walk::Walker;

/// Reads a line of cmd.exe.
pub(super) fn read(walker: &mut Walker<'_>, line: &str) {
    let span = Span::new(0, line.len().min(walker.line_length()));
    let mut taint = Taint::NONE;
    if line.matches('(').count() > crate::limits::MAX_LEVELS {
        walker.give_up("more than 64 levels of nesting");
        return;
    }
    for command in split(line) {
        if !command.piped {
            taint = Taint::NONE;
        }
        for target in &command.outputs {
            walker.write_path(&Text::known(to_posix(target)), span);
        }
        let words: Vec<Text> = command.words.iter().map(|word| expand(walker, word)).collect();
        taint = walker.enter(|walker| verbs::run(walker, &words, taint, span)).unwrap_or(Taint::NONE);
    }
}

#[derive(Default)]
struct Command {
    words: Vec<String>,
    outputs: Vec<String>,
    piped: bool,
}

fn split(line: &str) -> Vec<Command> {
    let mut commands = vec![Command::default()];
    let mut word = String::new();
    let mut quoted = false;
    let mut redirect = false;
    let mut characters = line.chars().peekable();
    let flush = |word: &mut String, commands: &mut Vec<Command>, redirect: &mut bool| {
        if word.is_empty() {
            return;
        }
        if let Some(command) = commands.last_mut() {
            let word = std::mem::take(word);
            if std::mem::take(redirect) { command.outputs.push(word) } else { command.words.push(word) }
        }
    };
    while let Some(character) = characters.next() {
        match character {
            '"' => quoted = !quoted,
            '^' if !quoted => word.extend(characters.next()),
            '&' | '|' | '\n' | '(' | ')' if !quoted => {
                flush(&mut word, &mut commands, &mut redirect);
                let piped = character == '|' && characters.peek() != Some(&'|');
                if commands.last().is_some_and(|command| !command.words.is_empty()) {
                    commands.push(Command { piped, ..Command::default() });
                }
            }
            '>' if !quoted => {
                if word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_digit()) {
                    word.clear();
                }
                flush(&mut word, &mut commands, &mut redirect);
                redirect = true;
            }
            '<' | ' ' | '\t' | '\r' | ';' if !quoted => flush(&mut word, &mut commands, &mut redirect),
            other => word.push(other),
        }
    }
    flush(&mut word, &mut commands, &mut redirect);
    commands.retain(|command| !command.words.is_empty());
    for command in &mut commands {
        if let Some(first) = command.words.first_mut() {
            *first = first.trim_start_matches('@').to_owned();
        }
    }
    commands
}

/// `%USERPROFILE%` and its kin.
fn expand(walker: &Walker<'_>, word: &str) -> Text {
    let lower = word.to_ascii_lowercase();
    for (name, value) in [
        ("%userprofile%", walker.reading.home.clone()),
        ("%homepath%", walker.reading.home.clone()),
        ("%cd%", walker.reading.workspace.clone()),
        ("%temp%", "/tmp".to_owned()),
        ("%tmp%", "/tmp".to_owned()),
        ("%systemroot%", "/c/windows".to_owned()),
        ("%windir%", "/c/windows".to_owned()),
        ("%systemdrive%", "/c".to_owned()),
        ("%programfiles%", "/c/program files".to_owned()),
    ] {
        if let Some(at) = lower.find(name) {
            return Text::known(format!(
                "{}{value}{}",
                &word[..at],
                word[at + name.len()..].replace('\\', "/")
            ));
        }
    }
    if lower.matches('%').count() >= 2 {
        return Text::unknown(word, Taint::NONE);
    }
    Text::known(word)
}
