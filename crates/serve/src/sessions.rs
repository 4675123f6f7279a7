//! What agent programs did, read off the journals of their sessions as they grow.
//!
//! Every hook event leaves one line about its run; it names the event, the host and, where a
//! prompt was a slash command, that command. How far each session was read is kept, so that
//! what happened while no server ran is told by the next one, if it is not too long ago. A
//! workspace that was never served is followed from now on.

use std::collections::HashMap;

use automation::limits::CATCH_UP;
use automation::{Chain, Occurrence, Operation, SpecAgent, Timing, What};
use dispatch::EventRecord;
use dispatch::history::{self, RunRecord};
use event::{EventName, LineKind, SessionId};
use serde_json::Value;
use store::{Timestamp, Workspace, read_lines};

/// The sessions of a workspace and how far each was read.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    followed: HashMap<SessionId, Followed>,
}

/// What was found in the sessions.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// What happened.
    pub(crate) occurrences: Vec<Occurrence>,
    /// How far the sessions were read that have news.
    pub(crate) read: Vec<(String, u64)>,
}

/// Says that the sessions of a workspace are followed at all.
const ANY: &str = "sessions";

#[derive(Debug, Default)]
struct Followed {
    offset: u64,
    /// The operation that was asked for and is not done yet.
    asked: Option<(SpecAgent, Operation)>,
}

impl Sessions {
    /// Goes on where the last server ended: `known` says how far it had read.
    pub(crate) fn resume(&mut self, workspace: &Workspace, known: &dyn Fn(&str) -> Option<u64>) -> News {
        let was_followed = known(ANY).is_some();
        for id in workspace.sessions().unwrap_or_default() {
            let journal = workspace.session(id).events_file();
            let length = std::fs::metadata(journal.as_path()).map_or(0, |meta| meta.len());
            let offset = match known(&source(id)) {
                Some(offset) if offset <= length => offset,
                // It began while no server ran, or it began anew.
                _ if was_followed => 0,
                _ => length,
            };
            let mut followed = Followed { offset: 0, asked: None };
            if offset > 0 {
                // What was told already is read for the operation that may still be open.
                let lines = read_lines(&journal, 0).unwrap_or_default();
                let told = usize::try_from(offset).ok().and_then(|offset| lines.get(..offset));
                followed.read_lines(id, told.unwrap_or_default(), &mut Vec::new());
            }
            followed.offset = offset;
            self.followed.insert(id, followed);
        }
        let mut news = self.look(workspace);
        let oldest =
            store::now().as_millis().saturating_sub(u64::try_from(CATCH_UP.as_millis()).unwrap_or(0));
        news.occurrences.retain(|occurrence| occurrence.ts.as_millis() >= oldest);
        news.read = self.followed.iter().map(|(id, it)| (source(*id), it.offset)).collect();
        news.read.push((ANY.to_owned(), 1));
        news
    }

    /// Reads what was added to any session since the last look.
    pub(crate) fn look(&mut self, workspace: &Workspace) -> News {
        let Ok(ids) = workspace.sessions() else { return News::default() };
        let mut news = News::default();
        self.followed.retain(|id, _| {
            let is_there = ids.contains(id);
            if !is_there {
                news.read.push((source(*id), 0));
            }
            is_there
        });
        for id in ids {
            let journal = workspace.session(id).events_file();
            let length = std::fs::metadata(journal.as_path()).map_or(0, |meta| meta.len());
            let followed = self.followed.entry(id).or_default();
            if length < followed.offset {
                // It was taken away and began anew.
                followed.offset = 0;
            }
            if length == followed.offset {
                continue;
            }
            let Ok(lines) = read_lines(&journal, followed.offset) else { continue };
            followed.offset += lines.len() as u64;
            followed.read_lines(id, &lines, &mut news.occurrences);
            news.read.push((source(id), followed.offset));
        }
        news
    }
}

/// The name under which it is kept how far a session was read.
fn source(id: SessionId) -> String {
    format!("session {id}")
}

impl Followed {
    fn read_lines(&mut self, id: SessionId, lines: &str, occurrences: &mut Vec<Occurrence>) {
        for line in lines.lines() {
            if let Some(line) = history::parse(line) {
                self.read(id, &line, occurrences);
            }
        }
    }

    fn read(&mut self, id: SessionId, line: &EventRecord, occurrences: &mut Vec<Occurrence>) {
        if line.kind == LineKind::Prompt.name() {
            let command = line.data.get("command").and_then(Value::as_str);
            self.asked = command.and_then(Operation::of_slash_command);
        }
        let Some(run) = RunRecord::of(line) else { return };
        let Some(event) = EventName::from_contract(&run.event) else { return };
        let session = Some(id.to_string());
        let mut whats = Vec::new();
        if event == EventName::UserPromptSubmit {
            whats.extend(self.operation(Timing::Before, session.as_ref()));
        }
        whats.push(What::Host {
            event,
            host: Some(run.host).filter(|host| !host.is_empty()),
            session: session.clone(),
            tool: run.tool,
        });
        if event == EventName::Stop {
            whats.extend(self.operation(Timing::After, session.as_ref()));
            self.asked = None;
        }
        let chain = Chain::of(&run.automations);
        for what in whats {
            let mut occurrence = Occurrence::new(Timestamp::from_millis(line.ts), what);
            occurrence.chain = chain.clone();
            occurrences.push(occurrence);
        }
    }

    fn operation(&self, timing: Timing, session: Option<&String>) -> Option<What> {
        let (agent, operation) = self.asked?;
        Some(What::Operation { agent, operation, timing, session: session.cloned() })
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
        let mut sessions = Sessions::default();
        let mut kept: HashMap<String, u64> = HashMap::new();
        let first = sessions.resume(&workspace, &|_| None);
        assert_eq!(first.occurrences.len(), 0, "what was before the first server is not news");
        kept.extend(first.read);
        add_line("00000001", "PROMPT", r#"{"hash":"0","command":"/speckit.clarify"}"#);
        add("00000001", r#"{"event":"UserPromptSubmit","host":"codex"}"#);
        add("00000002", r#"{"event":"PreToolUse","host":"codex","tool":"Bash","automations":["a"]}"#);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        let news = sessions.look(&workspace);
        kept.extend(news.read);
        let mut told: Vec<String> = news.occurrences.iter().map(|it| it.what.to_string()).collect();
        told.sort();
        assert_eq!(
            told,
            ["PreToolUse", "Stop", "UserPromptSubmit", "speckit.clarify", "speckit.clarify:before"]
        );
        assert_eq!(sessions.look(&workspace).occurrences.len(), 0);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        let news = sessions.look(&workspace);
        kept.extend(news.read);
        assert_eq!(news.occurrences.len(), 1, "an operation ends once");

        // No server runs now: a session goes on, another begins, a third is long over.
        add_line("00000001", "PROMPT", r#"{"hash":"0","command":"/speckit.plan"}"#);
        add("00000001", r#"{"event":"UserPromptSubmit","host":"codex"}"#);
        let mut sessions = Sessions::default();
        let news = sessions.resume(&workspace, &|source| kept.get(source).copied());
        let mut told: Vec<String> = news.occurrences.iter().map(|it| it.what.to_string()).collect();
        told.sort();
        assert_eq!(told, ["UserPromptSubmit", "speckit.plan:before"]);
        kept.extend(news.read);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        add("00000003", r#"{"event":"SessionStart","host":"codex"}"#);
        fs::create_dir_all(journal("00000004").parent().unwrap()).unwrap();
        let long_ago = line(5, "HOOK_RUN", r#"{"event":"Stop"}"#);
        fs::write(journal("00000004"), long_ago).unwrap();
        let mut sessions = Sessions::default();
        let news = sessions.resume(&workspace, &|source| kept.get(source).copied());
        let mut told: Vec<String> = news.occurrences.iter().map(|it| it.what.to_string()).collect();
        told.sort();
        assert_eq!(told, ["SessionStart", "Stop", "speckit.plan"], "the open operation is remembered");
        kept.extend(news.read);
        assert_eq!(
            Sessions::default().resume(&workspace, &|source| kept.get(source).copied()).occurrences,
            []
        );
        fs::remove_dir_all(journal("00000003").parent().unwrap()).unwrap();
        assert!(sessions.look(&workspace).read.contains(&("session 00000003".to_owned(), 0)));
    }
}
