//! Property tests: registering is idempotent, and unregistering restores every byte.

use host::Host;
use host::install::{HookPlan, register, registrations, unregister};
use proptest::prelude::*;

use crate::{left, plans, programs};

/// White space, line ends of every kind, comments with brackets and commas.
pub(crate) fn trivia() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => Just(" "),
        4 => Just("\n"),
        2 => Just("\r\n"),
        2 => Just("\n    "),
        1 => Just("\t"),
        1 => Just("\r"),
        1 => Just("// c, ]}\n"),
        1 => Just("// c\r\n"),
        1 => Just("/* c, { */"),
        1 => Just("/* c\n c */"),
        1 => Just("/*/*/"),
    ];
    prop_oneof![
        3 => Just(String::new()),
        2 => prop::collection::vec(piece, 1..4).prop_map(|pieces| pieces.concat()),
    ]
}

pub(crate) fn scalar() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["1", "-2.5e3", "true", "null", r#""ä \" // no comment""#, r#""""#, "[]", "{}"])
        .prop_map(str::to_owned)
}

/// Brackets around items, with any text that a user may leave between them.
pub(crate) fn bracketed(
    open: char,
    close: char,
    item: impl Strategy<Value = String>,
    n_items: usize,
) -> impl Strategy<Value = String> {
    let items = prop::collection::vec((trivia(), item, trivia()), 0..=n_items);
    (items, any::<bool>(), trivia()).prop_map(move |(items, trailing_comma, end)| {
        let n_items = items.len();
        let mut text = String::from(open);
        for (index, (before, item, after)) in items.into_iter().enumerate() {
            text += &(before + &item + &after);
            if index + 1 < n_items || trailing_comma {
                text.push(',');
            }
        }
        text + &end + &String::from(close)
    })
}

pub(crate) fn property(
    key: impl Strategy<Value = String>,
    value: impl Strategy<Value = String>,
) -> impl Strategy<Value = String> {
    (key, trivia(), trivia(), value)
        .prop_map(|(key, before, after, value)| format!("\"{key}\"{before}:{after}{value}"))
}

pub(crate) fn one_of(keys: &[&str]) -> impl Strategy<Value = String> + use<> {
    prop::sample::select(keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>())
}

/// A foreign hook, in either structure, or a value that is not a hook.
fn foreign_hook() -> impl Strategy<Value = String> {
    let command = one_of(&["./check.sh", "echo steersman dispatch Stop", "steersman doctor", ""]);
    let entry =
        || bracketed('{', '}', property(one_of(&["command", "type"]), one_of(&["\"x\"", "\"y\""])), 2);
    prop_oneof![
        3 => property(Just("command".to_owned()), command.prop_map(|text| format!("\"{text}\"")))
            .prop_map(|property| format!("{{{property}}}")),
        2 => bracketed('{', '}', property(Just("hooks".to_owned()), bracketed('[', ']', entry(), 2)), 1),
        1 => scalar(),
    ]
}

/// A settings file that may or may not contain hooks.
fn settings(plan: &'static HookPlan) -> impl Strategy<Value = String> {
    let keys: Vec<_> = plan.rows.iter().map(|row| row.key).chain(["Other", "disabled"]).collect();
    let list = || bracketed('[', ']', foreign_hook(), 3);
    let hooks = move || {
        let keys = keys.clone();
        bracketed('{', '}', property(one_of(&keys), list()), 4)
    };
    let top = prop_oneof![
        3 => property(Just("hooks".to_owned()), hooks()),
        2 => property(one_of(&["model", "permissions", "$schema"]), scalar()),
        1 => property(one_of(&["version"]), Just("1".to_owned())),
        1 => property(one_of(&["hooks", "x"]), scalar()),
    ];
    let mark = prop_oneof![4 => Just(""), 1 => Just("\u{feff}")];
    (mark, trivia(), bracketed('{', '}', top, 3), trivia())
        .prop_map(|(mark, before, object, after)| format!("{mark}{before}{object}{after}"))
}

fn a_plan_and_a_file() -> impl Strategy<Value = (&'static HookPlan, String)> {
    prop::sample::select(plans().collect::<Vec<_>>())
        .prop_flat_map(|plan| settings(plan).prop_map(move |text| (plan, text)))
}

fn check(plan: &HookPlan, before: &str) -> Result<(), TestCaseError> {
    let [program, moved] = programs();
    let Ok(after) = register(plan, Some(before), &program) else {
        // Another value in place of hooks: refused, nothing to undo.
        return Ok(());
    };
    let again = register(plan, Some(&after), &program).unwrap();
    prop_assert_eq!(&again, &after, "registering twice");

    let mut keys: Vec<_> = registrations(&after).unwrap().into_iter().map(|found| found.key).collect();
    let mut expected: Vec<_> = plan.rows.iter().map(|row| row.key).collect();
    keys.sort_unstable();
    expected.sort_unstable();
    prop_assert_eq!(keys, expected, "each event once in {}", after);

    let restored = left(unregister(plan, &after).unwrap(), &after);
    prop_assert_eq!(&restored, before, "unregistering {}", after);

    let elsewhere = register(plan, Some(&after), &moved).unwrap();
    prop_assert_ne!(&elsewhere, &after);
    let back = register(plan, Some(&elsewhere), &program).unwrap();
    prop_assert_eq!(&back, &after, "moving there and back");
    let restored = left(unregister(plan, &elsewhere).unwrap(), &elsewhere);
    prop_assert_eq!(&restored, before, "unregistering after a move");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_is_given_back_byte_for_byte((plan, before) in a_plan_and_a_file()) {
        check(plan, &before)?;
    }

    #[test]
    fn no_text_makes_it_panic(text in r#"[\[\]{}:,"/*\\ \nhoksx\u{feff}]{0,40}"#) {
        let [program, _] = programs();
        for plan in plans() {
            let _ = register(plan, Some(&text), &program);
            let _ = unregister(plan, &text);
        }
        let _ = registrations(&text);
    }
}

#[test]
fn the_ways_an_empty_place_can_look_are_told_apart() {
    // One host of either structure, one of them with a version.
    for plan in [Host::ClaudeCode, Host::Cursor].into_iter().filter_map(HookPlan::of) {
        let key = plan.rows[2].key;
        for inner in
            ["", " ", "\n", "\n  ", "\r\n", "\t", "/**/", " // c\n", "\n// c\n", " /* c */\n", "\n\n", "\r"]
        {
            for before in [
                format!("{{{inner}}}"),
                format!("{{{inner}}}\n"),
                format!("{{\"hooks\": {{{inner}}}}}"),
                format!("{{\n  \"hooks\": {{{inner}}}\n}}\n"),
                format!("{{\n\t\"hooks\": {{\n\t\t\"{key}\": [{inner}]\n\t}}\n}}\n"),
                format!("{{\"hooks\":{{\"{key}\":[{inner}],\"x\":[{inner}]}},\"y\":{{{inner}}}}}"),
                format!("{{\"version\": 1, \"hooks\": {{\"{key}\": [{{\"command\": \"a\"}}{inner}]}}}}"),
                format!("{{\"version\": 1, \"hooks\": {{\"{key}\": [{{\"command\": \"a\"}},{inner}]}}}}"),
            ] {
                check(plan, &before).unwrap();
            }
        }
    }
}
