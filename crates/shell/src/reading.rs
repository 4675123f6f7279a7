//! The effects of a command line, as far as they are known without running it.

use crate::guard::{MovedSettings, RuleId};
use crate::path::PathUse;

/// The worst effect of a command or a whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Class {
    /// Changes nothing; proven.
    #[default]
    ReadOnly,
    /// Changes files or other state in a way that can be seen.
    Writes,
    /// Something in it could not be known.
    Unknown,
    /// Deletes or overwrites files or data that may be lost.
    Destructive,
}

impl Class {
    /// Returns the name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::Writes => "writes",
            Self::Unknown => "unknown",
            Self::Destructive => "destructive",
        }
    }
}

/// Where a simple command was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// In the line itself.
    Line,
    /// In `$(…)`, backticks or a process substitution.
    Substitution,
    /// In text passed to `eval`, `bash -c`, `ssh` and the like.
    Text(String),
    /// In a function or alias of this name that was called.
    Function(String),
    /// In a script, a target or an npm script that was run.
    Script(String),
    /// In the code of another language.
    Code(&'static str),
}

/// On which machine a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Site {
    /// Here.
    #[default]
    Local,
    /// In a container: its paths are not ours.
    Container,
    /// On another machine.
    Remote,
}

/// Where the output of a command goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Outlet {
    /// To the process that runs the line.
    #[default]
    Shown,
    /// Into the command at this index of [`Reading::commands`].
    Command(usize),
    /// Into a file, a variable, another command's words, or nowhere.
    Kept,
}

/// One word of a command as the shell passes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arg {
    /// The word with quotes removed; parts that cannot be known stay as written (`$X`).
    pub text: String,
    /// Whether every character of it is known.
    pub known: bool,
    /// Whether it is a pattern that the shell replaces by the names of files.
    pub glob: bool,
}

/// One simple command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simple {
    /// Base name of the program; empty when it cannot be known.
    pub program: String,
    /// Whether it is the program of that name: a bare name on an unchanged `PATH`, or a path in a folder of the system.
    pub is_itself: bool,
    /// The words, the program first.
    pub argv: Vec<Arg>,
    /// The place in the line, or of the text in the line that leads to it.
    pub span: Span,
    /// Where it was found.
    pub origin: Origin,
    /// The wrappers around it, outermost first: `["sudo", "xargs"]`.
    pub via: Vec<String>,
    /// Where it runs.
    pub site: Site,
    /// The folder it runs in, when known.
    pub cwd: Option<String>,
    /// The class of this command alone.
    pub class: Class,
    /// The destination of its output.
    pub outlet: Outlet,
}

impl Simple {
    /// Returns the words joined by spaces, as the command would run.
    pub fn line(&self) -> String {
        let mut line = String::new();
        for (index, arg) in self.argv.iter().enumerate() {
            if index > 0 {
                line.push(' ');
            }
            line.push_str(&arg.text);
        }
        line
    }
}

/// A reason why a part of the line is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The kind of doubt.
    pub kind: Doubt,
    /// The object: a program, a path, a variable.
    pub about: String,
    /// Where.
    pub span: Span,
}

/// Kinds of things that could not be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Doubt {
    /// The line cannot be parsed or is above the limits.
    Unreadable,
    /// A program that is not in the table.
    Program,
    /// The program's name is computed.
    ProgramName,
    /// Code that is computed or comes from input: `eval "$X"`.
    Code,
    /// A script that cannot be read.
    Script,
    /// A known program whose effects depend on the project: `make`, `npm run`.
    Effects,
    /// A path that is computed.
    Path,
}

impl Doubt {
    /// Returns the sentence for it.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Unreadable => "the line cannot be read as a whole",
            Self::Program => "what this program does is not known",
            Self::ProgramName => "which program runs is decided at run time",
            Self::Code => "the code that runs is decided at run time",
            Self::Script => "the script cannot be read",
            Self::Effects => "what it changes depends on the project",
            Self::Path => "the path is decided at run time",
        }
    }
}

/// The judge of a risk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Concern {
    /// By this rule.
    Rule(RuleId),
    /// By whose tree it is whose permissions change.
    PermissionsOfTree,
    /// By whose tree it is whose owner changes.
    OwnerOfTree,
}

impl From<RuleId> for Concern {
    fn from(rule: RuleId) -> Self {
        Self::Rule(rule)
    }
}

/// Something that a rule of the guard judges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Risk {
    /// The judge of it.
    pub concern: Concern,
    /// The object: the path, the branch, the statement.
    pub about: String,
    /// Where.
    pub span: Span,
    /// Index of the command in [`Reading::commands`].
    pub command: Option<usize>,
}

/// Where reading stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Byte offset in the line.
    pub at: usize,
    /// The mistake there.
    pub what: &'static str,
}

/// The names that a line leaves behind in its shell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShellChanges {
    /// The variables that it sets, changes or removes, in alphabetical order.
    pub variables: Vec<String>,
    /// Whether it defines or removes functions or aliases.
    pub has_definitions: bool,
}

impl ShellChanges {
    /// Returns whether the next line of the same shell means what it would mean without this one.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && !self.has_definitions
    }
}

/// The effects of a command line.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, as the JSON form has them")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// Whether the line could be read as a whole.
    pub parsed: bool,
    /// Where reading stopped, if it could not.
    pub stopped_at: Option<Stop>,
    /// The strongest class of all its commands.
    pub class: Class,
    /// Every simple command, in the order they were found.
    pub commands: Vec<Simple>,
    /// Paths read.
    pub reads: Vec<PathUse>,
    /// Paths written, created ones included only when they are also overwritten.
    pub writes: Vec<PathUse>,
    /// Paths deleted, moved away included.
    pub deletes: Vec<PathUse>,
    /// Paths created: folders, links, empty files.
    pub creates: Vec<PathUse>,
    /// Whether it talks to another machine.
    pub network: bool,
    /// Whether it raises its rights.
    pub privilege: bool,
    /// Whether it runs text that came over the network.
    pub runs_fetched_code: bool,
    /// The unknown parts.
    pub unknown: Vec<Reason>,
    /// Facts for the guard's rules, before a policy.
    pub risks: Vec<Risk>,
    /// The workspace that was assumed.
    pub workspace: String,
    /// The home that was assumed.
    pub home: String,
    /// The names that a shell kept open holds for the next line.
    pub shell_changes: ShellChanges,
    /// Where steersman keeps the user's own state, if the place says so.
    pub user_state: Option<String>,
    /// Where the user moved the settings of agent programs to.
    pub moved_settings: Vec<MovedSettings>,
}

impl Reading {
    /// Returns whether it is proven that the line changes nothing.
    pub fn is_read_only(&self) -> bool {
        self.parsed && self.class == Class::ReadOnly
    }

    /// Returns whether the line may write to paths that are not in the lists.
    pub fn writes_unknown(&self) -> bool {
        !self.parsed || !self.unknown.is_empty()
    }

    /// Returns the base names of all programs, each once, in order.
    pub fn programs(&self) -> Vec<&str> {
        let mut programs: Vec<&str> = Vec::new();
        for command in &self.commands {
            if !command.program.is_empty() && !programs.contains(&command.program.as_str()) {
                programs.push(&command.program);
            }
        }
        programs
    }
}

/// A byte range of the command line that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Returns the range from `start` to `end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}
