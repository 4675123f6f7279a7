//! The receiver of a call: a module, a value, or nothing.
//!
//! WHY: `os.remove("a")` removes a file, `names.remove("a")` does not, and `path.unlink()` names its file in front.

use std::collections::BTreeSet;

use super::token::Token;

/// The expression in front of the dot of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Front<'t> {
    /// No dot.
    Nothing,
    /// A module or a class: `os`, `File`, `require("fs")`.
    Module(&'t str),
    /// A name that holds a value.
    Name(&'t str),
    /// A path written there: `Path("x")`, `(folder / "x")`.
    Path(&'t [Token]),
    /// A string.
    Text,
    /// Anything else.
    Other,
}

/// Modules that programs do not have to ask for, or that are asked for in many ways.
const OF_ALL: [&str; 12] = [
    "fs",
    "fsp",
    "os",
    "io",
    "path",
    "shutil",
    "pathlib",
    "promises",
    "process",
    "child_process",
    "subprocess",
    "codecs",
];

/// Returns the receiver of the name at `at`.
pub(super) fn front<'t>(tokens: &'t [Token], at: usize, modules: &Modules) -> Front<'t> {
    let mark = |back: usize| match at.checked_sub(back).map(|at| &tokens[at]) {
        Some(Token::Mark(mark)) => Some(*mark),
        _ => None,
    };
    let end = match (mark(2), mark(1)) {
        (_, Some('.')) => at - 1,
        (Some('-'), Some('>')) | (Some(':'), Some(':')) => at - 2,
        _ => return Front::Nothing,
    };
    match end.checked_sub(1).map(|at| &tokens[at]) {
        Some(Token::Name(name)) if modules.contain(name) => Front::Module(name),
        Some(Token::Name(name)) => Front::Name(name),
        Some(Token::Text { .. }) => Front::Text,
        Some(Token::Mark(')')) => call(tokens, end),
        _ => Front::Other,
    }
}

/// Returns the value of brackets in front of a dot.
fn call(tokens: &[Token], end: usize) -> Front<'_> {
    let mut depth = 0usize;
    for start in (end.saturating_sub(200)..end).rev() {
        match tokens[start] {
            Token::Mark(')') => depth += 1,
            Token::Mark('(') => {
                depth -= 1;
                if depth > 0 {
                    continue;
                }
                let inside = &tokens[start + 1..end - 1];
                let name = |back: usize| match start.checked_sub(back).map(|at| &tokens[at]) {
                    Some(Token::Name(name)) => Some(name.as_str()),
                    _ => None,
                };
                return match name(1) {
                    None => Front::Path(inside),
                    Some("require" | "__import__" | "import_module") => Front::Module("require"),
                    Some("new") if name(3) == Some("Pathname") => Front::Path(inside),
                    Some(name) if name.ends_with("Path") || matches!(name, "Pathname" | "path") => {
                        Front::Path(inside)
                    }
                    Some(_) => Front::Other,
                };
            }
            _ => {}
        }
    }
    Front::Other
}

/// Names of modules: those every program has, and those this one asks for.
#[derive(Debug, Default)]
pub(super) struct Modules {
    imported: BTreeSet<String>,
}

impl Modules {
    /// Finds `import name`, `import x as name`, `from x import name`, `name = require(…)`.
    pub(super) fn of(tokens: &[Token]) -> Self {
        let mut imported = BTreeSet::new();
        let mut is_import = false;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                Token::Mark(';' | '\n') => is_import = false,
                Token::Name(name) if name == "import" => is_import = true,
                Token::Name(name) if is_import || is_required(&tokens[at + 1..]) => {
                    imported.insert(name.clone());
                }
                _ => {}
            }
        }
        Self { imported }
    }

    fn contain(&self, name: &str) -> bool {
        name.starts_with(|first: char| first.is_ascii_uppercase())
            || OF_ALL.contains(&name)
            || self.imported.contains(name)
    }
}

fn is_required(behind: &[Token]) -> bool {
    matches!(behind, [Token::Mark('='), Token::Name(word), ..] if matches!(word.as_str(), "require" | "__import__"))
}
