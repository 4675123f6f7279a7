//! How far a call of a search, read or fetch tool reaches, as its input says.

use event::{Access, ToolCall};
use serde_json::Value;

use super::findings::texts;
use super::tool::{Says, Tool};
use crate::Host;

/// What bounds a call, or would if it were given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Searches the content of files.
    Content {
        /// Where it looks; nothing is the whole workspace.
        folders: Vec<String>,
        /// Which files it looks into: patterns, or the host's words for kinds of files.
        includes: Vec<String>,
        /// How many results there are at most.
        limit: Option<u64>,
        /// Ignored files are looked at too.
        ignored: bool,
        /// It prints lines, not only names of files.
        lines: bool,
    },
    /// Lists or reads every file that fits a pattern.
    Files {
        /// Where it looks; nothing is the whole workspace.
        folders: Vec<String>,
        /// The patterns.
        patterns: Vec<String>,
        /// How many results there are at most.
        limit: Option<u64>,
        /// Ignored files are looked at too.
        ignored: bool,
    },
    /// Reads one file.
    File {
        /// Only a part of it.
        part: bool,
    },
    /// Fetches pages.
    Pages {
        /// How many.
        n_addresses: usize,
        /// Only what answers a question is returned.
        question: bool,
    },
}

/// Returns how far a call reaches; nothing for tools that have no fields to bound them.
pub fn reach(host: Host, call: &ToolCall) -> Option<Reach> {
    let tool = super::find(host, &call.name)?;
    let fields = Fields { tool, input: &call.input };
    let reads = call.touches.iter().filter(|touch| touch.access == Access::Read);
    let folders = || reads.map(|touch| touch.path.clone()).collect();
    if fields.knows(|says| matches!(says, Says::Addresses(_))) {
        return Some(Reach::Pages {
            n_addresses: fields
                .texts(|says| match says {
                    Says::Addresses(place) => Some(place),
                    _ => None,
                })
                .len(),
            question: fields.any(|says| match says {
                Says::Question(place) => Some(place),
                _ => None,
            }),
        });
    }
    if fields.knows(|says| matches!(says, Says::Lists(_) | Says::ListsAnywhere(_))) {
        let mut patterns = fields.texts(|says| match says {
            Says::Lists(place) => Some(place),
            _ => None,
        });
        let anywhere = fields.texts(|says| match says {
            Says::ListsAnywhere(place) => Some(place),
            _ => None,
        });
        let deep = |pattern: String| if pattern.contains('/') { pattern } else { format!("**/{pattern}") };
        patterns.extend(anywhere.into_iter().map(deep));
        // Where patterns are paths too, they are not the folders they are looked for in.
        let listed = |folder: &String| !patterns.contains(folder);
        let folders: Vec<String> = folders();
        return Some(Reach::Files {
            folders: folders.into_iter().filter(listed).collect(),
            limit: fields.limit(),
            ignored: fields.ignored(),
            patterns,
        });
    }
    if fields.knows(|says| matches!(says, Says::Includes(_))) {
        return Some(Reach::Content {
            folders: folders(),
            includes: fields.texts(|says| match says {
                Says::Includes(place) | Says::FileType(place) => Some(place),
                _ => None,
            }),
            limit: fields.limit(),
            ignored: fields.ignored(),
            lines: fields.lines(),
        });
    }
    fields.knows(|says| matches!(says, Says::Part(_))).then(|| Reach::File {
        part: fields.any(|says| match says {
            Says::Part(place) => Some(place),
            _ => None,
        }),
    })
}

/// The fields of one call, asked by what they stand for.
struct Fields<'a> {
    tool: &'a Tool,
    input: &'a Value,
}

impl Fields<'_> {
    fn knows(&self, is: impl Fn(&Says) -> bool) -> bool {
        self.tool.says.iter().any(is)
    }

    fn given(&self, place: impl Fn(&Says) -> Option<&'static str>) -> impl Iterator<Item = &Value> {
        let places = self.tool.says.iter().filter_map(place);
        places.filter_map(|place| at(self.input, place)).filter(|value| !value.is_null())
    }

    /// Whether one of them is given and says something.
    fn any(&self, place: impl Fn(&Says) -> Option<&'static str>) -> bool {
        self.given(place).any(|value| value.as_str() != Some(""))
    }

    fn texts(&self, place: impl Fn(&Says) -> Option<&'static str>) -> Vec<String> {
        let places = self.tool.says.iter().filter_map(place);
        let found = places.flat_map(|place| texts(self.input, place)).filter(|text| !text.is_empty());
        found.map(str::to_owned).collect()
    }

    /// The smallest limit; hosts read 0 as none.
    fn limit(&self) -> Option<u64> {
        let limits = self.given(|says| match says {
            Says::Limit(place) => Some(place),
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
        let mut included = self.given(|says| match says {
            Says::Ignored(place) => Some(place),
            _ => None,
        });
        let mut respected = self.given(|says| match says {
            Says::RespectsIgnore(place) => Some(place),
            _ => None,
        });
        included.any(|value| is(value, true)) || respected.any(|value| is(value, false))
    }

    fn lines(&self) -> bool {
        let as_wanted = |says: &Says| match says {
            Says::LinesIf(place, wanted) => at(self.input, place).and_then(Value::as_str) == Some(*wanted),
            Says::NamesOnly(place) => at(self.input, place).and_then(Value::as_bool) != Some(true),
            _ => true,
        };
        self.tool.says.iter().all(as_wanted)
    }
}

/// Returns the value at a place such as `limit` or `options.limit`.
fn at<'a>(input: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('.').try_fold(input, |value, key| value.get(key))
}
