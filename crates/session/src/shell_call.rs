//! The record of a shell call that is to run confined: the files it may write, and whether it arrived.
//!
//! `dispatch` announces a call before the host runs it, the program in front of the host's shell claims the record and
//! adds how it went, and `dispatch` reads that after the call.

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{CallStage, ShellCallFolder, StoredCall};

/// A shell call that is to run confined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShellCall {
    /// The root of the session's workspace.
    pub workspace: String,
    /// The files that the command may write.
    pub scope: CallScope,
    /// The command line as the hook saw it.
    pub command: String,
    /// The command line that the host runs instead, where steersman has no other way in front of its shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<String>,
    /// The host's id of the call, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The agent program: pid and start time; only where the shell cannot tell its session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_process: Option<(u32, u64)>,
    /// Whether the host reports its end before it has ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// Whether it must not run unless it is confined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// Whether it runs without the network and with everything private hidden, because the user was not asked about it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
}

/// The files that a recorded command may write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallScope {
    /// The scope of this intent.
    Intent(String),
    /// The workspace.
    Workspace,
    /// Nothing but temporary files and caches.
    Nothing,
}

/// How a call arrived, as the program in front of the shell recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrival {
    /// No process has recorded anything.
    Missing,
    /// It ran confined by this mechanism.
    Confined(String),
    /// It ran unconfined, because this system cannot confine it.
    Unconfined(String),
}

/// A record with its place on disk.
#[derive(Debug)]
pub struct RecordedCall {
    /// The announcement of the hook.
    pub call: ShellCall,
    /// How it arrived.
    pub arrival: Arrival,
    /// The file.
    pub stored: StoredCall,
}

/// The facts that a starting shell has about its call.
#[derive(Debug, Default, Clone, Copy)]
pub struct ShellIdentity<'a> {
    /// The host's id of the call.
    pub call: Option<&'a str>,
    /// The texts of which one is the command line.
    pub texts: &'a [&'a str],
    /// The processes above the shell: pid and start time of each.
    pub ancestors: &'a [(u32, u64)],
}

impl ShellCall {
    /// Announces the call in the session's records.
    pub fn announce(&self, folder: &ShellCallFolder) -> std::io::Result<()> {
        let mut content = serde_json::to_vec(self).unwrap_or_default();
        content.push(b'\n');
        folder.add(self.call.as_deref().unwrap_or(&self.command), &content)
    }

    /// Returns whether a shell with this identity runs this call.
    ///
    /// Hosts strip white space around a command, and wrap it in lines of their own: where these cannot be taken apart,
    /// a string that contains the command counts, because a call must not escape by a new form of the wrapper.
    fn is_run_by(&self, shell: &ShellIdentity<'_>) -> Option<Likeness> {
        if self.call.is_some() && self.call.as_deref() == shell.call {
            return Some(Likeness::Id);
        }
        if let Some(host) = self.host_process
            && !shell.ancestors.contains(&host)
        {
            return None;
        }
        let own = self.command.trim();
        if shell.texts.iter().any(|text| text.trim() == own) {
            return Some(Likeness::Exact);
        }
        let is_inside = || shell.texts.iter().any(|text| text.contains(own) || text.contains(&quoted(own)));
        (!own.is_empty() && is_inside()).then_some(Likeness::Inside)
    }
}

/// How well a shell fits a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Inside,
    Exact,
    Id,
}

impl Arrival {
    /// Returns the line that the program in front of the shell adds.
    pub fn line(&self) -> String {
        match self {
            Self::Missing => String::new(),
            Self::Confined(backend) => format!("confined {backend}\n"),
            Self::Unconfined(why) => format!("unconfined {}\n", why.replace('\n', " ")),
        }
    }

    fn parse(text: &str) -> Self {
        let line = text.lines().last().unwrap_or_default();
        match line.split_once(' ') {
            Some(("confined", backend)) => Self::Confined(backend.to_owned()),
            Some(("unconfined", why)) => Self::Unconfined(why.to_owned()),
            _ => Self::Missing,
        }
    }
}

impl RecordedCall {
    /// Reads the records of a session, the oldest first.
    pub fn all(folder: &ShellCallFolder) -> Vec<Self> {
        folder.list().into_iter().filter_map(Self::read).collect()
    }

    fn read(stored: StoredCall) -> Option<Self> {
        let text = std::str::from_utf8(&stored.content).ok()?;
        let (announced, rest) = text.split_once('\n')?;
        Some(Self { call: serde_json::from_str(announced).ok()?, arrival: Arrival::parse(rest), stored })
    }

    /// Returns the command in whose place the host runs another one.
    pub fn original_of<'a>(records: &'a [Self], command: &str) -> Option<&'a str> {
        let own = records.iter().find(|it| it.call.rewritten.as_deref() == Some(command));
        own.map(|it| it.call.command.as_str())
    }

    /// Finds the record of a starting shell's call: an unclaimed one, else any of that call.
    ///
    /// WHY also a claimed one: a command must not become unconfined because another process took its record.
    pub fn of_shell(records: Vec<Self>, shell: &ShellIdentity<'_>) -> Option<Self> {
        let fits = records.into_iter().filter_map(|it| Some((it.call.is_run_by(shell)?, it)));
        let rank = |it: &Self| it.stored.stage != CallStage::Claimed;
        // The newest of several: an older one may be of a call that the user refused.
        fits.max_by_key(|(likeness, it)| (*likeness, rank(it))).map(|(_, it)| it)
    }

    /// Finds the record of a call that ended: by its id, else by its command.
    ///
    /// Two equal calls cannot be told apart by their shells, so a claimed record of either proves that one arrived.
    pub fn of_end<'a>(records: &'a [Self], call: Option<&str>, command: &str) -> Option<&'a Self> {
        let own = records.iter().find(|it| call.is_some() && it.call.call.as_deref() == call);
        if let Some(own) = own.filter(|own| own.stored.stage == CallStage::Claimed) {
            return Some(own);
        }
        let equal = |it: &&Self| it.call.command.trim() == command.trim();
        let claimed = records.iter().filter(equal).find(|it| it.stored.stage == CallStage::Claimed);
        claimed.or(own).or_else(|| records.iter().find(equal).filter(|_| call.is_none()))
    }
}

/// Returns a string as one quoted word of a shell, as hosts write it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r#"'"'"'"#))
}

/// Returns the records in which a starting shell may find its call.
pub fn records_for(user_state: &AbsPath, host: &str, session: Option<&str>) -> Vec<RecordedCall> {
    match session {
        Some(session) => RecordedCall::all(&ShellCallFolder::of(user_state, host, session)),
        None => ShellCallFolder::of_host(user_state, host).iter().flat_map(RecordedCall::all).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn call(command: &str, id: Option<&str>) -> ShellCall {
        ShellCall {
            workspace: "/w".into(),
            scope: CallScope::Intent("INT-001".into()),
            command: command.into(),
            rewritten: None,
            call: id.map(str::to_owned),
            host_process: None,
            background: false,
            required: false,
            sealed: false,
        }
    }

    fn folder() -> (tempfile::TempDir, ShellCallFolder) {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path()).unwrap();
        (dir, ShellCallFolder::of(&state, "codex", "s"))
    }

    fn found(folder: &ShellCallFolder, shell: &ShellIdentity<'_>) -> Option<RecordedCall> {
        RecordedCall::of_shell(RecordedCall::all(folder), shell)
    }

    fn texts<'a>(texts: &'a [&'a str]) -> ShellIdentity<'a> {
        ShellIdentity { texts, ..ShellIdentity::default() }
    }

    #[test]
    fn a_shell_finds_its_call_by_id_or_text() {
        let (_dir, folder) = folder();
        call("make\n", None).announce(&folder).unwrap();
        call("make", Some("c1")).announce(&folder).unwrap();
        assert_eq!(found(&folder, &texts(&[" make"])).unwrap().call.command, "make");
        let by_id = ShellIdentity { call: Some("c1"), texts: &["make"], ..ShellIdentity::default() };
        assert_eq!(found(&folder, &by_id).unwrap().call.call.as_deref(), Some("c1"));
        assert!(found(&folder, &texts(&["ls"])).is_none());
        // A wrapper of an unknown form.
        assert!(found(&folder, &texts(&["new wrapper; make; done"])).is_some());
        call("echo 'a'", None).announce(&folder).unwrap();
        assert!(found(&folder, &texts(&[r#"w 'echo '"'"'a'"'"'' x"#])).is_some());
    }

    #[test]
    fn a_record_of_another_program_is_not_found() {
        let (_dir, folder) = folder();
        ShellCall { host_process: Some((7, 70)), ..call("make", None) }.announce(&folder).unwrap();
        let beneath = |ancestors| found(&folder, &ShellIdentity { ancestors, ..texts(&["make"]) }).is_some();
        assert!(beneath(&[(3, 30), (7, 70)]) && !beneath(&[(7, 71)]) && !beneath(&[]));
    }

    #[test]
    fn equal_calls_are_each_claimed_and_each_proven() {
        let (_dir, folder) = folder();
        for id in ["c1", "c2"] {
            call("make", Some(id)).announce(&folder).unwrap();
        }
        for _ in 0..2 {
            let record = found(&folder, &texts(&["make"])).unwrap();
            assert_ne!(record.stored.stage, CallStage::Claimed);
            let line = Arrival::Confined("namespace".into()).line();
            record.stored.claim().unwrap().write_all(line.as_bytes()).unwrap();
        }
        // A third shell with that text is confined too.
        assert_eq!(found(&folder, &texts(&["make"])).unwrap().stored.stage, CallStage::Claimed);
        for id in ["c2", "c1"] {
            let records = RecordedCall::all(&folder);
            let ended = RecordedCall::of_end(&records, Some(id), "make").unwrap();
            assert_eq!(ended.arrival, Arrival::Confined("namespace".into()));
            ended.stored.remove();
        }
        assert!(RecordedCall::all(&folder).is_empty());
    }

    #[test]
    fn an_end_without_an_arrival_is_seen() {
        let (_dir, folder) = folder();
        call("make", Some("c1")).announce(&folder).unwrap();
        let records = RecordedCall::all(&folder);
        assert_eq!(RecordedCall::of_end(&records, Some("c1"), "make").unwrap().arrival, Arrival::Missing);
        assert!(RecordedCall::of_end(&records, Some("c2"), "ls").is_none());
        let line = Arrival::Unconfined("no user\nnamespaces".into()).line();
        assert_eq!(Arrival::parse(&line), Arrival::Unconfined("no user namespaces".into()));
    }
}
