//! The decisions of users and plans in a session.

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionDecision {
    /// When.
    pub ts: u64,
    /// In which turn.
    pub turn: u64,
    /// In which piece of work.
    pub work: String,
    /// Its subject.
    pub what: String,
    /// The reason, if it is known.
    pub why: Option<String>,
    /// Its origin.
    pub origin: DecisionOrigin,
}

/// The origin of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DecisionOrigin {
    /// The user was asked, and the call ran.
    Approved {
        /// The module that asked.
        by: String,
    },
    /// A user permitted a denied call with `steersman session allow`.
    Permitted,
    /// A user lifted a block.
    Unblocked,
    /// A plan was accepted.
    Plan,
    /// A module of the project emitted a `DECISION`.
    Stated,
}

impl DecisionOrigin {
    /// Returns the word for programs.
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::Approved { .. } => "approved",
            Self::Permitted => "permitted",
            Self::Unblocked => "unblocked",
            Self::Plan => "plan",
            Self::Stated => "stated",
        }
    }

    /// Returns the sentence for people.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Approved { by } => format!("`{}` asked, and the user permitted it.", event::plain_name(by)),
            Self::Permitted => "It had been denied, and the user permitted it once.".to_owned(),
            Self::Unblocked => "The work was blocked, and the user lifted the block.".to_owned(),
            Self::Plan => "The plan was accepted.".to_owned(),
            Self::Stated => "A module of the project recorded it.".to_owned(),
        }
    }
}
