//! Tests of the conditions of custom transitions.

use agent::workflow::Condition;
use proptest::prelude::*;

fn check(condition: &str, output: &str, expected: bool) {
    let parsed: Condition = condition.parse().expect(condition);
    assert_eq!(parsed.holds(output), expected, "{condition} on {output}");
    let again: Condition = parsed.to_string().parse().expect("what is printed can be read");
    assert_eq!(again, parsed);
}

#[test]
fn tests_look_at_the_output() {
    check("output contains 'needs research'", "this needs research first", true);
    check("output contains 'needs research'", "this does not", false);
    check("output matches '^FAIL: \\d+'", "FAIL: 12", true);
    check("output matches '^FAIL'", "no FAIL", false);
    check("output equals 'done'", " done\n", true);
    check("output equals 'done'", "done.", false);
    check("output contains \"it's\"", "it's", true);
    check("output contains 'it''s'", "it's", true);
}

#[test]
fn not_binds_tighter_than_and_which_binds_tighter_than_or() {
    let a_or_b_and_c = "output contains 'a' or output contains 'b' and output contains 'c'";
    check(a_or_b_and_c, "a", true);
    check(a_or_b_and_c, "b", false);
    check(a_or_b_and_c, "bc", true);
    let grouped = "(output contains 'a' or output contains 'b') and output contains 'c'";
    check(grouped, "a", false);
    check(grouped, "ac", true);
    check("not output contains 'a' and output contains 'b'", "b", true);
    check("not (output contains 'a' and output contains 'b')", "ab", false);
    check("not not output contains 'a'", "a", true);
}

#[test]
fn anything_else_is_an_error_with_its_column() {
    for (text, column, expected) in [
        ("", 0, "`output`, `not` or `(`"),
        ("input contains 'a'", 0, "`output`, `not` or `(`"),
        ("output has 'a'", 7, "`contains`, `matches` or `equals`"),
        ("output contains a", 16, "a string in quotes"),
        ("output contains 'a", 16, "a closing '"),
        ("output contains 'a' xor", 20, "`and`, `or` or the end"),
        ("(output contains 'a'", 20, "`)`"),
        ("output contains 'a')", 19, "`and`, `or` or the end"),
        ("output matches 'é('", 17, "a regular expression"),
        ("output contains 'a' and", 23, "`output`, `not` or `(`"),
    ] {
        let error = text.parse::<Condition>().expect_err(text);
        assert_eq!((error.column, error.expected.as_str()), (column, expected), "{text}");
    }
    let deep = format!("{}output contains 'a'{}", "(".repeat(9_000), ")".repeat(9_000));
    assert_eq!(deep.parse::<Condition>().unwrap_err().message, "the condition has more than 32 parts");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_fall_over(text in "(output|contains|matches|equals|and|or|not|[()'\"a ]){0,20}") {
        if let Ok(condition) = text.parse::<Condition>() {
            let _ = condition.holds("a");
            prop_assert_eq!(condition.to_string().parse::<Condition>().ok(), Some(condition));
        }
    }
}
