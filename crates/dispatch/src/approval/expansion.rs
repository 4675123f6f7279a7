//! The names that a shell makes of a pattern, from the folders as they are.
//!
//! INVARIANT: at least the names that any shell finds. Whether a star finds names with a dot in front and whether letters
//! differ by case are settings of the user's shell, so here it does and they do not.

use event::AbsPath;
use modules::Context;

use super::call_paths::{inside, resolved};
use super::folder_survey::{MAX_ENTRIES, SKIPPED};

/// The signs of patterns.
const SIGNS: [char; 3] = ['*', '?', '['];

/// Signs of the patterns that only some shells know, behind and in front of others: `@(a|b)`, `*(.)`, `x~y`.
const FURTHER_SIGNS: [&str; 8] = ["@(", "!(", "+(", "?(", "*(", "^", "~", "#"];

/// Returns whether a word is a pattern where it is not in quotes.
pub(super) fn is_pattern(word: &str) -> bool {
    word.contains(SIGNS)
}

/// Returns the paths that match a pattern, their links resolved. Returns `None` if one of them is, or may be, outside of
/// the workspace.
pub(super) fn of(context: &Context<'_>, folder: &AbsPath, pattern: &str) -> Option<Vec<AbsPath>> {
    let first = pattern.find(SIGNS)?;
    let (fixed, rest) = pattern.split_at(pattern[..first].rfind('/').map_or(0, |at| at + 1));
    let start = inside(context, folder, if fixed.is_empty() { "." } else { fixed })?;
    let mut search = Search { context, n_entries: 0 };
    let mut found = vec![start];
    let steps: Vec<&str> = rest.split('/').filter(|step| !step.is_empty()).collect();
    for (index, step) in steps.iter().enumerate() {
        if matches!(*step, "." | "..") || FURTHER_SIGNS.iter().any(|sign| step.contains(sign)) {
            return None;
        }
        let mut next = Vec::new();
        for folder in &found {
            if *step == "**" {
                search.add_all_below(folder, index + 1 == steps.len(), &mut next)?;
            } else {
                search.add_matches(folder, step, &mut next)?;
            }
        }
        found = next;
    }
    Some(found)
}

struct Search<'c> {
    context: &'c Context<'c>,
    n_entries: usize,
}

impl Search<'_> {
    /// Adds the entries of a folder that match one step. Returns `None` if there are too many, or one leads away.
    fn add_matches(&mut self, folder: &AbsPath, step: &str, found: &mut Vec<AbsPath>) -> Option<()> {
        if !is_pattern(step) {
            let path = resolved(self.context, folder, step)?;
            if path.as_path().symlink_metadata().is_ok() {
                found.push(path);
            }
            return Some(());
        }
        // A file has no entries, and what cannot be listed matches nothing.
        for entry in folder.as_path().read_dir().into_iter().flatten() {
            self.count()?;
            let name = entry.ok()?.file_name();
            let name = name.to_str()?;
            if matches(step, name) {
                found.push(resolved(self.context, folder, name)?);
            }
        }
        Some(())
    }

    /// Adds a folder with all folders below, and with `with_files` their files. Links are entries, but not entered.
    fn add_all_below(&mut self, folder: &AbsPath, with_files: bool, found: &mut Vec<AbsPath>) -> Option<()> {
        let mut folders = vec![folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in folder.as_path().read_dir().into_iter().flatten() {
                self.count()?;
                let entry = entry.ok()?;
                let (name, kind) = (entry.file_name(), entry.file_type().ok()?);
                let name = name.to_str()?;
                if kind.is_dir() && !SKIPPED.contains(&name) {
                    folders.push(folder.child(name));
                } else if with_files {
                    found.push(resolved(self.context, &folder, name)?);
                }
            }
            found.push(folder);
        }
        Some(())
    }

    fn count(&mut self) -> Option<()> {
        self.n_entries += 1;
        let is_late = self.context.deadline.has_passed(std::time::Instant::now());
        (self.n_entries <= MAX_ENTRIES && !is_late).then_some(())
    }
}

/// Returns whether a name may match one step of a pattern.
fn matches(step: &str, name: &str) -> bool {
    let step: Vec<char> = without_sets(&step.to_lowercase());
    let name: Vec<char> = name.to_lowercase().chars().collect();
    // The last star, and how much of the name it has taken.
    let (mut at, mut star, mut index) = (0, None, 0);
    while index < name.len() {
        match step.get(at) {
            Some('*') => {
                star = Some((at, index));
                at += 1;
            }
            Some('?') => (at, index) = (at + 1, index + 1),
            Some(letter) if *letter == name[index] => (at, index) = (at + 1, index + 1),
            _ => match star {
                Some((position, taken)) => {
                    star = Some((position, taken + 1));
                    (at, index) = (position + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    step[at..].iter().all(|letter| *letter == '*')
}

/// Replaces each `[…]` by the sign for any letter.
fn without_sets(step: &str) -> Vec<char> {
    let mut letters = Vec::new();
    let mut rest = step;
    while let Some(letter) = rest.chars().next() {
        // `[]a]` and `[!]a]` contain the closing sign.
        let first = rest.char_indices().skip(1).find(|(_, letter)| !matches!(letter, '!' | '^'));
        let end = first.and_then(|(at, letter)| {
            let from = at + letter.len_utf8();
            rest[from..].find(']').map(|end| from + end + 1)
        });
        // Classes have brackets of their own, so where their set ends is not looked for.
        let has_classes = ["[:", "[.", "[="].iter().any(|sign| rest.contains(sign));
        match end.filter(|_| letter == '[' && !has_classes) {
            Some(end) => {
                letters.push('?');
                rest = &rest[end..];
            }
            None if letter == '[' => {
                letters.push('*');
                break;
            }
            None => {
                letters.push(letter);
                rest = &rest[letter.len_utf8()..];
            }
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_matches_at_least_what_shells_find() {
        for (step, name, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "a.rst", false),
            ("*", ".env", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?.txt", "a.txt", true),
            ("?.txt", "ab.txt", false),
            ("[ab].txt", "a.txt", true),
            ("[!a]x", "bx", true),
            ("[]]x", "]x", true),
            ("[[:alpha:]]x", "ax", true),
            (".[[:alpha:][:digit:]x]nv", ".env", true),
            ("x[", "x[", true),
            ("*.TOML", "cargo.toml", true),
            ("ä?", "äö", true),
            ("**", "anything", true),
        ] {
            assert_eq!(matches(step, name), expected, "{step} / {name}");
        }
    }
}
