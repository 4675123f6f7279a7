//! An intents file in a form that can be read in microseconds.
//!
//! Parsing YAML takes half a millisecond, as long as everything else a hook event does. So the result
//! is cached, outside the workspace, under the hash of the source bytes; one line per intent, of
//! which only the requested one is decoded.
//!
//! INVARIANT: a cached form is used only for source bytes with exactly this hash. A cached form that
//! is missing, incomplete, from another build or from another source is recreated.

use std::fs;
use std::io;

use event::AbsPath;
use serde::{Deserialize, Serialize};

use crate::{ContentHash, Intent, IntentId, IntentsFile, Invalid, Status};

/// The intents of a workspace, each decoded on demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledIntents {
    source: ContentHash,
    /// The header, then one line per intent.
    text: String,
}

/// The part of an intent that lists show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Its id.
    pub id: IntentId,
    /// A name for users.
    pub name: String,
    /// Its status.
    pub status: Status,
}

/// Why the intents of an existing file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("Invalid active_intents.yaml: cannot read {file}: {source}", file = IntentsFile::PATH)]
    Read {
        /// The system's error.
        source: io::Error,
    },
    /// The file is invalid.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// The first line of the cached form.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "compiled-intents"))]
pub(crate) struct CompiledRecord {
    /// The format of the file.
    // Increased whenever the form changes; the version of the build would discard more than
    // necessary.
    format: u32,
    /// The hash of the intents file from which it was compiled.
    source: ContentHash,
    /// The number of lines that follow, one per intent: its id, a tab, the intent as JSON.
    n_intents: usize,
    /// The number of bytes in those lines.
    n_bytes: usize,
}

const FORMAT: u32 = 1;

/// The maximum size of an intents file; a larger one was not written by hand.
const MAX_SOURCE: u64 = 8 * 1024 * 1024;

impl CompiledIntents {
    /// Parses the bytes of an `active_intents.yaml`.
    pub fn compile(source: &[u8]) -> Result<Self, Invalid> {
        Ok(Self::new(ContentHash::of(source), &IntentsFile::parse(source)?.intents))
    }

    /// Returns the cached form if it was compiled from a source with this hash and is complete.
    pub fn load(kept: Vec<u8>, source: &ContentHash) -> Option<Self> {
        let text = String::from_utf8(kept).ok()?;
        let (first, body) = text.split_once('\n')?;
        let header: CompiledRecord = serde_json::from_str(first).ok()?;
        let whole = header.format == FORMAT
            && header.source == *source
            && header.n_bytes == body.len()
            && memchr::memchr_iter(b'\n', body.as_bytes()).count() == header.n_intents;
        whole.then_some(Self { source: header.source, text })
    }

    /// Reads a workspace's intents through the cache in `kept_in`, a folder for this workspace alone
    /// in the user's state folder. Returns `None` if the file does not exist.
    pub fn of_file(file: &AbsPath, kept_in: Option<&AbsPath>) -> Result<Option<Self>, LoadError> {
        let source = match read_bounded(file) {
            Ok(source) => source,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(None);
            }
            Err(source) => return Err(LoadError::Read { source }),
        };
        let Some(folder) = kept_in else { return Ok(Some(Self::compile(&source)?)) };
        let hash = ContentHash::of(&source);
        let kept = folder.child(hash.as_str());
        if let Some(compiled) = fs::read(kept.as_path()).ok().and_then(|bytes| Self::load(bytes, &hash)) {
            return Ok(Some(compiled));
        }
        let compiled = Self::compile(&source)?;
        compiled.keep(folder, &kept);
        Ok(Some(compiled))
    }

    /// Compiles a workspace's intents from the file itself, without a cache. Returns `None` if it does not exist.
    pub(crate) fn compiled_again(file: &AbsPath) -> Result<Option<Self>, LoadError> {
        Self::of_file(file, None)
    }

    /// Returns the form to cache.
    pub fn as_bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Returns the hash of the source bytes.
    pub fn source(&self) -> &ContentHash {
        &self.source
    }

    /// Returns the intent with this id.
    pub fn get(&self, id: &IntentId) -> Option<Intent> {
        let needle = format!("\n{id}\t");
        let at = memchr::memmem::find(self.text.as_bytes(), needle.as_bytes())? + needle.len();
        serde_json::from_str(self.text[at..].lines().next()?).ok()
    }

    /// Returns every intent, in the order of the file.
    pub fn intents(&self) -> Vec<Intent> {
        self.lines().filter_map(|line| serde_json::from_str(line.split_once('\t')?.1).ok()).collect()
    }

    /// Returns the summary of every intent.
    pub fn summaries(&self) -> Vec<Summary> {
        let summary = |intent: Intent| Summary { id: intent.id, name: intent.name, status: intent.status };
        self.intents().into_iter().map(summary).collect()
    }

    fn new(source: ContentHash, intents: &[Intent]) -> Self {
        let mut body = String::new();
        for intent in intents {
            // Strings, arrays and maps with string keys always serialize.
            let json = serde_json::to_string(intent).unwrap_or_default();
            body.extend([intent.id.as_str(), "\t", &json, "\n"]);
        }
        let header = CompiledRecord { format: FORMAT, source, n_intents: intents.len(), n_bytes: body.len() };
        let first = serde_json::to_string(&header).unwrap_or_default();
        Self { source: header.source, text: format!("{first}\n{body}") }
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().skip(1)
    }

    /// Writes the cache and removes cached forms of older sources. Ignores errors: they cost the next
    /// run half a millisecond.
    fn keep(&self, folder: &AbsPath, kept: &AbsPath) {
        if store::create_folder(folder.as_path()).is_err()
            || store::write_shared(kept.as_path(), self.as_bytes()).is_err()
        {
            return;
        }
        for entry in fs::read_dir(folder.as_path()).into_iter().flatten().flatten() {
            let older = entry.file_name().to_str().is_some_and(|name| ContentHash::parse(name).is_ok());
            if older && entry.path() != kept.as_path() {
                let _ = store::remove_file(&entry.path());
            }
        }
    }
}

pub(crate) fn read_bounded(file: &AbsPath) -> io::Result<Vec<u8>> {
    let meta = fs::metadata(file.as_path())?;
    // Opening a pipe would block until it has a writer.
    if !meta.is_file() || meta.len() > MAX_SOURCE {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file of at most 8 MiB"));
    }
    fs::read(file.as_path())
}

#[cfg(test)]
mod tests {
    use super::*;

    const YAML: &str = "intents:\n  - id: INT-001\n    name: One\n    status: PENDING\n    owned_scope: [src/**]\n  - id: INT-010\n    name: Ten\n    status: BLOCKED\n    owned_scope: [docs/**]\n    metadata: {ticket: 7}\n";

    #[test]
    fn the_kept_form_says_what_the_file_says() {
        let compiled = CompiledIntents::compile(YAML.as_bytes()).unwrap();
        let again =
            CompiledIntents::load(compiled.as_bytes().to_vec(), &ContentHash::of(YAML.as_bytes())).unwrap();
        assert_eq!(again.intents(), IntentsFile::parse(YAML.as_bytes()).unwrap().intents);
        assert_eq!(again.get(&IntentId::parse("INT-010").unwrap()).unwrap().name, "Ten");
        assert_eq!(again.get(&IntentId::parse("INT-01").unwrap()), None);
    }

    #[test]
    fn a_kept_form_of_other_bytes_or_in_pieces_is_not_used() {
        let compiled = CompiledIntents::compile(YAML.as_bytes()).unwrap();
        let right = ContentHash::of(YAML.as_bytes());
        assert!(CompiledIntents::load(compiled.as_bytes().to_vec(), &ContentHash::of(b"other")).is_none());
        for end in 0..compiled.as_bytes().len() {
            assert!(CompiledIntents::load(compiled.as_bytes()[..end].to_vec(), &right).is_none(), "{end}");
        }
        let other_format =
            String::from_utf8_lossy(compiled.as_bytes()).replace("\"format\":1", "\"format\":2");
        assert!(CompiledIntents::load(other_format.into_bytes(), &right).is_none());
    }

    #[test]
    fn a_file_is_compiled_once_and_again_when_it_changes() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        let (file, kept) = (at("active_intents.yaml"), at("state/kept"));
        assert!(CompiledIntents::of_file(&file, Some(&kept)).unwrap().is_none());
        let names = || -> Vec<String> {
            let entries = fs::read_dir(kept.as_path()).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        };
        fs::write(file.as_path(), YAML).unwrap();
        let first = CompiledIntents::of_file(&file, Some(&kept)).unwrap().unwrap();
        assert_eq!(names(), [first.source().as_str()]);
        assert_eq!(CompiledIntents::of_file(&file, Some(&kept)).unwrap().unwrap(), first);
        fs::write(file.as_path(), YAML.replace("One", "Uno")).unwrap();
        let second = CompiledIntents::of_file(&file, Some(&kept)).unwrap().unwrap();
        assert_eq!(second.summaries()[0].name, "Uno");
        assert_eq!(names(), [second.source().as_str()]);
        fs::write(file.as_path(), "intents: 7").unwrap();
        assert!(matches!(CompiledIntents::of_file(&file, Some(&kept)), Err(LoadError::Invalid(_))));
    }
}
