//! cmd.exe: commands joined by `&`, `&&`, `||`, `|`, with `^` as escape.

use super::to_posix;
use super::verbs;
use crate::reading::Span;
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
    let mut each = Loop::default();
    for mut command in split(line) {
        if !command.piped {
            taint = Taint::NONE;
        }
        for target in &command.outputs {
            walker.write_path(&Text::known(to_posix(target)), span);
        }
        match each.step(&mut command) {
            Step::Set => continue,
            Step::Run => {}
            Step::Repeat(commands) => {
                for command in commands {
                    let words: Vec<Text> = command.iter().map(|word| expand(walker, word)).collect();
                    walker.enter(|walker| verbs::run(walker, &words, Taint::NONE, span));
                }
                continue;
            }
        }
        let mut words: Vec<Text> = command.words.iter().map(|word| expand(walker, word)).collect();
        // Only PowerShell has an alias of this name.
        if let Some(first) = words.first_mut().filter(|first| first.text.eq_ignore_ascii_case("sc")) {
            *first = Text::known("sc.exe");
        }
        taint = walker.enter(|walker| verbs::run(walker, &words, taint, span)).unwrap_or(Taint::NONE);
    }
}

/// `for %i in (a b) do command %i`, as far as it has been read.
#[derive(Default)]
struct Loop {
    variable: String,
    /// The next command is the list in brackets.
    awaits_list: bool,
    values: Vec<String>,
}

enum Step {
    /// A part of the loop's head: nothing runs.
    Set,
    /// A command outside of a loop.
    Run,
    /// A command of the loop, once for each value.
    Repeat(Vec<Vec<String>>),
}

impl Loop {
    fn step(&mut self, command: &mut Command) -> Step {
        if self.awaits_list {
            self.awaits_list = false;
            // `('command')` and `("text")`: the values are unknown.
            let known = command.words.iter().filter(|word| !word.starts_with(['\'', '`']));
            self.values.extend(known.take(12).cloned());
            return Step::Set;
        }
        let is =
            |at: usize, word: &str| command.words.get(at).is_some_and(|it| it.eq_ignore_ascii_case(word));
        if is(0, "for") && is(command.words.len() - 1, "in") {
            let variable = command.words.iter().find(|word| word.starts_with('%'));
            self.variable = variable.map(|word| word.trim_start_matches('%').to_owned()).unwrap_or_default();
            // `for /r folder` and `for /d`: whatever lies below is meant.
            self.values =
                command.words[1..].iter().filter(|word| word.contains(['\\', ':'])).cloned().collect();
            self.awaits_list = true;
            return Step::Set;
        }
        if is(0, "do") {
            command.words.remove(0);
            if let Some(first) = command.words.first_mut() {
                *first = first.trim_start_matches('@').to_owned();
            }
        }
        if self.variable.is_empty() || !command.words.iter().any(|word| word.contains('%')) {
            return Step::Run;
        }
        let forms = [format!("%%~{}", self.variable), format!("%~{}", self.variable)];
        let plain = [format!("%%{}", self.variable), format!("%{}", self.variable)];
        let put = |word: &String, value: &str| {
            forms.iter().chain(&plain).fold(word.clone(), |word, form| word.replace(form.as_str(), value))
        };
        let values = if self.values.is_empty() { vec!["%unknown%".to_owned()] } else { self.values.clone() };
        Step::Repeat(
            values.iter().map(|value| command.words.iter().map(|word| put(word, value)).collect()).collect(),
        )
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
