//! Checks that the code map of ARCHITECTURE.md names exactly the existing crates, each with its layer.
//!
//! A crate is named by `crates/NAME` anywhere in the section "Code map", and by
//! the first word in backticks of a heading or a table row there.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::markdown;
use crate::layering::layers::{self, WORKSHOP};

/// Finds crates that the code map lacks or that only the code map knows.
///
/// `crates` are the folders below `crates/`, and `xtask`.
pub(crate) fn check(path: &str, text: &str, crates: &[String]) -> Vec<Finding> {
    let Some((heading, lines)) = section(text) else {
        let hint = "add a section `## Code map` with one row per crate";
        return vec![Finding::new(path, 1, "no code map", hint)];
    };
    let named = named(&lines);
    let mut findings = Vec::new();
    for (name, line) in &named {
        if !crates.contains(name) {
            let hint = "remove the line: this crate does not exist";
            findings.push(Finding::new(path, *line, format!("there is no crate `{name}`"), hint));
        }
    }
    for name in crates.iter().filter(|name| !named.contains_key(*name)) {
        let hint = "add a row that starts with its name in backticks and says what it is for";
        findings.push(Finding::new(path, heading, format!("the code map lacks `{name}`"), hint));
    }
    findings.extend(lines.iter().filter_map(|(number, line)| wrong_layer(path, *number, line)));
    findings
}

/// Finds a row ``| `NAME` | LAYER | …`` with another layer than the table of layers has.
fn wrong_layer(path: &str, number: usize, line: &str) -> Option<Finding> {
    let mut cells = line.strip_prefix("| `")?.split('|').map(str::trim);
    let name = cells.next()?.strip_suffix('`')?;
    let written = cells.next().filter(|cell| !cell.is_empty())?;
    let package = if name == "cli" { "steersman" } else { name };
    let expected = match layers::of(package)?.level {
        WORKSHOP => "dev".to_owned(),
        level => level.to_string(),
    };
    let hint = "change the row, or the table in `xtask/src/layering/layers.rs`";
    (written != expected)
        .then(|| Finding::new(path, number, format!("`{name}` is on layer {expected}, not {written}"), hint))
}

/// Returns the line of the heading and the numbered lines below it, to the next heading of its rank.
fn section(text: &str) -> Option<(usize, Vec<(usize, &str)>)> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let rank = |line: &str| line.chars().take_while(|it| *it == '#').count();
    let (number, heading) =
        lines.find(|(_, line)| rank(line) > 0 && line.to_lowercase().contains("code map"))?;
    let is_inside = |line: &str| rank(line) == 0 || rank(line) > rank(heading);
    Some((number, lines.take_while(|(_, line)| is_inside(line)).collect()))
}

fn named(lines: &[(usize, &str)]) -> BTreeMap<String, usize> {
    let mut named = BTreeMap::new();
    for (number, line) in lines {
        let is_entry = line.starts_with('#') || line.starts_with('|');
        for (index, word) in markdown::in_backticks(line).into_iter().enumerate() {
            let below_crates = word.strip_prefix("crates/").map(|it| it.split('/').next().unwrap_or(it));
            let name = below_crates.or((is_entry && index == 0).then_some(word.trim_end_matches('/')));
            if let Some(name) = name.filter(|it| is_crate_name(it)) {
                named.entry(name.to_owned()).or_insert(*number);
            }
        }
    }
    named
}

fn is_crate_name(word: &str) -> bool {
    !word.is_empty()
        && word.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || "_-".contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    fn check_map(text: &str, expected: &[&str]) {
        let crates = ["event".to_owned(), "store".to_owned(), "xtask".to_owned()];
        assert_eq!(briefly(&check("ARCHITECTURE.md", text, &crates)), expected);
    }

    #[test]
    fn a_map_of_rows_or_headings_that_is_whole_passes() {
        check_map(
            "# A\n## Code map\n| L0 | `event` | the `Event` |\n| L1 | `store` | |\n| dev | `xtask` | |\n",
            &[],
        );
        check_map(
            "## Code map\n### `crates/event`\n### `store`\nuses `serde_json`\n### `xtask`\n## Next\n| `no` |\n",
            &[],
        );
    }

    #[test]
    fn a_crate_that_is_gone_is_found() {
        check_map(
            "## Code map\n| `event` |\n| `store` |\n| `xtask` |\n| `old` |\n- see `crates/older/src`\n",
            &["5: there is no crate `old`", "6: there is no crate `older`"],
        );
    }

    #[test]
    fn a_layer_that_differs_from_the_table_is_found() {
        check_map(
            "## Code map\n| `event` | 0 | a |\n| `store` | 7 | b |\n| `xtask` | dev | c |\n",
            &["3: `store` is on layer 2, not 7"],
        );
    }

    #[test]
    fn a_crate_that_is_missing_is_found() {
        check_map("\n## Code map\n| `event` |\n| `xtask` |\n", &["2: the code map lacks `store`"]);
        check_map("# Architecture\n", &["1: no code map"]);
    }
}
