//! The parts of a line that no command's words show: variables of its surroundings, tests, loops without an end.
//!
//! WHY besides the reading: it follows what a line does. A caller who vouches for a line must also know what it
//! discloses, and a here-document or a test discloses a variable without a word that names it.

use crate::syntax::{
    Assign, AssignValue, Command, Origin, Param, Piece, Redirect, Script, Simple, Target, Word, parse,
};

/// The surroundings that a line uses besides the words of its commands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The parameters that the line expands and has not set itself: `TOKEN`, `1`, `?`; one whose value is expanded once
    /// more has a `!` in front.
    pub parameters: Vec<String>,
    /// The constant words of tests, loops and cases: `/etc/passwd` in `[[ -e /etc/passwd ]]`.
    pub words: Vec<String>,
    /// Whether it repeats commands until one of them fails or succeeds.
    pub is_open_ended: bool,
}

/// Returns the names that a line of a POSIX shell takes from its surroundings. Returns `None` if the line does not parse.
pub fn surroundings(line: &str) -> Option<Surroundings> {
    let parsed = parse(line, Origin::Line).ok()?;
    let mut search = Search::default();
    search.script(&parsed.script);
    for document in &parsed.documents {
        search.pieces(document);
    }
    Some(search.found)
}

#[derive(Default)]
struct Search {
    found: Surroundings,
    /// The variables that the line has set.
    set: Vec<String>,
}

/// Operators of `[[ … ]]` whose operands are arithmetic: a bare name there is a variable.
const ARITHMETIC: [&str; 6] = ["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];

impl Search {
    fn script(&mut self, script: &Script) {
        for command in script.items.iter().flat_map(|item| &item.pipeline.commands) {
            self.command(command);
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Group { body, redirects, .. } => {
                self.script(body);
                self.redirects(redirects);
            }
            Command::If { branches, redirects } => {
                for branch in branches {
                    self.script(branch);
                }
                self.redirects(redirects);
            }
            Command::While { condition, body, redirects } => {
                self.found.is_open_ended = true;
                self.script(condition);
                self.script(body);
                self.redirects(redirects);
            }
            Command::For { name, words, body, redirects } => {
                self.constant_words(words.iter().flatten());
                self.set.push(name.clone());
                self.script(body);
                self.redirects(redirects);
            }
            Command::Case { subject, arms, redirects } => {
                self.constant_words([subject]);
                for (patterns, body) in arms {
                    for pattern in patterns {
                        self.pieces(&pattern.pieces);
                    }
                    self.script(body);
                }
                self.redirects(redirects);
            }
            Command::Function { body, .. } | Command::Coproc(body) => self.command(body),
            Command::Test { words, redirects } => {
                self.test(words);
                self.redirects(redirects);
            }
        }
    }

    fn simple(&mut self, simple: &Simple) {
        for assign in &simple.assigns {
            self.assign(assign);
        }
        for word in &simple.words {
            self.pieces(&word.pieces);
        }
        self.redirects(&simple.redirects);
        // In front of a command they are the command's, not the line's.
        if simple.words.is_empty() {
            self.set.extend(simple.assigns.iter().map(|assign| assign.name.clone()));
        }
    }

    fn assign(&mut self, assign: &Assign) {
        if assign.append {
            self.parameter(&assign.name);
        }
        match &assign.value {
            AssignValue::Scalar(word) => self.pieces(&word.pieces),
            AssignValue::Array(words) => {
                for word in words {
                    self.pieces(&word.pieces);
                }
            }
        }
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            match &redirect.target {
                Target::Word(word) => self.pieces(&word.pieces),
                // All documents are read at the end.
                Target::HereDoc(_) => {}
            }
        }
    }

    fn test(&mut self, words: &[Word]) {
        let is = |word: &Word, known: &[&str]| word.bare().is_some_and(|text| known.contains(&text));
        let computes = words.iter().any(|word| is(word, &ARITHMETIC));
        for (index, word) in words.iter().enumerate() {
            let is_asked_for = index > 0 && is(&words[index - 1], &["-v", "-R"]);
            match word.bare() {
                Some(text) if !text.starts_with('-') && (computes || is_asked_for) => self.names(text),
                _ => {}
            }
        }
        self.constant_words(words);
    }

    fn constant_words<'w>(&mut self, words: impl IntoIterator<Item = &'w Word>) {
        for word in words {
            self.pieces(&word.pieces);
            let mut text = String::new();
            constant(&word.pieces, &mut text);
            self.found.words.push(text);
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Bare(_) | Piece::Quoted(_) => {}
                Piece::Double(pieces) => self.pieces(pieces),
                Piece::Param(param) => self.param(param),
                Piece::Command(script) | Piece::Process { body: script, .. } => self.script(script),
                Piece::Arithmetic(pieces) => {
                    let mut text = String::new();
                    constant(pieces, &mut text);
                    self.names(&text);
                    self.pieces(pieces);
                }
            }
        }
    }

    fn param(&mut self, param: &Param) {
        self.pieces(&param.argument);
        if param.indirect || param.operator.starts_with('@') {
            self.found.parameters.push(format!("!{}", param.name));
        } else {
            self.parameter(&param.name);
        }
        // `${x:n}` and `${x[n]}` compute.
        if matches!(param.operator.as_str(), ":" | "") {
            let mut text = String::new();
            constant(&param.argument, &mut text);
            self.names(&text);
        }
    }

    /// Adds the variables in an arithmetic expression.
    fn names(&mut self, text: &str) {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        for word in words {
            if word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
                self.parameter(word);
            }
        }
    }

    fn parameter(&mut self, name: &str) {
        if !self.set.iter().any(|set| set == name) {
            self.found.parameters.push(name.to_owned());
        }
    }
}

/// Appends the constant text of pieces.
fn constant(pieces: &[Piece], text: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Bare(part) | Piece::Quoted(part) => text.push_str(part),
            Piece::Double(pieces) => constant(pieces, text),
            Piece::Param(_) | Piece::Command(_) | Piece::Process { .. } | Piece::Arithmetic(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_of_the_surroundings_is_found() {
        for (line, expected) in [
            ("ls src", &[][..]),
            ("echo $TOKEN", &["TOKEN"]),
            ("cat <<E\n$TOKEN\nE", &["TOKEN"]),
            ("cat <<'E'\n$TOKEN\nE", &[]),
            ("cat <<< \"${TOKEN:-x}\"", &["TOKEN"]),
            ("[[ $TOKEN == s* ]] && echo y", &["TOKEN"]),
            ("[[ TOKEN -gt 0 ]]", &["TOKEN"]),
            ("[[ -v TOKEN ]]", &["TOKEN"]),
            ("case $TOKEN in s*) echo y;; esac", &["TOKEN"]),
            ("for t in $TOKEN; do echo x; done", &["TOKEN"]),
            ("for f in src/*; do head $f; done", &[]),
            ("n=3; head -$n README.md", &[]),
            ("n=3 head -$n README.md", &["n"]),
            ("echo $((n + 1))", &["n"]),
            ("echo ${!A*} ${x@P}", &["!A", "!x"]),
            ("ls ${0%/*}; echo $?", &["0", "?"]),
            ("echo \"$(cat <<E\n$TOKEN\nE\n)\"", &["TOKEN"]),
            ("x=a; echo ${x:TOKEN}", &["TOKEN"]),
        ] {
            let found = surroundings(line).unwrap().parameters;
            assert_eq!(found, expected, "{line}");
        }
        assert_eq!(surroundings("ls ("), None);
    }

    #[test]
    fn the_words_of_tests_and_loops_are_found() {
        let of = |line: &str| surroundings(line).unwrap();
        assert_eq!(of("[[ -e /etc/passwd ]]").words, ["-e", "/etc/passwd"]);
        assert_eq!(of("for f in a 'b c'; do ls; done").words, ["a", "b c"]);
        assert!(of("while true; do ls; done").is_open_ended);
        assert!(!of("for f in a; do ls; done").is_open_ended);
    }
}
