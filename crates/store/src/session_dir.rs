//! The folder of one session, and of each module's things in it.

use event::{AbsPath, AgentId};

use crate::ModuleName;
use crate::layout_file::FileNames;

/// Where one session's files lie.
#[derive(Debug, Clone)]
pub struct SessionDir {
    root: AbsPath,
    names: FileNames,
}

/// Where one module's files lie within a session.
#[derive(Debug, Clone)]
pub struct FeatureDir {
    /// The module's own folder.
    pub root: AbsPath,
    /// Its logs.
    pub logs: AbsPath,
    /// What it produces.
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

    /// Returns the snapshot.
    pub fn state_file(&self) -> AbsPath {
        self.root.child(&self.names.state)
    }

    /// Returns the journal that is the truth.
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

    /// Returns the file that says a person permitted a call; `key` is hex digits.
    pub fn allowance_file(&self, key: &str) -> AbsPath {
        let plain: String = key.chars().filter(char::is_ascii_hexdigit).collect();
        self.root.child("session/allowed").join(plain)
    }

    /// Returns the folder of the calls that have not ended yet, one file each.
    pub fn pending_calls(&self) -> AbsPath {
        self.root.child("intent/calls")
    }

    /// Returns the folder of what an agent of the session last saw of each file.
    pub fn seen_files(&self, agent: AgentId) -> AbsPath {
        self.root.child("intent/seen").child(&agent.to_string())
    }

    /// Returns the journal of traces that could not be appended to the workspace's own.
    pub fn trace_spool(&self) -> AbsPath {
        self.root.child("intent/trace-spool.jsonl")
    }

    /// Returns a module's part of the session.
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
}
