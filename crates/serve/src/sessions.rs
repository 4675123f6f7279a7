//! Reads the hook events of agent programs from the journals of their sessions as they grow.
//!
//! Every hook event appends one line with the event, the host and, for a prompt that is a slash
//! command, that command. The engine stores the read offset of each session, so that the next server
//! also handles recent events from the time when no server ran. In a workspace without stored offsets
//! it starts at the end of each journal.

use std::collections::HashMap;
use std::time::{Duration, UNIX_EPOCH};

use automation::limits::CATCH_UP;
use automation::{Chain, Occurrence, OccurrenceKind, Operation, SpecAgent, Timing};
use event::{EventName, LineKind, SessionId};
use serde_json::Value;
use session::{EventRecord, RecordedDecision, RunRecord, history};
use store::{Timestamp, Workspace, read_lines};

use crate::authorship::{HookMark, Step};

/// Reads the sessions of a workspace, each from its read offset.
#[derive(Debug, Default)]
pub(crate) struct SessionReader {
    cursors: HashMap<SessionId, Cursor>,
}

/// The new events of the sessions.
#[derive(Debug, Default)]
pub(crate) struct NewEvents {
    /// The occurrences.
    pub(crate) occurrences: Vec<Occurrence>,
    /// The hook events of agent programs that automations started.
    pub(crate) marks: Vec<HookMark>,
    /// The read offsets of the sessions with new lines.
    pub(crate) read: Vec<(String, u64)>,
}

/// The source whose stored offset shows that a server has read this workspace's sessions before.
const ANY: &str = "sessions";

#[derive(Debug, Default)]
struct Cursor {
    offset: u64,
    /// The operation that the user requested and that has not finished.
    requested: Option<(SpecAgent, Operation)>,
}

impl SessionReader {
    /// Resumes where the last server stopped: `known` returns its read offsets.
    pub(crate) fn resume(&mut self, workspace: &Workspace, known: &dyn Fn(&str) -> Option<u64>) -> NewEvents {
        let was_read = known(ANY).is_some();
        for id in workspace.sessions().unwrap_or_default() {
            let journal = workspace.session(id).events_file();
            let length = std::fs::metadata(journal.as_path()).map_or(0, |meta| meta.len());
            let offset = match known(&source(id)) {
                Some(offset) if offset <= length => offset,
                // The session started while no server ran, or its journal was recreated.
                _ if was_read => 0,
                _ => length,
            };
            let mut cursor = Cursor { offset: 0, requested: None };
            if offset > 0 {
                // Reads the old lines again for the operation that may still be open.
                let lines = read_lines(&journal, 0).unwrap_or_default();
                let old = usize::try_from(offset).ok().and_then(|offset| lines.get(..offset));
                cursor.read_lines(id, old.unwrap_or_default(), &mut NewEvents::default());
            }
            cursor.offset = offset;
            self.cursors.insert(id, cursor);
        }
        let mut new = self.read_new(workspace);
        let oldest =
            store::now().as_millis().saturating_sub(u64::try_from(CATCH_UP.as_millis()).unwrap_or(0));
        new.occurrences.retain(|occurrence| occurrence.ts.as_millis() >= oldest);
        new.read = self.cursors.iter().map(|(id, it)| (source(*id), it.offset)).collect();
        new.read.push((ANY.to_owned(), 1));
        new
    }

    /// Reads the lines added to any session since the last call.
    pub(crate) fn read_new(&mut self, workspace: &Workspace) -> NewEvents {
        let Ok(ids) = workspace.sessions() else { return NewEvents::default() };
        let mut new = NewEvents::default();
        self.cursors.retain(|id, _| {
            let is_there = ids.contains(id);
            if !is_there {
                new.read.push((source(*id), 0));
            }
            is_there
        });
        for id in ids {
            let journal = workspace.session(id).events_file();
            let length = std::fs::metadata(journal.as_path()).map_or(0, |meta| meta.len());
            let cursor = self.cursors.entry(id).or_default();
            if length < cursor.offset {
                // The journal was deleted and recreated.
                cursor.offset = 0;
            }
            if length == cursor.offset {
                continue;
            }
            let Ok(lines) = read_lines(&journal, cursor.offset) else { continue };
            cursor.offset += lines.len() as u64;
            cursor.read_lines(id, &lines, &mut new);
            new.read.push((source(id), cursor.offset));
        }
        new
    }
}

/// Returns the source name under which a session's read offset is stored.
fn source(id: SessionId) -> String {
    format!("session {id}")
}

impl Cursor {
    fn read_lines(&mut self, id: SessionId, lines: &str, new: &mut NewEvents) {
        for line in lines.lines() {
            if let Some(line) = history::parse(line) {
                self.read(id, &line, new);
            }
        }
    }

    fn read(&mut self, id: SessionId, line: &EventRecord, new: &mut NewEvents) {
        if line.kind == LineKind::Prompt.name() {
            let command = line.data.get("command").and_then(Value::as_str);
            self.requested = command.and_then(Operation::of_slash_command);
        }
        let Some(run) = RunRecord::of(line) else { return };
        let Some(event) = EventName::from_contract(&run.event) else { return };
        let session = Some(id.to_string());
        let chain = Chain::of(&run.automations);
        if !chain.is_empty() {
            new.marks.push(HookMark {
                chain: chain.clone(),
                at: UNIX_EPOCH + Duration::from_millis(line.ts),
                call: run.tool_use_id,
                step: step(event, run.decision),
            });
        }
        let mut kinds = Vec::new();
        if event == EventName::UserPromptSubmit {
            kinds.extend(self.operation(Timing::Before, session.as_ref()));
        }
        kinds.push(OccurrenceKind::Host {
            event,
            host: Some(run.host.clone()).filter(|host| !host.is_empty()),
            session: session.clone(),
            tool: run.tool,
        });
        if event == EventName::Stop {
            kinds.extend(self.operation(Timing::After, session.as_ref()));
            self.requested = None;
        }
        for kind in kinds {
            let mut occurrence = Occurrence::new(Timestamp::from_millis(line.ts), kind);
            occurrence.chain = chain.clone();
            occurrence.values.insert("hostName".to_owned(), run.host.clone());
            new.occurrences.push(occurrence);
        }
    }

    fn operation(&self, timing: Timing, session: Option<&String>) -> Option<OccurrenceKind> {
        let (agent, operation) = self.requested?;
        Some(OccurrenceKind::Operation { agent, operation, timing, session: session.cloned() })
    }
}

/// Returns whether the tool is about to run or ran, from an event and steersman's decision about it.
fn step(event: EventName, decision: RecordedDecision) -> Step {
    match event {
        EventName::PreToolUse if decision == RecordedDecision::Deny => Step::Other,
        EventName::PreToolUse => Step::Before,
        EventName::PostToolUse => Step::After,
        EventName::SessionStart
        | EventName::UserPromptSubmit
        | EventName::PreCompact
        | EventName::Stop
        | EventName::SubagentStart
        | EventName::SubagentStop => Step::Other,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use event::AbsPath;

    use super::*;

    fn line(ts: u64, kind: &str, data: &str) -> String {
        format!(
            "{{\"v\":1,\"ts\":{ts},\"type\":\"{kind}\",\"hookRunId\":\"Stop-1-{ts}\",\
             \"sessionId\":\"00000001\",\"workId\":\"w001\",\"agentId\":\"u00\",\"turnId\":1,\"data\":{data}}}\n"
        )
    }

    #[test]
    fn events_and_operations_are_told_across_sessions_and_servers() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let journal = |sid: &str| dir.path().join(format!(".ai/tmp/{sid}/events.jsonl"));
        let add_line = |sid: &str, kind: &str, data: &str| {
            fs::create_dir_all(journal(sid).parent().unwrap()).unwrap();
            let text = fs::read_to_string(journal(sid)).unwrap_or_default();
            let ts = store::now().as_millis();
            fs::write(journal(sid), text + &line(ts, kind, data)).unwrap();
        };
        let add = |sid: &str, data: &str| add_line(sid, "HOOK_RUN", data);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        let mut sessions = SessionReader::default();
        let mut kept: HashMap<String, u64> = HashMap::new();
        let first = sessions.resume(&workspace, &|_| None);
        assert_eq!(first.occurrences.len(), 0, "events before the first server are not new");
        kept.extend(first.read);
        add_line("00000001", "PROMPT", r#"{"hash":"0","command":"/speckit.clarify"}"#);
        add("00000001", r#"{"event":"UserPromptSubmit","host":"codex"}"#);
        add("00000002", r#"{"event":"PreToolUse","host":"codex","tool":"Bash","automations":["a"]}"#);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        let new = sessions.read_new(&workspace);
        kept.extend(new.read.clone());
        let mut told: Vec<String> = new.occurrences.iter().map(|it| it.kind.to_string()).collect();
        told.sort();
        assert_eq!(
            told,
            ["PreToolUse", "Stop", "UserPromptSubmit", "speckit.clarify", "speckit.clarify:before"]
        );
        let marks: Vec<_> = new.marks.iter().map(|it| (it.chain.depth(), it.step)).collect();
        assert_eq!(marks, [(1, Step::Before)], "only programs that automations started leave marks");
        assert_eq!(sessions.read_new(&workspace).occurrences.len(), 0);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        let new = sessions.read_new(&workspace);
        kept.extend(new.read);
        assert_eq!(new.occurrences.len(), 1, "an operation ends once");

        // No server runs now: a session continues, another starts, a third ended long ago.
        add_line("00000001", "PROMPT", r#"{"hash":"0","command":"/speckit.plan"}"#);
        add("00000001", r#"{"event":"UserPromptSubmit","host":"codex"}"#);
        let mut sessions = SessionReader::default();
        let new = sessions.resume(&workspace, &|source| kept.get(source).copied());
        let mut told: Vec<String> = new.occurrences.iter().map(|it| it.kind.to_string()).collect();
        told.sort();
        assert_eq!(told, ["UserPromptSubmit", "speckit.plan:before"]);
        kept.extend(new.read);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        add("00000003", r#"{"event":"SessionStart","host":"codex"}"#);
        fs::create_dir_all(journal("00000004").parent().unwrap()).unwrap();
        let long_ago = line(5, "HOOK_RUN", r#"{"event":"Stop"}"#);
        fs::write(journal("00000004"), long_ago).unwrap();
        let mut sessions = SessionReader::default();
        let new = sessions.resume(&workspace, &|source| kept.get(source).copied());
        let mut told: Vec<String> = new.occurrences.iter().map(|it| it.kind.to_string()).collect();
        told.sort();
        assert_eq!(told, ["SessionStart", "Stop", "speckit.plan"], "the open operation is remembered");
        kept.extend(new.read);
        assert_eq!(
            SessionReader::default().resume(&workspace, &|source| kept.get(source).copied()).occurrences,
            []
        );
        fs::remove_dir_all(journal("00000003").parent().unwrap()).unwrap();
        assert!(sessions.read_new(&workspace).read.contains(&("session 00000003".to_owned(), 0)));
    }
}
