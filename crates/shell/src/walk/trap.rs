//! `trap`: commands that run later, with the values that variables have then.

use super::{Call, Walker};
use crate::reading::{Origin, Span};
use crate::text::Text;

/// A command that runs when the shell ends.
#[derive(Clone)]
pub(super) struct Trap {
    text: String,
    span: Span,
}

/// Traps that a trap sets while it runs are followed so many times.
const ROUNDS: usize = 4;

impl Walker<'_> {
    /// Follows the command of a trap, or keeps it for the end of the shell.
    pub(super) fn trap(&mut self, text: String, call: &Call) {
        let runs_often =
            call.rest().iter().any(|word| matches!(word.text.as_str(), "DEBUG" | "ERR" | "RETURN"));
        let follow = |walker: &mut Walker<'_>, text: &str| {
            walker.subshell(|walker| walker.text(text, call.span, Origin::Text("trap".to_owned())))
        };
        // A signal may arrive at any time: values of now that would be denied count, too.
        if runs_often || self.would_be_denied(|walker| follow(walker, &text)) {
            follow(self, &text);
        }
        if !runs_often {
            self.state.traps.push(Trap { text, span: call.span });
        }
    }

    /// Follows the traps that the shell that ends has set beyond the first `n_outer`.
    pub(super) fn end_shell(&mut self, n_outer: usize) {
        for _ in 0..ROUNDS {
            if self.state.traps.len() <= n_outer {
                return;
            }
            for trap in self.state.traps.split_off(n_outer) {
                let output: Text = self.text(&trap.text, trap.span, Origin::Text("trap".to_owned()));
                drop(output);
            }
        }
    }
}
