//! A pattern of paths: `./secrets/**`, `~/.ssh/**`, `//etc/passwd`, `.env`.

use std::path::Path;

use super::RuleFolders;

/// A pattern of paths, wider than any host's reading of it: a star matches `/` too, upper and lower case are the same,
/// and everything below a match matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PathPattern {
    /// Absolute patterns; a path that matches one of them matches.
    anchored: Vec<String>,
    /// A pattern that matches at any depth.
    floating: Option<String>,
}

impl PathPattern {
    /// Reads a pattern. Hosts resolve a relative one against the working folder or against the folder of the settings;
    /// here both count.
    pub(super) fn new(pattern: &str, folders: &RuleFolders<'_>) -> Self {
        let pattern = pattern.trim().trim_start_matches('!').to_lowercase();
        let lower = |path: &Path| path.to_string_lossy().to_lowercase();
        if let Some(rest) = pattern.strip_prefix("//") {
            return Self { anchored: vec![format!("/{rest}")], floating: None };
        }
        if let Some(rest) = pattern.strip_prefix("~/").or_else(|| pattern.strip_prefix("$home/")) {
            return Self { anchored: vec![format!("{}/{rest}", lower(folders.home))], floating: None };
        }
        let rest = pattern.strip_prefix("./").unwrap_or(&pattern);
        let relative = rest.trim_start_matches('/');
        let bases = [folders.workspace, folders.folder, folders.home];
        let mut anchored: Vec<String> =
            bases.iter().map(|base| format!("{}/{relative}", lower(base))).collect();
        if pattern.starts_with('/') {
            // Most hosts mean the folder of the settings, some the root.
            anchored.push(pattern.clone());
        }
        let is_anchored = pattern.starts_with("./") || pattern.starts_with('/');
        let is_name = !relative.trim_end_matches('/').contains('/') || relative.starts_with("**");
        let floats = !is_anchored && is_name || relative.is_empty();
        Self { anchored, floating: floats.then(|| format!("*/{relative}")) }
    }

    /// Returns whether the pattern matches a path or a folder above it.
    pub(super) fn matches(&self, path: &str) -> bool {
        let path = path.to_lowercase();
        let patterns = || self.anchored.iter().chain(&self.floating);
        Path::new(&path).ancestors().filter_map(Path::to_str).any(|path| {
            patterns().any(|pattern| {
                let pattern = pattern.trim_end_matches('/');
                is_match(pattern, path)
                    // `secrets/**` also protects `secrets`.
                    || pattern.strip_suffix("/**").is_some_and(|folder| is_match(folder, path))
                    || pattern.strip_suffix("/*").is_some_and(|folder| is_match(folder, path))
            })
        })
    }

    /// Returns whether a path below a folder can match.
    pub(super) fn may_match_below(&self, folder: &str) -> bool {
        let folder = folder.to_lowercase();
        self.floating.is_some()
            || self.matches(&folder)
            || self.anchored.iter().any(|pattern| {
                let fixed = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
                let has_star = fixed.len() < pattern.len();
                Path::new(fixed).starts_with(&folder)
                    || has_star && Path::new(&folder).starts_with(parent_of(fixed))
            })
    }
}

fn parent_of(fixed: &str) -> &str {
    fixed.rsplit_once('/').map_or("", |(parent, _)| if parent.is_empty() { "/" } else { parent })
}

/// Matches with stars that cross folders. Brackets and braces count as a star.
fn is_match(pattern: &str, path: &str) -> bool {
    let mut wide = String::new();
    let mut depth = 0_u32;
    for letter in pattern.chars() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' if depth > 0 => {
                depth -= 1;
                wide.push('*');
            }
            '?' => wide.push('*'),
            _ if depth > 0 => {}
            letter => wide.push(letter),
        }
    }
    if depth > 0 {
        wide.push('*');
    }
    // `a/**/b` also means `a/b`.
    let wide = wide.replace("/**/", "/*").replace("**", "*");
    let mut parts = wide.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> RuleFolders<'static> {
        RuleFolders {
            home: Path::new("/home/dev"),
            workspace: Path::new("/home/dev/shop"),
            folder: Path::new("/home/dev/shop/sub"),
            transcript: None,
            moved: &[],
        }
    }

    #[test]
    fn a_pattern_matches_every_path_that_a_host_would_catch() {
        for (pattern, path, expected) in [
            ("./secrets/**", "/home/dev/shop/secrets/key", true),
            ("./secrets/**", "/home/dev/shop/sub/secrets/a/b", true),
            ("./secrets/**", "/home/dev/shop/secrets", true),
            ("./secrets/**", "/home/dev/shop/src/a", false),
            ("secrets/**", "/home/dev/shop/secrets/key", true),
            ("/secrets/**", "/home/dev/shop/secrets/key", true),
            ("//etc/passwd", "/etc/passwd", true),
            ("//etc/**", "/etc/ssl/x", true),
            ("~/.ssh/**", "/home/dev/.ssh/id", true),
            (".env", "/home/dev/shop/a/b/.env", true),
            (".env.*", "/home/dev/shop/.env.local", true),
            ("**/.env", "/home/dev/shop/x/.env", true),
            ("*.PEM", "/home/dev/shop/x/a.pem", true),
            ("src/**/gen/*.rs", "/home/dev/shop/src/gen/a.rs", true),
            ("src/[ab].rs", "/home/dev/shop/src/a.rs", true),
            ("{a,b}/x", "/home/dev/shop/b/x", true),
            ("**", "/home/dev/shop/x", true),
            ("*", "/home/dev/shop/x", true),
            ("", "/home/dev/shop/x", true),
            ("build", "/home/dev/shop/build/x/y", true),
            ("./.env", "/home/dev/shop/deep/.env", false),
        ] {
            assert_eq!(PathPattern::new(pattern, &folders()).matches(path), expected, "{pattern} / {path}");
        }
    }

    #[test]
    fn a_search_in_a_folder_may_meet_what_is_below() {
        for (pattern, folder, expected) in [
            ("./secrets/**", "/home/dev/shop", true),
            ("./secrets/**", "/home/dev/shop/secrets/a", true),
            ("./secrets/**", "/home/dev/shop/src", false),
            ("./.env", "/home/dev/shop", true),
            ("./.env", "/home/dev/shop/src", false),
            ("**/.env", "/home/dev/shop/src", true),
            (".env", "/home/dev/shop/src", true),
        ] {
            let below = PathPattern::new(pattern, &folders()).may_match_below(folder);
            assert_eq!(below, expected, "{pattern} / {folder}");
        }
    }
}
