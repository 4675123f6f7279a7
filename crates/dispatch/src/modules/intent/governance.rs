//! What holds in a workspace that has intents.

use event::AbsPath;
use intent::{Compiled, Intent, IntentId, IntentsFile, LoadError, NotSelectable, Scope, Selection, Sought};
use serde_json::Value;

use super::NAME;
use crate::{Context, IntentSettings};

/// The rules of a workspace that has intents.
pub(super) struct Governance<'a> {
    /// The event they are asked about.
    pub(super) context: &'a Context<'a>,
    /// What the project set.
    pub(super) settings: IntentSettings,
    /// What is wrong with that.
    pub(super) complaints: Vec<String>,
    file: AbsPath,
    kept_in: Option<AbsPath>,
}

/// The intent that is in force.
pub(super) enum Active {
    /// This one.
    Intent(Box<Intent>),
    /// None; perhaps there is more to say about that.
    None {
        /// Why one that was selected does not count.
        why: Option<String>,
    },
}

impl<'a> Governance<'a> {
    /// Returns the rules; none without a file of intents. That costs one failed `stat`.
    pub(super) fn of(context: &'a Context<'a>) -> Option<Self> {
        let file = context.workspace.intents_file();
        file.as_path().symlink_metadata().ok()?;
        let (settings, complaints) = match context.config.typed(NAME) {
            Ok(settings) => (settings, Vec::new()),
            // The defaults are the strictest about what governs.
            Err(error) => {
                (IntentSettings::default(), vec![format!("`{NAME}` in config.json is ignored: {error}")])
            }
        };
        let kept_in = context.user_state.map(|state| context.workspace.kept_intents(state));
        Some(Self { context, settings, complaints, file, kept_in })
    }

    /// Returns the id of the intent that was selected for the session, or for the workspace.
    pub(super) fn selected(&self) -> Result<Option<IntentId>, String> {
        match self.bound() {
            Some(id) => Ok(Some(id)),
            None => match Selection::read(self.context.workspace) {
                Ok(selection) => Ok(selection.map(|selection| selection.intent_id)),
                Err(error) => Err(error.to_string()),
            },
        }
    }

    /// Returns the intent the session itself selected.
    pub(super) fn bound(&self) -> Option<IntentId> {
        pointer(self.context, ACTIVE)
    }

    /// Returns the intent in force.
    pub(super) fn active(&self) -> Result<Active, LoadError> {
        let id = match self.selected() {
            Ok(None) => return Ok(Active::None { why: None }),
            Err(why) => return Ok(Active::None { why: Some(why) }),
            Ok(Some(id)) => id,
        };
        match self.selectable(&id)? {
            Ok(intent) => Ok(Active::Intent(intent)),
            Err(why) => Ok(Active::None { why: Some(why.to_string()) }),
        }
    }

    /// Returns an intent a session may work under, or why it may not.
    pub(super) fn selectable(&self, id: &IntentId) -> Result<Result<Box<Intent>, NotSelectable>, LoadError> {
        let unknown = |known| NotSelectable::Unknown { id: id.clone(), known };
        Ok(match self.find(id)? {
            Some(intent) if intent.status.can_be_selected() => Ok(intent),
            Some(intent) => Err(NotSelectable::Status { id: id.clone(), status: intent.status }),
            None => Err(unknown(self.all()?.summaries().into_iter().map(|intent| intent.id).collect())),
        })
    }

    /// Returns an intent, whatever its state.
    pub(super) fn find(&self, id: &IntentId) -> Result<Option<Box<Intent>>, LoadError> {
        match Sought::in_file(&self.file, id, self.kept_in.as_ref())? {
            Sought::Found(intent) => Ok(Some(intent)),
            Sought::NoFile | Sought::NoSuchIntent => Ok(None),
        }
    }

    /// Returns every intent.
    pub(super) fn all(&self) -> Result<Compiled, LoadError> {
        match Compiled::of_file(&self.file, self.kept_in.as_ref())? {
            Some(all) => Ok(all),
            // A link that leads nowhere, or the file went in this moment.
            None => Err(LoadError::Read {
                source: std::io::Error::new(
                    std::io::ErrorKind::NotFound,
                    format!("{} leads nowhere", IntentsFile::PATH),
                ),
            }),
        }
    }

    /// Looks at the workspace: where it lies and what nobody may write in it.
    pub(super) fn scope(&self) -> Scope {
        self.settings.scope(self.context.workspace)
    }

    /// Returns the folder that relative paths of a call are meant from.
    pub(super) fn folder(&self) -> AbsPath {
        self.context.folder().clone()
    }
}

/// Where the state keeps the intent that the session selected.
pub(super) const ACTIVE: &str = "active";

/// Where the state keeps the intent under which the session last worked.
pub(super) const WORKED: &str = "worked";

/// Returns one of the state's pointers to an intent.
pub(super) fn pointer(context: &Context<'_>, key: &str) -> Option<IntentId> {
    let id = context.state.features.get(NAME)?.get(key).and_then(Value::as_str)?;
    IntentId::parse(id).ok()
}
