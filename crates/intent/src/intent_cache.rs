//! The cache of the intent that a session works under.
//!
//! Parsing and hashing a file of two hundred intents takes longer than the rest of a hook event. An
//! event needs one intent, so that one is cached together with the identity of its source file:
//! device, inode, size and times, which the file system changes with every write.
//!
//! INVARIANT: the cached intent is used only while the intents file has the same identity, and only
//! if it was cached some time after the file last changed. Before that, a second change could have
//! the same time; then, and on file systems without such an identity, the bytes are hashed.

use std::fs::{self, Metadata};
use std::io;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{FileIdentity, plain_file};

use crate::source_place::SourcePlace;
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
    /// Where the intent is in that file; absent if the layout of the file is unusual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    place: Option<SourcePlace>,
    /// The intent in that file.
    intent: Intent,
}

const FORMAT: u32 = 2;

impl IntentLookup {
    /// Finds an intent in a workspace's file. `kept_in` is a folder for this workspace alone in the
    /// user's state folder.
    pub fn in_file(file: &AbsPath, id: &IntentId, kept_in: Option<&AbsPath>) -> Result<Self, LoadError> {
        Self::checked(file, None, id, kept_in).map(|(lookup, _)| lookup)
    }

    /// Finds an intent like [`Self::in_file`]; also returns whether a cached intent contradicted the file, so that
    /// another program must have written it. `known` is the file's metadata if the caller has read it.
    pub fn checked(
        file: &AbsPath,
        known: Option<&Metadata>,
        id: &IntentId,
        kept_in: Option<&AbsPath>,
    ) -> Result<(Self, bool), LoadError> {
        // The metadata of a link is not that of its target.
        let known = known.filter(|meta| !meta.is_symlink()).cloned();
        let now = match known.map_or_else(|| fs::metadata(file.as_path()), Ok) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok((Self::NoFile, false));
            }
            Err(source) => return Err(LoadError::Read { source }),
            Ok(meta) => FileIdentity::of(&meta),
        };
        let mut is_forged = false;
        let kept = kept_in.map(|folder| folder.child(id.as_str()));
        if let (Some(now), Some(kept)) = (&now, &kept)
            && let Some((intent, place)) = read(kept, now)
        {
            if intent.id == *id && place.is_some_and(|place| place.says(file, &intent)) {
                return Ok((Self::Found(Box::new(intent)), false));
            }
            let source = CompiledIntents::compiled_again(file)?.and_then(|all| all.get(id));
            if source.as_ref() == Some(&intent) {
                return Ok((Self::Found(Box::new(intent)), false));
            }
            is_forged = true;
        }
        let Some(mut compiled) = CompiledIntents::of_file(file, kept_in)? else {
            return Ok((Self::NoFile, is_forged));
        };
        let place = SourcePlace::find(file, id);
        let of_cache = compiled.get(id);
        if !matches!((&of_cache, &place), (Some(intent), Some(place)) if place.says(file, intent)) {
            // The form that was compiled before may be forged, or the file has an unusual layout.
            if let Some(again) = CompiledIntents::compiled_again(file)? {
                is_forged |= again.get(id) != of_cache;
                compiled = again;
            }
        }
        let Some(intent) = compiled.get(id) else { return Ok((Self::NoSuchIntent, is_forged)) };
        // The file may have changed since its identity was read.
        let still = fs::metadata(file.as_path()).ok().and_then(|meta| FileIdentity::of(&meta));
        if let (Some(made_of), Some(kept)) = (now.filter(|now| still.as_ref() == Some(now)), kept) {
            let record = CachedIntentRecord { format: FORMAT, made_of, place, intent: intent.clone() };
            let text = serde_json::to_string(&record).unwrap_or_default();
            // Ignores errors: they cost the next event a little time.
            let _ = store::write_shared(kept.as_path(), text.as_bytes());
        }
        Ok((Self::Found(Box::new(intent)), is_forged))
    }
}

/// Reads the cached intent and its place in the file, if the file is unchanged.
fn read(kept: &AbsPath, now: &FileIdentity) -> Option<(Intent, Option<SourcePlace>)> {
    let (bytes, meta) = plain_file::read_with_metadata(kept.as_path()).ok()?;
    let record: CachedIntentRecord = serde_json::from_slice(&bytes).ok()?;
    if record.format != FORMAT || record.made_of != *now {
        return None;
    }
    now.had_settled_before(&meta).then_some((record.intent, record.place))
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
        // From here on only the place of the intent in the file is read: a forged scope is not believed.
        let scope = || match IntentLookup::checked(&file, None, &id, Some(&folder)).unwrap() {
            (IntentLookup::Found(intent), forged) => (intent.owned_scope[0].as_str().to_owned(), forged),
            other => panic!("{other:?}"),
        };
        std::thread::sleep(Duration::from_millis(70));
        assert_eq!(scope(), ("src/**".to_owned(), false));
        for cached in fs::read_dir(folder.as_path()).unwrap().flatten() {
            let text = fs::read_to_string(cached.path()).unwrap().replace("src/**", "**");
            fs::write(cached.path(), text).unwrap();
        }
        assert_eq!(scope(), ("src/**".to_owned(), true));
        assert_eq!(scope(), ("src/**".to_owned(), false), "it is reported once");
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
