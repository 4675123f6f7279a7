//! Replaces the parts of an output that differ between runs: times, durations, the folder.

use std::path::Path;

use regex::Regex;

/// The replacements, in this order.
const REPLACED: &[(&str, &str)] = &[
    ("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}", "<day> <time>"),
    ("[0-9]{2}:[0-9]{2}:[0-9]{2}", "<time>"),
    ("[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}", "<day> <t>"),
    ("[0-9]{13}", "<ms>"),
    ("[█·]{20} +[0-9]+ (µs|ms)", "<bar> <took>"),
    ("whole run +[0-9]+ (µs|ms)", "whole run <took>"),
    ("just now |[0-9]+ s ago  ?", "<ago>    "),
];

/// Returns the text with placeholders for the parts that differ.
pub(super) fn normal(text: &str, root: &Path) -> String {
    let mut text = text.replace(root.to_str().unwrap(), "<root>");
    for (pattern, replacement) in REPLACED {
        text = Regex::new(pattern).unwrap().replace_all(&text, *replacement).into_owned();
    }
    text
}
