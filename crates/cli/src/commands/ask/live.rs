//! The list of asks in a terminal, which updates itself; keys answer.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use asks::{Answer, Ask, AskId, OpenAsk, Scope};

use super::{Selection, done, explain};
use crate::exit::Exit;
use crate::output;
use crate::output::text::{cut, fold, one_line};

/// For how long no key answers after another ask was selected than the one the user saw.
const SETTLES: Duration = Duration::from_secs(1);

/// The beginning of lines about the selected ask.
const INDENT: &str = "           ";

/// Shows the asks until the user quits.
#[cfg(not(target_os = "linux"))]
pub(super) fn run(_selection: &Selection<'_>) -> anyhow::Result<Exit> {
    output::error("hooks cannot wait for a person on this system");
    Ok(Exit::No)
}

/// Shows the asks until the user quits.
#[cfg(target_os = "linux")]
pub(super) fn run(selection: &Selection<'_>) -> anyhow::Result<Exit> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    // A signal ends the list, so that the terminal is as before.
    let has_ended = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&has_ended);
    ctrlc::set_handler(move || ends.store(true, Ordering::Relaxed))?;
    let _screen = screen::Screen::enter()?;
    let mut list = List::default();
    while !has_ended.load(Ordering::Relaxed) {
        let known: Vec<&AskId> = list.open.iter().map(|open| &open.ask.id).collect();
        let new = selection.open(&known)?;
        list.open.extend(new);
        list.select_an_open_one();
        list.draw(selection.all)?;
        let stdin = io::stdin();
        let mut polled = vec![PollFd::new(&stdin, PollFlags::IN)];
        let descriptors: Vec<_> = list.open.iter().map(OpenAsk::descriptor).collect();
        polled.extend(descriptors.iter().map(|descriptor| PollFd::new(descriptor, PollFlags::IN)));
        // New asks are sockets in a folder, which is read again at this rate.
        let pause = Timespec { tv_sec: 0, tv_nsec: 400_000_000 };
        match poll(&mut polled, Some(&pause)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(io::Error::from(error).into()),
        }
        let ready: Vec<bool> = polled.iter().map(|polled| !polled.revents().is_empty()).collect();
        drop(polled);
        drop(descriptors);
        list.drop_ended(&ready[1..]);
        if ready[0] {
            let mut bytes = [0; 64];
            let n_bytes = stdin.lock().read(&mut bytes)?;
            if n_bytes == 0 {
                return Ok(Exit::Fine);
            }
            if list.press_all(&keys(&bytes[..n_bytes])) == Pressed::Quit {
                return Ok(Exit::Fine);
            }
        }
    }
    Ok(Exit::Fine)
}

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Up,
    Down,
    Enter,
    Escape,
    Backspace,
    Interrupt,
    Text(char),
}

/// Whether the list stays open after a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pressed {
    Goes,
    Quit,
}

/// The list and the state of its keys.
#[derive(Debug, Default)]
struct List {
    open: Vec<OpenAsk>,
    /// By its id: an ask that ends must not pass a key on to the one below it.
    selected: Option<AskId>,
    /// When another ask was selected without the user.
    moved: Option<Instant>,
    /// The reason that the user is typing, for a denial.
    reason: Option<String>,
    /// The result of the last answer.
    note: String,
}

impl List {
    fn drop_ended(&mut self, ended: &[bool]) {
        let mut index = 0;
        self.open.retain(|_| {
            let has_ended = ended.get(index).copied().unwrap_or(false);
            index += 1;
            !has_ended
        });
        self.select_an_open_one();
    }

    /// Returns the place of the selected ask.
    fn index(&self) -> Option<usize> {
        let selected = self.selected.as_ref()?;
        self.open.iter().position(|open| open.ask.id == *selected)
    }

    /// Selects the first ask if the selected one has ended.
    fn select_an_open_one(&mut self) {
        if self.index().is_none() {
            self.selected = self.open.first().map(|open| open.ask.id.clone());
            self.moved = Some(Instant::now());
            self.reason = None;
        }
    }

    fn select(&mut self, index: usize) {
        if let Some(open) = self.open.get(index.min(self.open.len().saturating_sub(1))) {
            self.selected = Some(open.ask.id.clone());
            self.moved = None;
        }
    }

    /// Takes the keys of one read. Several letters at once are a paste, which answers nothing.
    fn press_all(&mut self, keys: &[Key]) -> Pressed {
        let n_letters = keys.iter().filter(|key| matches!(key, Key::Text(_))).count();
        for key in keys {
            let is_pasted = n_letters > 1 && self.reason.is_none() && matches!(key, Key::Text(_));
            if !is_pasted && self.press(*key) == Pressed::Quit {
                return Pressed::Quit;
            }
        }
        Pressed::Goes
    }

    fn press(&mut self, key: Key) -> Pressed {
        if key == Key::Interrupt {
            return Pressed::Quit;
        }
        if let Some(reason) = &mut self.reason {
            match key {
                Key::Text(c) => reason.push(c),
                Key::Backspace => {
                    reason.pop();
                }
                Key::Escape => self.reason = None,
                Key::Enter => {
                    let reason = self.reason.take().filter(|reason| !reason.trim().is_empty());
                    self.answer(&Answer::Deny { reason });
                }
                Key::Up | Key::Down | Key::Interrupt => {}
            }
            return Pressed::Goes;
        }
        match key {
            Key::Text('q') => return Pressed::Quit,
            Key::Up | Key::Text('k') => self.select(self.index().unwrap_or(0).saturating_sub(1)),
            Key::Down | Key::Text('j') => self.select(self.index().map_or(0, |index| index + 1)),
            Key::Text('a') => self.answer(&Answer::Allow { scope: Scope::Once }),
            Key::Text('s') => self.answer(&Answer::Allow { scope: Scope::Session }),
            Key::Text('d') if !self.open.is_empty() => self.reason = Some(String::new()),
            _ => {}
        }
        Pressed::Goes
    }

    fn answer(&mut self, answer: &Answer) {
        let Some(index) = self.index() else { return };
        if self.moved.is_some_and(|moved| moved.elapsed() < SETTLES) {
            self.note = String::from("the list has just changed: check it, then press the key again");
            return;
        }
        let mut open = self.open.remove(index);
        self.select_an_open_one();
        let call = one_line(&open.ask.call);
        self.note = match open.answer(answer) {
            Ok(()) => format!("{}: {call}", done(answer)),
            Err(error) => format!("cannot answer: {}", one_line(&explain(&error))),
        };
    }

    fn draw(&self, all: bool) -> io::Result<()> {
        let (columns, rows) = (output::columns().unwrap_or(80), output::rows().unwrap_or(24));
        let mut text = String::from("\x1b[H\x1b[2J");
        let lines = self.lines(all, columns, rows);
        // No line break after the last one, which would scroll the first away.
        let lines: Vec<String> = lines.iter().map(|line| cut(line, columns)).collect();
        text.push_str(&lines.join("\r\n"));
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Returns the lines that a terminal of this size shows: the title, the part of the list around the selected ask, and the keys.
    fn lines(&self, all: bool, columns: usize, rows: usize) -> Vec<String> {
        let title = match self.open.len() {
            0 => "No agent waits for your decision.".to_owned(),
            1 => "1 agent waits for your decision:".to_owned(),
            n => format!("{n} agents wait for your decision:"),
        };
        let mut end = vec![self.note.clone()];
        match &self.reason {
            Some(reason) => end.push(format!("reason for the model (Enter denies, Esc cancels): {reason}")),
            None => end.extend(keys_in(columns)),
        }
        let room = rows.saturating_sub(1 + end.len()).max(1);
        let mut begin = vec![title];
        begin.extend(self.window(all, columns, room));
        begin.extend(end);
        begin.truncate(rows.max(1));
        begin
    }

    /// Returns at most this many lines of the list, with the selected ask and as much about it as fits.
    fn window(&self, all: bool, columns: usize, room: usize) -> Vec<String> {
        let selected = self.index().unwrap_or(0);
        let Some(open) = self.open.get(selected) else { return Vec::new() };
        let mut details = details(&open.ask, all, columns);
        if details.len() + 1 > room {
            details.truncate(room.saturating_sub(2));
            details.push(format!("{INDENT}… the rest: `steersman ask --json`"));
            details.truncate(room.saturating_sub(1));
        }
        // What is left is for the asks around it.
        let others = room - 1 - details.len();
        let after = (self.open.len() - selected - 1).min(others - others / 2);
        let before = selected.min(others - after);
        let after = (self.open.len() - selected - 1).min(others - before);
        let shown = self.open[selected - before..].iter().take(before + 1 + after);
        shown
            .flat_map(|open| {
                let is_selected = self.selected.as_ref() == Some(&open.ask.id);
                let details = if is_selected { details.as_slice() } else { &[] };
                std::iter::once(row(&open.ask, is_selected))
                    .chain(details.iter().cloned())
                    .collect::<Vec<_>>()
            })
            .collect()
    }
}

/// Returns the keys and what they do, in lines of at most this many columns.
fn keys_in(columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for key in ["a allow once", "s allow for this session", "d deny", "↑ ↓ select", "q quit"] {
        match lines.last_mut().filter(|line| line.chars().count() + 3 + key.chars().count() <= columns) {
            Some(line) => line.extend([" · ", key]),
            None => lines.push(key.to_owned()),
        }
    }
    lines
}

/// Returns the line of an ask in the list.
fn row(ask: &Ask, is_selected: bool) -> String {
    let mark = if is_selected { '>' } else { ' ' };
    let left = ask.until.saturating_sub(store::now().as_millis()) / 1000;
    let (tool, call) = (one_line(&ask.tool), one_line(&ask.call));
    format!("{mark} {}  {left:>4} s  {}  {tool}  {call}", ask.id, ask.host)
}

/// Returns the lines about the selected ask.
fn details(ask: &Ask, all: bool, columns: usize) -> Vec<String> {
    let width = columns.saturating_sub(INDENT.len()).max(1);
    let place = if all { format!("{}, ", ask.workspace) } else { String::new() };
    let about = format!("{place}session {}, agent {}", ask.session, ask.agent);
    let reason = ask.reason.as_deref().unwrap_or("the agent program asks");
    let parts = [one_line(&ask.call), about].into_iter().chain(reason.lines().map(one_line));
    parts.flat_map(|part| fold(&part, width)).map(|part| format!("{INDENT}{part}")).collect()
}

/// Splits the bytes that a terminal sent into keys.
fn keys(bytes: &[u8]) -> Vec<Key> {
    let text = String::from_utf8_lossy(bytes);
    let mut keys = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        keys.push(match c {
            '\x1b' => match rest.next() {
                // The parameters of a sequence, then its last character.
                Some('[') => match rest.find(|c| ('\x40'..='\x7e').contains(c)) {
                    Some('A') => Key::Up,
                    Some('B') => Key::Down,
                    _ => continue,
                },
                Some('O') => match rest.next() {
                    Some('A') => Key::Up,
                    Some('B') => Key::Down,
                    _ => continue,
                },
                // A key with Alt.
                Some(_) => continue,
                None => Key::Escape,
            },
            '\r' | '\n' => Key::Enter,
            '\x7f' | '\x08' => Key::Backspace,
            '\x03' | '\x04' => Key::Interrupt,
            c if c.is_control() => continue,
            c => Key::Text(c),
        });
    }
    keys
}

#[cfg(target_os = "linux")]
mod screen {
    //! The terminal without line editing, on its second screen; dropping it restores the first.

    use std::io::{self, Write};

    use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

    pub(super) struct Screen {
        usual: Termios,
    }

    impl Screen {
        pub(super) fn enter() -> io::Result<Self> {
            let stdin = io::stdin();
            let usual = tcgetattr(&stdin)?;
            let mut raw = usual.clone();
            raw.make_raw();
            tcsetattr(&stdin, OptionalActions::Now, &raw)?;
            write!(io::stdout(), "\x1b[?1049h\x1b[?25l")?;
            Ok(Self { usual })
        }
    }

    impl Drop for Screen {
        fn drop(&mut self) {
            let _ = write!(io::stdout(), "\x1b[?25h\x1b[?1049l");
            let _ = io::stdout().flush();
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.usual);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_details_of_an_ask_name_everything() {
        let ask = Ask {
            id: AskId::parse("4f1c09ab").unwrap(),
            workspace: "/w".to_owned(),
            session: "0123abcd".to_owned(),
            host: "codex".to_owned(),
            agent: "u00".to_owned(),
            turn: 1,
            run: "r".to_owned(),
            tool: "Bash".to_owned(),
            call: format!("git push {}end", "x".repeat(40)),
            input: serde_json::Value::Null,
            reason: Some("It rewrites history.".to_owned()),
            key: "k".to_owned(),
            opened: 0,
            until: 0,
        };
        assert_eq!(row(&ask, true), format!("> 4f1c09ab     0 s  codex  Bash  {}", ask.call));
        let lines = details(&ask, true, 31);
        assert!(lines.iter().all(|line| line.chars().count() <= 31), "{lines:?}");
        let text: String = lines.iter().map(|line| line.trim()).collect();
        assert!(text.contains("xend/w, session") && text.contains("It rewrites history."), "{text}");
    }

    #[test]
    fn a_list_without_asks_fits_any_terminal() {
        let list = List::default();
        for rows in 1..10 {
            assert!(list.lines(true, 80, rows).len() <= rows);
        }
        assert_eq!(list.lines(true, 80, 24).len(), 3);
    }

    #[test]
    fn a_terminals_bytes_are_keys() {
        let found = keys(b"a\x1b[A\x1b[B\x1bOAd\x7f\r\x1b[5~\x1b[1;5A\x1bOs\x1ba\x03");
        let expected = [
            Key::Text('a'),
            Key::Up,
            Key::Down,
            Key::Up,
            Key::Text('d'),
            Key::Backspace,
            Key::Enter,
            Key::Up,
            Key::Interrupt,
        ];
        assert_eq!(found, expected);
        assert_eq!(keys(b"\x1b"), [Key::Escape]);
    }
}
