//! The state of the shell at a point of the line: variables, functions, folder, files written.

use std::rc::Rc;

use crate::limits::MAX_ALTERNATIVES;
use crate::place::TypedInput;
use crate::reading::ShellChanges;
use crate::syntax::{Command, Piece};
use crate::text::Text;

/// A function body together with the here-documents it points to.
#[derive(Clone)]
pub(super) struct Function {
    pub name: String,
    pub body: Rc<Command>,
    pub documents: Rc<Vec<Vec<Piece>>>,
}

/// A variable: the values it may have at this point, one or several.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Variable {
    pub name: String,
    pub values: Vec<Text>,
    /// Elements, when it is an array.
    pub elements: Option<Vec<Text>>,
}

/// A file the line wrote before, with its content as far as known.
#[derive(Clone)]
pub(super) struct Written {
    pub path: String,
    pub content: Text,
}

/// The part of the state that outlives a line in a shell that stays open.
pub(super) struct Kept {
    pub variables: Rc<Vec<Variable>>,
    pub functions: Rc<Vec<Function>>,
    pub aliases: Vec<(String, String)>,
}

/// The state of the shell.
#[derive(Clone, Default)]
pub(super) struct State {
    pub cwd: Option<String>,
    pub previous: Option<String>,
    pub folders: Vec<Option<String>>,
    /// Whether `cd` follows links before `..`: after `set -P`.
    pub is_physical: bool,
    /// Shared between subshells until one of them assigns.
    pub variables: Rc<Vec<Variable>>,
    pub functions: Rc<Vec<Function>>,
    pub aliases: Vec<(String, String)>,
    pub positional: Vec<Text>,
    pub written: Vec<Written>,
    /// Names that stand for other variables: `declare -n name=other`.
    pub references: Vec<(String, String)>,
    /// Remotes of git that the line added.
    pub remotes: Vec<String>,
    /// Folders into which the line cloned a repository of another machine.
    pub cloned: Vec<String>,
    /// Folders into which the line unpacked a download.
    pub unpacked: Vec<String>,
    /// Links the line made: name and target.
    pub links: Vec<(String, String)>,
    /// Text on standard input, when something is known about it.
    pub stdin: Option<Text>,
    /// Whether input that is typed into the next command can be judged when it comes.
    pub typed: TypedInput,
    /// Functions and aliases that more than one earlier line defines: which of them ran is not known.
    pub redefined: Vec<String>,
    /// Commands that run when this shell ends.
    pub traps: Vec<super::trap::Trap>,
    /// Inside a branch that may not run: assignments add a value instead of replacing.
    pub branches: usize,
}

impl State {
    pub(super) fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().rev().find(|variable| variable.name == name)
    }

    /// Assigns; in a branch the old values stay possible.
    pub(super) fn assign(&mut self, name: &str, value: Text) {
        let in_branch = self.branches > 0;
        match Rc::make_mut(&mut self.variables).iter_mut().find(|variable| variable.name == name) {
            Some(variable) if in_branch && !variable.values.contains(&value) => {
                if variable.values.len() < MAX_ALTERNATIVES {
                    variable.values.push(value);
                }
            }
            Some(variable) => {
                variable.values = vec![value];
                variable.elements = None;
            }
            None => Rc::make_mut(&mut self.variables).push(Variable {
                name: name.to_owned(),
                values: vec![value],
                elements: None,
            }),
        }
    }

    /// Gives a variable several possible values.
    pub(super) fn assign_any(&mut self, name: &str, mut values: Vec<Text>) {
        if values.len() > MAX_ALTERNATIVES {
            // Keep some of both ends: a loop treats its first value like its last.
            let tail = values.split_off(values.len() - MAX_ALTERNATIVES / 2);
            values.truncate(MAX_ALTERNATIVES - tail.len());
            values.extend(tail);
        }
        let variables = Rc::make_mut(&mut self.variables);
        variables.retain(|variable| variable.name != name);
        variables.push(Variable { name: name.to_owned(), values, elements: None });
    }

    /// Sets the elements of the variable that was just assigned.
    pub(super) fn set_elements(&mut self, name: &str, elements: Option<Vec<Text>>) {
        let variables = Rc::make_mut(&mut self.variables);
        if let Some(variable) = variables.iter_mut().find(|variable| variable.name == name) {
            variable.elements = elements;
        }
    }

    pub(super) fn assign_array(&mut self, name: &str, elements: Vec<Text>, append: bool) {
        let mut all = Vec::new();
        if append && let Some(old) = self.variable(name) {
            all = old.elements.clone().unwrap_or_else(|| old.values.clone());
        }
        all.extend(elements);
        let first = all.first().cloned().unwrap_or_default();
        let variables = Rc::make_mut(&mut self.variables);
        variables.retain(|variable| variable.name != name);
        variables.push(Variable { name: name.to_owned(), values: vec![first], elements: Some(all) });
    }

    /// Gives a variable the value it had before, or takes it away if it had none.
    pub(super) fn put_back(&mut self, name: &str, before: Option<Variable>) {
        let variables = Rc::make_mut(&mut self.variables);
        variables.retain(|variable| variable.name != name);
        variables.extend(before);
    }

    pub(super) fn unset(&mut self, name: &str) {
        Rc::make_mut(&mut self.variables).retain(|variable| variable.name != name);
        Rc::make_mut(&mut self.functions).retain(|function| function.name != name);
    }

    /// Returns the part of the state that a shell kept open holds for the next line.
    pub(super) fn kept(&self) -> Kept {
        Kept {
            variables: Rc::clone(&self.variables),
            functions: Rc::clone(&self.functions),
            aliases: self.aliases.clone(),
        }
    }

    /// Returns the names that were set, changed or removed since.
    pub(super) fn changes_since(&self, before: &Kept) -> ShellChanges {
        let mut changes = ShellChanges {
            has_definitions: self.aliases != before.aliases
                || !Rc::ptr_eq(&self.functions, &before.functions),
            ..ShellChanges::default()
        };
        if !Rc::ptr_eq(&self.variables, &before.variables) {
            let missing = |variable: &&Variable, from: &[Variable]| !from.contains(variable);
            let set = self.variables.iter().filter(|it| missing(it, &before.variables));
            let lost = before.variables.iter().filter(|it| missing(it, &self.variables));
            changes.variables = set.chain(lost).map(|variable| variable.name.clone()).collect();
            changes.variables.sort_unstable();
            changes.variables.dedup();
        }
        changes
    }

    /// Remembers the content of a file.
    pub(super) fn write(&mut self, path: &str, content: Text, append: bool) {
        if let Some(written) = self.written.iter_mut().find(|written| written.path == path) {
            if append {
                written.content.push(&content);
            } else {
                written.content = content;
            }
        } else {
            self.written.push(Written { path: path.to_owned(), content });
        }
    }

    pub(super) fn content(&self, path: &str) -> Option<&Text> {
        self.written.iter().rev().find(|written| written.path == path).map(|written| &written.content)
    }
}
