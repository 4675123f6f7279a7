//! Since when the changes of a session are open: not yet compared with the scope.
//!
//! A command may leave a job in the background, and a host may never report the end of a call. So what changes after a
//! scan is still the session's own, until its turn ends. The record says from when to when scans have looked, what they
//! left out, and which call opened the moment.

use std::collections::{BTreeMap, HashMap};

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::plain_file;

use super::{FileSystemTime, LeftChanges, Watched, hash_of};
use crate::IntentId;

/// The record of a session's scans.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "scan-coverage"))]
#[serde(rename_all = "camelCase", default)]
pub struct Coverage {
    /// The format of the file.
    version: u32,
    /// The moment since which changes are open, with the call that opened it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenSince>,
    /// From when the last complete scan looked, in nanoseconds.
    from_ns: u64,
    /// When the last complete scan began, in nanoseconds.
    until_ns: u64,
    /// The changes in the step of the clock in which the last scan began, which are judged already.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    edge: BTreeMap<String, u64>,
    /// The watched files at the last scan, while changes are open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watched: Option<Watched>,
    /// Watched files that a command changed while changes are open, each with the hash of its content before.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    before: BTreeMap<String, Option<String>>,
    /// Where the next scan continues.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unvisited: Vec<StartRecord>,
    /// Changes that were found, and that the next scan judges or traces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<LeftChanges>,
}

/// The call that opened a moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OpenSince {
    /// The intent of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent_id: Option<IntentId>,
    /// Its tool.
    pub tool: String,
    /// The agent, by our id.
    pub agent: String,
    /// Whether it certainly left a job in the background, which may outlive the turn.
    pub background: bool,
}

/// A folder from which a scan begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScanStart {
    /// The folder; `""` is the workspace.
    pub folder: String,
    /// The moment since which changes count.
    pub since: FileSystemTime,
    /// Whether the folder was moved to its path, so that everything in it counts.
    pub moved: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct StartRecord {
    folder: String,
    since_ns: u64,
    moved: bool,
}

const FORMAT: u32 = 1;

/// The most changes that are kept because they are as new as the scan itself.
const MAX_EDGE: usize = 10_000;

/// The most folders that are kept for the next scan; beyond it the next scan starts again at the top.
const MAX_UNVISITED: usize = 5000;

/// The most changes that are listed for the next scan.
const MAX_LEFT: usize = 200_000;

impl ScanStart {
    /// The whole workspace.
    pub fn workspace(since: FileSystemTime) -> Self {
        Self { folder: String::new(), since, moved: false }
    }

    /// The whole workspace, of which nothing is known: every file counts that is not as git recorded it.
    pub fn everything() -> Self {
        Self { folder: String::new(), since: moment(u64::MAX), moved: true }
    }
}

impl Coverage {
    /// Reads the record, with the hash of its bytes. A broken one covers nothing. Returns `None` if it does not exist.
    pub fn read(file: &AbsPath) -> Option<(Self, String)> {
        let bytes = plain_file::read(file.as_path()).ok()?;
        let read = || serde_json::from_slice(&bytes).ok();
        let record = read().filter(|record: &Self| record.version == FORMAT).unwrap_or_default();
        Some((record, hash_of(&bytes)))
    }

    /// Returns the hash of the bytes that [`Self::write`] writes.
    pub fn hash(&self) -> String {
        hash_of(&self.bytes())
    }

    /// Writes the record. Ignores errors: then the next scan covers more.
    pub fn write(&self, file: &AbsPath) {
        let _ = file.as_path().parent().map_or(Ok(()), store::create_folder);
        let _ = store::write_shared(file.as_path(), &self.bytes());
    }

    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(&Self { version: FORMAT, ..self.clone() }).unwrap_or_default()
    }

    /// Returns when the last complete scan began. Returns `None` without one.
    pub fn until(&self) -> Option<FileSystemTime> {
        (self.until_ns != 0).then(|| moment(self.until_ns))
    }

    /// Keeps the contents that watched files had before a command changed them, for as long as changes are open.
    pub fn keep_before(&mut self, before: Option<&Watched>, workspace: &AbsPath, files: &[AbsPath]) {
        let (Some(before), Some(now), Some(_)) = (before, &self.watched, &self.open) else {
            self.before.clear();
            return;
        };
        for path in files.iter().filter_map(|file| file.below(workspace).ok()) {
            let (was, is) = (before.hash_at(path.as_str()), now.hash_at(path.as_str()));
            if was != is {
                self.before.entry(path.as_str().to_owned()).or_insert_with(|| was.map(str::to_owned));
            }
        }
    }

    /// Returns whether a watched file is neither as the last scan left it nor restored, while changes of a command are open: a
    /// job that the command left behind may have written it.
    pub fn has_other_content(&self, workspace: &AbsPath, files: &[AbsPath]) -> bool {
        let watched = self.watched.as_ref().filter(|_| self.open.is_some());
        let Some(watched) = watched.filter(|watched| watched.knows_all()) else { return false };
        files.iter().filter_map(|file| file.below(workspace).ok()).any(|path| {
            let now = Watched::hash_now(workspace, path.as_str());
            let is_restored = || self.before.get(path.as_str()).is_some_and(|before| *before == now);
            now.as_deref() != watched.hash_at(path.as_str()) && !is_restored()
        })
    }

    /// Returns only the folders that are left to visit and the changes that are left to judge. The rest of a record that
    /// may be forged would narrow a search.
    #[must_use]
    pub fn only_unvisited(self) -> Self {
        Self { unvisited: self.unvisited, left: self.left, ..Self::default() }
    }

    /// Returns whether there is nothing to remember.
    pub fn is_idle(&self) -> bool {
        self.open.is_none() && self.has_finished()
    }

    /// Returns whether the scans so far left nothing to visit, to judge or to trace.
    pub fn has_finished(&self) -> bool {
        self.unvisited.is_empty() && self.left.is_empty()
    }

    /// Records changes for the next scan. Too many to list are found again from the top.
    pub fn leave_changes(&mut self, left: LeftChanges) {
        if left.n_unjudged() + left.untraced.len() > MAX_LEFT {
            let since = self.unvisited.iter().map(|start| start.since_ns).chain([left.since_ns]).min();
            self.unvisited =
                since.map(|since| record(&ScanStart::workspace(moment(since)))).into_iter().collect();
        } else if !left.is_empty() {
            self.left.push(left);
        }
    }

    /// Returns the moments from which a scan must look, for changes since `wanted` and for open ones.
    pub fn starts(&self, wanted: Option<FileSystemTime>) -> Vec<ScanStart> {
        let mut starts: Vec<ScanStart> = self
            .unvisited
            .iter()
            .map(|it| ScanStart { folder: it.folder.clone(), since: moment(it.since_ns), moved: it.moved })
            .collect();
        let open = self.open.as_ref().map(|_| moment(self.until_ns));
        let since = match (wanted, open) {
            // What an earlier scan of this session has covered is reported already.
            (Some(wanted), _) if self.covers(wanted) => Some(moment(self.until_ns)),
            (Some(wanted), Some(open)) => Some(wanted.min(open)),
            (since, None) | (None, since) => since,
        };
        starts.extend(since.map(ScanStart::workspace));
        starts
    }

    /// Records a scan that began at `began`, from these starts, and what it left out.
    pub fn scanned(&mut self, starts: &[ScanStart], began: FileSystemTime, unvisited: &[ScanStart]) {
        let Some(from) = starts.iter().filter(|start| start.folder.is_empty()).map(|start| start.since).min()
        else {
            self.leave(unvisited);
            return;
        };
        let from = nanos(from);
        let adjoins = from >= self.from_ns && from <= self.until_ns;
        self.from_ns = if adjoins { self.from_ns } else { from };
        self.until_ns = nanos(began);
        self.leave(unvisited);
    }

    /// Records the changes of a scan that the next one finds again, because the clock of the file system has not
    /// advanced since.
    pub fn judged(&mut self, times: &HashMap<String, u128>) {
        let nanos = |at: u128| u64::try_from(at).unwrap_or(u64::MAX);
        let late = times.iter().filter(|(_, at)| nanos(**at) >= self.until_ns);
        self.edge = late.take(MAX_EDGE).map(|(path, at)| (path.clone(), nanos(*at))).collect();
    }

    /// Returns whether the last scan has judged this change.
    pub fn has_judged(&self, path: &str, at: u128) -> bool {
        self.edge.get(path).is_some_and(|known| u128::from(*known) == at)
    }

    fn leave(&mut self, unvisited: &[ScanStart]) {
        let oldest = unvisited.iter().map(|start| start.since).min();
        self.unvisited = match oldest {
            Some(oldest) if unvisited.len() > MAX_UNVISITED => vec![record(&ScanStart::workspace(oldest))],
            _ => unvisited.iter().map(record).collect(),
        };
    }

    /// Returns whether a search has covered the changes since this moment.
    pub fn has_covered(&self, moment: FileSystemTime) -> bool {
        self.covers(moment)
    }

    fn covers(&self, moment: FileSystemTime) -> bool {
        let moment = nanos(moment);
        self.until_ns != 0 && self.from_ns <= moment && moment <= self.until_ns
    }
}

fn record(start: &ScanStart) -> StartRecord {
    StartRecord { folder: start.folder.clone(), since_ns: nanos(start.since), moved: start.moved }
}

fn moment(nanoseconds: u64) -> FileSystemTime {
    FileSystemTime::at_nanoseconds(nanoseconds.into())
}

fn nanos(moment: FileSystemTime) -> u64 {
    u64::try_from(moment.nanoseconds()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> OpenSince {
        OpenSince { intent_id: None, tool: "Bash".into(), agent: "u00".into(), background: false }
    }

    fn since(starts: &[ScanStart]) -> Vec<(String, u64)> {
        starts.iter().map(|start| (start.folder.clone(), nanos(start.since))).collect()
    }

    #[test]
    fn a_scan_begins_where_the_last_one_of_the_session_ended() {
        let mut coverage = Coverage::default();
        assert_eq!(coverage.starts(None), []);
        let first = coverage.starts(Some(moment(100)));
        assert_eq!(since(&first), [(String::new(), 100)]);
        coverage.open = Some(open());
        coverage.scanned(&first, moment(200), &[]);
        assert_eq!(since(&coverage.starts(None)), [(String::new(), 200)], "what is open");
        assert_eq!(since(&coverage.starts(Some(moment(300)))), [(String::new(), 200)]);
        assert_eq!(since(&coverage.starts(Some(moment(150)))), [(String::new(), 200)], "covered already");
        assert_eq!(since(&coverage.starts(Some(moment(50)))), [(String::new(), 50)], "before the first scan");
        coverage.open = None;
        assert_eq!(coverage.starts(None), []);
        assert_eq!(since(&coverage.starts(Some(moment(300)))), [(String::new(), 300)]);
    }

    #[test]
    fn changes_without_a_judgement_stay_recorded() {
        let mut coverage = Coverage::default();
        let mut left = LeftChanges::none(open(), 7);
        coverage.leave_changes(left.clone());
        assert!(coverage.is_idle(), "nothing is left");
        left.files = vec!["lib/a".into()];
        left.untraced = vec!["src/a".into()];
        coverage.leave_changes(left.clone());
        assert!(!coverage.is_idle() && !coverage.has_finished());
        assert_eq!(coverage.clone().only_unvisited().left, [left.clone()], "a forged record can only add");
        assert_eq!(coverage.starts(None), [], "they are listed");
        left.files = (0..=MAX_LEFT).map(|n| n.to_string()).collect();
        coverage.leave_changes(left);
        assert_eq!(coverage.starts(None), [ScanStart::workspace(moment(7))], "too many to list");
    }

    #[test]
    fn what_a_scan_left_out_is_looked_at_by_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let file = AbsPath::new(dir.path().join("deep/coverage.json")).unwrap();
        assert_eq!(Coverage::read(&file), None);
        let mut coverage = Coverage::default();
        assert!(coverage.is_idle());
        let first = coverage.starts(Some(moment(100)));
        let left = ScanStart { folder: "lib".into(), since: moment(100), moved: true };
        coverage.scanned(&first, moment(200), std::slice::from_ref(&left));
        coverage.write(&file);
        let (coverage, hash) = Coverage::read(&file).unwrap();
        assert_eq!(hash, coverage.hash());
        assert!(!coverage.is_idle());
        assert_eq!(coverage.starts(None), std::slice::from_ref(&left));
        let next = coverage.starts(Some(moment(300)));
        assert_eq!(next, [left, ScanStart::workspace(moment(300))]);
        let mut done = coverage.clone();
        done.scanned(&next, moment(400), &[]);
        assert!(done.is_idle());
        let many: Vec<_> = (0..=MAX_UNVISITED)
            .map(|n| ScanStart { folder: n.to_string(), since: moment(7), moved: false })
            .collect();
        done.scanned(&next, moment(500), &many);
        assert_eq!(done.starts(None), [ScanStart::workspace(moment(7))], "too many to keep");
    }
}
