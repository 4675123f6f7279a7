//! The linker script that names the functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The functions that ran, as patterns, with how many events each ran for.
#[derive(Debug, Default)]
pub(super) struct Script {
    n_events: BTreeMap<String, usize>,
}

impl Script {
    /// Adds the functions that ran for one event.
    pub(super) fn add(&mut self, names: &BTreeSet<String>) {
        let patterns: BTreeSet<String> = names.iter().map(|name| pattern(name)).collect();
        for pattern in patterns {
            *self.n_events.entry(pattern).or_default() += 1;
        }
    }

    /// Returns how many patterns there are.
    pub(super) fn len(&self) -> usize {
        self.n_events.len()
    }

    /// Returns the script: what every event needs comes first.
    pub(super) fn text(&self) -> String {
        let mut patterns: Vec<_> = self.n_events.iter().collect();
        patterns.sort_by_key(|(pattern, n_events)| (std::cmp::Reverse(**n_events), pattern.as_str()));
        let mut text =
            "/* The functions that hooks run, so that they lie together. Made by `cargo xtask layout`. */\n\
                        SECTIONS\n{\n  .text.hooks :\n  {\n"
                .to_owned();
        for (pattern, _) in patterns {
            let _ = writeln!(text, "    *(.text.{pattern})");
        }
        text + "  }\n}\nINSERT BEFORE .text;\n"
    }
}

/// Returns what a function is called in any build: the compiler puts hashes into its names.
fn pattern(name: &str) -> String {
    const HASH: &str = "17h";
    if let Some(at) =
        name.rfind(HASH).filter(|at| name.starts_with("_ZN") && is_hash(&name[at + HASH.len()..]))
    {
        return format!("{}{HASH}*", &name[..at]);
    }
    if name.starts_with("_R") { without_crate_hashes(name) } else { name.to_owned() }
}

fn is_hash(text: &str) -> bool {
    text.get(..16).is_some_and(|hash| hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
        && text[16..].starts_with('E')
}

/// `Cs7BliBxkEZsN_4core` is `core` with a hash of its version, in the newer way to make names.
fn without_crate_hashes(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    while let Some(at) = rest.find("Cs") {
        let (before, after) = rest.split_at(at + "Cs".len());
        out += before;
        let end = after.find('_').unwrap_or(0);
        let is_hash =
            (8..=13).contains(&end) && after[..end].bytes().all(|byte| byte.is_ascii_alphanumeric());
        rest = if is_hash { &after[end..] } else { after };
        if is_hash {
            out.push('*');
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_what_changes_from_build_to_build() {
        assert_eq!(pattern("_ZN8dispatch3run3run17h0123456789abcdefE"), "_ZN8dispatch3run3run17h*");
        assert_eq!(pattern("_ZN8dispatch3run3run17h0123456789abcdefE.llvm.77"), "_ZN8dispatch3run3run17h*");
        assert_eq!(pattern("_RNvNtCs7BliBxkEZsN_4core3fmt5write"), "_RNvNtCs*_4core3fmt5write");
        assert_eq!(pattern("memcpy"), "memcpy");
        assert_eq!(pattern("_ZN3a17hello17hE"), "_ZN3a17hello17hE");
    }

    #[test]
    fn what_all_events_need_comes_first() {
        let mut script = Script::default();
        script.add(&["rare", "main"].map(str::to_owned).into());
        script.add(&["main"].map(str::to_owned).into());
        let text = script.text();
        assert!(text.find("*(.text.main)").unwrap() < text.find("*(.text.rare)").unwrap(), "{text}");
        assert!(text.ends_with("  }\n}\nINSERT BEFORE .text;\n"));
    }
}
