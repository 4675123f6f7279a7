//! Calls that use files: which of their words are paths, and the effect on each.

use super::Language;
use super::arguments::is_keyword;
use super::calls::Deed;
use super::front::Front;
use super::look::Look;
use super::token::Token;
use super::value::split;
use crate::text::Text;
use crate::walk::Act;

/// Methods of a path: the path is the file.
const OF_A_PATH: [&str; 21] = [
    "append",
    "hardlink_to",
    "mkdir",
    "mkpath",
    "open",
    "read_bytes",
    "read_text",
    "rename",
    "replace",
    "rmdir",
    "rmtree",
    "spew",
    "spew_raw",
    "spew_utf8",
    "symlink_to",
    "touch",
    "truncate",
    "unlink",
    "write",
    "write_bytes",
    "write_text",
];

/// Methods of anything that has a content to keep.
const OF_A_CONTENT: [&str; 6] = ["extractall", "savefig", "to_csv", "to_excel", "to_parquet", "to_pickle"];

impl Look<'_, '_, '_> {
    /// Returns whether a command names a file that this code has written.
    pub(super) fn runs_written(&self, words: &[Text]) -> bool {
        let written = self.walker.reading.writes.get(self.n_writes..).unwrap_or(&[]);
        words.iter().any(|word| {
            word.text
                .split([' ', ';', '&', '|'])
                .filter(|part| part.contains(['/', '.']))
                .any(|part| written.iter().any(|file| file.path == self.walker.resolve(&Text::known(part)).0))
        })
    }

    /// Follows a call about files; `name` is called on `front` with `arguments`.
    pub(super) fn file_deed(&mut self, deed: Deed, name: &str, front: Front<'_>, arguments: &[Token]) {
        let parts = split(arguments);
        let values = self.values();
        let plain: Vec<&&[Token]> = parts.iter().filter(|part| !is_keyword(part)).collect();
        let n_first = plain.first().map_or(0, |part| values.list(part).len());
        let mut words: Vec<Text> = plain.iter().flat_map(|part| values.list(part)).collect();
        let keyword = |wanted: &str| {
            parts.iter().find_map(|part| match part {
                [Token::Name(name), Token::Mark('='), value @ ..] if name == wanted => {
                    Some(values.one(value))
                }
                _ => None,
            })
        };
        let is_method = OF_A_PATH.contains(&name);
        let known =
            |name: &str| self.names.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value);
        let on = match front {
            Front::Text => return,
            Front::Path(path) if is_method => Some(values.one(path)),
            Front::Name(name) if is_method && is_object_of(self.language) => Some(match known(name) {
                Some(value) => value.clone(),
                None => Text::unknown("$_code", crate::text::Taint::PRINTED),
            }),
            _ => None,
        };
        // A method of an unknown value touches files only if its argument looks like a path.
        let is_vague = matches!(front, Front::Name(name) if known(name).is_none_or(|value| !value.text.is_empty()))
            && on.is_none()
            && !OF_A_CONTENT.contains(&name);
        if is_vague && !words.iter().any(|word| word.text.contains('/')) {
            return;
        }
        let n_first = if on.is_some() { 1 } else { n_first };
        if let Some(path) = on {
            words.insert(0, path);
        }
        let by_flags = parts.get(1).is_some_and(|part| {
            part.iter().any(|token| matches!(token, Token::Name(flag) if matches!(flag.as_str(), "O_WRONLY" | "O_RDWR" | "O_CREAT" | "O_APPEND" | "O_TRUNC" | "WRONLY" | "RDWR" | "CREAT")))
        });
        let file = keyword("file").or_else(|| keyword("path")).or_else(|| keyword("extract_dir"));
        let mode = keyword("mode");
        self.touch_files(deed, &Given { words, n_first, file, mode, by_flags });
    }

    fn touch_files(&mut self, deed: Deed, given: &Given) {
        let span = self.call.span;
        let words = &given.words;
        let first = words.first().or(given.file.as_ref());
        match deed {
            Deed::DeleteTree | Deed::Delete => {
                for word in words.iter().filter(|word| !word.text.is_empty()) {
                    self.walker.delete_path(word, deed == Deed::DeleteTree, span);
                }
            }
            Deed::Write => {
                if let Some(path) = first {
                    self.walker.write_path(path, span);
                }
            }
            Deed::WriteSecond => {
                if let Some(path) = words.get(1).or(given.file.as_ref()) {
                    self.walker.write_path(path, span);
                }
            }
            Deed::Copy | Deed::Move => {
                for path in words.iter().take(given.n_first) {
                    if deed == Deed::Move {
                        self.walker.delete_path(path, false, span);
                    } else {
                        self.walker.read_path(path, span);
                    }
                }
                if let Some(path) = words.get(given.n_first) {
                    self.walker.write_path(path, span);
                }
            }
            Deed::MakeFolder => {
                if let Some(path) = first {
                    self.walker.touch(Act::Create, path, span);
                }
            }
            Deed::Unpack => {
                let here = Text::known(".");
                let folder = first.unwrap_or(&here);
                self.walker.write_path(folder, span);
                self.walker.unpack_unnamed(folder, span);
            }
            Deed::ChangeFolder => {
                if let Some(folder) = first {
                    self.change_folder(folder);
                }
            }
            Deed::Open => self.open(given),
            Deed::Read => {
                if let Some(path) = first {
                    self.walker.read_path(path, span);
                }
            }
            // [`Self::act`] follows these.
            Deed::Shell
            | Deed::Fetch
            | Deed::FetchFile
            | Deed::Socket
            | Deed::Query
            | Deed::Evaluate
            | Deed::Import
            | Deed::Dynamic => {}
        }
    }

    /// `open("x", "w")`, `open(F, ">x")`, `open(F, ">", "x")`, `open(x, O_WRONLY)`.
    fn open(&mut self, given: &Given) {
        let span = self.call.span;
        let words = &given.words;
        let by_name = words.iter().find_map(|word| {
            let at = word.text.len() - word.text.trim_start().len();
            let path = word.text[at..].trim_start_matches('>').trim_start();
            (word.text[at..].starts_with('>') && !path.is_empty() && !path.starts_with(':'))
                .then(|| word.slice(word.text.len() - path.len(), word.text.len()))
        });
        // `open(P, "|rm -rf x")`, `open(P, "-|", "rm", "-rf", "x")`: a pipe from or to a program.
        if self.language == Language::Perl {
            let mode = words.iter().position(|word| matches!(word.text.trim(), "-|" | "|-"));
            let line =
                words.iter().find(|word| word.text.starts_with('|') || word.text.trim_end().ends_with('|'));
            let piped = match (mode, line) {
                (Some(at), _) => words[at + 1..].to_vec(),
                (None, Some(line)) => vec![Text::known(line.text.trim_matches(['|', ' ']))],
                (None, None) => Vec::new(),
            };
            if !piped.is_empty() {
                return self.shell(&piped);
            }
        }
        if let Some(path) = by_name.filter(|_| matches!(self.language, Language::Perl)) {
            self.walker.write_path(&path, span);
            return;
        }
        let mode = given.mode.as_ref().or(words.get(1)).map_or("r", |mode| mode.text.trim());
        let Some(path) = words.first().or(given.file.as_ref()) else { return };
        let in_front =
            matches!(mode, ">" | ">>" | "+<" | "+>") || mode.starts_with('>') && mode.contains(':');
        if in_front {
            self.walker.write_path(words.get(2).unwrap_or(path), span);
        } else if given.by_flags || is_mode_of_writing(mode) {
            self.walker.write_path(path, span);
        } else {
            self.walker.read_path(path, span);
        }
    }
}

/// The words of a call about files.
struct Given {
    words: Vec<Text>,
    /// How many of them were given as the first one.
    n_first: usize,
    /// A file given by name.
    file: Option<Text>,
    mode: Option<Text>,
    /// Whether flags say that it is opened for writing.
    by_flags: bool,
}

/// Returns whether paths are objects there.
fn is_object_of(language: Language) -> bool {
    matches!(language, Language::Python | Language::Ruby | Language::Perl)
}

/// `w`, `ab`, `r+`, `w:gz`.
fn is_mode_of_writing(mode: &str) -> bool {
    let is_short = mode.len() <= 5 && mode.bytes().all(|byte| b"rwaxbt+:|gzU2".contains(&byte));
    is_short && (mode.starts_with(['w', 'a', 'x']) || mode.contains('+'))
}
