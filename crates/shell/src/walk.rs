//! Follows a parsed line as the shell would, without running anything.
//!
//! The walker keeps values as far as they are constant ([`crate::text::Text`])
//! and records each simple command with its effects. It records a doubt, and
//! leaves nothing out, where it cannot follow.
//!
//! INVARIANT: every recursion goes through [`Walker::enter`], which counts
//! levels and work; beyond the limits the whole line becomes unknown.

mod arithmetic;
mod attack_tool;
mod brace;
mod builtin;
mod copied_tree;
mod earlier;
mod effect;
mod endless;
mod environment;
mod expand;
mod fetched_input;
mod flow;
mod glob;
mod governed;
mod guess;
mod hidden_text;
mod host_name;
mod identity;
mod interpreter;
mod invoke;
mod language;
mod marks;
mod output;
mod page_request;
mod param;
mod passed_words;
mod remote;
mod resolved_path;
mod runner;
mod script;
mod search;
mod search_governing;
mod sent;
mod served;
mod shown_secret;
mod simple;
mod state;
mod terminal;
mod transform;
mod trap;
mod typed;
mod wrapper;
mod xargs;

use std::rc::Rc;

pub(crate) use effect::Act;
pub(crate) use endless::ENDLESS;
pub(crate) use glob::matches as glob_matches;
pub(crate) use interpreter::is_shell;
pub(crate) use invoke::{Call, base_name};
pub(crate) use output::shows_secret;
pub(crate) use search::is_narrowed;
pub(crate) use transform::{decode_base64, decode_base64_bytes};

use crate::git_state::{GitAnswer, GitChange};
use crate::limits::{
    MAX_COMMANDS, MAX_FOLLOWED, MAX_GIT_QUESTIONS, MAX_PARSED_BYTES, MAX_VARIABLES, MAX_WORK,
};
use crate::place::Place;
use crate::reading::{Class, Doubt, Origin, Reading, Reason, Site, Span, Stop};
use crate::syntax::{self, Piece};
use crate::text::Text;
use state::State;

/// Follows one line.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Walker<'p> {
    pub(crate) place: &'p Place<'p>,
    pub(crate) reading: Reading,
    state: State,
    /// Here-documents of the text that is being followed.
    documents: Rc<Vec<Vec<Piece>>>,
    origin: Origin,
    via: Vec<String>,
    site: Site,
    /// Names of functions and files being followed, against endless recursion.
    stack: Vec<String>,
    script_depth: usize,
    level: usize,
    parsed_bytes: usize,
    worked: usize,
    copied: usize,
    line_length: usize,
    overrun: Option<&'static str>,
    /// Which of several possible values is tried, and how many there are at most.
    alternative: usize,
    n_alternatives: usize,
    in_alternation: bool,
    /// The next command cannot be a function or an alias.
    programs_only: bool,
    /// The walker only tries a command: nothing is tried within it.
    is_guessing: bool,
    /// Folders of this machine in the container being followed: there, here.
    mounts: Vec<(String, String)>,
    /// A redirection is being opened: it belongs to the command that comes next.
    is_opening: bool,
    /// The class that redirections give to the next command.
    opened_class: Class,
    git_answers: Vec<(String, GitChange, GitAnswer)>,
    /// Files that the current command sends to another machine.
    pub(crate) sent: Vec<String>,
    /// Texts in code of other languages, which the code may print for a shell.
    pub(crate) printed: Vec<String>,
}

impl<'p> Walker<'p> {
    pub(crate) fn new(place: &'p Place<'p>) -> Self {
        let home = place.home.map_or_else(|| "/~".to_owned(), crate::path::normalise);
        let cwd = crate::path::normalise(place.cwd);
        let workspace = place.workspace.map_or_else(|| cwd.clone(), crate::path::normalise);
        let user_state = place.user_state.map(crate::path::normalise);
        Self {
            place,
            reading: Reading {
                parsed: true,
                workspace,
                home,
                user_state,
                moved_settings: place.moved_settings.to_vec(),
                ..Reading::default()
            },
            state: State { cwd: Some(cwd), typed: place.typed, ..State::default() },
            documents: Rc::new(Vec::new()),
            origin: Origin::Line,
            via: Vec::new(),
            site: Site::Local,
            stack: Vec::new(),
            script_depth: 0,
            level: 0,
            parsed_bytes: 0,
            worked: 0,
            copied: 0,
            line_length: 0,
            overrun: None,
            alternative: 0,
            n_alternatives: 1,
            in_alternation: false,
            programs_only: false,
            is_guessing: false,
            mounts: Vec::new(),
            is_opening: false,
            opened_class: Class::ReadOnly,
            git_answers: Vec::new(),
            sent: Vec::new(),
            printed: Vec::new(),
        }
    }

    /// Says how long the line is that is read.
    pub(crate) fn set_line_length(&mut self, length: usize) {
        self.line_length = length;
    }

    /// Follows the line itself.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), syntax::Failure> {
        let parsed = syntax::parse(line, syntax::Origin::Line)?;
        self.documents = Rc::new(parsed.documents);
        let before = self.state.kept();
        self.script(&parsed.script);
        self.end_shell(0);
        self.reading.shell_changes = self.state.changes_since(&before);
        Ok(())
    }

    /// Follows text that the line passes to a shell; returns its output.
    pub(crate) fn text(&mut self, text: &str, span: Span, origin: Origin) -> Text {
        self.parsed_bytes += text.len();
        if self.parsed_bytes > MAX_PARSED_BYTES {
            self.overrun.get_or_insert("more text to follow than can be read");
            return Text::unknown("…", crate::text::Taint::NONE);
        }
        match syntax::parse(text, syntax::Origin::Within(span)) {
            Ok(parsed) => {
                let documents = std::mem::replace(&mut self.documents, Rc::new(parsed.documents));
                let before = std::mem::replace(&mut self.origin, origin);
                let output = self.enter(|walker| walker.script(&parsed.script)).unwrap_or_default();
                self.origin = before;
                self.documents = documents;
                output
            }
            Err(failure) if failure.limit => {
                self.overrun.get_or_insert(failure.what);
                Text::unknown("…", crate::text::Taint::NONE)
            }
            Err(_) => {
                self.doubt(Doubt::Code, text.chars().take(60).collect::<String>(), span);
                Text::unknown("…", crate::text::Taint::NONE)
            }
        }
    }

    /// Goes one level deeper, unless the limits are reached.
    pub(crate) fn enter<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.level >= MAX_FOLLOWED || self.reading.commands.len() >= MAX_COMMANDS {
            self.overrun.get_or_insert("more to follow than can be read");
            return None;
        }
        if self.overrun.is_some() {
            return None;
        }
        self.level += 1;
        crate::limits::work(1);
        let result = inner(self);
        self.level -= 1;
        Some(result)
    }

    /// Charges for work that grows with the number of variables.
    fn work(&mut self, amount: usize) {
        self.worked += amount;
        if self.worked > MAX_WORK || self.state.variables.len() > MAX_VARIABLES {
            self.overrun.get_or_insert("more variables than can be followed");
        }
    }

    /// Charges for bytes of values that are copied.
    fn copy(&mut self, bytes: usize) {
        self.copied += bytes;
        if self.copied > MAX_PARSED_BYTES {
            self.overrun.get_or_insert("more text to follow than can be read");
        }
    }

    pub(crate) fn doubt(&mut self, kind: Doubt, about: impl Into<String>, span: Span) {
        let reason = Reason { kind, about: about.into(), span };
        if self.reading.unknown.len() < 64 && !self.reading.unknown.contains(&reason) {
            self.reading.unknown.push(reason);
        }
        self.reading.class = self.reading.class.max(Class::Unknown);
    }

    /// Returns the reading. Marks the whole line as unknown if a limit was exceeded.
    pub(crate) fn finish(self) -> Reading {
        match self.overrun {
            None => self.reading,
            Some(what) => unreadable(self.reading, Stop { at: 0, what }),
        }
    }
}

/// A reading of a line that could not be read as a whole.
pub(crate) fn unreadable(reading: Reading, stop: Stop) -> Reading {
    let span = Span::new(stop.at, stop.at);
    Reading {
        parsed: false,
        class: Class::Unknown,
        unknown: vec![Reason { kind: Doubt::Unreadable, about: stop.what.to_owned(), span }],
        stopped_at: Some(stop),
        workspace: reading.workspace,
        home: reading.home,
        user_state: reading.user_state,
        moved_settings: reading.moved_settings,
        ..Reading::default()
    }
}

impl Walker<'_> {
    /// Marks later facts as found in `origin`; pass the result to [`Self::leave_origin`].
    pub(crate) fn enter_origin(&mut self, origin: Origin) -> Origin {
        std::mem::replace(&mut self.origin, origin)
    }

    pub(crate) fn leave_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    pub(crate) fn site(&self) -> Site {
        self.site
    }

    pub(crate) fn cwd(&self) -> Option<&str> {
        self.state.cwd.as_deref()
    }

    pub(crate) fn stdin(&self) -> Option<&Text> {
        self.state.stdin.as_ref()
    }

    /// Returns the value of a variable. Returns `None` if the line has not set it.
    pub(crate) fn variable(&self, name: &str) -> Option<Text> {
        self.state.variable(name).and_then(|variable| variable.values.first()).cloned()
    }

    /// Asks git once for each question of the line. Returns `None` if the place never asks git.
    ///
    /// A line with too many questions gets [`GitAnswer::Unavailable`]: each costs a process.
    pub(crate) fn git_changes(&mut self, folder: &str, change: &GitChange) -> Option<GitAnswer> {
        let mut known = self.git_answers.iter();
        if let Some((.., answer)) = known.find(|(of, asked, _)| of == folder && asked == change) {
            return Some(answer.clone());
        }
        if self.git_answers.len() >= MAX_GIT_QUESTIONS {
            return Some(GitAnswer::Unavailable);
        }
        let answer = self.place.git.changes(folder, change)?;
        self.git_answers.push((folder.to_owned(), change.clone(), answer.clone()));
        Some(answer)
    }

    /// Remembers that a file holds `content` from here on.
    pub(crate) fn remember(&mut self, path: &str, content: Text) {
        self.state.write(path, content, false);
    }

    /// Rewrites the folders of the place, for shells that write paths differently.
    pub(crate) fn map_places(&mut self, map: impl Fn(&str) -> String) {
        let place = |path: &str| crate::path::normalise(&map(path));
        self.reading.workspace = place(self.place.workspace.unwrap_or(self.place.cwd));
        self.reading.home = self.place.home.map_or_else(|| "/~".to_owned(), place);
        self.reading.user_state = self.place.user_state.map(place);
        self.state.cwd = Some(place(self.place.cwd));
    }

    /// Goes to a folder.
    pub(crate) fn enter_folder(&mut self, folder: &Text) {
        let (path, certainty) = self.resolve(folder);
        self.state.cwd = (certainty != crate::path::Certainty::Unknown).then_some(path);
    }

    /// Follows `inner` in a folder, if one is given, and returns to the old one afterwards.
    pub(crate) fn in_folder<T>(&mut self, folder: Option<&Text>, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.state.cwd.clone();
        if let Some(folder) = folder {
            self.enter_folder(folder);
        }
        let result = inner(self);
        self.state.cwd = before;
        result
    }

    /// Records a command without looking it up.
    pub(crate) fn note(&mut self, program: &str, argv: &[Text], span: Span) -> usize {
        let is_itself = argv.first().is_none_or(|word| self.is_itself(word, true));
        self.record(program, is_itself, argv, span)
    }

    /// Remembers a link.
    pub(crate) fn link(&mut self, name: String, target: String) {
        if self.state.links.len() < 32 {
            self.state.links.push((name, target));
        }
    }

    /// Gives up on the whole line.
    pub(crate) fn give_up(&mut self, what: &'static str) {
        self.overrun.get_or_insert(what);
    }

    /// Bytes of the line that is read; no span may lie beyond it.
    pub(crate) fn line_length(&self) -> usize {
        self.line_length
    }

    /// Follows `inner` as reached through `name`.
    pub(crate) fn through<T>(&mut self, name: &str, inner: impl FnOnce(&mut Self) -> T) -> T {
        self.via.push(name.to_owned());
        let result = self.subshell(inner);
        self.via.pop();
        result
    }
}
