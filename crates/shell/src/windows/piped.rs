//! Paths that go through a pipeline of PowerShell: `Get-ChildItem build | Remove-Item`.

use super::verbs::operands;
use crate::text::Text;

/// Puts the paths found so far into a command that takes its paths from the pipeline, and in
/// the place of `$_`.
pub(super) fn with_found(words: &[Text], found: &[Text]) -> Vec<Text> {
    let Some((first, rest)) = words.split_first() else { return Vec::new() };
    if found.is_empty() {
        return words.to_vec();
    }
    let mut all = vec![first.clone()];
    for word in rest {
        if word.text.starts_with("$_") && !word.is_known() {
            all.extend_from_slice(found);
        } else {
            all.push(word.clone());
        }
    }
    let removes = matches!(
        name_of(first).as_str(),
        "remove-item" | "rm" | "ri" | "del" | "erase" | "rd" | "rmdir" | "clear-content"
    );
    if removes && operands(&all[1..]).is_empty() {
        all.extend_from_slice(found);
    }
    all
}

/// Returns the paths that a command passes to the next one in the pipeline.
pub(super) fn found(words: &[Text], before: Vec<Text>) -> Vec<Text> {
    let Some((first, rest)) = words.split_first() else { return before };
    let has = |flag: &str| rest.iter().any(|word| word.text.eq_ignore_ascii_case(flag));
    match name_of(first).as_str() {
        "get-childitem" | "gci" | "dir" | "ls" | "get-item" | "gi" => {
            let mut roots = operands(rest);
            if roots.is_empty() {
                roots.push(Text::known("."));
            }
            let is_narrowed = ["-filter", "-include", "-exclude"].iter().any(|flag| has(flag));
            let tail = match (is_narrowed, has("-recurse") || has("-r")) {
                (true, _) => "**",
                (false, true) => "**/*",
                (false, false) => "*",
            };
            let is_item = matches!(name_of(first).as_str(), "get-item" | "gi");
            roots.into_iter().map(|root| if is_item { root } else { below(&root, tail) }).collect()
        }
        // A condition leaves less than everything.
        "where-object" | "where" | "?" => before
            .iter()
            .map(|path| below(&Text::known(path.text.trim_end_matches(['*', '/'])), "**"))
            .collect(),
        "select-object" | "select" | "sort-object" | "sort" | "foreach-object" | "foreach" | "%" => before,
        _ => Vec::new(),
    }
}

fn below(root: &Text, tail: &str) -> Text {
    let mut below = root.clone();
    if root.glob {
        return below;
    }
    below.push_str(if root.text.ends_with('/') { "" } else { "/" });
    below.push_str(tail);
    below.glob = true;
    below
}

fn name_of(word: &Text) -> String {
    word.text.to_ascii_lowercase()
}
