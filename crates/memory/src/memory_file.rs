//! `.ai/memory/*.md`: a lesson that a user accepted, in the user's own words.
//!
//! The front matter between two lines of `---` has `key: value` lines; arrays are JSON, which is
//! valid YAML.
//! WHY not a YAML parser: a tool call waits while these files are read, and a YAML parser takes
//! longer to start than reading all of them this way.

use std::fmt::Write;
use std::path::Path;

use config_file::{NewerFormat, Position, nearest};
use serde::Serialize;
use store::{FileError, Format, FormatError};

/// A memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// The front matter.
    #[serde(flatten)]
    pub head: MemoryHead,
    /// The text for the model.
    pub text: String,
}

/// The front matter of a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryHead {
    /// The format of the file; 1.
    pub version: u64,
    /// The id of the accepted lesson, or any other plain name.
    pub id: String,
    /// The title in one line.
    pub title: String,
    /// Globs relative to the workspace: a call that touches a matching path gets this memory.
    pub paths: Vec<String>,
    /// Strings: a call whose command or path contains one of them gets this memory.
    pub words: Vec<String>,
    /// The day it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// How often the lesson had occurred by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

/// The keys of the front matter.
const KEYS: [&str; 7] = ["version", "id", "title", "paths", "words", "accepted", "seen"];

const FENCE: &str = "---";

impl Memory {
    /// The format this build reads and writes.
    pub const FORMAT: Format = Format(1);

    /// Reads a memory.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let wrong = |line: usize, column: usize, problem: String, hint: &str| FileError::Content {
            path: path.to_path_buf(),
            place: Some(Position { line, column }),
            problem,
            hint: Some(hint.to_owned()),
        };
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line.trim_end() != FENCE) {
            let hint = "start the file with `---`, then `id: …` and other keys, then `---`";
            return Err(wrong(1, 1, "missing front matter".to_owned(), hint));
        }
        let mut head = MemoryHead { version: Self::FORMAT.0, ..MemoryHead::default() };
        let mut last = 1;
        loop {
            let Some((index, line)) = lines.next() else {
                let hint = "close it with a line of `---`";
                return Err(wrong(last + 1, 1, "the front matter has no end".to_owned(), hint));
            };
            last = index + 1;
            if line.trim_end() == FENCE {
                break;
            }
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(wrong(
                    last,
                    1,
                    "expected `key: value`".to_owned(),
                    "write an array as [\"a\", \"b\"]",
                ));
            };
            let column = key.len() + 2 + (value.len() - value.trim_start().len());
            head.set(key.trim(), value.trim()).map_err(|trouble| match trouble {
                LineError::Value(problem, hint) => wrong(last, column, problem, hint),
                LineError::Key(problem, hint) => wrong(last, 1, problem, &hint),
                LineError::Format(source) => FileError::Format { path: path.to_path_buf(), source },
            })?;
        }
        if head.id.is_empty() {
            return Err(wrong(1, 1, "missing key `id`".to_owned(), "add a line such as `id: use-pnpm`"));
        }
        let text = lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n").trim().to_owned();
        Ok(Self { head, text })
    }

    /// Returns the text of a new memory file.
    pub fn to_text(&self) -> String {
        let head = &self.head;
        let list = |items: &[String]| serde_json::to_string(items).unwrap_or_default();
        let mut text = format!(
            "{FENCE}\nversion: {}\nid: {}\ntitle: {}\npaths: {}\nwords: {}\n",
            head.version,
            head.id,
            event::one_line(&head.title),
            list(&head.paths),
            list(&head.words)
        );
        // Writing to a string cannot fail.
        for (key, value) in [("accepted", &head.accepted), ("seen", &head.seen)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key}: {value}");
            }
        }
        let _ = write!(text, "{FENCE}\n\n{}\n", self.text.trim());
        text
    }
}

/// The error of a front matter line.
enum LineError {
    Value(String, &'static str),
    Key(String, String),
    Format(FormatError),
}

impl MemoryHead {
    fn set(&mut self, key: &str, value: &str) -> Result<(), LineError> {
        let plain = || value.trim_matches(['"', '\'']).to_owned();
        match key {
            "version" => {
                let number = value.parse().map_err(|_| LineError::Format(FormatError::NotANumber))?;
                let ours = Memory::FORMAT.0;
                if number > ours {
                    return Err(LineError::Format(FormatError::Newer(NewerFormat { found: number, ours })));
                }
                self.version = number;
            }
            "id" => {
                let is_plain = store::ModuleName::new(value).is_some();
                let problem = || {
                    LineError::Value(format!("invalid id `{value}`"), "use letters, digits, `.`, `_` and `-`")
                };
                self.id = is_plain.then(plain).ok_or_else(problem)?;
            }
            "title" => value.clone_into(&mut self.title),
            "paths" => self.paths = list(value)?,
            "words" => self.words = list(value)?,
            "accepted" => self.accepted = Some(plain()),
            "seen" => self.seen = Some(plain()),
            other => {
                let hint = nearest(other, KEYS).map(|meant| format!("did you mean `{meant}`?"));
                let hint = hint.unwrap_or_else(|| format!("use one of {}", KEYS.join(", ")));
                return Err(LineError::Key(format!("unknown key `{other}`"), hint));
            }
        }
        Ok(())
    }
}

fn list(value: &str) -> Result<Vec<String>, LineError> {
    serde_json::from_str(value).map_err(|_| {
        LineError::Value("must be an array of strings".to_owned(), "write an array as [\"a\", \"b\"]")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Result<Memory, String> {
        Memory::parse(Path::new("m.md"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_memory_reads_as_a_person_writes_it() {
        let memory = parse(
            "---\nid: use-pnpm\n# why\ntitle: pnpm: not npm\nwords: [\"npm test\"]\n---\n\nRun pnpm.\n",
        )
        .unwrap();
        assert_eq!((memory.head.id.as_str(), memory.head.title.as_str()), ("use-pnpm", "pnpm: not npm"));
        assert_eq!((memory.head.words, memory.text.as_str()), (vec!["npm test".to_owned()], "Run pnpm."));
    }

    #[test]
    fn a_mistake_is_told_with_its_place() {
        for (text, told) in [
            ("", "line 1, column 1: missing front matter"),
            ("# Title\n", "line 1, column 1: missing front matter"),
            ("---\nid: x\n", "line 3, column 1: the front matter has no end"),
            (
                "---\nid: x\nwrods: []\n---\n",
                "line 3, column 1: unknown key `wrods`; hint: did you mean `words`?",
            ),
            ("---\nid: x\nwords: npm\n---\n", "line 3, column 8: must be an array of strings"),
            ("---\nid: a b\n---\n", "line 2, column 5: invalid id `a b`"),
            ("---\nid x\n---\n", "line 2, column 1: expected `key: value`"),
            ("---\ntitle: x\n---\n", "missing key `id`"),
            ("---\nversion: 2\nid: x\n---\n", "format 2 is newer"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(title in "[^\\r\\n\\p{C}]{0,40}", word in "\\PC{0,20}", text in "\\PC{0,80}") {
            let title = event::one_line(&title);
            let head = MemoryHead {
                version: 1, id: "m1".into(), title, words: vec![word], seen: Some("2 times".into()), ..MemoryHead::default()
            };
            let memory = Memory { head, text: text.trim().to_owned() };
            prop_assert_eq!(parse(&memory.to_text()).unwrap(), memory);
        }

        #[test]
        fn no_text_makes_it_panic(text in "(---\n)?(\\PC|\n){0,200}") {
            let _ = parse(&text);
        }
    }
}
