//! The person's side: finds the asks that wait, and answers them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use event::AbsPath;

use crate::listener::connect;
use crate::message::{ClientLine, HookLine, line};
use crate::{Answer, Ask, AskId, Outcome};

/// The time limit for all hooks together to send their questions. They wait for nothing else.
const TIMEOUT: Duration = Duration::from_secs(2);

/// How long a hook may take to check and record an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest first line of a hook.
const MAX_ASK: u64 = 256 * 1024;

/// An ask that waits, with the connection to the hook that waits for it.
#[derive(Debug)]
pub struct OpenAsk {
    /// The question.
    pub ask: Ask,
    token: String,
    lines: BufReader<UnixStream>,
}

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The hook refused it.
    #[error("{0}")]
    Refused(String),
    /// Another answer came first, or the time was over.
    #[error("the ask ended before the answer arrived")]
    Ended(Outcome),
    /// The hook has ended without a word.
    #[error("the hook that asked has ended, so the answer has no effect")]
    Gone,
    /// The hook does not answer.
    #[error("cannot reach the hook that asked")]
    Unreachable(#[source] io::Error),
}

/// Lists the asks that wait, the oldest first. Asks in `known` are not opened again.
pub fn open(user_state: &AbsPath, known: &[&AskId]) -> Vec<OpenAsk> {
    let folder = store::asks_folder(user_state);
    let ids = ids(user_state).into_iter().filter(|id| !known.contains(&id));
    // All at once, then one after the other: every hook answers in its own process.
    let streams: Vec<(AskId, UnixStream)> =
        ids.filter_map(|id| connect(&folder, &id).ok().flatten().map(|stream| (id, stream))).collect();
    let until = Instant::now() + TIMEOUT;
    let mut asks: Vec<OpenAsk> =
        streams.into_iter().filter_map(|(id, stream)| OpenAsk::read(&id, stream, until)).collect();
    asks.sort_by(|one, other| (one.ask.opened, &one.ask.id).cmp(&(other.ask.opened, &other.ask.id)));
    asks
}

/// Opens one ask. Returns `None` if it does not wait any more.
pub fn find(user_state: &AbsPath, id: &AskId) -> Option<OpenAsk> {
    let stream = connect(&store::asks_folder(user_state), id).ok().flatten()?;
    OpenAsk::read(id, stream, Instant::now() + TIMEOUT)
}

/// Returns the ids of the asks that may wait, by the names of their sockets. Connects to none.
pub fn ids(user_state: &AbsPath) -> Vec<AskId> {
    let entries = std::fs::read_dir(store::asks_folder(user_state).as_path()).into_iter().flatten().flatten();
    entries.filter_map(|entry| AskId::parse(entry.file_name().to_str()?)).collect()
}

/// Ends asks: a later event of the same agent program shows that their calls have ended.
pub fn withdraw(user_state: &AbsPath, ids: &[AskId]) {
    for mut open in ids.iter().filter_map(|id| find(user_state, id)) {
        let sent = open.lines.get_mut().write_all(&line(&ClientLine::Withdraw));
        // The hook checks the process at this end, which must not end before that.
        let _ = sent.and_then(|()| read_line(&mut open.lines, Instant::now() + TIMEOUT));
    }
}

/// Waits until another hook has stopped waiting for the answer to an ask, at most until `until`. Returns `false` if none
/// waits.
pub fn follow(user_state: &AbsPath, id: &AskId, until: Instant) -> bool {
    let Some(mut open) = find(user_state, id) else { return false };
    while Instant::now() < until {
        match read_line(&mut open.lines, until) {
            Ok(line) if !line.is_empty() => {}
            _ => break,
        }
    }
    true
}

impl OpenAsk {
    fn read(id: &AskId, stream: UnixStream, until: Instant) -> Option<Self> {
        let mut lines = BufReader::new(stream);
        let line = read_line(&mut lines, until).ok()?;
        match serde_json::from_str(&line).ok()? {
            HookLine::Ask { ask, token } if ask.id == *id => Some(Self { ask: *ask, token, lines }),
            _ => None,
        }
    }

    /// Answers the ask. Returns once the hook has recorded the answer.
    pub fn answer(&mut self, answer: &Answer) -> Result<(), AnswerError> {
        let sent = line(&ClientLine::Answer { token: self.token.clone(), answer: answer.clone() });
        self.lines.get_mut().write_all(&sent).map_err(|_| AnswerError::Gone)?;
        let until = Instant::now() + ANSWER_TIMEOUT;
        let line = read_line(&mut self.lines, until).map_err(AnswerError::Unreachable)?;
        match serde_json::from_str(&line) {
            Ok(HookLine::Accepted) => Ok(()),
            Ok(HookLine::Refused { why }) => Err(AnswerError::Refused(why)),
            Ok(HookLine::Closed { outcome }) => Err(AnswerError::Ended(outcome)),
            Ok(HookLine::Ask { .. }) | Err(_) => Err(AnswerError::Gone),
        }
    }

    /// Returns the descriptor that becomes readable when the ask ends.
    pub fn descriptor(&self) -> BorrowedFd<'_> {
        self.lines.get_ref().as_fd()
    }
}

/// Reads one line. Returns an empty one at the end.
fn read_line(lines: &mut BufReader<UnixStream>, until: Instant) -> io::Result<String> {
    let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
    lines.get_ref().set_read_timeout(Some(left))?;
    let mut line = String::new();
    lines.by_ref().take(MAX_ASK).read_line(&mut line)?;
    Ok(line)
}
