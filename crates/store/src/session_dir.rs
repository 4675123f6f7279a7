//! The folder of a session, and the folders of its modules.

use event::{AbsPath, AgentId};

use crate::ModuleName;
use crate::layout_file::FileNames;

/// The paths of a session's files.
#[derive(Debug, Clone)]
pub struct SessionDir {
    root: AbsPath,
    names: FileNames,
}

/// The paths of a module's files within a session.
#[derive(Debug, Clone)]
pub struct FeatureDir {
    /// The module's own folder.
    pub root: AbsPath,
    /// Its logs.
    pub logs: AbsPath,
    /// Its artifacts.
    pub output: AbsPath,
}

impl SessionDir {
    pub(crate) fn new(root: AbsPath, names: FileNames) -> Self {
        Self { root, names }
    }

    /// Returns the session's folder.
    pub fn root(&self) -> &AbsPath {
        &self.root
    }

    /// Returns the file of the snapshot.
    pub fn state_file(&self) -> AbsPath {
        self.root.child(&self.names.state)
    }

    /// Returns the journal of events, which is the truth.
    pub fn events_file(&self) -> AbsPath {
        self.root.child(&self.names.events)
    }

    /// Returns the journal of artifacts.
    pub fn registry_file(&self) -> AbsPath {
        self.root.child(&self.names.registry)
    }

    /// Returns the journal of prompts.
    pub fn prompts_file(&self) -> AbsPath {
        self.root.child(&self.names.prompts)
    }

    /// Returns the file that records that the user permitted a call; `key` is hex digits.
    pub fn allowance_file(&self, key: &str) -> AbsPath {
        let plain: String = key.chars().filter(char::is_ascii_hexdigit).collect();
        self.root.child("session/allowed").join(plain)
    }

    /// Returns the file of pending calls.
    pub fn pending_calls(&self) -> AbsPath {
        self.root.child("intent/pending-calls")
    }

    /// Returns the record of the folders that were searched for changes, and since when changes are open.
    pub fn scan_coverage(&self) -> AbsPath {
        self.root.child("intent/scan.json")
    }

    /// Returns the record of where the workspace's folders were when they were last searched for changes.
    pub fn folder_record(&self) -> AbsPath {
        self.root.child("intent/folders")
    }

    /// Returns the link to git's index as it was before a call; `name` is hex digits.
    pub fn index_link(&self, name: &str) -> AbsPath {
        let plain: String = name.chars().filter(char::is_ascii_hexdigit).collect();
        self.root.child("intent/index").join(plain)
    }

    /// Returns the file whose time marks the beginning of a search.
    pub fn scan_clock(&self) -> AbsPath {
        self.root.child("intent/clock")
    }

    /// Returns the folder that records the version of each file an agent of the session last saw.
    pub fn seen_files(&self, agent: AgentId) -> AbsPath {
        self.root.child("intent/seen").child(&agent.to_string())
    }

    /// Returns the folder of reports that runs apply once the journal has them: lines for the workspace's trace.
    pub fn staged_reports(&self) -> AbsPath {
        self.root.child("intent/reports")
    }

    /// Returns the folders of a module in the session.
    pub fn feature(&self, module: &ModuleName) -> FeatureDir {
        let root = self.root.child(module.as_str());
        let logs = root.child(&self.names.logs);
        let output = root.child(&self.names.output);
        FeatureDir { root, logs, output }
    }
}

impl FeatureDir {
    /// Returns the module's debug log.
    pub fn debug_log(&self) -> AbsPath {
        self.logs.child("debug.log")
    }

    /// Returns a file below the output folder. Returns `None` if the name could lead out of it.
    pub fn output_file(&self, name: &str) -> Option<AbsPath> {
        let is_plain = name.split('/').all(|part| ModuleName::new(part).is_some());
        is_plain.then(|| self.output.child(name))
    }

    /// Returns the folder for the results of a subagent. Ignores a role that is not a plain name.
    pub fn of_subagent(&self, role: Option<&str>, agent: AgentId) -> AbsPath {
        let role = role.filter(|role| role.len() <= 32).and_then(ModuleName::new);
        let role = role.as_ref().map_or("agent", ModuleName::as_str);
        self.output.child(SUBAGENTS).child(role).child(&agent.to_string())
    }
}

/// The folder below a module's output for the results of subagents.
const SUBAGENTS: &str = "sa";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workspace;
    use event::SessionId;

    fn feature() -> FeatureDir {
        let workspace = Workspace::at(AbsPath::root().child("w"));
        let session = workspace.session(SessionId::from_hash([0, 0, 0, 1]));
        session.feature(&ModuleName::new("rlm-work").unwrap())
    }

    #[test]
    fn an_output_stays_in_the_output_folder() {
        let output = |name: &str| feature().output_file(name).map(|path| path.to_string());
        let at = |name: &str| format!("/w/.ai/tmp/00000001/rlm-work/output/{name}");
        assert_eq!(output("adr/w001.md"), Some(at("adr/w001.md")));
        for bad in ["", "/etc/passwd", "../x", "a/../../x", "a//b", "a\\b", ".hidden"] {
            assert_eq!(output(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_role_is_a_folder_only_if_it_is_a_plain_name() {
        let folder = |role| feature().of_subagent(role, AgentId::sub(1)).to_string();
        let at = |name: &str| format!("/w/.ai/tmp/00000001/rlm-work/output/sa/{name}/a01");
        assert_eq!(folder(Some("Explore")), at("Explore"));
        for role in [None, Some("../../x"), Some(""), Some(&*"x".repeat(33)), Some("a b")] {
            assert_eq!(folder(role), at("agent"), "{role:?}");
        }
    }
}
