//! Property tests: registering our server is idempotent, and unregistering restores every byte.

use host::install::{Form, ServerPlan, register_server, registered_server, unregister_server};
use proptest::prelude::*;

use crate::round_trip::{bracketed, one_of, property, scalar, trivia};
use crate::{left, programs};

/// A JSON file that may or may not contain servers.
fn json(plan: &'static ServerPlan) -> impl Strategy<Value = String> {
    let entry = || bracketed('{', '}', property(one_of(&["command", "url", "env"]), scalar()), 2);
    let servers = move || bracketed('{', '}', property(one_of(&["docs", "files", "x"]), entry()), 3);
    let top = prop_oneof![
        3 => property(Just(plan.key.to_owned()), servers()),
        2 => property(one_of(&["inputs", "theme", "hooks"]), scalar()),
        1 => property(one_of(&[plan.key, "x"]), scalar()),
    ];
    let mark = prop_oneof![4 => Just(""), 1 => Just("\u{feff}")];
    (mark, trivia(), bracketed('{', '}', top, 3), trivia())
        .prop_map(|(mark, before, object, after)| format!("{mark}{before}{object}{after}"))
}

/// A TOML file of lines that can be combined in any order: keys first, then tables.
fn toml() -> impl Strategy<Value = String> {
    let key =
        one_of(&["model = 'x' # mine", "# c", "", "  ", "\tnote = \"\"\"\na\n\"\"\"", "list = [\n 1,\n]"]);
    let servers = one_of(&[
        "",
        "[mcp_servers]",
        "[mcp_servers] # c",
        "[mcp_servers.docs]\nurl = 'u'",
        "[ mcp_servers . docs ]\n\n# c",
        "[mcp_servers.docs.env]\nA = '1'",
        "[profiles.x]\na = 1",
        "[[many]]\na = 1",
    ]);
    let inline = one_of(&["", "", "", "mcp_servers = {}", "mcp_servers = { }", "mcp_servers = {a = {}} # c"]);
    let parts =
        (prop::collection::hash_set(key, 0..3), inline, servers, one_of(&["", "\n", "\n\n", "  ", "# c"]));
    (parts, one_of(&["\n", "\r\n"]), prop_oneof![4 => Just(""), 1 => Just("\u{feff}")]).prop_map(
        |((keys, inline, servers, end), newline, mark)| {
            // A table cannot be continued after its inline form.
            let servers = if inline.is_empty() { servers } else { String::new() };
            let lines: Vec<String> =
                keys.into_iter().chain([inline, servers]).filter(|it| !it.is_empty()).collect();
            format!("{mark}{}{end}", lines.join("\n")).replace('\n', &newline)
        },
    )
}

fn a_plan_and_a_file() -> impl Strategy<Value = (&'static ServerPlan, String)> {
    prop::sample::select(ServerPlan::ALL.to_vec()).prop_flat_map(|plan| {
        let text = match plan.form {
            Form::Json => json(plan).boxed(),
            Form::Toml => toml().boxed(),
        };
        text.prop_map(move |text| (plan, text))
    })
}

fn check(plan: &ServerPlan, before: &str) -> Result<(), TestCaseError> {
    let [program, moved] = programs();
    let Ok(after) = register_server(plan, Some(before), &program) else {
        // Another value in place of servers: refused, nothing to undo.
        return Ok(());
    };
    let again = register_server(plan, Some(&after), &program).unwrap();
    prop_assert_eq!(&again, &after, "registering twice");
    prop_assert!(registered_server(plan, &after).unwrap().is_some(), "found in {}", after);
    let restored = left(unregister_server(plan, &after).unwrap(), &after);
    prop_assert_eq!(&restored, before, "unregistering {}", after);

    let elsewhere = register_server(plan, Some(&after), &moved).unwrap();
    prop_assert_ne!(&elsewhere, &after);
    let back = register_server(plan, Some(&elsewhere), &program).unwrap();
    prop_assert_eq!(&back, &after, "moving there and back");
    let restored = left(unregister_server(plan, &elsewhere).unwrap(), &elsewhere);
    prop_assert_eq!(&restored, before, "unregistering after a move");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_file_is_given_back_byte_for_byte((plan, before) in a_plan_and_a_file()) {
        // A file of white space counts as empty; we write a complete one.
        if plan.form == Form::Toml || !before.trim().is_empty() {
            check(plan, &before)?;
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in r#"[\[\]{}:=,."'/*#\\ \r\nmcpservx\u{feff}]{0,40}"#) {
        let [program, _] = programs();
        for plan in ServerPlan::ALL {
            let _ = register_server(plan, Some(&text), &program);
            let _ = unregister_server(plan, &text);
            let _ = registered_server(plan, &text);
        }
    }
}

#[test]
fn a_generated_file_of_toml_is_one() {
    // If most files were refused, the test above would prove nothing.
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let plan = ServerPlan::ALL.into_iter().find(|plan| plan.form == Form::Toml).unwrap();
    let files = (0..200).map(|_| toml().new_tree(&mut runner).unwrap().current());
    let refused: Vec<String> =
        files.filter(|text| register_server(plan, Some(text), &programs()[0]).is_err()).collect();
    assert_eq!(refused, Vec::<String>::new());
}
