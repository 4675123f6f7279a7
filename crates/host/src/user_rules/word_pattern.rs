//! A pattern of command lines: `git push:*`, `npm run *`, `rm`.

/// Words and parts of words that must occur in a command, in this order.
///
/// WHY not the pattern itself: hosts strip variables, wrappers and paths from a command before they compare it, each in
/// its own way. A command that has the words of the pattern in their order, whatever is between them, contains every
/// command that any of them would catch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WordPattern(Vec<Piece>);

/// A part of a pattern that one word must match.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    text: String,
    /// Whether a word may begin with something else.
    is_open_before: bool,
    /// Whether a word may go on.
    is_open_after: bool,
}

impl WordPattern {
    /// Reads a pattern. An empty one matches every command.
    pub(super) fn new(pattern: &str) -> Self {
        let pattern = pattern.trim();
        let prefix = pattern.strip_suffix(":*");
        let words = prefix.unwrap_or(pattern).split_whitespace().flat_map(pieces);
        let mut found: Vec<Piece> = words.filter(|piece| !piece.text.is_empty()).collect();
        if let (Some(_), Some(last)) = (prefix, found.last_mut()) {
            last.is_open_after = true;
        }
        Self(found)
    }

    /// Reads the words of a prefix, each with its alternatives, which count as any word of that place.
    pub(super) fn of_words(words: impl IntoIterator<Item = String>) -> Self {
        Self(words.into_iter().flat_map(|word| pieces(&word).collect::<Vec<_>>()).collect())
    }

    /// Returns whether the words of a command contain the pattern.
    pub(super) fn matches(&self, words: &[String]) -> bool {
        let mut words = words.iter().peekable();
        self.0.iter().all(|piece| {
            // The next piece may be in the same word: `rm*-rf` means `rm -rf` and `rm-rf`.
            while let Some(word) = words.peek() {
                if piece.is_in(word) {
                    if !piece.is_open_after {
                        words.next();
                    }
                    return true;
                }
                words.next();
            }
            false
        })
    }
}

impl Piece {
    fn is_in(&self, word: &str) -> bool {
        let word = word.to_lowercase();
        let name = word.rsplit('/').next().unwrap_or(&word);
        let own_name = self.text.rsplit('/').next().unwrap_or(&self.text);
        self.is_in_text(&word, &self.text)
            || self.is_in_text(name, &self.text)
            || (!self.is_open_before && self.is_in_text(name, own_name))
    }

    fn is_in_text(&self, word: &str, text: &str) -> bool {
        match (self.is_open_before, self.is_open_after) {
            (false, false) => word == text,
            (false, true) => word.starts_with(text),
            (true, false) => word.ends_with(text),
            (true, true) => word.contains(text),
        }
    }
}

/// Splits a word of a pattern at its stars and quotes.
fn pieces(word: &str) -> impl Iterator<Item = Piece> {
    let word: String = word.chars().filter(|letter| !matches!(letter, '"' | '\'' | '\\')).collect();
    let word = word.to_lowercase().replace("**", "*").replace('?', "*");
    let n_parts = word.split('*').count();
    let parts: Vec<String> = word.split('*').map(str::to_owned).collect();
    parts.into_iter().enumerate().map(move |(index, text)| Piece {
        text,
        is_open_before: index > 0,
        is_open_after: index + 1 < n_parts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_every_spelling_that_a_host_would_catch() {
        for (pattern, command, expected) in [
            ("git push:*", "git push origin main", true),
            ("git push:*", "git -C sub push", true),
            ("git push *", "/usr/bin/git push", true),
            ("git push", "timeout 5 git push --force", true),
            ("git push:*", "git log", false),
            ("git:*", "git status", true),
            ("git*", "git-lfs status", true),
            ("*", "ls", true),
            ("", "ls", true),
            (":*", "ls", true),
            ("rm:*", "rm -rf x", true),
            ("rm:*", "npm run format", false),
            ("rm*-rf", "rm x -rf", true),
            ("rm*-rf", "rm-rf", true),
            ("npm run test:*", "npm run test:unit", true),
            ("npm run test*", "npm run test:unit", true),
            ("/bin/rm:*", "rm x", true),
            ("* --force", "git push --force", true),
            ("*curl*", "echo a | curl b", true),
            ("Git PUSH", "git push", true),
            ("\"git\" push", "git push", true),
            ("cat **/.env", "cat a/.env", true),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(WordPattern::new(pattern).matches(&words), expected, "{pattern} / {command}");
        }
    }
}
