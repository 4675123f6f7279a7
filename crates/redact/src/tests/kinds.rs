//! Every kind's examples, many times over with other characters.

use super::template::{Dice, fill};
use crate::kinds::FAMILIES;
use crate::{REPLACEMENT, Redacted};

const ROUNDS: u64 = 50;

#[test]
fn every_kind_matches_its_examples_and_leaves_the_others_alone() {
    let mut failures = Vec::new();
    for kind in FAMILIES.iter().copied().flatten() {
        assert!(!kind.matches.is_empty(), "`{}` has no example", kind.id);
        for round in 0..ROUNDS {
            let mut dice = Dice(round);
            for template in kind.matches {
                let example = fill(template, &mut dice);
                let redacted = Redacted::from_text(&example.text);
                let leaks = example.secrets.iter().any(|secret| redacted.as_str().contains(secret.as_str()));
                if leaks || !redacted.as_str().contains(REPLACEMENT) {
                    failures.push(format!("{}: missed\n  {}\n  {redacted}", kind.id, example.text));
                }
            }
            for template in kind.not_matches {
                let example = fill(template, &mut dice);
                let redacted = Redacted::from_text(&example.text);
                if redacted.as_str() != example.text {
                    failures.push(format!("{}: false alarm\n  {}\n  {redacted}", kind.id, example.text));
                }
            }
        }
    }
    // A handful in thousands may by chance spell a word that no key has.
    let n_failures = failures.len();
    failures.dedup_by_key(|failure| failure[..20.min(failure.len())].to_owned());
    assert!(n_failures <= 20, "{n_failures} failures:\n{}", failures.join("\n"));
}

/// A list of tokens, one a line: none may take a piece of the next for its own end.
#[test]
fn every_kind_is_found_on_the_line_after_every_other() {
    let mut dice = Dice(7);
    let examples: Vec<_> = FAMILIES
        .iter()
        .copied()
        .flatten()
        .flat_map(|kind| kind.matches.iter().take(1).map(move |template| (kind.id, template)))
        .map(|(id, template)| (id, fill(template, &mut dice)))
        .filter(|(_, example)| !example.text.contains('\n'))
        .collect();
    let mut failures = Vec::new();
    for (first, before) in &examples {
        for (second, after) in &examples {
            let text = format!("{}\n{}\n", before.text, after.text);
            let redacted = Redacted::from_text(&text);
            let secrets = before.secrets.iter().chain(&after.secrets);
            // A tail is as bad as the whole: the last eight characters must be gone too.
            let leaks = |secret: &&String| redacted.as_str().contains(&secret[secret.len() - 8..]);
            if secrets.clone().any(|secret| leaks(&secret)) {
                failures.push(format!("{first}, {second}:\n{text}{redacted}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} pairs leak:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn there_are_more_than_sixty_kinds_each_with_its_own_id_and_usable_anchors() {
    let mut ids: Vec<_> = FAMILIES.iter().copied().flatten().map(|kind| kind.id).collect();
    let n_kinds = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), n_kinds);
    assert!(n_kinds >= 60, "{n_kinds}");
    for kind in FAMILIES.iter().copied().flatten() {
        assert!(kind.anchors.iter().all(|anchor| anchor.len() >= 3), "{}", kind.id);
    }
}
