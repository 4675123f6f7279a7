//! One reason why a call is without bounds.

use super::Rule;

/// A rule that holds for a call, and what it was about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub rule: Rule,
    /// The command, folder, file or address.
    pub about: String,
    /// What is wrong, as a sentence without its end.
    pub text: String,
}

impl Finding {
    /// Says to the model what is wrong and what to do instead.
    pub(super) fn sentence(&self) -> String {
        format!("{} (rule `{}`). Instead: {}.", self.text, self.rule.id(), self.rule.hint())
    }
}
