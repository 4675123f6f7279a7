//! Configuration files: JSON and YAML read with the place of every value, typed fields,
//! problems that name file, line and column, and the JSON Schemas of the same tables.
//!
//! A crate declares a file as [`Object`] tables and reads it through [`Fields`]; the tables
//! carry keys, types, limits and documentation, so a reader and its schema cannot disagree.
//!
//! INVARIANT: nothing here opens a file, prints or knows what a key means.

mod fields;
mod json;
mod json_pointer;
mod nearest;
mod node;
mod place;
mod problem;
mod report;
mod scalar;
pub mod schema;
mod source;
mod spot;
mod table;
mod written;
mod yaml;

pub use fields::Fields;
pub use json::Dialect;
pub use json_pointer::value_at;
pub use nearest::{did_you_mean, nearest};
pub use node::{Entry, Kind, Node, Span, Syntax};
pub use place::Place;
pub use problem::{Code, Problem, Severity};
pub use report::{Fault, Report};
pub use source::{BadEncoding, Source};
pub use spot::Spot;
pub use table::{Choice, DefaultValue, Field, Object, Shape, Text, Union, Variant, Word, Words};
pub use written::Written;
pub use yaml::Limits;

/// Reads a JSON text.
pub use json::parse as parse_json;
/// Reads a YAML text.
pub use yaml::parse as parse_yaml;
/// Reads YAML that is a part of a text.
pub use yaml::parse_part as parse_yaml_part;
