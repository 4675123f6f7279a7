//! Where our entries stand in a settings file.

use jsonc_parser::ast::{Array, Object, StringLit, Value};
use jsonc_parser::common::Range;

use super::command_line::{Invocation, words};
use super::document::{Container, Document, last};
use super::remove::{came_with_their_only_item, remove};

/// The keys under which some host looks for a command line.
const COMMAND_KEYS: [&str; 7] =
    ["command", "bash", "powershell", "windows", "linux", "osx", "commandWindows"];

/// One entry of ours, and the way to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    /// The host's event key it stands under.
    pub(super) key: String,
    /// What its command says.
    pub(super) invocation: Invocation,
    /// The command as it stands there.
    pub(super) command: String,
    /// The entry's braces.
    pub(super) entry: Range,
    /// The literal to replace when only the command line changes; `None` when the
    /// entry spells its command in another way than we do.
    pub(super) literal: Option<Range>,
    way: Way,
}

/// Which property, which element, which element of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    hooks: usize,
    list: usize,
    element: usize,
    grouped: Option<usize>,
}

impl Found {
    /// Finds all entries of ours, in the order of the text, whichever host's shape
    /// they have. Whatever is not shaped like a hook is not ours and passed over.
    pub(super) fn all(document: &Document<'_>) -> Vec<Self> {
        let mut all = Vec::new();
        for (hooks, property) in document.root.properties.iter().enumerate() {
            let Some(object) = property.value.as_object().filter(|_| property.name.as_str() == "hooks")
            else {
                continue;
            };
            for (list, event) in object.properties.iter().enumerate() {
                let Some(array) = event.value.as_array() else { continue };
                for (element, value) in array.elements.iter().enumerate() {
                    let Some(object) = value.as_object() else { continue };
                    let way = Way { hooks, list, element, grouped: None };
                    all.extend(Self::read(event.name.as_str(), object, way));
                    let group = object.get_array("hooks").map_or(&[][..], |group| &group.elements);
                    for (index, value) in group.iter().enumerate() {
                        let Some(object) = value.as_object() else { continue };
                        all.extend(Self::read(
                            event.name.as_str(),
                            object,
                            Way { grouped: Some(index), ..way },
                        ));
                    }
                }
            }
        }
        all
    }

    fn read(key: &str, entry: &Object<'_>, way: Way) -> Option<Self> {
        let args = last(entry, "args").and_then(Value::as_array);
        COMMAND_KEYS.into_iter().find_map(|command_key| {
            let command = last(entry, command_key)?.as_string_lit()?;
            let invocation = Invocation::of(&all_words(command, args))?;
            Some(Self {
                key: key.to_owned(),
                invocation,
                command: command.value.to_string(),
                entry: entry.range,
                literal: (command_key == "command" && args.is_none()).then_some(command.range),
                way,
            })
        })
    }

    /// Returns the text without this entry, and without what was only there for it.
    pub(super) fn removed_from(&self, document: &Document<'_>) -> String {
        let Document { text, root } = document;
        let Way { hooks, list, element, grouped } = self.way;
        let Some(hooks_object) = root.properties.get(hooks).and_then(|property| property.value.as_object())
        else {
            return (*text).to_owned();
        };
        let Some(array) = hooks_object.properties.get(list).and_then(|property| property.value.as_array())
        else {
            return (*text).to_owned();
        };
        let group =
            array.elements.get(element).and_then(Value::as_object).and_then(|group| group.get_array("hooks"));
        if let (Some(index), Some(group)) = (grouped, group)
            && group.elements.len() > 1
        {
            return remove(text, &group.into(), index);
        }
        let steps: [(Container, usize); 2] = [(array.into(), element), (hooks_object.into(), list)];
        for (container, index) in &steps {
            if !came_with_their_only_item(text, container) {
                return remove(text, container, *index);
            }
        }
        remove(text, &root.into(), hooks)
    }
}

/// Returns the words of a command, with those of the form that needs no shell.
fn all_words(command: &StringLit<'_>, args: Option<&Array<'_>>) -> Vec<String> {
    let Some(args) = args else { return words(&command.value) };
    let args = args.elements.iter().filter_map(|arg| Some(arg.as_string_lit()?.value.to_string()));
    std::iter::once(command.value.to_string()).chain(args).collect()
}
