//! The net below the tables: a command that may begin at another word than the tables say.
//!
//! The next word behind an unlisted option may be its value, and the words of an unlisted program may be a command.
//! If a command that begins at one of the later words would be denied alone, the guard asks the user.

use super::{Call, Walker};
use crate::guard::{self, GuardDecision, Policy, RuleId};
use crate::programs;
use crate::text::Text;

/// Options of unknown programs whose value is read as text for a shell.
const TEXTS: [&str; 9] =
    ["-c", "-e", "-x", "--command", "--cmd", "--exec", "--execute", "--run", "--shell-command"];

/// Longer words are data.
const MAX_CODE: usize = 2000;

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
            let input = self.state.stdin.clone().filter(Text::is_known);
            let hidden = rest.iter().chain(&input).filter(|word| word.is_known()).find_map(|word| {
                quoted(&word.text).into_iter().take(TRIES).find(|text| {
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

/// Returns the texts between quotes in a word that begin with a program: the code of a language that no table lists
/// (`gnuplot -e 'system("rm -rf x")'`). A quote behind a space is prose, unless the word is a list of Lisp.
fn quoted(word: &str) -> Vec<&str> {
    if word.len() > MAX_CODE || !word.contains(['(', '{', '=']) {
        return Vec::new();
    }
    let is_lisp = word.trim_start().starts_with('(');
    let begins = |at: usize| {
        let front = &word[..at];
        front.ends_with(['(', '{', '[', '=', ',', ':'])
            || front.ends_with(' ') && (is_lisp || front.trim_end().ends_with([',', '(', '[']))
    };
    let texts =
        word.match_indices(['"', '\'', '`']).filter(|(at, _)| begins(*at)).filter_map(|(at, quote)| {
            let text = word[at + 1..].split(quote).next()?.trim();
            let (program, _) = text.split_once(' ')?;
            programs::is_program(crate::walk::base_name(program)).then_some(text)
        });
    texts.collect()
}
