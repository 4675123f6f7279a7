//! The workspace: where it begins, and where everything of ours lies in it.

use std::fs;
use std::io::{self, Write};

use event::{AbsPath, SessionId};

use crate::layout_file::{self, FileNames};
use crate::{Backups, FileError, Format, SessionDir, fingerprint, no_follow};

/// The folder everything is relative to, with the names of what we keep there.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: AbsPath,
    tmp: AbsPath,
    names: FileNames,
}

pub(crate) const HOOKS: &str = ".ai/hooks";
const TMP: &str = ".ai/tmp";
const ORCHESTRATION: &str = ".orchestration";
pub(crate) const INTENTS: &str = ".orchestration/active_intents.yaml";

impl Workspace {
    /// The format of `workspace.json`.
    pub const FORMAT: Format = Format(1);

    /// Returns the workspace at `root` with the documents' own names.
    pub fn at(root: AbsPath) -> Self {
        let tmp = root.child(TMP);
        Self { root, tmp, names: FileNames::default() }
    }

    /// Returns the workspace at `root` with the names its `workspace.json` gives, if it has one.
    ///
    /// On an error the documents' own names serve, so that a typing mistake there can
    /// not stop the answers.
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

    /// Returns the folder everything is relative to.
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

    /// Returns the file with each module's own settings.
    pub fn config_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("config.json")
    }

    /// Returns the file that names the files.
    pub fn layout_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("workspace.json")
    }

    /// Returns the file with the rules for delegated work.
    pub fn policy_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("rlm-policy.json")
    }

    /// Returns the folder of what people want remembered. It is theirs, and committed.
    pub fn memory_dir(&self) -> AbsPath {
        self.root.child(".ai/memory")
    }

    /// Returns the file with the rules for follow-ups.
    pub fn followup_rules_file(&self) -> AbsPath {
        self.root.child(HOOKS).child("followup-rules.json")
    }

    /// Returns the folder for JSON Schemas beside the hook files.
    pub fn schema_dir(&self) -> AbsPath {
        self.root.child(HOOKS).child("schema")
    }

    /// Returns the folder below which everything is written.
    pub fn tmp_dir(&self) -> &AbsPath {
        &self.tmp
    }

    /// Returns the dispatcher's own log, for what happens outside any session.
    pub fn dispatch_log(&self) -> AbsPath {
        self.tmp.child("dispatch.log")
    }

    /// Returns the file that lists the intents; where it is, they govern.
    pub fn intents_file(&self) -> AbsPath {
        self.root.child(INTENTS)
    }

    /// Returns the trace of what was written under which intent.
    pub fn trace_file(&self) -> AbsPath {
        self.root.child(ORCHESTRATION).child("agent_trace.jsonl")
    }

    /// Returns the folder, in the user's own state, for intents of this workspace in a form that
    /// is read fast.
    pub fn kept_intents(&self, user_state: &AbsPath) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("intents").child(&fingerprint([root.as_bytes()]).short())
    }

    /// Returns the folder, in the user's own state, for plans of this workspace in a form that is
    /// read fast.
    pub fn kept_plans(&self, user_state: &AbsPath) -> AbsPath {
        let root = self.root.to_string();
        user_state.child("plans").child(&fingerprint([root.as_bytes()]).short())
    }

    /// Returns the file with the intent of sessions that have selected none themselves.
    pub fn selection_file(&self) -> AbsPath {
        self.tmp.child("intent.json")
    }

    /// Returns the file whose lock whoever edits the file of intents holds.
    pub fn intents_lock(&self) -> AbsPath {
        self.tmp.child("intents.lock")
    }

    /// Returns the journal of what agents asked to be allowed to write, and what was answered.
    pub fn scope_requests_file(&self) -> AbsPath {
        self.tmp.child("scope-requests.jsonl")
    }

    /// Returns the file of automations in the words of the engine (001).
    pub fn akira_file(&self) -> AbsPath {
        self.root.child(".akira/hooks.json")
    }

    /// Returns the file of automations in the words of custom agent hooks (000).
    pub fn gatomia_file(&self) -> AbsPath {
        self.root.child(".vscode/gatomia/hooks.json")
    }

    /// Returns the folder of everything about automations that run.
    pub fn automation_dir(&self) -> AbsPath {
        self.tmp.child("automation")
    }

    /// Returns the journal of the runs that are queued, at work and done.
    pub fn automation_queue(&self) -> AbsPath {
        self.automation_dir().child("queue.jsonl")
    }

    /// Returns the file that says which process runs the automations, and where its page is.
    pub fn automation_server(&self) -> AbsPath {
        self.automation_dir().child("server.json")
    }

    /// Returns the index of the runs that ended.
    pub fn automation_history(&self) -> AbsPath {
        self.automation_dir().child("history.sqlite")
    }

    /// Returns what the journal of runs was before its n-th beginning anew.
    pub fn automation_archive(&self, number: u32) -> AbsPath {
        self.automation_dir().child(&format!("queue-{number:06}.jsonl"))
    }

    /// Returns the agents as they were last found.
    pub fn agent_registry_file(&self) -> AbsPath {
        self.tmp.child("agents.json")
    }

    /// Returns the folder of the journals of workflows.
    pub fn agent_runs_dir(&self) -> AbsPath {
        self.tmp.child("agent-runs")
    }

    /// Returns the journal of one workflow; a run's name is digits, hex digits and hyphens.
    pub fn agent_run_file(&self, run: &str) -> AbsPath {
        let plain: String = run.chars().filter(|it| it.is_ascii_hexdigit() || *it == '-').collect();
        self.agent_runs_dir().child(&format!("{plain}.jsonl"))
    }

    /// Returns the copies of the project's files that were kept before they were changed.
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

    /// Makes the folder below which everything is written, hidden from git.
    ///
    /// The workspace itself is not made: one that is not there may be another machine's.
    pub fn make_tmp_dir(&self) -> io::Result<()> {
        if !self.root.as_path().is_dir() {
            let complaint = format!("there is no folder `{}`", self.root);
            return Err(io::Error::new(io::ErrorKind::NotFound, complaint));
        }
        self.check_way_to(&self.tmp)?;
        fs::create_dir_all(self.tmp.as_path())?;
        let ignore = self.tmp.child(".gitignore");
        // Written from its beginning, never appended: two that write at once leave one line.
        let mut file = no_follow::options().write(true).create(true).open(ignore.as_path())?;
        // An empty one was left by a process that was killed in between.
        if file.metadata()?.len() == 0 { file.write_all(b"*\n") } else { Ok(()) }
    }

    /// Returns an error if a link on the way to `path` leads out of the workspace.
    pub fn check_way_to(&self, path: &AbsPath) -> io::Result<()> {
        if no_follow::leads_outside(&self.root, path) {
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
    fn a_layout_that_leads_astray_is_refused_and_the_defaults_serve() {
        for (layout, complaint) in [
            (
                r#"{"workRoot":"../elsewhere"}"#,
                "line 1, column 13: `workRoot` has to be a folder below `.ai/`",
            ),
            (r#"{"workRoot":"/tmp/x"}"#, "`workRoot` has to be"),
            (r#"{"workRoot":".ai/../src"}"#, "`workRoot` has to be"),
            (r#"{"workRoot":".ai/hooks"}"#, "`workRoot` has to be"),
            (r#"{"files":{"events":"../events"}}"#, "`events` has to be a single file name"),
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
    fn a_workspace_that_is_not_there_is_not_made() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("not/there");
        assert!(Workspace::at(AbsPath::new(&root).unwrap()).make_tmp_dir().is_err());
        assert!(!dir.path().join("not").exists());
    }
}
