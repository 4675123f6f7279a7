//! The paths of a workspace's files.

use std::fs;
use std::io::{self, Write};

use event::{AbsPath, SessionId};

use crate::layout_file::{self, FileNames};
use crate::{Backups, FileError, Format, SessionDir, create_folder, fingerprint, no_follow};

/// The root folder of a workspace, with the names of our files in it.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: AbsPath,
    tmp: AbsPath,
    /// The user's state folder, if it holds the records.
    state: Option<AbsPath>,
    names: FileNames,
}

pub(crate) const HOOKS: &str = ".ai/hooks";
const TMP: &str = ".ai/tmp";
const ORCHESTRATION: &str = ".orchestration";
pub(crate) const INTENTS: &str = ".orchestration/active_intents.yaml";

/// Returns the folder with the sockets of hooks that wait for a person, in the user's state folder.
pub fn asks_folder(user_state: &AbsPath) -> AbsPath {
    user_state.child("asks")
}

/// Returns the folder with the answers of persons to hooks that waited, in the user's state folder.
pub fn answers_folder(user_state: &AbsPath) -> AbsPath {
    user_state.child("answers")
}

/// Returns the folder with an entry for each workspace that a server of this user serves, in the user's state folder.
pub fn served_folder(user_state: &AbsPath) -> AbsPath {
    user_state.child("served")
}

/// Returns the file with the hash of a person's PIN, in the user's state folder.
pub fn pin_file(user_state: &AbsPath) -> AbsPath {
    user_state.child("pin.json")
}

/// The names at the top of the folder of everything steersman writes, besides those of sessions.
const RECORDS: [&str; 13] = [
    ".gitignore",
    "agent-runs",
    "agents.json",
    "agents.log",
    "automation",
    "backup",
    "dispatch.log",
    "hosts.jsonl",
    "intent.json",
    "intents-edit",
    "intents.lock",
    "refusals.jsonl",
    "scope-requests.jsonl",
];

impl Workspace {
    /// The format of `workspace.json`.
    pub const FORMAT: Format = Format(1);

    /// Returns the workspace at `root` with default names.
    pub fn at(root: AbsPath) -> Self {
        let tmp = root.child(TMP);
        Self { root, tmp, state: None, names: FileNames::default() }
    }

    /// Returns the workspace at `root` with its records in the user's state folder: a folder without rules, in which
    /// only a registration of the user or an administrator calls steersman, gets no `.ai/`.
    pub fn with_records_in(user_state: &AbsPath, root: AbsPath) -> Self {
        let name = fingerprint([root.to_string().as_bytes()]).short();
        let tmp = user_state.child("workspaces").child(&name);
        Self { root, tmp, state: Some(user_state.clone()), names: FileNames::default() }
    }

    /// Returns the workspace at `root` with the names in its `workspace.json`, if it has one.
    ///
    /// On an error it uses the default names, so that a typo there cannot stop the answers.
    pub fn open(root: AbsPath) -> (Self, Option<FileError>) {
        let mut workspace = Self::at(root);
        match layout_file::read(&workspace.layout_file()) {
            Ok(None) => (workspace, None),
            Ok(Some(layout)) => {
                if let Some(tmp) = layout.work_root {
                    workspace.tmp = workspace.root.join(tmp);
                }
                workspace.names = layout.names;
                (workspace, None)
            }
            Err(error) => (workspace, Some(error)),
        }
    }

    /// Returns the root folder.
    pub fn root(&self) -> &AbsPath {
        &self.root
    }

    /// Returns the folder of the project's own hook files.
    pub fn hooks_dir(&self) -> AbsPath {
        self.root.child(HOOKS)
    }

    /// Returns the file that lists modules, budgets and policies.
    pub fn manifest_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("dispatch.manifest.json")
    }

    /// Returns the file with the settings of each module.
    pub fn config_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("config.json")
    }

    /// Returns the file that renames files and folders.
    pub fn layout_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("workspace.json")
    }

    /// Returns the file with the rules for delegated work.
    pub fn policy_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("rlm-policy.json")
    }

    /// Returns the folder of memories. It belongs to the users, who commit it.
    pub fn memory_dir(&self) -> AbsPath {
        self.root.child(".ai/memory")
    }

    /// Returns the file with the rules for follow-ups.
    pub fn followup_rules_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("followup-rules.json")
    }

    /// Returns the folder for JSON Schemas next to the hook files.
    pub fn schema_dir(&self) -> AbsPath {
        self.root.child(HOOKS).child("schema")
    }

    /// Returns the folder of everything steersman writes.
    pub fn tmp_dir(&self) -> &AbsPath {
        &self.tmp
    }

    /// Returns whether steersman uses a name at the top of [`Self::tmp_dir`]. A file is written beside its old version, under
    /// its name with `.tmp`.
    pub fn is_record_name(name: &str) -> bool {
        let name = name.strip_suffix(".tmp").unwrap_or(name);
        RECORDS.contains(&name) || SessionId::parse(name).is_some()
    }

    /// Returns the dispatcher's log of events outside any session.
    pub fn dispatch_log(&self) -> AbsPath {
        self.tmp.child("dispatch.log")
    }

    /// Returns the file that declares the intents; if it exists, intents govern.
    pub fn intents_file(&self) -> AbsPath {
        self.root.child(INTENTS)
    }

    /// Returns the trace of writes and their intents.
    pub fn trace_file(&self) -> AbsPath {
        self.root.child(ORCHESTRATION).child("agent_trace.jsonl")
    }

    /// Returns the folder for cached intents of this workspace, in the user's state folder.
    pub fn intent_cache_dir(&self, user_state: &AbsPath) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("intents").child(&fingerprint([root.as_bytes()]).short())
    }

    /// Returns the folder for cached plans of this workspace, in the user's state folder.
    pub fn plan_cache_dir(&self, user_state: &AbsPath) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("plans").child(&fingerprint([root.as_bytes()]).short())
    }

    /// Returns the file with the intent of sessions that have not selected one.
    pub fn selection_file(&self) -> AbsPath {
        self.tmp.child("intent.json")
    }

    /// Returns the folder with the agent programs that called steersman in this workspace, in the user's state folder.
    pub fn host_records(&self, user_state: &AbsPath) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("hosts").child(&fingerprint([root.as_bytes()]).short())
    }

    /// Returns the folders with the agent programs that called steersman, one for each workspace.
    pub fn all_host_records(user_state: &AbsPath) -> Vec<AbsPath> {
        let folders = fs::read_dir(user_state.child("hosts").as_path()).into_iter().flatten().flatten();
        folders.filter_map(|entry| AbsPath::new(entry.path()).ok()).collect()
    }

    /// Returns the file with the order to hold every session of this workspace.
    pub fn hold_file(&self, user_state: &AbsPath) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("holds").child(&fingerprint([root.as_bytes()]).short())
    }

    /// Returns the file with the order to hold one session of this workspace.
    pub(crate) fn hold_file_of(&self, session: SessionId, user_state: &AbsPath) -> AbsPath {
        let (root, session) = (self.root.to_string(), session.to_string());
        user_state.child("holds").child(&fingerprint([root.as_bytes(), session.as_bytes()]).short())
    }

    /// Returns the second record of the agent programs, in the workspace itself.
    pub fn host_journal(&self) -> AbsPath {
        self.tmp.child("hosts.jsonl")
    }

    /// Returns the file that marks a session of this workspace as governed by intents, in the user's state folder.
    pub fn governed_session(&self, user_state: &AbsPath, id: SessionId) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("governed").child(&fingerprint([root.as_bytes()]).short()).child(&id.to_string())
    }

    /// Returns the record of a permission that a person gave for one call, in the user's state folder; `key` is hex digits.
    pub fn allowance_record(&self, user_state: &AbsPath, id: SessionId, key: &str) -> AbsPath {
        let root = self.root.to_string();
        let plain: String = key.chars().filter(char::is_ascii_hexdigit).collect();
        let workspace = fingerprint([root.as_bytes()]).short();
        user_state.child("allowed").child(&workspace).child(&format!("{id}-{plain}"))
    }

    /// Returns the record of what a person changed with steersman's commands, in the user's state folder.
    pub fn person_changes(&self, user_state: &AbsPath) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("persons").child(&format!("{}.json", fingerprint([root.as_bytes()]).short()))
    }

    /// Returns the journal of commands that steersman refused because no person asked.
    pub fn refusals_file(&self) -> AbsPath {
        self.tmp.child("refusals.jsonl")
    }

    /// Returns the file with the hash of the intents file after the last change by steersman's own commands.
    pub fn intents_edit_file(&self) -> AbsPath {
        self.tmp.child("intents-edit")
    }

    /// Returns the lock file for editing the intents file.
    pub fn intents_lock(&self) -> AbsPath {
        self.tmp.child("intents.lock")
    }

    /// Returns the journal of the agents' requests to write outside their scope, and the answers.
    pub fn scope_requests_file(&self) -> AbsPath {
        self.tmp.child("scope-requests.jsonl")
    }

    /// Returns the automation file in the format of the engine (001).
    pub fn akira_file(&self) -> AbsPath {
        self.root.child(".akira/hooks.json")
    }

    /// Returns the automation file in the format of custom agent hooks (000).
    pub fn gatomia_file(&self) -> AbsPath {
        self.root.child(".vscode/gatomia/hooks.json")
    }

    /// Returns the folder of automation runs.
    pub fn automation_dir(&self) -> AbsPath {
        self.tmp.child("automation")
    }

    /// Returns the journal of queued, running and finished runs.
    pub fn automation_queue(&self) -> AbsPath {
        self.automation_dir().child("queue.jsonl")
    }

    /// Returns the file with the process that runs the automations, and the address of its page.
    pub fn automation_server(&self) -> AbsPath {
        self.automation_dir().child("server.json")
    }

    /// Returns the index of finished runs.
    pub fn automation_history(&self) -> AbsPath {
        self.automation_dir().child("history.sqlite")
    }

    /// Returns the file that a rotation prepares and then renames to [`Self::automation_queue`].
    pub fn automation_next_queue(&self) -> AbsPath {
        self.automation_dir().child("queue.next.jsonl")
    }

    /// Returns the archive of the journal of runs before its n-th rotation.
    pub fn automation_archive(&self, number: u32) -> AbsPath {
        self.automation_dir().child(&format!("queue-{number:06}.jsonl"))
    }

    /// Returns the agent registry.
    pub fn agent_registry_file(&self) -> AbsPath {
        self.tmp.child("agents.json")
    }

    /// Returns the log of workflows, unless the project names another file.
    pub fn agent_log(&self) -> AbsPath {
        self.tmp.child("agents.log")
    }

    /// Returns the folder of workflow journals.
    pub fn agent_runs_dir(&self) -> AbsPath {
        self.tmp.child("agent-runs")
    }

    /// Returns the journal of one workflow; a run id consists of digits, hex digits and hyphens.
    pub fn agent_run_file(&self, run: &str) -> AbsPath {
        let plain: String = run.chars().filter(|it| it.is_ascii_hexdigit() || *it == '-').collect();
        self.agent_runs_dir().child(&format!("{plain}.jsonl"))
    }

    /// Returns the backups of the project's files.
    pub fn backups(&self) -> Backups {
        Backups::new(self.root.clone(), self.tmp.join("backup"))
    }

    /// Returns the folder of one session.
    pub fn session(&self, id: SessionId) -> SessionDir {
        SessionDir::new(self.tmp.child(&id.to_string()), self.names.clone())
    }

    /// Returns every session that has a folder here, in no order.
    pub fn sessions(&self) -> io::Result<Vec<SessionId>> {
        let entries = match fs::read_dir(self.tmp.as_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let mut found = Vec::new();
        for entry in entries {
            found.extend(entry?.file_name().to_str().and_then(SessionId::parse));
        }
        Ok(found)
    }

    /// Returns the file that hides the state folder from git.
    pub fn tmp_ignore_file(&self) -> AbsPath {
        self.tmp.child(".gitignore")
    }

    /// Creates the folder of everything steersman writes, hidden from git.
    ///
    /// Does not create the workspace itself: a missing one may belong to another machine.
    pub fn make_tmp_dir(&self) -> io::Result<()> {
        if !self.root.as_path().is_dir() {
            let complaint = format!("the folder `{}` does not exist", self.root);
            return Err(io::Error::new(io::ErrorKind::NotFound, complaint));
        }
        self.check_way_to(&self.tmp)?;
        create_folder(self.tmp.as_path())?;
        if self.state.is_some() {
            return Ok(());
        }
        let ignore = self.tmp_ignore_file();
        // Written from the start, not appended: two writers at the same time leave one line.
        let mut file = no_follow::options().write(true).create(true).open(ignore.as_path())?;
        // An empty file was left by a process that was killed in between.
        if file.metadata()?.len() == 0 { file.write_all(b"*\n") } else { Ok(()) }
    }

    /// Fails if a link on the way to `path` leads out of the workspace, or out of the user's state folder if it
    /// holds the records.
    pub fn check_way_to(&self, path: &AbsPath) -> io::Result<()> {
        let state = self.state.as_ref().filter(|state| path.as_path().starts_with(state.as_path()));
        if no_follow::leads_outside(state.unwrap_or(&self.root), path) {
            let complaint = format!("a link leads from `{path}` out of the workspace");
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, complaint));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace_with(layout: &str) -> (tempfile::TempDir, Workspace, Option<FileError>) {
        let dir = tempfile::tempdir().unwrap();
        let hooks = dir.path().join(HOOKS);
        fs::create_dir_all(&hooks).unwrap();
        fs::write(hooks.join("workspace.json"), layout).unwrap();
        let (workspace, error) = Workspace::open(AbsPath::new(dir.path()).unwrap());
        (dir, workspace, error)
    }

    #[test]
    fn names_come_from_the_layout_file() {
        let (_dir, workspace, error) = workspace_with(
            r#"{"version":1,"workRoot":".ai/work","files":{"state":"s.json"},"dirs":{"output":"out"}}"#,
        );
        assert!(error.is_none());
        assert!(workspace.tmp_dir().to_string().ends_with(".ai/work"));
        let session = workspace.session(SessionId::from_hash([0, 0, 0, 1]));
        assert!(session.state_file().to_string().ends_with(".ai/work/00000001/s.json"));
    }

    #[test]
    fn every_name_at_the_top_of_the_records_is_known() {
        let workspace = Workspace::at(AbsPath::root().child("w"));
        let used = [
            workspace.agent_log(),
            workspace.agent_registry_file(),
            workspace.agent_runs_dir(),
            workspace.automation_dir(),
            workspace.dispatch_log(),
            workspace.intents_edit_file(),
            workspace.intents_lock(),
            workspace.refusals_file(),
            workspace.scope_requests_file(),
            workspace.selection_file(),
            workspace.session(SessionId::from_hash([0, 0, 0, 1])).root().clone(),
            workspace.tmp_ignore_file(),
        ];
        for path in used {
            let name = path.as_path().file_name().unwrap().to_str().unwrap().to_owned();
            assert!(Workspace::is_record_name(&name), "{name}");
            assert!(Workspace::is_record_name(&format!("{name}.tmp")), "{name}");
        }
        for name in ["evil.sh", "0123", "00000001x", "state.json"] {
            assert!(!Workspace::is_record_name(name), "{name}");
        }
    }

    #[test]
    fn a_layout_that_leads_astray_is_refused_and_the_defaults_serve() {
        for (layout, complaint) in [
            (r#"{"workRoot":"../elsewhere"}"#, "line 1, column 13: `workRoot` must be a folder below `.ai/`"),
            (r#"{"workRoot":"/tmp/x"}"#, "`workRoot` must be"),
            (r#"{"workRoot":".ai/../src"}"#, "`workRoot` must be"),
            (r#"{"workRoot":".ai/hooks"}"#, "`workRoot` must be"),
            (r#"{"files":{"events":"../events"}}"#, "`events` must be a single file name"),
            (r#"{"files":{"events":7}}"#, "line 1, column 20: invalid type: integer `7`, expected a string"),
            (r#"{"version":2}"#, "format 2 is newer"),
            (r#"{"workRoot":"#, "line 1, column 12: EOF while parsing a value"),
        ] {
            let (_dir, workspace, error) = workspace_with(layout);
            let error = error.unwrap().to_string();
            assert!(error.contains(complaint), "{error}");
            assert!(workspace.tmp_dir().to_string().ends_with(TMP));
        }
    }

    #[test]
    fn the_state_folder_hides_itself_from_git() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        workspace.make_tmp_dir().unwrap();
        workspace.make_tmp_dir().unwrap();
        let ignore = dir.path().join(".ai/tmp/.gitignore");
        assert_eq!(fs::read(&ignore).unwrap(), b"*\n");
        fs::write(&ignore, "").unwrap();
        workspace.make_tmp_dir().unwrap();
        assert_eq!(fs::read(&ignore).unwrap(), b"*\n", "a killed process may have left it empty");
    }

    #[test]
    fn records_in_the_users_state_folder_leave_the_workspace_alone() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        for folder in ["one", "other"] {
            fs::create_dir(at(folder).as_path()).unwrap();
        }
        let one = Workspace::with_records_in(&at("state"), at("one"));
        let other = Workspace::with_records_in(&at("state"), at("other"));
        one.make_tmp_dir().unwrap();
        assert_ne!(one.tmp_dir(), other.tmp_dir());
        assert!(one.tmp_dir().as_path().starts_with(at("state/workspaces").as_path()));
        assert_eq!(fs::read_dir(at("one").as_path()).unwrap().count(), 0);
    }

    #[test]
    fn a_workspace_that_is_not_there_is_not_made() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("not/there");
        assert!(Workspace::at(AbsPath::new(&root).unwrap()).make_tmp_dir().is_err());
        assert!(!dir.path().join("not").exists());
    }
}
