//! The rules of a workspace that has intents.

use std::cell::{OnceCell, RefCell};

use event::AbsPath;
use intent::journal::Forged;
use intent::{
    CompiledIntents, Coverage, Intent, IntentId, IntentLookup, IntentsFile, LoadError, NotSelectable, Scope,
    Selection,
};
use serde_json::Value;
use session::person::PersonChanges;

use super::lost_records::LostRecords;
use super::{NAME, drift, forged, other_writers};
use crate::{Context, IntentSettings};

/// The rules of a workspace that has intents.
pub(super) struct Governance<'a> {
    /// The context of the event.
    pub(super) context: &'a Context<'a>,
    /// The project's settings.
    pub(super) settings: IntentSettings,
    /// Warnings about the settings.
    pub(super) complaints: Vec<String>,
    file: AbsPath,
    kept_in: Option<AbsPath>,
    forgeries: RefCell<Vec<(&'static str, &'static str)>>,
    lost: OnceCell<Option<LostRecords>>,
}

/// The intent that is in force.
pub(super) enum Active {
    /// This one.
    Intent(Box<Intent>),
    /// No intent.
    None {
        /// Why the selected one does not count.
        why: Option<String>,
    },
}

impl<'a> Governance<'a> {
    /// Returns the rules. Returns `None` without an intents file.
    pub(super) fn of(context: &'a Context<'a>) -> Option<Self> {
        context.intents_file?;
        let file = context.workspace.intents_file();
        let (settings, complaints) = match context.config.typed(NAME) {
            Ok(settings) => (settings, Vec::new()),
            // The defaults protect the most files.
            Err(error) => {
                (IntentSettings::default(), vec![format!("`{NAME}` in config.json is ignored: {error}")])
            }
        };
        let kept_in = context.user_state.map(|state| context.workspace.intent_cache_dir(state));
        let (forgeries, lost) = (RefCell::default(), OnceCell::new());
        Some(Self { context, settings, complaints, file, kept_in, forgeries, lost })
    }

    /// Returns the id of the intent that was selected for the session, or for the workspace.
    pub(super) fn selected(&self) -> Result<Option<IntentId>, String> {
        match self.bound() {
            Some(id) => Ok(Some(id)),
            None => match Selection::read(self.context.workspace) {
                Ok(Some(_)) if self.is_selection_forged() => {
                    Err(format!("{FORGED_SELECTION}; steersman ignores it"))
                }
                Ok(selection) => Ok(selection.map(|selection| selection.intent_id)),
                Err(error) => Err(error.to_string()),
            },
        }
    }

    /// Returns whether another program changed the workspace's selection after a person made one.
    fn is_selection_forged(&self) -> bool {
        let workspace = self.context.workspace;
        let contradicts = |state| PersonChanges::read(workspace, state).contradict_selection(workspace);
        let is_forged = self.context.user_state.is_some_and(contradicts);
        if is_forged {
            self.forgeries.borrow_mut().push((".ai/tmp/intent.json", FORGED_SELECTION));
        }
        is_forged
    }

    /// Returns the intent the session itself selected, as the journal records.
    pub(super) fn bound(&self) -> Option<IntentId> {
        let id = pointer(self.context, ACTIVE)?;
        let own = self.context.state.features.get(NAME);
        let from = own.and_then(|own| own.get(SELECTED_AT)).and_then(Value::as_u64).unwrap_or(0);
        if forged::knows_selection(self.context, &id, from) {
            return Some(id);
        }
        self.forgeries
            .borrow_mut()
            .push(("state.json", "the journal has no record of the intent that it selects"));
        None
    }

    /// Returns the records that were removed while the session ran.
    pub(super) fn lost_records(&self) -> Option<LostRecords> {
        *self.lost.get_or_init(|| {
            let lost = LostRecords::of(self.context);
            self.forgeries.borrow_mut().extend(lost.map(LostRecords::report));
            lost
        })
    }

    /// Returns the records that contradicted the journal or the intents file, once per session.
    pub(super) fn forgeries(&self) -> Vec<Forged> {
        let found = self.forgeries.take();
        found.into_iter().filter_map(|(what, why)| forged::reported_once(self.context, what, why)).collect()
    }

    /// Returns whether the intents file is as a command of an agent left it: then no scope in it counts.
    pub(super) fn rejects_intents(&self) -> bool {
        let workspace = self.context.workspace;
        self.context.user_state.is_some_and(|state| PersonChanges::read(workspace, state).reject(workspace))
    }

    /// Returns whether a job that a command left behind may have changed the intents file since the last search.
    pub(super) fn may_have_other_intents(&self) -> bool {
        let Context { workspace, session, .. } = *self.context;
        let coverage = Coverage::read(&session.scan_coverage());
        coverage.is_some_and(|(coverage, _)| {
            coverage.has_other_content(workspace.root(), std::slice::from_ref(&self.file))
                && !other_writers::made_intents(self.context)
                && !drift::is_as_committed(workspace.root(), IntentsFile::PATH)
        })
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

    /// Returns an intent that a session may select, or why it may not.
    pub(super) fn selectable(&self, id: &IntentId) -> Result<Result<Box<Intent>, NotSelectable>, LoadError> {
        let unknown = |known| NotSelectable::Unknown { id: id.clone(), known };
        Ok(match self.find(id)? {
            Some(intent) if intent.status.can_be_selected() => Ok(intent),
            Some(intent) => Err(NotSelectable::Status { id: id.clone(), status: intent.status }),
            None => Err(unknown(self.all()?.summaries().into_iter().map(|intent| intent.id).collect())),
        })
    }

    /// Returns an intent in any status.
    pub(super) fn find(&self, id: &IntentId) -> Result<Option<Box<Intent>>, LoadError> {
        let (lookup, is_forged) =
            IntentLookup::checked(&self.file, self.context.intents_file, id, self.kept_in.as_ref())?;
        if is_forged {
            let why = "it contradicts the intents file from which it was made";
            self.forgeries.borrow_mut().push(("the cached intent", why));
        }
        match lookup {
            IntentLookup::Found(intent) => Ok(Some(intent)),
            IntentLookup::NoFile | IntentLookup::NoSuchIntent => Ok(None),
        }
    }

    /// Returns every intent.
    pub(super) fn all(&self) -> Result<CompiledIntents, LoadError> {
        match CompiledIntents::of_file(&self.file, self.kept_in.as_ref())? {
            Some(all) => Ok(all),
            // A dangling link, or the file was deleted just now.
            None => Err(LoadError::Read {
                source: std::io::Error::new(
                    std::io::ErrorKind::NotFound,
                    format!("{} is a dangling link", IntentsFile::PATH),
                ),
            }),
        }
    }

    /// Returns the scope of the workspace, with its protected files.
    pub(super) fn scope(&self) -> Scope {
        self.settings.scope(self.context.workspace)
    }

    /// Returns the base folder of a call's relative paths.
    pub(super) fn folder(&self) -> AbsPath {
        self.context.folder().clone()
    }
}

/// Why the workspace's selection does not count.
const FORGED_SELECTION: &str = "another program selected an intent after a person did";

/// The state's key of the intent that the session selected.
pub(super) const ACTIVE: &str = "active";

/// The state's key of where the journal's line about that selection is at the earliest.
pub(super) const SELECTED_AT: &str = "selectedAt";

/// The state's key of the intent that the session last worked under.
pub(super) const WORKED: &str = "worked";

/// Returns the intent under which a session worked last, by its state.
pub fn worked_intent(state: &session::State) -> Option<&str> {
    state.features.get(NAME)?.get(WORKED)?.as_str()
}

/// Returns one of the state's pointers to an intent.
pub(super) fn pointer(context: &Context<'_>, key: &str) -> Option<IntentId> {
    let id = context.state.features.get(NAME)?.get(key).and_then(Value::as_str)?;
    IntentId::parse(id).ok()
}
