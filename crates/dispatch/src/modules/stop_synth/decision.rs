//! What people and plans decided in a session.

/// A decision that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    /// When.
    pub ts: u64,
    /// In which turn.
    pub turn: u64,
    /// In which piece of work.
    pub work: String,
    /// What it was about.
    pub what: String,
    /// Why, if it was said.
    pub why: Option<String>,
    /// How it came about.
    pub way: Way,
}

/// How a decision came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Way {
    /// A person was asked, and the call ran.
    Approved {
        /// The module that asked.
        by: String,
    },
    /// A person permitted a refused call with `steersman session allow`.
    Permitted,
    /// A person lifted a block.
    Unblocked,
    /// A plan was accepted.
    Plan,
    /// A module of the project said so, by a `DECISION` of its own.
    Stated,
}

impl Way {
    /// Returns the word for programs.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Approved { .. } => "approved",
            Self::Permitted => "permitted",
            Self::Unblocked => "unblocked",
            Self::Plan => "plan",
            Self::Stated => "stated",
        }
    }

    /// Returns the sentence for people.
    pub(super) fn sentence(&self) -> String {
        match self {
            Self::Approved { by } => format!("`{by}` asked, and a person let it run."),
            Self::Permitted => "It had been refused, and a person permitted it once.".to_owned(),
            Self::Unblocked => "The work was blocked, and a person lifted the block.".to_owned(),
            Self::Plan => "The plan was accepted.".to_owned(),
            Self::Stated => "A module of the project recorded it.".to_owned(),
        }
    }
}
