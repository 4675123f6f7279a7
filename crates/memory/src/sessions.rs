//! The experience of every session of a workspace.

use std::collections::BTreeSet;
use std::fs;
use std::time::SystemTime;

use event::{AbsPath, SessionId};
use store::{ModuleName, SessionDir, Workspace, read_lines};

use super::rank::rank;
use super::{Candidates, Experience, Ranking};

/// How many bytes of one session's experience are read, from its end.
const PER_SESSION: u64 = 512 * 1024;

/// How many bytes are read in total.
const IN_ALL: u64 = 16 * 1024 * 1024;

/// Returns whether there is time to read another session.
pub type HasTime<'a> = &'a dyn Fn() -> bool;

/// Finds the lessons in the experience of all sessions, the newest sessions first, without
/// those of `known` ids. `fresh` is experience that is not on disk yet.
pub fn gather(
    workspace: &Workspace,
    fresh: &[Experience],
    known: &BTreeSet<String>,
    ranking: &Ranking,
    has_time: HasTime<'_>,
) -> Candidates {
    let mut files: Vec<(SystemTime, SessionId, AbsPath)> = Vec::new();
    for id in workspace.sessions().unwrap_or_default() {
        let Some(file) = experience_file(&workspace.session(id)) else { continue };
        let changed = fs::metadata(file.as_path()).and_then(|meta| meta.modified());
        files.extend(changed.ok().map(|changed| (changed, id, file)));
    }
    files.sort_by(|one, other| other.cmp(one));
    let mut experiences = fresh.to_vec();
    let (mut n_read, mut bytes) = (0, 0);
    for (_, id, file) in &files {
        if n_read > 0 && (!has_time() || bytes >= IN_ALL) {
            break;
        }
        let text = end_of(file, PER_SESSION);
        bytes += text.len() as u64;
        n_read += 1;
        // Skips lines that were copied from another session.
        let id = id.to_string();
        experiences.extend(text.lines().filter_map(Experience::parse).filter(|it| it.session_id == id));
    }
    let now = store::now().as_millis();
    let mut candidates = rank(&experiences, now, known, ranking);
    let total = candidates.len() as u64;
    candidates.truncate(ranking.max_candidates);
    Candidates {
        version: Candidates::FORMAT,
        generated_ts: now,
        sessions: n_read,
        sessions_left: files.len() as u64 - n_read,
        total,
        candidates,
    }
}

/// Returns the last experiences of one session, newest last.
pub fn recent(session: &SessionDir, bytes: u64) -> Vec<Experience> {
    let Some(file) = experience_file(session) else { return Vec::new() };
    end_of(&file, bytes).lines().filter_map(Experience::parse).collect()
}

fn experience_file(session: &SessionDir) -> Option<AbsPath> {
    let module = ModuleName::new(crate::MODULE)?;
    session.feature(&module).output_file(Experience::FILE)
}

/// Returns the end of a file. Its first line may be cut off; [`Experience::parse`] skips it.
fn end_of(file: &AbsPath, bytes: u64) -> String {
    let length = fs::metadata(file.as_path()).map_or(0, |meta| meta.len());
    read_lines(file, length.saturating_sub(bytes)).unwrap_or_default()
}
