//! Lines that ran before in a shell that stays open: their functions, aliases and variables hold for the next line.
//!
//! INVARIANT: an earlier line only adds possibilities. It may have failed, the user may have refused it, or the host may
//! have opened another shell: a variable may still be unset, a name may still be the program of that name.

use std::rc::Rc;

use super::Walker;
use super::state::State;
use crate::reading::{Class, Doubt, Reading, Span};
use crate::syntax;
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Follows earlier lines for the definitions they leave behind, and forgets their effects.
    pub(crate) fn earlier(&mut self, lines: &str) -> &mut Self {
        if lines.is_empty() {
            return self;
        }
        let fresh = self.state.clone();
        let facts = Reading {
            parsed: true,
            workspace: self.reading.workspace.clone(),
            home: self.reading.home.clone(),
            user_state: self.reading.user_state.clone(),
            moved_settings: self.reading.moved_settings.clone(),
            ..Reading::default()
        };
        for line in lines.split('\0').filter(|line| !line.is_empty()) {
            let Ok(parsed) = syntax::parse(line, syntax::Origin::Within(Span::new(0, 0))) else {
                continue;
            };
            self.documents = Rc::new(parsed.documents);
            let before = self.state.kept();
            self.state.cwd.clone_from(&fresh.cwd);
            self.script(&parsed.script);
            // The same definition again is no doubt; another one is.
            for (name, value) in &before.aliases {
                let now = self.state.aliases.iter().find(|(known, _)| known == name);
                if now.is_some_and(|(_, now)| now != value) {
                    self.state.redefined.push(name.clone());
                }
            }
            for known in before.functions.iter() {
                let now = self.state.functions.iter().find(|function| function.name == known.name);
                if now.is_some_and(|now| !Rc::ptr_eq(&now.body, &known.body)) {
                    self.state.redefined.push(known.name.clone());
                }
            }
        }
        let mut kept = std::mem::take(&mut self.state);
        for variable in Rc::make_mut(&mut kept.variables).iter_mut() {
            // Without the earlier line the variable is what any unset variable is.
            let unset = Text::unknown(format!("${}", variable.name), Taint::NONE);
            if !variable.values.contains(&unset) {
                variable.values.push(unset);
            }
        }
        self.state = State {
            variables: kept.variables,
            functions: kept.functions,
            aliases: kept.aliases,
            references: kept.references,
            redefined: kept.redefined,
            ..fresh
        };
        self.reading = facts;
        self.opened_class = Class::ReadOnly;
        (self.worked, self.copied, self.parsed_bytes, self.overrun) = (0, 0, 0, None);
        self.git_answers.clear();
        self.doubt_kept_variables();
        self
    }

    /// Records a doubt about a function or an alias that earlier lines define in different ways.
    pub(super) fn doubt_redefined(&mut self, name: &str, command: usize, span: Span) {
        if self.state.redefined.iter().any(|known| known == name) {
            self.classify(command, Class::Unknown);
            self.doubt(Doubt::Code, name, span);
        }
    }

    /// Programs of the next line read these variables, whatever that line says.
    fn doubt_kept_variables(&mut self) {
        let span = Span::new(0, 0);
        for variable in Rc::clone(&self.state.variables).iter() {
            self.sets_for_shell(&variable.name, span);
            let n_commands = self.reading.commands.len();
            for value in variable.values.iter().filter(|value| value.is_known()) {
                self.hook_variable(&variable.name, value, span);
            }
            // The user has answered for the line that set it; here it only means that programs may do more.
            let runs = !self.reading.risks.is_empty() || self.reading.commands.len() > n_commands;
            self.reading.risks.clear();
            self.reading.commands.clear();
            if runs && self.reading.class == Class::ReadOnly {
                self.doubt(Doubt::Effects, variable.name.clone(), span);
            }
        }
    }
}
