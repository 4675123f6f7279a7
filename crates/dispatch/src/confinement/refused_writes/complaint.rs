//! Finds in the output of a command what programs say about a write that the kernel refused.

/// A complaint about a refused write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    /// The paths that the program names, most likely first.
    pub(super) paths: Vec<String>,
    /// Whether only a refused write reads like this.
    pub(super) is_certain: bool,
}

/// Wordings of `EROFS`, in lower case.
const READ_ONLY: [&str; 4] = ["read-only file system", "erofs", "[errno 30]", "os error 30"];

/// Wordings of a mount point, of a rename out of the scope, and of programs that hide the reason.
const POSSIBLE: [&str; 17] = [
    "device or resource busy",
    "ebusy",
    "[errno 16]",
    "os error 16",
    "cross-device link",
    "exdev",
    "[errno 18]",
    "os error 18",
    "no usable temporary directory found in",
    "unable to open database file",
    "unable to (re)create the private pkgredirects directory",
    "could not create parent directories",
    "could not write index",
    "unable to create temporary object directory",
    "could not write config file",
    "enoent: no such file or directory, mkdir",
    "cannot create temp file for here-document",
];

/// Wordings of Landlock, which gives `EACCES`.
const NO_PERMISSION: [&str; 4] = ["permission denied", "eacces", "[errno 13]", "os error 13"];

/// How many lines before a complaint may name its path: cargo and others print causes below each other.
const LINES_BEFORE: usize = 5;

/// Returns the complaints in an output.
pub(super) fn complaints(output: &str, is_landlock: bool) -> Vec<Complaint> {
    let lines: Vec<&str> = output.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let lower = line.to_lowercase();
        let says = |wordings: &[&str]| wordings.iter().any(|wording| lower.contains(wording));
        let is_certain = says(&READ_ONLY);
        let is_possible = says(&POSSIBLE) || is_landlock && says(&NO_PERMISSION);
        if !is_certain && !is_possible {
            continue;
        }
        let mut paths = paths_in(line);
        // A separate sentence about an error of another line.
        if paths.is_empty() {
            let before = &lines[at.saturating_sub(LINES_BEFORE)..at];
            paths = before
                .iter()
                .rev()
                .map(|line| paths_in(line))
                .find(|paths| !paths.is_empty())
                .unwrap_or_default();
        }
        found.push(Complaint { paths, is_certain });
    }
    found
}

/// Returns the paths that a line names: its quoted parts, else the part before the system's message.
fn paths_in(line: &str) -> Vec<String> {
    let quoted = quoted(line);
    if !quoted.is_empty() {
        return quoted;
    }
    let parts: Vec<&str> = line.split(": ").collect();
    let message = parts.iter().position(|part| {
        let part = part.to_lowercase();
        [&READ_ONLY[..], &POSSIBLE[..], &NO_PERMISSION[..]]
            .iter()
            .any(|list| list.iter().any(|wording| part.contains(wording)))
    });
    let candidates: Vec<&str> = match message {
        Some(at) => parts[..at].iter().rev().chain(&parts[at + 1..]).copied().collect(),
        None => parts.iter().rev().copied().collect(),
    };
    candidates.into_iter().filter_map(path_at_end).take(1).collect()
}

/// Returns the path at the end of a part of a sentence: `unable to create file src/a`.
fn path_at_end(part: &str) -> Option<String> {
    let part = part.trim();
    let word = part
        .rsplit(' ')
        .next()
        .unwrap_or(part)
        .trim_start_matches('(')
        .trim_end_matches([')', ',', '.', ';']);
    let word = if part.ends_with(word) { word } else { part };
    let is_whole = word == part;
    let has_form = word.contains('/') || word.contains('.') && !word.ends_with('.');
    // `line 3` and the name of a program are no paths; a single word after a verb is.
    let follows_verb = !is_whole
        && ["create", "open", "write", "touch", "file", "directory", "folder", "remove", "rename"]
            .iter()
            .any(|verb| part.split(' ').rev().nth(1) == Some(*verb));
    let is_number = word.chars().all(|char| char.is_ascii_digit());
    (!word.is_empty() && !is_number && (has_form || follows_verb)).then(|| word.to_owned())
}

/// Returns the quoted parts of a line that may be paths.
fn quoted(line: &str) -> Vec<String> {
    const QUOTES: [(char, char); 5] = [('\'', '\''), ('"', '"'), ('`', '`'), ('‘', '’'), ('“', '”')];
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((at, close)) = rest
        .char_indices()
        .find_map(|(at, char)| QUOTES.iter().find(|(open, _)| *open == char).map(|it| (at, it.1)))
    {
        let inside = &rest[at + rest[at..].chars().next().map_or(1, char::len_utf8)..];
        let Some(end) = inside.find(close) else { break };
        let text = &inside[..end];
        if !text.is_empty() && !text.contains(char::is_whitespace) {
            found.push(text.to_owned());
        }
        rest = &inside[end + close.len_utf8()..];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_a_refused_write_is_found_in_the_words_of_real_programs() {
        for (output, path) in [
            ("touch: cannot touch 'package.json': Read-only file system", "package.json"),
            ("bash: line 1: package.json: Read-only file system", "package.json"),
            ("sh: 1: cannot create out.txt: Read-only file system", "out.txt"),
            ("/bin/sh: 1: cannot create Makefile: Read-only file system", "Makefile"),
            ("mkdir: cannot create directory ‘lib’: Read-only file system", "lib"),
            ("OSError: [Errno 30] Read-only file system: 'package.json'", "package.json"),
            ("Error: EROFS: read-only file system, open '/w/package.json'", "/w/package.json"),
            ("error: unable to create file docs/top: Read-only file system", "docs/top"),
            ("sed: couldn't open temporary file ./sedAb1: Read-only file system", "./sedAb1"),
            ("mv: cannot move 'a' to 'b': Device or resource busy", "a"),
            ("OSError: [Errno 18] Invalid cross-device link: 'src/a' -> 'lib/a'", "src/a"),
            (
                "error: failed to write `/w/Cargo.lock`\n\nCaused by:\n  Read-only file system (os error 30)",
                "/w/Cargo.lock",
            ),
            (
                "error: could not write lock\n\nCaused by:\n  failed to open: /w/Cargo.lock\n\nCaused by:\n  Read-only file system (os error 30)",
                "/w/Cargo.lock",
            ),
            (
                "npm error ENOENT: no such file or directory, mkdir '/home/u/.npm/_cacache'",
                "/home/u/.npm/_cacache",
            ),
        ] {
            let found = complaints(output, false);
            let paths: Vec<&String> = found.iter().flat_map(|it| &it.paths).collect();
            assert_eq!(paths.first().map(|it| it.as_str()), Some(path), "{output}: {found:?}");
        }
    }

    #[test]
    fn other_output_is_no_complaint() {
        for output in
            ["all good", "cat: x: No such file or directory", "test result: ok", "Permission denied"]
        {
            assert_eq!(complaints(output, false), [], "{output}");
        }
        assert_eq!(complaints("touch: cannot touch 'x': Permission denied", true).len(), 1);
        let certain = |output: &str| complaints(output, false).iter().any(|it| it.is_certain);
        assert!(certain("gcc: Cannot create temporary file in ./: Read-only file system"));
        assert!(!certain("Error: unable to open database file"));
    }
}
