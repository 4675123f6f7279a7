//! Whether git ignores a folder, by the rules of `.gitignore`.
//!
//! WHY not the crate `ignore`: it compiles a set of globs, which takes longer than the confinement. A folder of a
//! tool is one plain name, and is compared with each rule once.

/// The rules of one `.gitignore`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitIgnore {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    glob: String,
    /// `!`: negates an earlier rule.
    takes_back: bool,
}

impl GitIgnore {
    /// Parses the rules; every text is valid.
    pub fn parse(text: &str) -> Self {
        Self { rules: text.lines().filter_map(rule).collect() }
    }

    /// Returns whether the rules ignore or include a folder, given relative to their file. Returns `None` if no rule
    /// names it.
    pub fn says(&self, folder: &str) -> Option<bool> {
        let mut parts = folder.match_indices('/').map(|(at, _)| &folder[..at]).chain([folder]);
        let says = |part: &str| {
            self.rules
                .iter()
                .rev()
                .find(|rule| fast_glob::glob_match(&rule.glob, part))
                .map(|rule| !rule.takes_back)
        };
        // A folder in an ignored folder cannot be included again.
        match parts.find(|part| says(part) == Some(true)) {
            Some(_) => Some(true),
            None => says(folder),
        }
    }
}

fn rule(line: &str) -> Option<Rule> {
    let line = line.trim_end_matches(['\r', ' ']);
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (line, takes_back) = line.strip_prefix('!').map_or((line, false), |rest| (rest, true));
    let line = line.strip_prefix('\\').filter(|rest| rest.starts_with(['#', '!'])).unwrap_or(line);
    let line = line.strip_suffix('/').unwrap_or(line);
    // `a/**` ignores the content of `a`, which is all that a tool folder is.
    let line = line.strip_suffix("/**").or_else(|| line.strip_suffix("/*")).unwrap_or(line);
    let glob = match line.strip_prefix('/') {
        Some(anchored) => anchored.to_owned(),
        None if line.contains('/') => line.to_owned(),
        None => format!("**/{line}"),
    };
    Some(Rule { glob, takes_back }).filter(|rule| !matches!(rule.glob.as_str(), "" | "**/"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(GitIgnore::parse(rules).says(folder), expected, "{rules:?} on {folder}");
        }
    }
}
