//! Configuration files: JSON and YAML parsed with the position of every value, typed fields, problems
//! with file, line and column, and JSON Schemas from the same tables.
//!
//! A crate declares a file as [`Object`] tables and reads it through [`Fields`]. The tables hold
//! keys, types, limits and documentation, so a reader and its schema cannot disagree.
//!
//! INVARIANT: this crate opens no file, prints nothing and does not know the meaning of a key.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod excerpt;
mod fields;
mod glob;
mod json;
mod json_pointer;
pub mod jsonc;
mod located_string;
mod nearest;
mod newer_format;
mod node;
mod problem;
mod report;
mod scalar;
pub mod schema;
mod source;
mod table;
mod yaml;

pub use excerpt::Excerpt;
pub use fields::Fields;
pub use glob::{GlobFault, glob_faults};
pub use json::{EMPTY_FILE, JsonDialect, NO_BYTE_ORDER_MARK, PLAIN_JSON, json_problem};
pub use json_pointer::value_at;
pub use located_string::LocatedString;
pub use nearest::{did_you_mean, nearest};
pub use newer_format::NewerFormat;
pub use node::{Entry, Kind, Node, Span, Syntax};
pub use problem::{Code, Problem, Severity};
pub use report::{Report, SyntaxError};
pub use source::{BadEncoding, Position, Source};
pub use table::{Choice, DefaultValue, Field, Object, Shape, Text, Union, Variant, Word, Words};
pub use yaml::Limits;

/// Parses a JSON text.
pub use json::parse as parse_json;
/// Parses a YAML text.
pub use yaml::parse as parse_yaml;
/// Parses YAML that is part of a string.
pub use yaml::parse_part as parse_yaml_part;
