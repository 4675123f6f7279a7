//! Finds governing files among the results of a search, so that commands on the results are judged by them, too.
//!
//! WHY examples and not all: one governing file among the results decides; the others would be judged alike.

use super::search::{find_roots, runs_of_fd};
use super::{Call, Walker, glob_matches};
use crate::guard::Reader;
use crate::guard::governing::{FOLDERS, GOVERNING};
use crate::path::is_within;
use crate::programs::Args;
use crate::text::Text;

impl Walker<'_> {
    /// Returns governing files that a search may find.
    pub(crate) fn governing_results(&self, call: &Call) -> Vec<Text> {
        if !self.is_local() {
            return Vec::new();
        }
        let search = if call.name == "find" { Search::of_find(call) } else { Search::of_fd(call) };
        search.roots.iter().filter_map(|root| self.governing_below(&search, root)).collect()
    }

    fn governing_below(&self, search: &Search, root: &Text) -> Option<Text> {
        let folder = root.value().filter(|_| !root.glob).map(|_| self.resolve(root).0)?;
        let workspace = &self.reading.workspace;
        let covers = is_within(workspace, &folder);
        let mut tops = vec![(root.text.trim_end_matches('/').to_owned(), folder.clone())];
        if covers && folder != *workspace {
            tops.push((workspace.clone(), workspace.clone()));
        }
        let hosts = GOVERNING.iter().filter(|known| known.of != Reader::Shared).map(|known| known.path);
        let below = [".github/hooks/steersman.json"];
        if search.finds_none {
            return None;
        }
        for known in hosts.chain(FOLDERS).chain(below).filter(|known| search.may_find(known)) {
            for (written, top) in &tops {
                let path = format!("{top}/{known}");
                let found = format!("{written}/{known}");
                let is_there = || (covers && search.is_telling()) || self.place.files.exists(&path);
                let is_folder = || FOLDERS.contains(&known) || self.place.files.is_dir(&path);
                if search.finds(&found, &is_folder) && is_there() {
                    return Some(Text::known(found));
                }
            }
        }
        None
    }
}

/// The conditions of a search.
#[derive(Debug, Default)]
struct Search {
    roots: Vec<Text>,
    tests: Vec<Test>,
    /// One condition is enough.
    is_any: bool,
    /// `f` for files only, `d` for folders only.
    kind: Option<char>,
    max_depth: Option<usize>,
    /// Nothing that governs can be found: empty files only, or no hidden ones.
    finds_none: bool,
}

#[derive(Debug)]
struct Test {
    by: By,
    value: String,
    negated: bool,
    prunes: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Name,
    /// The whole path; a `*` crosses folders.
    Path,
    /// A part of the name.
    Part,
    /// A value that only a run decides.
    Unknown,
}

impl Test {
    fn holds(&self, path: &str) -> bool {
        let path = path.to_ascii_lowercase();
        let name = path.rsplit('/').next().unwrap_or("");
        match self.by {
            By::Name => glob_matches(&self.value, name),
            By::Path => glob_matches(&self.value, &path),
            By::Part => name.contains(&self.value),
            By::Unknown => false,
        }
    }

    /// Returns whether the condition names a governing file or its folder itself.
    fn is_telling(&self) -> bool {
        const NAMES: [&str; 4] = ["hooks.json", "mcp.json", "settings.json", "settings.local.json"];
        !self.negated
            && self.value.split('/').any(|part| {
                let part = part.trim_matches('*');
                FOLDERS.contains(&part)
                    || NAMES.contains(&part)
                    || GOVERNING.iter().any(|known| known.path == part)
            })
    }
}

impl Search {
    fn of_find(call: &Call) -> Self {
        let words = call.rest();
        let mut search = Self { roots: find_roots(words), ..Self::default() };
        let mut negated = false;
        let mut at = 0;
        while let Some(word) = words.get(at) {
            at += 1;
            let option = word.text.as_str();
            let by = match option {
                "-name" | "-iname" => By::Name,
                "-path" | "-ipath" | "-wholename" | "-iwholename" | "-regex" | "-iregex" => By::Path,
                "!" | "-not" => {
                    negated = true;
                    continue;
                }
                "-o" | "-or" | "," => {
                    search.is_any = true;
                    continue;
                }
                "-prune" => {
                    if let Some(last) = search.tests.last_mut() {
                        last.prunes = true;
                    }
                    continue;
                }
                "-empty" => {
                    search.finds_none |= !negated;
                    negated = false;
                    continue;
                }
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    at += words[at..]
                        .iter()
                        .take_while(|word| !matches!(word.text.as_str(), ";" | "+"))
                        .count();
                    continue;
                }
                "-type" | "-maxdepth" => {
                    let value = words.get(at).map_or("", |value| value.text.as_str());
                    match option {
                        "-type" if !negated && !value.contains(',') => search.kind = value.chars().next(),
                        "-maxdepth" => search.max_depth = value.parse().ok(),
                        _ => {}
                    }
                    negated = false;
                    continue;
                }
                _ => continue,
            };
            let value = words.get(at);
            at += 1;
            search.tests.push(Test {
                by: if value.is_some_and(Text::is_known) { by } else { By::Unknown },
                value: value.map_or_else(String::new, |value| pattern_of(option, &value.text)),
                negated: std::mem::take(&mut negated),
                prunes: false,
            });
        }
        search
    }

    fn of_fd(call: &Call) -> Self {
        let rest = call.rest();
        let runs = |word: &Text| runs_of_fd(&word.text);
        let words = &rest[..rest.iter().position(runs).unwrap_or(rest.len())];
        let args = Args::parse(
            words,
            "-e -E -t -d -S --extension --exclude --type --max-depth --size --changed-within --changed-before",
        );
        let mut tests = Vec::new();
        let mut test = |by, value: String| tests.push(Test { by, value, negated: false, prunes: false });
        for extension in args.values("-e|--extension") {
            test(By::Name, format!("*.{}", extension.text.to_ascii_lowercase()));
        }
        let pattern = args.word(0).to_ascii_lowercase();
        if args.has("-g|--glob") {
            test(By::Name, pattern);
        } else {
            let plain = pattern.trim_start_matches('^').trim_end_matches('$').replace('\\', "");
            if plain.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')) {
                test(By::Part, if matches!(plain.as_str(), "." | "..") { String::new() } else { plain });
            }
        }
        let kind = args.values("-t|--type").first().and_then(|kind| kind.text.chars().next());
        let mut roots: Vec<Text> = args.operands.iter().skip(1).map(|root| (*root).clone()).collect();
        if roots.is_empty() {
            roots.push(Text::known("."));
        }
        let max_depth = args.values("-d|--max-depth").first().and_then(|depth| depth.text.parse().ok());
        let finds_none = !args.has("-H|--hidden|-u|--unrestricted");
        Self { roots, tests, kind, max_depth, finds_none, is_any: false }
    }

    fn is_telling(&self) -> bool {
        self.tests.iter().any(Test::is_telling)
    }

    /// Returns whether the depth and the name of `known` below a root let the search find it.
    ///
    /// WHY apart: most searches are for other names, and need no path and no question about the disk.
    fn may_find(&self, known: &str) -> bool {
        let depth = known.bytes().filter(|byte| *byte == b'/').count() + 1;
        let by_name = |test: &&Test| !test.prunes && test.by == By::Name;
        self.max_depth.is_none_or(|max| depth <= max)
            && (self.is_any
                || self.tests.iter().filter(by_name).all(|test| test.holds(known) != test.negated))
    }

    /// Returns whether the search may find a path that [`Self::may_find`] admits.
    fn finds(&self, path: &str, is_folder: &dyn Fn() -> bool) -> bool {
        let ancestors = || path.match_indices('/').skip(1).map(|(at, _)| &path[..at]);
        if self.tests.iter().any(|test| {
            test.prunes && !test.negated && (test.holds(path) || ancestors().any(|above| test.holds(above)))
        }) {
            return false;
        }
        let mut tests = self.tests.iter().filter(|test| !test.prunes).peekable();
        let is_found = if self.is_any && tests.peek().is_some() {
            tests.any(|test| test.holds(path) != test.negated)
        } else {
            tests.all(|test| test.holds(path) != test.negated)
        };
        is_found && self.kind.is_none_or(|kind| kind == if is_folder() { 'd' } else { 'f' })
    }
}

/// Returns the pattern of a condition; a regular expression becomes a pattern that is as wide or wider.
fn pattern_of(option: &str, value: &str) -> String {
    let value = value.to_ascii_lowercase();
    if !option.ends_with("regex") {
        return value;
    }
    if value.contains(['[', '(', '|', '+', '{', '?']) {
        return "*".to_owned();
    }
    let dots = value.replace("\\.", "\u{1}").replace(".*", "\u{2}").replace('.', "?");
    dots.replace('\u{1}', ".").replace('\u{2}', "*").replace(['^', '$'], "")
}
