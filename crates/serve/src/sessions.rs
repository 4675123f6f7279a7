//! What agent programs did, read off the journals of their sessions as they grow.
//!
//! Every hook event leaves one line about its run; it names the event, the host and, where a
//! prompt was a slash command, that command. Sessions that were there before are followed
//! from their end on.

use std::collections::HashMap;

use automation::{AutomationId, Chain, Occurrence, Operation, SpecAgent, Timing, What};
use event::{EventName, SessionId};
use serde::Deserialize;
use store::{Timestamp, Workspace, read_lines};

/// The sessions of a workspace and how far each was read.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    followed: HashMap<SessionId, Followed>,
    has_looked: bool,
}

#[derive(Debug, Default)]
struct Followed {
    offset: u64,
    /// The operation that was asked for and is not done yet.
    asked: Option<(SpecAgent, Operation)>,
}

#[derive(Deserialize)]
struct LineWire {
    ts: u64,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    data: DataWire,
}

#[derive(Deserialize, Default)]
struct DataWire {
    event: Option<String>,
    host: Option<String>,
    tool: Option<String>,
    command: Option<String>,
    #[serde(default)]
    automations: Vec<String>,
}

impl Sessions {
    /// Reads what was added to any session since the last look.
    pub(crate) fn look(&mut self, workspace: &Workspace) -> Vec<Occurrence> {
        let Ok(ids) = workspace.sessions() else { return Vec::new() };
        let is_first = !std::mem::replace(&mut self.has_looked, true);
        self.followed.retain(|id, _| ids.contains(id));
        let mut occurrences = Vec::new();
        for id in ids {
            let journal = workspace.session(id).events_file();
            let length = std::fs::metadata(journal.as_path()).map_or(0, |meta| meta.len());
            let followed = self
                .followed
                .entry(id)
                .or_insert_with(|| Followed { offset: if is_first { length } else { 0 }, asked: None });
            if length < followed.offset {
                // It was taken away and began anew.
                followed.offset = 0;
            }
            if length == followed.offset {
                continue;
            }
            let Ok(lines) = read_lines(&journal, followed.offset) else { continue };
            followed.offset += lines.len() as u64;
            for line in lines.lines() {
                if let Ok(line) = serde_json::from_str::<LineWire>(line) {
                    followed.read(id, line, &mut occurrences);
                }
            }
        }
        occurrences
    }
}

impl Followed {
    fn read(&mut self, id: SessionId, line: LineWire, occurrences: &mut Vec<Occurrence>) {
        if line.kind == "PROMPT" {
            self.asked = line.data.command.as_deref().and_then(Operation::of_slash_command);
        }
        if line.kind != "HOOK_RUN" {
            return;
        }
        let Some(event) = line.data.event.as_deref().and_then(EventName::from_contract) else { return };
        let session = Some(id.to_string());
        let mut whats = Vec::new();
        if event == EventName::UserPromptSubmit {
            whats.extend(self.operation(Timing::Before, session.as_ref()));
        }
        whats.push(What::Host {
            event,
            host: line.data.host,
            session: session.clone(),
            tool: line.data.tool,
        });
        if event == EventName::Stop {
            whats.extend(self.operation(Timing::After, session.as_ref()));
            self.asked = None;
        }
        let ids = line.data.automations.iter().filter_map(|id| AutomationId::new(id).ok());
        let chain = ids.fold(Chain::default(), |chain, id| chain.then(&id));
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

    #[test]
    fn events_and_operations_are_told_across_sessions_from_the_first_look_on() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let journal = |sid: &str| dir.path().join(format!(".ai/tmp/{sid}/events.jsonl"));
        let add_line = |sid: &str, kind: &str, data: &str| {
            fs::create_dir_all(journal(sid).parent().unwrap()).unwrap();
            let text = fs::read_to_string(journal(sid)).unwrap_or_default();
            let line = format!("{{\"v\":1,\"ts\":5,\"type\":\"{kind}\",\"data\":{data}}}\n");
            fs::write(journal(sid), text + &line).unwrap();
        };
        let add = |sid: &str, data: &str| add_line(sid, "HOOK_RUN", data);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        let mut sessions = Sessions::default();
        assert_eq!(sessions.look(&workspace).len(), 0, "what was before is not news");
        add_line("00000001", "PROMPT", r#"{"hash":"0","command":"/speckit.clarify"}"#);
        add("00000001", r#"{"event":"UserPromptSubmit","host":"codex"}"#);
        add("00000002", r#"{"event":"PreToolUse","host":"codex","tool":"Bash","automations":["a"]}"#);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        let mut told: Vec<String> = sessions.look(&workspace).iter().map(|it| it.what.to_string()).collect();
        told.sort();
        assert_eq!(
            told,
            ["PreToolUse", "Stop", "UserPromptSubmit", "speckit.clarify", "speckit.clarify:before"]
        );
        assert_eq!(sessions.look(&workspace).len(), 0);
        add("00000001", r#"{"event":"Stop","host":"codex"}"#);
        assert_eq!(sessions.look(&workspace).len(), 1, "an operation ends once");
    }
}
