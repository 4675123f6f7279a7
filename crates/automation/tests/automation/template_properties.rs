//! Arbitrary templates and values: filling in changes neither text nor values.

use std::collections::BTreeMap;

use automation::Template;
use proptest::prelude::*;

/// Texts with many braces in them.
fn braced() -> impl Strategy<Value = String> {
    proptest::collection::vec(prop_oneof!["\\{", "\\}", "[a-z]{1,3}", "é| |-|\\$|`"], 0..12)
        .prop_map(|parts| parts.concat())
}

/// The documented rule, as a regular expression.
fn by_the_document(template: &str, values: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        let name: String =
            rest[open + 1..].chars().take_while(|it| it.is_ascii_alphanumeric() || *it == '_').collect();
        let behind = &rest[open + 1 + name.len()..];
        text.push_str(&rest[..open]);
        if !name.is_empty() && behind.starts_with('}') {
            text.push_str(values.get(&name).map_or("", String::as_str));
            rest = &behind[1..];
        } else {
            text.push('{');
            rest = &rest[open + 1..];
        }
    }
    text + rest
}

proptest! {
    #[test]
    fn filling_in_is_what_the_document_says(
        template in braced(),
        values in proptest::collection::btree_map("[a-z]{1,3}", braced(), 0..5),
    ) {
        let filled = Template::new(template.as_str()).fill(&values);
        prop_assert_eq!(&filled.text, &by_the_document(&template, &values));
        prop_assert!(filled.missing.iter().all(|name| values.get(name).is_none_or(String::is_empty)));
    }

    #[test]
    fn a_template_without_problems_fills_in_all_its_braces(template in braced()) {
        let template = Template::new(template);
        if template.problems().is_empty() {
            let text = template.fill(&BTreeMap::new()).text;
            let has_braces = text.contains(['{', '}']);
            prop_assert!(!has_braces, "{}", text);
        }
    }

    #[test]
    fn every_problem_is_at_a_brace(template in braced()) {
        let characters: Vec<char> = template.chars().collect();
        for problem in Template::new(template.as_str()).problems() {
            let is_brace = matches!(characters[problem.at], '{' | '}');
            prop_assert!(is_brace, "{:?}", problem);
            prop_assert!(problem.at + problem.width <= characters.len());
        }
    }

    #[test]
    fn any_text_at_all_is_taken(template in "\\PC*") {
        let template = Template::new(template);
        template.problems();
        template.variables();
        template.fill(&BTreeMap::new());
    }
}
