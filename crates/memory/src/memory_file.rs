//! `.ai/memory/*.md`: a lesson that a person accepted, in the person's own words.
//!
//! Between two lines of `---` stand a few `key: value` lines; lists are JSON, which is YAML too.
//! WHY not a YAML parser: these files are read while a tool call waits, and a YAML parser takes
//! longer to start than all of them together take to read this way.

use std::fmt::Write;
use std::path::Path;

use config_file::{Place, nearest};
use serde::Serialize;
use store::{FileError, Format, FormatError};

/// A memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// What stands between the lines of `---`.
    #[serde(flatten)]
    pub head: MemoryHead,
    /// What the model is told.
    pub text: String,
}

/// What a memory says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryHead {
    /// The format of the file; 1.
    pub version: u64,
    /// The lesson it was made of, or any other plain name.
    pub id: String,
    /// It in one line.
    pub title: String,
    /// Globs, relative to the workspace: a call that touches such a path is told.
    pub paths: Vec<String>,
    /// Texts: a call whose command or path has one of them in it is told.
    pub words: Vec<String>,
    /// The day it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<String>,
    /// How often it had been learned by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
}

/// The keys of the head.
const KEYS: [&str; 7] = ["version", "id", "title", "paths", "words", "accepted", "seen"];

const FENCE: &str = "---";

impl Memory {
    /// The format this build reads and writes.
    pub const FORMAT: Format = Format(1);

    /// Reads a memory.
    pub fn parse(path: &Path, text: &str) -> Result<Self, FileError> {
        let wrong = |line: usize, column: usize, problem: String, hint: &str| FileError::Content {
            path: path.to_path_buf(),
            place: Some(Place { line, column }),
            problem,
            hint: Some(hint.to_owned()),
        };
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, line)| line.trim_end() != FENCE) {
            let hint = "a memory begins with `---`, then `id: …` and other keys, then `---`";
            return Err(wrong(1, 1, "it has no head".to_owned(), hint));
        }
        let mut head = MemoryHead { version: Self::FORMAT.0, ..MemoryHead::default() };
        let mut last = 1;
        loop {
            let Some((index, line)) = lines.next() else {
                let hint = "close it with a line of `---`";
                return Err(wrong(last + 1, 1, "the head has no end".to_owned(), hint));
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
                    "this is no `key: value`".to_owned(),
                    "lists are written [\"a\", \"b\"]",
                ));
            };
            let column = key.len() + 2 + (value.len() - value.trim_start().len());
            head.set(key.trim(), value.trim()).map_err(|trouble| match trouble {
                Trouble::Value(problem, hint) => wrong(last, column, problem, hint),
                Trouble::Key(problem, hint) => wrong(last, 1, problem, &hint),
                Trouble::Format(source) => FileError::Format { path: path.to_path_buf(), source },
            })?;
        }
        if head.id.is_empty() {
            return Err(wrong(1, 1, "there is no `id`".to_owned(), "such as `id: use-pnpm`"));
        }
        let text = lines.map(|(_, line)| line).collect::<Vec<_>>().join("\n").trim().to_owned();
        Ok(Self { head, text })
    }

    /// Returns the file as it is first written.
    pub fn to_text(&self) -> String {
        let head = &self.head;
        let list = |items: &[String]| serde_json::to_string(items).unwrap_or_default();
        let mut text = format!(
            "{FENCE}\nversion: {}\nid: {}\ntitle: {}\npaths: {}\nwords: {}\n",
            head.version,
            head.id,
            crate::one_line(&head.title),
            list(&head.paths),
            list(&head.words)
        );
        // Writing to a text cannot fail.
        for (key, value) in [("accepted", &head.accepted), ("seen", &head.seen)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key}: {value}");
            }
        }
        let _ = write!(text, "{FENCE}\n\n{}\n", self.text.trim());
        text
    }
}

/// What is wrong with a line of the head.
enum Trouble {
    Value(String, &'static str),
    Key(String, String),
    Format(FormatError),
}

impl MemoryHead {
    fn set(&mut self, key: &str, value: &str) -> Result<(), Trouble> {
        let plain = || value.trim_matches(['"', '\'']).to_owned();
        match key {
            "version" => {
                let number = value.parse().map_err(|_| Trouble::Format(FormatError::NotANumber))?;
                let ours = Memory::FORMAT.0;
                if number > ours {
                    return Err(Trouble::Format(FormatError::Newer { found: number, ours }));
                }
                self.version = number;
            }
            "id" => {
                let is_plain = store::ModuleName::new(value).is_some();
                let problem = || {
                    Trouble::Value(format!("`{value}` cannot be an id"), "letters, digits, `.`, `_` and `-`")
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
                let hint = hint.unwrap_or_else(|| format!("it knows {}", KEYS.join(", ")));
                return Err(Trouble::Key(format!("there is no key `{other}`"), hint));
            }
        }
        Ok(())
    }
}

fn list(value: &str) -> Result<Vec<String>, Trouble> {
    serde_json::from_str(value).map_err(|_| {
        Trouble::Value("this is no list of texts".to_owned(), "lists are written [\"a\", \"b\"]")
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
            ("", "line 1, column 1: it has no head"),
            ("# Title\n", "line 1, column 1: it has no head"),
            ("---\nid: x\n", "line 3, column 1: the head has no end"),
            (
                "---\nid: x\nwrods: []\n---\n",
                "line 3, column 1: there is no key `wrods`; hint: did you mean `words`?",
            ),
            ("---\nid: x\nwords: npm\n---\n", "line 3, column 8: this is no list of texts"),
            ("---\nid: a b\n---\n", "line 2, column 5: `a b` cannot be an id"),
            ("---\nid x\n---\n", "line 2, column 1: this is no `key: value`"),
            ("---\ntitle: x\n---\n", "there is no `id`"),
            ("---\nversion: 2\nid: x\n---\n", "format 2 is newer"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(title in "[^\\r\\n\\p{C}]{0,40}", word in "\\PC{0,20}", text in "\\PC{0,80}") {
            let title = crate::one_line(&title);
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
