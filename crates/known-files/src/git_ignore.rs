//! The rules of a `.gitignore` or another file in its syntax.
//!
//! WHY not the crate `ignore`: compiling a set of globs takes more than a hundred microseconds, and a hook event
//! checks one or two paths. Here each rule is matched without compilation.

/// The rules of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitIgnore {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    /// The line as written, for messages.
    line: String,
    /// The glob in the syntax of the matcher, relative to the folder of the file.
    glob: String,
    /// `!`: negates an earlier rule.
    takes_back: bool,
    /// Ends with `/`: matches only folders.
    folders_only: bool,
}

impl GitIgnore {
    /// Parses the rules; every text is valid.
    pub fn parse(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Self { rules: text.lines().filter_map(rule).collect() }
    }

    /// Returns the rule that ignores a path. As in git, a file in an ignored folder cannot be
    /// included again.
    pub fn rule_for(&self, path: &str, is_folder: bool) -> Option<&str> {
        if self.rules.is_empty() {
            return None;
        }
        let slashes = path.match_indices('/').map(|(at, _)| (&path[..at], true));
        for (part, is_folder) in slashes.chain([(path, is_folder)]) {
            let deciding = self.rules.iter().rev().find(|rule| rule.matches(part, is_folder));
            if let Some(rule) = deciding.filter(|rule| !rule.takes_back) {
                return Some(&rule.line);
            }
        }
        None
    }

    /// Returns whether the rules ignore or include a path itself, regardless of its ancestors.
    pub fn says(&self, path: &str, is_folder: bool) -> Option<bool> {
        self.rules.iter().rev().find(|rule| rule.matches(path, is_folder)).map(|rule| !rule.takes_back)
    }

    /// Returns whether the rules ignore or include a folder with its content. Returns `None` if no rule names it. As in
    /// git, a folder in an ignored folder cannot be included again.
    pub fn says_of_folder(&self, folder: &str) -> Option<bool> {
        if self.rule_for(folder, true).is_some() {
            return Some(true);
        }
        // `a/*` ignores the content of `a`, which is all that a folder is to git.
        let content = format!("{folder}/*");
        self.says(folder, true).or_else(|| self.says(&content, true))
    }

    /// Returns whether there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

impl Rule {
    fn matches(&self, path: &str, is_folder: bool) -> bool {
        (is_folder || !self.folders_only) && fast_glob::glob_match(&self.glob, path)
    }
}

fn rule(line: &str) -> Option<Rule> {
    let shown = without_trailing_blanks(line.trim_end_matches('\r'));
    let (takes_back, rest) = shown.strip_prefix('!').map_or((false, shown), |rest| (true, rest));
    if rest.is_empty() || shown.starts_with('#') {
        return None;
    }
    let (folders_only, rest) = rest.strip_suffix('/').map_or((false, rest), |rest| (true, rest));
    let anchored = rest.contains('/');
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    if rest.is_empty() {
        return None;
    }
    let body = translated(rest);
    let glob = if anchored { body } else { format!("**/{body}") };
    Some(Rule { line: shown.to_owned(), glob, takes_back, folders_only })
}

/// Removes trailing spaces unless a backslash escapes them.
fn without_trailing_blanks(line: &str) -> &str {
    let short = line.trim_end_matches(' ');
    let backslashes = short.len() - short.trim_end_matches('\\').len();
    if backslashes % 2 == 1 && short.len() < line.len() { &line[..=short.len()] } else { short }
}

/// Translates a git pattern for the matcher: braces are literal in git, a backslash escapes any
/// character, and an unclosed bracket is literal.
fn translated(pattern: &str) -> String {
    let mut glob = String::with_capacity(pattern.len() + 8);
    let mut chars = pattern.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, next)) if next.is_alphanumeric() => glob.push(next),
                Some((_, next)) => glob.extend(['\\', next]),
                None => glob.push_str("\\\\"),
            },
            '{' | '}' => glob.extend(['\\', c]),
            '!' if at == 0 => glob.push_str("\\!"),
            '[' => match class_end(&pattern[at..]) {
                Some(length) => {
                    glob.push_str(&pattern[at..at + length]);
                    while chars.as_str().len() > pattern.len() - at - length {
                        chars.next();
                    }
                }
                None => glob.push_str("\\["),
            },
            other => glob.push(other),
        }
    }
    glob
}

/// Returns the length of the class at the start of a pattern.
fn class_end(text: &str) -> Option<usize> {
    let inner = text.get(1..)?;
    let skipped = inner.len() - inner.trim_start_matches(['!', '^']).len();
    // A bracket in the first place is a member.
    let from = 1 + skipped.min(1) + 1;
    text.get(from..)?.find(']').map(|at| from + at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_mean_what_they_mean_to_git() {
        for (text, ignored, free) in [
            ("*.pem", &["a.pem", "x/y/a.pem", "a.pem/b"][..], &["a.pe", "pem"][..]),
            ("/secrets", &["secrets", "secrets/a"], &["x/secrets"]),
            ("secrets/", &["secrets/a", "x/secrets/a"], &["secrets"]),
            ("a/b", &["a/b", "a/b/c"], &["x/a/b"]),
            ("a/**/z", &["a/z", "a/b/c/z"], &["a/b"]),
            ("**/gen", &["gen", "x/gen/y"], &["genx"]),
            ("gen/**", &["gen/a", "gen/a/b"], &["gen"]),
            ("# note\n\nx", &["x"], &["# note", "y"]),
            ("\\#x", &["#x"], &["x"]),
            ("\\!x", &["!x"], &["x"]),
            ("*.log\n!keep.log", &["a.log", "x/b.log"], &["keep.log", "x/keep.log"]),
            ("logs/\n!logs/keep.log", &["logs/keep.log"], &["keep.log"]),
            ("{a,b}", &["{a,b}"], &["a", "b"]),
            ("x   ", &["x"], &["x   "]),
            ("x\\ ", &["x "], &["x"]),
            ("[ab].c", &["a.c"], &["c.c", "[ab].c"]),
            ("[!ab].c", &["c.c"], &["a.c"]),
            ("x[", &["x["], &["x"]),
            ("\u{feff}top", &["top"], &[]),
            ("win\r\n", &["win"], &["win\r"]),
            ("/", &[], &["a"]),
        ] {
            let file = GitIgnore::parse(text);
            for path in ignored {
                assert!(file.rule_for(path, false).is_some(), "{text:?} should ignore {path}");
            }
            for path in free {
                assert!(file.rule_for(path, false).is_none(), "{text:?} should not ignore {path}");
            }
        }
    }

    #[test]
    fn a_rule_for_folders_means_the_folder_itself_too() {
        let file = GitIgnore::parse("secrets/");
        assert_eq!(file.rule_for("secrets", true), Some("secrets/"));
        assert_eq!(file.rule_for("secrets", false), None);
    }

    #[test]
    fn folders_are_ignored_as_git_ignores_them() {
        for (rules, folder, expected) in [
            ("target", "target", Some(true)),
            ("target/", "target", Some(true)),
            ("/target", "target", Some(true)),
            ("/target", "sub/target", None),
            ("target", "sub/target", Some(true)),
            ("sub/target", "sub/target", Some(true)),
            ("sub/target", "target", None),
            ("**/dist", "a/b/dist", Some(true)),
            ("*.egg-info", "x.egg-info", Some(true)),
            ("cmake-build-*", "cmake-build-debug", Some(true)),
            ("node_modules/*", "node_modules", Some(true)),
            ("build/**", "build", Some(true)),
            ("target\n!target", "target", Some(false)),
            ("!target\ntarget", "target", Some(true)),
            ("out\n!out/dist", "out/dist", Some(true)),
            ("# target\n\n  \n", "target", None),
            ("\\#x", "#x", Some(true)),
            ("dist \r", "dist", Some(true)),
            ("", "target", None),
        ] {
            assert_eq!(GitIgnore::parse(rules).says_of_folder(folder), expected, "{rules:?} on {folder}");
        }
    }
}
