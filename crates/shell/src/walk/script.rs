//! Code that a line runs: text for a shell, files, standard input.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::limits::{MAX_SCRIPT_BYTES, MAX_SCRIPT_DEPTH};
use crate::path::Certainty;
use crate::place::TypedInput;
use crate::reading::{Class, Doubt, Origin, Span};
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Follows text that a shell will read: `eval`, `bash -c`, standard input of a shell.
    pub(crate) fn run_text(&mut self, text: &Text, call: &Call, how: &str) -> Text {
        // `cat x | sh`, `sh < x` and `eval "$(cat x)"` run the file.
        if let Some(file) = origin_file(text)
            && let Some(content) = self.script_content(&file, call.span)
            && content.is_known()
        {
            return self.run_content(&content, &file, call);
        }
        if let Some(rule) = hole_in_command_position(text) {
            match rule {
                Hole::Fetched => {
                    self.reading.runs_fetched_code = true;
                    self.risk(RuleId::FetchedCode, call.argv[0].text.clone(), call.span);
                }
                Hole::Decoded => self.risk(RuleId::DecodedCode, call.argv[0].text.clone(), call.span),
                Hole::Computed if self.script_depth == 0 && how != "printed" => {
                    self.risk(RuleId::OpaqueCode, text.text.chars().take(60).collect::<String>(), call.span);
                }
                Hole::Computed => {}
                Hole::Printed => {
                    for printed in std::mem::take(&mut self.printed) {
                        self.text(&printed, call.span, Origin::Text(how.to_owned()));
                    }
                }
            }
            if text.taint.has(Taint::TYPED) {
                self.runs_typed(call);
            }
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Code, text.text.chars().take(60).collect::<String>(), call.span);
            if text.holes.len() == 1 && text.holes[0].0 == 0 && text.text[text.holes[0].1..].trim().is_empty()
            {
                return Text::unknown("$_output", text.taint);
            }
        }
        // The shell reads the values again, and whatever follows a `;` in them: `eval ls $x`.
        if how == "eval" && !text.is_known() {
            self.classify(call.command, Class::Unknown);
            self.doubt(Doubt::Code, text.text.chars().take(60).collect::<String>(), call.span);
        }
        if text.text.len() > crate::limits::MAX_CHARS {
            self.doubt(Doubt::Code, how, call.span);
            return Text::unknown("$_output", text.taint);
        }
        let stdin = if how == "stdin" { self.state.stdin.take() } else { self.state.stdin.clone() };
        let source = text.text.clone();
        let output = self.text(&source, call.span, Origin::Text(how.to_owned()));
        if how == "stdin" {
            self.state.stdin = stdin;
        }
        output
    }

    /// Follows a file in the current shell.
    pub(super) fn source(&mut self, file: &Text, call: &Call) -> Text {
        match self.script_content(file, call.span) {
            Some(content) => self.run_content(&content, file, call),
            None => Text::default(),
        }
    }

    /// Follows a file as a separate shell script.
    pub(super) fn run_script(&mut self, file: &Text, arguments: &[Text], call: &Call) -> Text {
        let Some(content) = self.script_content(file, call.span) else {
            self.classify(call.command, Class::Unknown);
            return Text::unknown("$_output", Taint::PRINTED);
        };
        let arguments = arguments.to_vec();
        self.subshell(|walker| {
            walker.state.positional = arguments;
            walker.state.functions = std::rc::Rc::default();
            walker.run_content(&content, file, call)
        })
    }

    fn run_content(&mut self, content: &Text, file: &Text, call: &Call) -> Text {
        let is_whole = content
            .holes
            .first()
            .is_some_and(|(start, end)| *start == 0 && content.text[*end..].trim().is_empty());
        if is_whole {
            return self.run_text(content, call, "printed");
        }
        let name = file.text.clone();
        if self.script_depth >= MAX_SCRIPT_DEPTH
            || self.stack.iter().filter(|entry| **entry == name).count() > 1
        {
            self.doubt(Doubt::Script, name, call.span);
            return Text::default();
        }
        self.script_depth += 1;
        self.stack.push(name.clone());
        let output = self.text(&content.text, call.span, Origin::Script(name));
        self.stack.pop();
        self.script_depth -= 1;
        output
    }

    /// Returns the content of a file that is about to run; records a doubt if it is unknown.
    pub(crate) fn script_content(&mut self, file: &Text, span: Span) -> Option<Text> {
        let (path, certainty) = self.resolve(file);
        let is_terminal = path == "/dev/tty";
        if is_terminal || matches!(path.as_str(), "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") {
            match self.state.stdin.clone().filter(|_| !is_terminal) {
                Some(input) => return Some(input),
                None if self.state.typed == TypedInput::Unannounced => {
                    return Some(Text::unknown(file.text.clone(), Taint::TYPED.with(Taint::PRINTED)));
                }
                None => {}
            }
        }
        self.read_path(file, span);
        let is_below = |folder: &String| crate::path::is_within(&path, folder);
        // In a folder that other files are in, too, those that exist already are not of the download.
        let is_unpacked = self.state.unpacked.iter().any(is_below)
            && self.state.content(&path).is_none()
            && !self.place.files.exists(&path);
        if self.state.cloned.iter().any(is_below) || is_unpacked {
            self.reading.runs_fetched_code = true;
            self.risk(RuleId::ClonedCode, path.clone(), span);
        }
        if certainty == Certainty::Exact {
            if let Some(content) = self.state.content(&path) {
                return Some(content.clone());
            }
            if self.is_local()
                && let Some(bytes) = self.place.files.read(&path, MAX_SCRIPT_BYTES + 1)
                && bytes.len() <= MAX_SCRIPT_BYTES
                && !bytes.contains(&0)
            {
                return Some(Text::known(String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
        if file.taint.has(Taint::FETCHED) {
            return Some(Text::unknown(file.text.clone(), file.taint));
        }
        self.doubt(Doubt::Script, file.text.clone(), span);
        None
    }

    /// Remembers that the line clones a repository of another machine into `folder`.
    pub(crate) fn clones_into(&mut self, folder: &Text) {
        let (path, _) = self.resolve(folder);
        if path.starts_with('/') {
            self.state.cloned.push(path);
        }
    }

    /// Remembers that the line unpacks an archive into `folder`, if the archive or the input comes from the network.
    pub(crate) fn unpacks_download(&mut self, archive: Option<&Text>, folder: &Text) {
        let taint = match archive {
            Some(archive) => self.taint_of_file(&self.resolve(archive).0),
            None => self.state.stdin.as_ref().map_or(Taint::NONE, |input| input.taint),
        };
        let (path, _) = self.resolve(folder);
        if taint.has(Taint::FETCHED) && path.starts_with('/') {
            self.state.unpacked.push(path);
        }
    }

    /// Runs a program given by its path, when it is a script that can be read.
    pub(super) fn run_file(&mut self, call: &Call) -> bool {
        let file = call.argv[0].clone();
        let (path, _) = self.resolve(&file);
        let is_fetched = self.state.content(&path).is_some_and(|content| content.taint.has(Taint::FETCHED));
        if is_fetched {
            self.reading.runs_fetched_code = true;
            self.classify(call.command, Class::Unknown);
            self.risk(RuleId::FetchedCode, file.text, call.span);
            return true;
        }
        let known = self.state.content(&path).is_some();
        // Programs installed on the system are not read: only scripts of the project and of the line.
        let is_system =
            ["/usr/", "/bin/", "/sbin/", "/opt/", "/nix/"].iter().any(|base| path.starts_with(base));
        // A workspace may lie there, too: `/opt/app`, `/usr/src/app`.
        let is_system = is_system && !crate::path::is_within(&path, &self.reading.workspace);
        if !known && (is_system || !self.is_local()) {
            return false;
        }
        let Some(content) = self.script_content(&file, call.span) else {
            self.classify(call.command, Class::Unknown);
            self.check_passed_files(call);
            self.guess(call.rest(), usize::MAX, call);
            self.destroys_by_name(call);
            return true;
        };
        let first = content.text.lines().next().unwrap_or("").to_owned();
        if let Some(language) = crate::code::language_of(&first, &path) {
            self.code(language, &content, call);
        } else {
            self.run_script(&file, call.rest(), call);
        }
        true
    }
}

/// The file a value is the whole content of.
pub(super) fn origin_file(text: &Text) -> Option<Text> {
    let is_whole = text.holes.first() == Some(&(0, text.text.len()));
    let fetched = text.taint.has(Taint::FETCHED) || text.taint.has(Taint::DECODED);
    let path = text.text.strip_prefix("$(<")?.strip_suffix(')')?;
    (is_whole && !fetched && !path.contains("$(")).then(|| Text::known(path))
}

/// The part of a string in the place of a command.
enum Hole {
    Fetched,
    Decoded,
    /// Printed by an ordinary program: `eval "$(ssh-agent)"`.
    Printed,
    Computed,
}

/// Finds an unknown part of `text` that would be read as a command.
fn hole_in_command_position(text: &Text) -> Option<Hole> {
    let runs = text.holes.iter().any(|(start, _)| {
        let before = text.text[..*start].trim_end_matches([' ', '\t', '"', '\'']);
        before.is_empty()
            || before.ends_with([';', '&', '|', '\n', '(', '{', '`'])
            || before.ends_with("eval")
    });
    if !runs {
        return None;
    }
    Some(if text.taint.has(Taint::FETCHED) {
        Hole::Fetched
    } else if text.taint.has(Taint::DECODED) {
        Hole::Decoded
    } else if text.taint.has(Taint::PRINTED) {
        Hole::Printed
    } else {
        Hole::Computed
    })
}
