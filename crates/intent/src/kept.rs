//! The intent a session works under, kept by itself.
//!
//! A file of two hundred intents is read and hashed in longer than all the rest of a hook event
//! takes. An event needs one intent of it, so that one is kept beside the name of the very file it
//! was read from: device, number, size and times, which the file system changes with every write.
//!
//! INVARIANT: what is kept is used only while the file of intents is that very file, and only if
//! it was kept some time after the file had last changed. Before that, a second change could have
//! got the same time; then, and where a file system gives no such name, the bytes are hashed.

use std::fs;
use std::io;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{FileIdentity, plain_file};

use crate::{Compiled, Intent, IntentId, LoadError};

/// What a search for an intent by its id found.
#[derive(Debug, Clone, PartialEq)]
pub enum Sought {
    /// There is no file of intents.
    NoFile,
    /// The file has no such intent.
    NoSuchIntent,
    /// This one.
    Found(Box<Intent>),
}

/// One intent, and which file it was read from.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "kept-intent"))]
pub(crate) struct KeptRecord {
    /// The format of the file.
    format: u32,
    /// The file of intents it was read from.
    made_of: FileIdentity,
    /// The intent as that file says it.
    intent: Intent,
}

const FORMAT: u32 = 1;

impl Sought {
    /// Looks for an intent in a workspace's file. `kept_in` is a folder of this workspace alone in
    /// the user's state folder.
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
        let Some(compiled) = Compiled::of_file(file, kept_in)? else { return Ok(Self::NoFile) };
        let Some(intent) = compiled.get(id) else { return Ok(Self::NoSuchIntent) };
        // The file may have changed since it was asked for its name.
        let still = fs::metadata(file.as_path()).ok().and_then(|meta| FileIdentity::of(&meta));
        if let (Some(made_of), Some(kept)) = (now.filter(|now| still.as_ref() == Some(now)), kept) {
            let record = KeptRecord { format: FORMAT, made_of, intent: intent.clone() };
            let text = serde_json::to_string(&record).unwrap_or_default();
            // A failure costs the next event a little time, so it is nobody's business.
            let _ = store::write_shared(kept.as_path(), text.as_bytes());
        }
        Ok(Self::Found(Box::new(intent)))
    }
}

/// Reads what was kept, if it was made of the file as it is now.
fn read(kept: &AbsPath, now: &FileIdentity) -> Option<Intent> {
    let (bytes, meta) = plain_file::read_with_metadata(kept.as_path()).ok()?;
    let record: KeptRecord = serde_json::from_slice(&bytes).ok()?;
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
        let name = || match Sought::in_file(&file, &id, Some(&folder)).unwrap() {
            Sought::Found(intent) => intent.name.clone(),
            other => format!("{other:?}"),
        };
        assert_eq!(name(), "NoFile");
        // Changes of the same length, one right after the other: only the content tells.
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
        assert_eq!(Sought::in_file(&file, &id, None).unwrap(), Sought::NoSuchIntent);
        fs::write(file.as_path(), "intents: 7").unwrap();
        assert!(matches!(Sought::in_file(&file, &id, None), Err(LoadError::Invalid(_))));
    }
}
