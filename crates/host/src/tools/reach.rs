//! The extent of a search, read or fetch call, by its input.

use event::{Access, ToolCall};
use serde_json::Value;

use super::input_facts::texts;
use super::tool::{InputField, Tool};
use crate::Host;

/// The bounds of a call, given or missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Searches the content of files.
    Content {
        /// The folders it searches; empty means the whole workspace.
        folders: Vec<String>,
        /// The files it searches: patterns, or the host's names for kinds of files.
        includes: Vec<String>,
        /// The maximum number of results.
        limit: Option<u64>,
        /// Whether it includes ignored files.
        ignored: bool,
        /// Whether it prints lines, not only names of files.
        lines: bool,
    },
    /// Lists or reads every file that matches a pattern.
    Files {
        /// The folders it searches; empty means the whole workspace.
        folders: Vec<String>,
        /// The patterns.
        patterns: Vec<String>,
        /// The maximum number of results.
        limit: Option<u64>,
        /// Whether it includes ignored files.
        ignored: bool,
    },
    /// Reads one file.
    File {
        /// Whether it reads only a part.
        part: bool,
    },
    /// Fetches pages.
    Pages {
        /// How many pages.
        n_addresses: usize,
        /// Whether it returns only the answer to a question.
        question: bool,
    },
}

/// Returns the extent of a call. Returns `None` for tools without fields to bound them.
pub fn reach(host: Host, call: &ToolCall) -> Option<Reach> {
    let tool = super::find(host, &call.name)?;
    let fields = Fields { tool, input: &call.input };
    let reads = call.touches.iter().filter(|touch| touch.access == Access::Read);
    let folders = || reads.map(|touch| touch.path.clone()).collect();
    if fields.knows(|fields| matches!(fields, InputField::Addresses(_))) {
        return Some(Reach::Pages {
            n_addresses: fields
                .texts(|fields| match fields {
                    InputField::Addresses(place) => Some(place),
                    _ => None,
                })
                .len(),
            question: fields.any(|fields| match fields {
                InputField::Question(place) => Some(place),
                _ => None,
            }),
        });
    }
    if fields.knows(|fields| matches!(fields, InputField::Lists(_) | InputField::ListsAnywhere(_))) {
        let mut patterns = fields.texts(|fields| match fields {
            InputField::Lists(place) => Some(place),
            _ => None,
        });
        let anywhere = fields.texts(|fields| match fields {
            InputField::ListsAnywhere(place) => Some(place),
            _ => None,
        });
        let deep = |pattern: String| if pattern.contains('/') { pattern } else { format!("**/{pattern}") };
        patterns.extend(anywhere.into_iter().map(deep));
        // In tools whose patterns are also paths, they are not the searched folders.
        let listed = |folder: &String| !patterns.contains(folder);
        let folders: Vec<String> = folders();
        return Some(Reach::Files {
            folders: folders.into_iter().filter(listed).collect(),
            limit: fields.limit(),
            ignored: fields.ignored(),
            patterns,
        });
    }
    if fields.knows(|fields| matches!(fields, InputField::Includes(_))) {
        return Some(Reach::Content {
            folders: folders(),
            includes: fields.texts(|fields| match fields {
                InputField::Includes(place) | InputField::FileType(place) => Some(place),
                _ => None,
            }),
            limit: fields.limit(),
            ignored: fields.ignored(),
            lines: fields.lines(),
        });
    }
    fields.knows(|fields| matches!(fields, InputField::Part(_))).then(|| Reach::File {
        part: fields.any(|fields| match fields {
            InputField::Part(place) => Some(place),
            _ => None,
        }),
    })
}

/// The fields of one call, by their roles.
struct Fields<'a> {
    tool: &'a Tool,
    input: &'a Value,
}

impl Fields<'_> {
    fn knows(&self, is: impl Fn(&InputField) -> bool) -> bool {
        self.tool.fields.iter().any(is)
    }

    fn given(&self, place: impl Fn(&InputField) -> Option<&'static str>) -> impl Iterator<Item = &Value> {
        let places = self.tool.fields.iter().filter_map(place);
        places.filter_map(|place| at(self.input, place)).filter(|value| !value.is_null())
    }

    /// Returns whether one of them exists and is not empty.
    fn any(&self, place: impl Fn(&InputField) -> Option<&'static str>) -> bool {
        self.given(place).any(|value| value.as_str() != Some(""))
    }

    fn texts(&self, place: impl Fn(&InputField) -> Option<&'static str>) -> Vec<String> {
        let places = self.tool.fields.iter().filter_map(place);
        let found = places.flat_map(|place| texts(self.input, place)).filter(|text| !text.is_empty());
        found.map(str::to_owned).collect()
    }

    /// Returns the smallest limit; hosts read 0 as no limit.
    fn limit(&self) -> Option<u64> {
        let limits = self.given(|fields| match fields {
            InputField::Limit(place) => Some(place),
            _ => None,
        });
        let number = |value: &Value| {
            let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok());
            number.map(|number| if number == 0 { u64::MAX } else { number })
        };
        limits.filter_map(number).min()
    }

    fn ignored(&self) -> bool {
        let is = |value: &Value, truth: bool| {
            value.as_bool() == Some(truth) || value.as_str() == Some(if truth { "true" } else { "false" })
        };
        let mut included = self.given(|fields| match fields {
            InputField::Ignored(place) => Some(place),
            _ => None,
        });
        let mut respected = self.given(|fields| match fields {
            InputField::RespectsIgnore(place) => Some(place),
            _ => None,
        });
        included.any(|value| is(value, true)) || respected.any(|value| is(value, false))
    }

    fn lines(&self) -> bool {
        let as_wanted = |fields: &InputField| match fields {
            InputField::LinesIf(place, wanted) => {
                at(self.input, place).and_then(Value::as_str) == Some(*wanted)
            }
            InputField::NamesOnly(place) => at(self.input, place).and_then(Value::as_bool) != Some(true),
            _ => true,
        };
        self.tool.fields.iter().all(as_wanted)
    }
}

/// Returns the value at a location such as `limit` or `options.limit`.
fn at<'a>(input: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('.').try_fold(input, |value, key| value.get(key))
}
