//! Finds our entries in a settings file.

use config_file::jsonc::{Array, Object, Range, Ranged, StringLit, Value};

use super::command_line::{DispatchCommand, words};
use super::document::{Container, Document, last};
use super::remove::{came_with_their_only_item, remove};

/// The keys under which some host expects a command line.
const COMMAND_KEYS: [&str; 7] =
    ["command", "bash", "powershell", "windows", "linux", "osx", "commandWindows"];

/// One of our entries, and its position.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct OwnEntry {
    /// The host's event key.
    pub(super) key: String,
    /// Its parsed command.
    pub(super) parsed: DispatchCommand,
    /// Its command as written.
    pub(super) command: String,
    /// The range of the entry's object.
    pub(super) entry: Range,
    /// The key of the command.
    pub(super) command_key: &'static str,
    /// The literal to replace if only the command line changes; `None` if the entry has its command
    /// in another form than ours.
    pub(super) literal: Option<Range>,
    /// The value of its `timeout`.
    pub(super) timeout: Option<Range>,
    way: Way,
}

/// The indexes of the property, the element, and the element of its group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Way {
    hooks: usize,
    list: usize,
    element: usize,
    grouped: Option<usize>,
}

impl OwnEntry {
    /// Finds all of our entries, in the order of the text, in the format of any host. Skips values
    /// without the format of a hook.
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
            let parsed = DispatchCommand::of(&all_words(command, args))?;
            Some(Self {
                key: key.to_owned(),
                parsed,
                command: command.value.to_string(),
                entry: entry.range,
                command_key,
                literal: args.is_none().then_some(command.range),
                timeout: last(entry, "timeout").map(Ranged::range),
                way,
            })
        })
    }

    /// Returns the text without this entry, and without brackets that were added for it.
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

/// Returns the words of a command, including those of the form without a shell.
fn all_words(command: &StringLit<'_>, args: Option<&Array<'_>>) -> Vec<String> {
    let Some(args) = args else { return words(&command.value) };
    let args = args.elements.iter().filter_map(|arg| Some(arg.as_string_lit()?.value.to_string()));
    std::iter::once(command.value.to_string()).chain(args).collect()
}
