//! The cache of the intent that a session works under.
//!
//! Parsing and hashing a file of two hundred intents takes longer than the rest of a hook event. An
//! event needs one intent, so that one is cached together with the identity of its source file:
//! device, inode, size and times, which the file system changes with every write.
//!
//! INVARIANT: the cached intent is used only while the intents file has the same identity, and only
//! if it was cached some time after the file last changed. Before that, a second change could have
//! the same time; then, and on file systems without such an identity, the bytes are hashed.

use std::fs;
use std::io;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{FileIdentity, plain_file};

use crate::{CompiledIntents, Intent, IntentId, LoadError};

/// The result of a search for an intent by its id.
#[derive(Debug, Clone, PartialEq)]
pub enum IntentLookup {
    /// The intents file does not exist.
    NoFile,
    /// The file has no such intent.
    NoSuchIntent,
    /// The intent.
    Found(Box<Intent>),
}

/// A cached intent with the identity of its source file.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "kept-intent"))]
pub(crate) struct CachedIntentRecord {
    /// The format of the file.
    format: u32,
    /// The intents file it was read from.
    made_of: FileIdentity,
    /// The intent in that file.
    intent: Intent,
}

const FORMAT: u32 = 1;

impl IntentLookup {
    /// Finds an intent in a workspace's file. `kept_in` is a folder for this workspace alone in the
    /// user's state folder.
    pub fn in_file(file: &AbsPath, id: &IntentId, kept_in: Option<&AbsPath>) -> Result<Self, LoadError> {
        let now = match fs::metadata(file.as_path()) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Self::NoFile);
            }
            Err(source) => return Err(LoadError::Read { source }),
            Ok(meta) => FileIdentity::of(&meta),
        };
        let kept = kept_in.map(|folder| folder.child(id.as_str()));
        if let (Some(now), Some(kept)) = (&now, &kept)
            && let Some(intent) = read(kept, now)
        {
            return Ok(Self::Found(Box::new(intent)));
        }
        let Some(compiled) = CompiledIntents::of_file(file, kept_in)? else { return Ok(Self::NoFile) };
        let Some(intent) = compiled.get(id) else { return Ok(Self::NoSuchIntent) };
        // The file may have changed since its identity was read.
        let still = fs::metadata(file.as_path()).ok().and_then(|meta| FileIdentity::of(&meta));
        if let (Some(made_of), Some(kept)) = (now.filter(|now| still.as_ref() == Some(now)), kept) {
            let record = CachedIntentRecord { format: FORMAT, made_of, intent: intent.clone() };
            let text = serde_json::to_string(&record).unwrap_or_default();
            // Ignores errors: they cost the next event a little time.
            let _ = store::write_shared(kept.as_path(), text.as_bytes());
        }
        Ok(Self::Found(Box::new(intent)))
    }
}

/// Reads the cached intent if its source file is unchanged.
fn read(kept: &AbsPath, now: &FileIdentity) -> Option<Intent> {
    let (bytes, meta) = plain_file::read_with_metadata(kept.as_path()).ok()?;
    let record: CachedIntentRecord = serde_json::from_slice(&bytes).ok()?;
    if record.format != FORMAT || record.made_of != *now {
        return None;
    }
    now.had_settled_before(&meta).then_some(record.intent)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    fn yaml(name: &str) -> String {
        format!(
            "intents:\n  - id: INT-001\n    name: {name}\n    status: PENDING\n    owned_scope: [src/**]\n"
        )
    }

    #[test]
    fn what_is_kept_is_used_until_the_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        let (file, folder) = (at("active_intents.yaml"), at("kept"));
        let id = IntentId::parse("INT-001").unwrap();
        let name = || match IntentLookup::in_file(&file, &id, Some(&folder)).unwrap() {
            IntentLookup::Found(intent) => intent.name.clone(),
            other => format!("{other:?}"),
        };
        assert_eq!(name(), "NoFile");
        // Changes of the same length, one right after the other: only the content differs.
        for word in ["One", "Two", "Six", "Ten"] {
            fs::write(file.as_path(), yaml(word)).unwrap();
            assert_eq!(name(), word);
            assert_eq!(name(), word);
        }
        std::thread::sleep(Duration::from_millis(70));
        assert_eq!(name(), "Ten");
        // From here on the file itself is not read any more.
        let forged = fs::read_to_string(folder.child("INT-001").as_path()).unwrap().replace("Ten", "Kept");
        std::thread::sleep(Duration::from_millis(70));
        fs::write(folder.child("INT-001").as_path(), forged).unwrap();
        assert_eq!(name(), "Kept");
        fs::write(file.as_path(), yaml("New")).unwrap();
        assert_eq!(name(), "New");
    }

    #[test]
    fn an_id_that_is_not_there_and_a_broken_file_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let file = AbsPath::new(dir.path().join("active_intents.yaml")).unwrap();
        fs::write(file.as_path(), yaml("One")).unwrap();
        let id = IntentId::parse("INT-9").unwrap();
        assert_eq!(IntentLookup::in_file(&file, &id, None).unwrap(), IntentLookup::NoSuchIntent);
        fs::write(file.as_path(), "intents: 7").unwrap();
        assert!(matches!(IntentLookup::in_file(&file, &id, None), Err(LoadError::Invalid(_))));
    }
}
