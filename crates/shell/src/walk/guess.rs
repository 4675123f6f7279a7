//! The net below the tables: a command that may begin at another word than the tables say.
//!
//! The next word behind an unlisted option may be its value, and the words of an unlisted program may be a command.
//! If a command that begins at one of the later words would be denied alone, the guard asks the user.

use super::hidden_text::{self, Search};
use super::{Call, Walker};
use crate::guard::{self, GuardDecision, Policy, RuleId};
use crate::programs;
use crate::text::Text;

/// Options of unknown programs whose value is read as text for a shell.
const TEXTS: [&str; 9] =
    ["-c", "-e", "-x", "--command", "--cmd", "--exec", "--execute", "--run", "--shell-command"];

/// So many places are tried.
const TRIES: usize = 8;

impl Walker<'_> {
    /// Asks if a command that would be denied begins at a word of `rest` other than the one at `known`.
    pub(super) fn guess(&mut self, rest: &[Text], known: usize, call: &Call) {
        if self.is_guessing {
            return;
        }
        let begins = |at: usize| at != known && programs::is_program(&rest[at].text);
        let found = (0..rest.len())
            .filter(|at| begins(*at))
            .take(TRIES)
            .find(|at| self.would_be_denied(|walker| walker.invoke(rest[*at..].to_vec(), call.span)))
            .or_else(|| {
                let is_option = |at: usize| at > 0 && TEXTS.contains(&rest[at - 1].text.as_str());
                // `salt '*' cmd.run 'rm -rf /'`: a word may be a whole command.
                let is_text = |text: &str| {
                    text.split_once(' ').is_some_and(|(program, _)| programs::is_program(program))
                };
                let texts = (0..rest.len()).filter(|at| {
                    rest[*at].text.contains(' ') && (is_option(*at) || is_text(&rest[*at].text))
                });
                texts
                    .take(TRIES)
                    .find(|at| self.would_be_denied(|walker| walker.run_text(&rest[*at], call, &call.name)))
            });
        if found.is_none() {
            let has_row = programs::find(&call.name).is_some_and(|program| !program.name.is_empty());
            let search = if has_row { Search::Quotes } else { Search::Everything };
            let input = self.state.stdin.clone().filter(Text::is_known);
            // `scons -f <(echo …)`: the file is text that this line prints.
            let printed = rest
                .iter()
                .filter(|word| word.text.contains("/dev/fd/"))
                .filter_map(|word| self.content_of(word))
                .filter(Text::is_known);
            let words: Vec<Text> =
                rest.iter().filter(|word| word.is_known()).cloned().chain(printed).chain(input).collect();
            let hidden = words.iter().find_map(|word| {
                hidden_text::texts(&word.text, search).into_iter().take(TRIES).find(|text| {
                    self.would_be_denied(|walker| walker.run_text(&Text::known(*text), call, &call.name))
                })
            });
            if let Some(text) = hidden {
                let about = text.chars().take(60).collect::<String>();
                self.risk(RuleId::HiddenCommand, about, call.span);
            }
        }
        if let Some(at) = found {
            let about: Vec<&str> = rest[at..].iter().take(6).map(|word| word.text.as_str()).collect();
            self.risk(RuleId::HiddenCommand, about.join(" "), call.span);
        }
    }

    /// Follows `inner` apart from this reading and judges it alone.
    pub(crate) fn would_be_denied(&self, inner: impl FnOnce(&mut Walker<'_>) -> Text) -> bool {
        let mut walker = Walker::new(self.place);
        walker.state = self.state.clone();
        walker.site = self.site;
        walker.line_length = self.line_length;
        walker.is_guessing = true;
        inner(&mut walker);
        guard::judge(&walker.finish(), &Policy::default()).verdict == GuardDecision::Deny
    }
}
