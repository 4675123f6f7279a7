//! The syntax tree of a command line.

use crate::reading::Span;

/// Commands one after another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub items: Vec<Item>,
}

/// A pipeline and how it is joined to the one before.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub join: Join,
    pub pipeline: Pipeline,
    pub background: bool,
}

/// How a pipeline follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    Then,
    And,
    Or,
}

/// Commands whose output feeds the next one.
#[derive(Debug, Clone)]
pub(crate) struct Pipeline {
    pub commands: Vec<Command>,
}

/// One command of a pipeline.
#[derive(Debug, Clone)]
pub(crate) enum Command {
    Simple(Simple),
    /// `( … )` and `{ …; }`.
    Group {
        body: Script,
        subshell: bool,
        redirects: Vec<Redirect>,
    },
    /// `if`/`elif`/`else`: conditions and bodies in order, each may run.
    If {
        branches: Vec<Script>,
        redirects: Vec<Redirect>,
    },
    /// `while`, `until`.
    While {
        condition: Script,
        body: Script,
        redirects: Vec<Redirect>,
    },
    /// `for`, `select`; `words` is `None` for `for x; do`.
    For {
        name: String,
        words: Option<Vec<Word>>,
        body: Script,
        redirects: Vec<Redirect>,
    },
    Case {
        subject: Word,
        arms: Vec<(Vec<Word>, Script)>,
        redirects: Vec<Redirect>,
    },
    Function {
        name: String,
        body: Box<Command>,
        span: Span,
    },
    /// `(( … ))`, `[[ … ]]`, and the head of `for (( … ))`: only substitutions run.
    Test {
        words: Vec<Word>,
        redirects: Vec<Redirect>,
    },
    Coproc(Box<Command>),
}

/// Assignments, words and redirections.
#[derive(Debug, Clone, Default)]
pub(crate) struct Simple {
    pub assigns: Vec<Assign>,
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
    pub span: Span,
}

/// `name=value`, `name+=value`, `name[i]=value`, `name=(…)`.
#[derive(Debug, Clone)]
pub(crate) struct Assign {
    pub name: String,
    pub append: bool,
    pub value: AssignValue,
}

/// The right-hand side of an assignment.
#[derive(Debug, Clone)]
pub(crate) enum AssignValue {
    Scalar(Word),
    Array(Vec<Word>),
}

/// A redirection.
#[derive(Debug, Clone)]
pub(crate) struct Redirect {
    pub operator: Operator,
    /// The descriptor in front of the operator, if one was written.
    pub descriptor: Option<u32>,
    pub target: Target,
}

/// Which way a redirection goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operator {
    Read,
    Write,
    Append,
    ReadWrite,
    /// `&>` and `&>>`.
    Both,
    /// `>&` and `<&`.
    Duplicate,
    HereString,
    HereDoc,
}

/// Where a redirection goes to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Word(Word),
    /// Index into the parser's documents until [`crate::syntax::parse`] fills it in.
    HereDoc(HereDoc),
}

/// The body of a here-document, as pieces (one literal when its delimiter was quoted).
#[derive(Debug, Clone, Default)]
pub(crate) struct HereDoc {
    pub index: usize,
}

/// A word with its quoting.
#[derive(Debug, Clone, Default)]
pub(crate) struct Word {
    pub pieces: Vec<Piece>,
    pub span: Span,
}

/// A part of a word.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    /// Unquoted text: tilde, braces and globs are alive in it.
    Bare(String),
    /// Text from quotes or escapes: nothing is alive in it.
    Quoted(String),
    /// `"…"`.
    Double(Vec<Piece>),
    Param(Box<Param>),
    /// `$(…)`, `` `…` `` and `${ …; }`.
    Command(Script),
    /// `<(…)` and `>(…)`; `reads` is true for the first.
    Process {
        body: Script,
        reads: bool,
    },
    /// `$((…))`; only the substitutions in it matter.
    Arithmetic(Vec<Piece>),
}

/// `$name` or `${name…}`.
#[derive(Debug, Clone)]
pub(crate) struct Param {
    pub name: String,
    /// `${!name}`.
    pub indirect: bool,
    /// `${#name}`.
    pub length: bool,
    /// Anything behind the name, such as `:-`, `#`, `%%`, `//`, `^^`, `@Q`, `[…]` removed.
    pub operator: String,
    pub argument: Vec<Piece>,
    /// As written, for messages about unknown values.
    pub source: String,
}

impl Word {
    /// Returns the text when the word is plain, unquoted and constant.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Bare(text)] => Some(text),
            _ => None,
        }
    }
}
