//! Lists, pipelines and compound commands.

use crate::guard::RuleId;
use std::rc::Rc;

use super::Walker;
use super::state::{Function, State};
use crate::reading::{Class, Origin, Outlet};
use crate::syntax::{Command, Item, Join, Pipeline, Redirect, Script};
use crate::text::{Taint, Text};

impl Walker<'_> {
    /// Follows a list; returns its output.
    pub(super) fn script(&mut self, script: &Script) -> Text {
        let mut output = Text::default();
        for item in &script.items {
            let printed = self.item(item);
            output.push(&printed);
        }
        output
    }

    fn item(&mut self, item: &Item) -> Text {
        // A command behind `&&` or `||` may not run, so its assignments are only possible ones.
        let maybe = item.join != Join::Then && item.pipeline.commands.iter().all(is_assignment);
        if maybe {
            self.state.branches += 1;
        }
        let output = if item.background {
            self.subshell(|walker| walker.pipeline(&item.pipeline))
        } else {
            self.pipeline(&item.pipeline)
        };
        if maybe {
            self.state.branches -= 1;
        }
        output
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Text {
        if let [only] = pipeline.commands.as_slice() {
            return self.enter(|walker| walker.command(only)).unwrap_or_default();
        }
        let mut stream: Option<Text> = None;
        let shells = pipeline.commands.len();
        for (index, command) in pipeline.commands.iter().enumerate() {
            let input = stream.take();
            let last = index + 1 == shells;
            let run = |walker: &mut Self| {
                if let Some(input) = input {
                    walker.state.stdin = Some(input);
                }
                walker.enter(|walker| walker.command(command)).unwrap_or_default()
            };
            // Every stage is a separate shell; the files that it writes stay written.
            let first = self.n_commands();
            let output = self.subshell(run);
            if last {
                return output;
            }
            self.lead(first, Outlet::Command(self.n_commands()));
            stream = Some(output);
        }
        Text::default()
    }

    /// Follows `inner` with a copy of the state; only files written survive.
    pub(crate) fn subshell<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before: State = self.state.clone();
        let result = inner(self);
        self.end_shell(before.traps.len());
        if !Rc::ptr_eq(&before.variables, &self.state.variables) {
            self.work(before.variables.len());
        }
        let written = std::mem::take(&mut self.state.written);
        let links = std::mem::take(&mut self.state.links);
        let (cloned, unpacked) =
            (std::mem::take(&mut self.state.cloned), std::mem::take(&mut self.state.unpacked));
        self.state = State { written, cloned, unpacked, links, ..before };
        result
    }

    fn command(&mut self, command: &Command) -> Text {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Group { body, subshell, redirects } => self.redirected(redirects, |walker| {
                if *subshell { walker.subshell(|walker| walker.script(body)) } else { walker.script(body) }
            }),
            Command::If { branches, redirects } => self.redirected(redirects, |walker| {
                let mut output = Text::default();
                for (index, branch) in branches.iter().enumerate() {
                    // Conditions come first in each pair and always may run; a lone last one is `else`.
                    let is_body = index % 2 == 1 || index + 1 == branches.len();
                    let printed = if is_body { walker.branch(branch) } else { walker.script(branch) };
                    output = either(output, &printed);
                }
                output
            }),
            Command::While { condition, body, redirects } => self.redirected(redirects, |walker| {
                walker.script(condition);
                walker.branch(body)
            }),
            Command::For { name, words, body, redirects } => self.redirected(redirects, |walker| {
                let values = match words {
                    Some(words) => words.iter().flat_map(|word| walker.fields(word)).collect(),
                    None => walker.state.positional.clone(),
                };
                if !name.is_empty() {
                    if values.is_empty() {
                        walker.state.assign_any(name, vec![Text::unknown(format!("${name}"), Taint::NONE)]);
                    } else {
                        walker.state.assign_any(name, values);
                    }
                }
                walker.branch(body)
            }),
            Command::Case { subject, arms, redirects } => self.redirected(redirects, |walker| {
                walker.fields(subject);
                let mut output = Text::default();
                for (patterns, body) in arms {
                    for pattern in patterns {
                        walker.fields(pattern);
                    }
                    output = either(output, &walker.branch(body));
                }
                output
            }),
            Command::Function { name, body, span } => {
                if calls_itself_twice(body, name) {
                    self.risk(RuleId::ForkBomb, name.clone(), *span);
                    self.reading.class = Class::Destructive;
                }
                let body = Rc::new((**body).clone());
                let documents = Rc::clone(&self.documents);
                let functions = Rc::make_mut(&mut self.state.functions);
                functions.retain(|function| function.name != *name);
                let function = Function { name: name.clone(), body, documents };
                functions.push(function.clone());
                // The shell itself calls it for the first name it does not know.
                if matches!(name.as_str(), "command_not_found_handle" | "command_not_found_handler") {
                    self.subshell(|walker| drop(walker.call_function(&function, Vec::new())));
                }
                Text::default()
            }
            Command::Test { words, redirects } => self.redirected(redirects, |walker| {
                let mut fields = Vec::new();
                for word in words {
                    fields.push((walker.value(word), word.span));
                }
                walker.test(&fields);
                Text::default()
            }),
            Command::Coproc(inner) => {
                self.subshell(|walker| walker.enter(|walker| walker.command(inner)).unwrap_or_default())
            }
        }
    }

    /// Follows a body that may or may not run.
    fn branch(&mut self, body: &Script) -> Text {
        self.state.branches += 1;
        let output = self.script(body);
        self.state.branches -= 1;
        output
    }

    /// Follows `inner` with the redirections of a compound command around it.
    fn redirected(&mut self, redirects: &[Redirect], inner: impl FnOnce(&mut Self) -> Text) -> Text {
        if redirects.is_empty() {
            return inner(self);
        }
        let before = self.state.stdin.clone();
        let outlets = self.redirects(redirects);
        if let Some(input) = outlets.stdin.clone() {
            self.state.stdin = Some(input);
        }
        let first = self.n_commands();
        let output = inner(self);
        self.state.stdin = before;
        if outlets.keep() {
            self.lead(first, Outlet::Kept);
        }
        self.pour(&outlets, output)
    }

    /// Follows a function call.
    pub(super) fn call_function(&mut self, function: &Function, arguments: Vec<Text>) -> Text {
        let positional = std::mem::replace(&mut self.state.positional, arguments);
        let documents = std::mem::replace(&mut self.documents, Rc::clone(&function.documents));
        let origin = std::mem::replace(&mut self.origin, Origin::Function(function.name.clone()));
        self.stack.push(function.name.clone());
        let output = self.enter(|walker| walker.command(&function.body)).unwrap_or_default();
        self.stack.pop();
        self.origin = origin;
        self.documents = documents;
        self.state.positional = positional;
        output
    }
}

fn is_assignment(command: &Command) -> bool {
    matches!(command, Command::Simple(simple) if simple.words.is_empty())
}

/// Output of one of two branches: known only when there is nothing to choose.
fn either(first: Text, second: &Text) -> Text {
    if first.text.is_empty() {
        return second.clone();
    }
    let mut both = first;
    both.push(second);
    both
}

/// Returns whether a function starts itself more than once or in the background: a fork bomb.
fn calls_itself_twice(body: &Command, name: &str) -> bool {
    match body {
        Command::Group { body, .. } | Command::While { body, .. } | Command::For { body, .. } => {
            is_called_twice(body, name)
        }
        Command::If { branches, .. } => branches.iter().any(|branch| is_called_twice(branch, name)),
        Command::Case { arms, .. } => arms.iter().any(|(_, arm)| is_called_twice(arm, name)),
        Command::Coproc(command) => is_call(command, name) || calls_itself_twice(command, name),
        Command::Simple(_) | Command::Function { .. } | Command::Test { .. } => false,
    }
}

fn is_called_twice(script: &Script, name: &str) -> bool {
    script.items.iter().any(|item| {
        let commands = &item.pipeline.commands;
        let n_calls = commands.iter().filter(|command| is_call(command, name)).count();
        n_calls > 1
            || n_calls == 1 && item.background
            || commands.iter().any(|command| calls_itself_twice(command, name))
    })
}

fn is_call(command: &Command, name: &str) -> bool {
    matches!(command, Command::Simple(simple)
        if simple.words.first().and_then(|word| word.bare()) == Some(name))
}
