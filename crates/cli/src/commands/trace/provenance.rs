//! Compares the lines of the trace with the journals, the last commit and the intents: removed and forged lines, unknown
//! intents, lines out of scope.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use event::{Access, SessionId};
use intent::journal::FileWritten;
use intent::trace::{StagedReports, TraceLog, TraceRecord};
use intent::{IntentId, Reach, Target, WorkspaceIntents};
use session::history;
use store::Timestamp;

use super::{journals, records};
use crate::commands::Place;

/// The findings about the lines of a trace.
#[derive(Debug, Default)]
pub(super) struct Provenance {
    /// The problems, each with its place.
    pub(super) problems: Vec<Finding>,
    /// The number of lines that nothing on this machine can prove: colleagues' lines, and those whose journal is gone.
    pub(super) n_unverifiable: usize,
}

/// A problem of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Finding {
    /// The file, and the number of the line if the line exists.
    pub(super) place: String,
    /// `removed`, `forged`, `unknown-intent` or `out-of-scope`.
    pub(super) kind: &'static str,
    /// The problem.
    pub(super) problem: String,
}

/// The writes that the journals of this machine know.
struct KnownWrites {
    /// The writes of each file, content and intent.
    writes: HashMap<WriteKey, KnownWrite>,
    /// From when to when each journal reaches, in milliseconds since 1970.
    spans: Vec<(u64, u64)>,
}

/// The file, the content and the intent of a write.
type WriteKey = (String, String, String);

/// The writes of one content to a file under an intent.
#[derive(Debug, Clone)]
struct KnownWrite {
    /// A session that wrote it.
    session: SessionId,
    n_writes: usize,
    /// The hashes of their lines; `None` for a write of an older version of steersman.
    lines: Vec<Option<String>>,
}

/// Compares every line.
pub(super) fn check(place: &Place) -> anyhow::Result<Provenance> {
    let mut found = Provenance::default();
    let text = fs::read_to_string(records::file(place).as_path()).unwrap_or_default();
    let committed = committed_lines(place);
    removed_from_commit(&text, &committed, &mut found);
    let known = KnownWrites::read(place)?;
    let mut unseen: HashMap<&WriteKey, usize> =
        known.writes.iter().map(|(key, write)| (key, write.n_writes)).collect();
    let mut n_lines: HashMap<WriteKey, usize> = HashMap::new();
    let intents = WorkspaceIntents::of(&place.workspace).read().ok().flatten();
    let scope = modules::IntentSettings::of(&place.workspace).scope(&place.workspace);
    let old: BTreeSet<&str> = committed.iter().map(String::as_str).collect();
    for (index, line) in text.lines().enumerate() {
        let Ok(record) = TraceRecord::parse(line.as_bytes()) else { continue };
        let key = key_of(&record.file_path, record.content_hash.as_str(), &record.intent_id);
        if let Some(n_left) = unseen.get_mut(&key) {
            *n_left = n_left.saturating_sub(1);
        }
        if old.contains(line) {
            continue;
        }
        let place_of =
            |kind, problem| Finding { place: format!("{}:{}", TraceLog::PATH, index + 1), kind, problem };
        let file = &record.file_path;
        let n_alike = n_lines.entry(key.clone()).or_insert(0);
        *n_alike += 1;
        let forged = match known.writes.get(&key) {
            Some(write) if *n_alike > write.n_writes => Some(format!(
                "the trace has more lines about this write of {file} than the journal has writes"
            )),
            Some(write) if !write.has_line(&record) => {
                Some(format!("the journal recorded this write of {file} with other details"))
            }
            Some(_) => None,
            None if known.reaches(&record.timestamp) => {
                Some(format!("no journal of this machine has this write of {file}"))
            }
            None => {
                found.n_unverifiable += 1;
                None
            }
        };
        found.problems.extend(forged.map(|problem| place_of("forged", problem)));
        let Some(intents) = &intents else { continue };
        match intents.get(&record.intent_id) {
            None => {
                let problem = format!("the intents file has no {}", record.intent_id);
                found.problems.push(place_of("unknown-intent", problem));
            }
            Some(intent) => {
                let target =
                    Target::new(&record.file_path, place.workspace.root(), Access::Write, Reach::Itself);
                let matches = intent.owned_scope.iter().any(|pattern| pattern.matches(&record.file_path));
                if !matches && scope.check(&target, intent).is_err() {
                    let problem = format!("{} does not include {}", record.intent_id, record.file_path);
                    found.problems.push(place_of("out-of-scope", problem));
                }
            }
        }
    }
    for (key, n_left) in unseen {
        let (file, hash, intent) = key;
        let Some(session) = known.writes.get(key).map(|write| write.session) else { continue };
        if n_left > 0 && !is_staged(place, session, file, hash) && !has_line(&text, file, hash) {
            let place = format!("journal of session {session}");
            let problem =
                format!("the trace has no line for the write of {file} under {intent} ({})", &hash[..12]);
            found.problems.push(Finding { place, kind: "removed", problem });
        }
    }
    found.problems.sort_by(|one, other| one.place.cmp(&other.place));
    Ok(found)
}

/// Returns the sessions whose journals prove lines of the trace that are not committed.
pub(crate) fn sessions_of_uncommitted_lines(place: &Place) -> anyhow::Result<BTreeSet<SessionId>> {
    let text = fs::read_to_string(records::file(place).as_path()).unwrap_or_default();
    let committed = committed_lines(place);
    let old: BTreeSet<&str> = committed.iter().map(String::as_str).collect();
    let new: Vec<TraceRecord> = text
        .lines()
        .filter(|line| !old.contains(line))
        .filter_map(|line| TraceRecord::parse(line.as_bytes()).ok())
        .collect();
    if new.is_empty() {
        return Ok(BTreeSet::new());
    }
    let known = KnownWrites::read(place)?;
    let session = |record: &TraceRecord| {
        let key = key_of(&record.file_path, record.content_hash.as_str(), &record.intent_id);
        known.writes.get(&key).map(|write| write.session)
    };
    Ok(new.iter().filter_map(session).collect())
}

impl KnownWrites {
    fn read(place: &Place) -> anyhow::Result<Self> {
        let mut writes: HashMap<WriteKey, KnownWrite> = HashMap::new();
        journals::each::<FileWritten>(place, |session, written| {
            let key = key_of(&written.file, written.after.as_str(), &written.intent_id);
            let write =
                writes.entry(key).or_insert_with(|| KnownWrite { session, n_writes: 0, lines: Vec::new() });
            write.n_writes += 1;
            write.lines.push(written.line);
        })?;
        let mut spans = Vec::new();
        for id in place.workspace.sessions().unwrap_or_default() {
            let mut span: Option<(u64, u64)> = None;
            let _ = history::each_line(&place.workspace.session(id).events_file(), |line| {
                if let Some(record) = history::parse(line) {
                    let (from, _) = span.unwrap_or((record.ts, record.ts));
                    span = Some((from, record.ts));
                }
                ControlFlow::<()>::Continue(())
            });
            spans.extend(span);
        }
        Ok(Self { writes, spans })
    }

    /// Returns whether a journal of this machine covers a time: then it would know a write.
    fn reaches(&self, timestamp: &str) -> bool {
        const MARGIN_MS: u64 = 5000;
        // Both are written alike, so they compare as text.
        let text = |millis: u64| Timestamp::from_millis(millis).to_string();
        self.spans.iter().any(|(from, to)| {
            text(from.saturating_sub(MARGIN_MS)).as_str() <= timestamp
                && timestamp <= text(to + MARGIN_MS).as_str()
        })
    }
}

impl KnownWrite {
    /// Returns whether the journal recorded exactly this line.
    fn has_line(&self, record: &TraceRecord) -> bool {
        let hash = record.line_hash();
        self.lines.iter().any(|line| line.as_ref().is_none_or(|line| *line == hash))
    }
}

fn key_of(file: &str, hash: &str, intent: &IntentId) -> WriteKey {
    (file.to_owned(), hash.to_owned(), intent.to_string())
}

fn has_line(text: &str, file: &str, hash: &str) -> bool {
    let name = serde_json::Value::from(file).to_string();
    text.lines().any(|line| line.contains(hash) && line.contains(&name))
}

fn is_staged(place: &Place, session: SessionId, file: &str, hash: &str) -> bool {
    let reports = StagedReports::in_folder(place.workspace.session(session).staged_reports());
    has_line(&reports.text(), file, hash)
}

/// Adds the lines of the last commit that are gone.
fn removed_from_commit(text: &str, committed: &[String], found: &mut Provenance) {
    let now: BTreeSet<&str> = text.lines().collect();
    for (index, line) in committed.iter().enumerate().filter(|(_, line)| !now.contains(line.as_str())) {
        let about =
            TraceRecord::parse(line.as_bytes()).map_or_else(|_| "a line".to_owned(), |it| it.file_path);
        found.problems.push(Finding {
            place: format!("HEAD:{}:{}", TraceLog::PATH, index + 1),
            kind: "removed",
            problem: format!("the last commit has a line about {about} that was removed or changed"),
        });
    }
}

/// Returns the lines of the trace in the last commit; none without git.
fn committed_lines(place: &Place) -> Vec<String> {
    let text = git(place, &["show", &format!("HEAD:./{}", TraceLog::PATH)]).unwrap_or_default();
    String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
}

/// Runs git in the workspace; returns its output if it succeeds.
#[expect(clippy::disallowed_methods, reason = "git only reads here, and ends by itself")]
pub(super) fn git(place: &Place, args: &[&str]) -> Option<Vec<u8>> {
    let mut git = Command::new("git");
    git.args(args).current_dir(place.workspace.root().as_path()).stdin(Stdio::null()).stderr(Stdio::null());
    let output = git.output().ok()?;
    output.status.success().then_some(output.stdout)
}
