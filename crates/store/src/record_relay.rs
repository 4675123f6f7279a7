//! Records of hooks that run where they cannot write: inside the confinement of an agent program that an automation runs.
//!
//! The automation engine, outside, gives the program one end of a pipe. A hook writes its records there, and the engine
//! appends them to the session's journals.
//!
//! INVARIANT: a record only ever adds lines to the journals of one session of the engine's own workspace. The confined
//! program can write to the pipe, too, so its lines prove no more than that a process of the run wrote them.

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use event::SessionId;
use redact::Filter;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Batch, Journal, Workspace};

/// How long the engine waits for the lock of a journal.
const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// No message of steersman is longer.
const MAX_MESSAGE: u64 = 4 * 1024 * 1024;

/// The end of the pipe that hooks write to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRelay(PathBuf);

/// The lines of one run of a hook.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct RelayedWire {
    session: String,
    events: String,
    registry: String,
    prompts: String,
}

impl RecordRelay {
    /// The variable that names the pipe, as a path in `/proc`.
    pub const VARIABLE: &'static str = "STEERSMAN_RECORDS";

    /// Returns the relay at a path. Returns `None` unless the path is a pipe.
    pub fn at(path: &Path) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt;
            let is_pipe = fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo());
            (path.starts_with("/proc") && is_pipe).then(|| Self(path.to_path_buf()))
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            None
        }
    }

    /// Sends the lines of a run.
    pub fn send(
        &self,
        session: SessionId,
        events: &Batch,
        registry: &Batch,
        prompts: &Batch,
    ) -> io::Result<()> {
        let text = |batch: &Batch| batch.as_str().to_owned();
        let wire = RelayedWire {
            session: session.to_string(),
            events: text(events),
            registry: text(registry),
            prompts: text(prompts),
        };
        let mut message = serde_json::to_vec(&wire)?;
        message.push(b'\n');
        // The path in `/proc` is a link by nature. A long message is written in parts, so hooks take turns.
        #[expect(clippy::disallowed_methods, reason = "this crate writes files")]
        let mut pipe = fs::OpenOptions::new().write(true).open(&self.0)?;
        pipe.lock()?;
        pipe.write_all(&message)
    }
}

impl Workspace {
    /// Appends the records that arrive until the other end is closed.
    pub fn receive_records(&self, from: impl Read, filter: &Filter) {
        let mut from = io::BufReader::new(from);
        loop {
            let mut line = Vec::new();
            match from.by_ref().take(MAX_MESSAGE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                // A record that cannot be kept is lost, as it would be on a full disk.
                Ok(_) => drop(self.keep_records(&line, filter)),
            }
        }
    }

    fn keep_records(&self, message: &[u8], filter: &Filter) -> Option<()> {
        let wire: RelayedWire = serde_json::from_slice(message).ok()?;
        let session = self.session(SessionId::parse(&wire.session)?);
        self.check_way_to(session.root()).ok()?;
        self.make_tmp_dir().ok()?;
        for (lines, file) in [
            (wire.events, session.events_file()),
            (wire.registry, session.registry_file()),
            (wire.prompts, session.prompts_file()),
        ] {
            let mut batch = Batch::default();
            for line in lines.lines() {
                let record: Value = serde_json::from_str(line).ok()?;
                batch.push(&filter.redact_json(&record));
            }
            if !batch.is_empty() {
                let journal = Journal::create(&file).ok()?;
                journal.lock(LOCK_TIMEOUT)?.append(&batch).ok()?;
            }
        }
        Some(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use event::AbsPath;
    use serde_json::json;

    use super::*;

    fn batch(text: &str) -> Batch {
        let mut batch = Batch::default();
        batch.push(&Filter::default().redact_json(&json!({ "line": text })));
        batch
    }

    #[test]
    fn lines_arrive_in_the_journals_of_their_session_and_nothing_else_does() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().join("w")).unwrap();
        fs::create_dir(root.as_path()).unwrap();
        let workspace = Workspace::at(root);
        let (reader, writer) = io::pipe().unwrap();
        let fd = std::os::fd::AsRawFd::as_raw_fd(&writer);
        let relay = RecordRelay::at(Path::new(&format!("/proc/self/fd/{fd}"))).unwrap();
        let id = SessionId::parse("a3f0c812").unwrap();
        relay.send(id, &batch("one"), &Batch::default(), &batch("prompt")).unwrap();
        for other in ["{\"session\":\"../../x\",\"events\":\"{}\"}\n", "no JSON\n"] {
            (&writer).write_all(other.as_bytes()).unwrap();
        }
        relay.send(id, &batch("two"), &Batch::default(), &Batch::default()).unwrap();
        drop(writer);
        workspace.receive_records(reader, &Filter::default());
        let session = workspace.session(id);
        let read = |path: AbsPath| fs::read_to_string(path.as_path()).unwrap_or_default();
        assert_eq!(read(session.events_file()), "{\"line\":\"one\"}\n{\"line\":\"two\"}\n");
        assert_eq!(read(session.prompts_file()), "{\"line\":\"prompt\"}\n");
        assert!(!session.registry_file().as_path().exists());
        assert_eq!(RecordRelay::at(dir.path()), None);
    }
}
