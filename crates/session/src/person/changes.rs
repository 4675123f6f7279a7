//! The changes that a person made with steersman's commands: hashes of the intents file and of the selected intent, as the last
//! command left them.
//!
//! WHY in the user's state folder: a script of an agent that writes the files of the workspace is noticed, because this
//! record does not agree with them.

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{Workspace, fingerprint, plain_file};

/// The record of a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "person-changes"))]
#[serde(rename_all = "camelCase")]
pub struct PersonChanges {
    /// The format of the file.
    version: u32,
    /// A hash of the intents file after the last command that changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intents: Option<String>,
    /// A hash of the selection after the last command that changed it; empty if that command removed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    selection: Option<String>,
    /// A hash of the intents file as a command of an agent left it: this version does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rejected_intents: Option<String>,
    /// A hash of the manifest and `config.json` as a command of an agent left them: these versions do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rejected_settings: Option<String>,
}

const FORMAT: u32 = 1;

impl PersonChanges {
    /// Reads the record of a workspace. Returns an empty one if no person has changed anything there.
    pub fn read(workspace: &Workspace, user_state: &AbsPath) -> Self {
        let bytes = plain_file::read(workspace.person_changes(user_state).as_path()).unwrap_or_default();
        let record: Option<Self> = serde_json::from_slice(&bytes).ok();
        record.filter(|record| record.version == FORMAT).unwrap_or_default()
    }

    /// Records the intents file as it is now, after a command of a person.
    pub fn record_intents(workspace: &Workspace, user_state: &AbsPath) {
        let intents = hash_of(&workspace.intents_file());
        let before = Self::read(workspace, user_state);
        Self { intents, rejected_intents: None, rejected_settings: None, ..before }
            .write(workspace, user_state);
    }

    /// Records that a command of an agent left the intents file as it is now.
    pub fn reject_intents(workspace: &Workspace, user_state: &AbsPath) {
        let rejected_intents = hash_of(&workspace.intents_file());
        Self { rejected_intents, ..Self::read(workspace, user_state) }.write(workspace, user_state);
    }

    /// Returns whether the intents file is as a command of an agent left it.
    pub fn reject(&self, workspace: &Workspace) -> bool {
        self.rejected_intents.is_some() && self.rejected_intents == hash_of(&workspace.intents_file())
    }

    /// Records the selection as it is now, after a command of a person.
    pub fn record_selection(workspace: &Workspace, user_state: &AbsPath) {
        let selection = Some(hash_of(&workspace.selection_file()).unwrap_or_default());
        let before = Self::read(workspace, user_state);
        Self { selection, rejected_settings: None, ..before }.write(workspace, user_state);
    }

    /// Records that a command of an agent left the manifest or `config.json` as they are now.
    pub fn reject_settings(workspace: &Workspace, user_state: &AbsPath) {
        let rejected_settings = Some(hash_of_settings(workspace));
        Self { rejected_settings, ..Self::read(workspace, user_state) }.write(workspace, user_state);
    }

    /// Returns whether the manifest and `config.json` are as a command of an agent left them.
    pub fn reject_settings_of(&self, workspace: &Workspace) -> bool {
        self.rejected_settings.as_ref().is_some_and(|rejected| *rejected == hash_of_settings(workspace))
    }

    /// Records that a command of an agent changed the selection: none counts until a person selects an intent.
    pub fn reject_selection(workspace: &Workspace, user_state: &AbsPath) {
        Self { selection: Some(String::new()), ..Self::read(workspace, user_state) }
            .write(workspace, user_state);
    }

    /// Returns whether the selection is the one that a command of a person made.
    pub fn made_selection(&self, workspace: &Workspace) -> bool {
        self.selection.is_some() && self.selection == hash_of(&workspace.selection_file())
    }

    /// Ignores errors: then the record agrees with nothing, and the change is reported.
    fn write(self, workspace: &Workspace, user_state: &AbsPath) {
        let record = Self { version: FORMAT, ..self };
        let file = workspace.person_changes(user_state);
        let text = serde_json::to_vec(&record).unwrap_or_default();
        let _ = file.parent().map_or(Ok(()), |folder| store::create_folder(folder.as_path()));
        let _ = store::write_shared(file.as_path(), &text);
    }

    /// Returns whether the intents file is as a command of a person left it.
    pub fn made_intents(&self, workspace: &Workspace) -> bool {
        self.intents.is_some() && self.intents == hash_of(&workspace.intents_file())
    }

    /// Returns whether the selection is not the one that a command of a person made. A workspace in which no such
    /// command ran has no record to compare with.
    pub fn contradict_selection(&self, workspace: &Workspace) -> bool {
        let now = || hash_of(&workspace.selection_file()).unwrap_or_default();
        self.selection.as_ref().is_some_and(|known| *known != now())
    }
}

fn hash_of_settings(workspace: &Workspace) -> String {
    let hash = |file: AbsPath| hash_of(&file).unwrap_or_default();
    format!("{} {}", hash(workspace.manifest_file()), hash(workspace.config_file()))
}

fn hash_of(file: &AbsPath) -> Option<String> {
    plain_file::read(file.as_path()).ok().map(|bytes| fingerprint([bytes.as_slice()]).to_string())
}
