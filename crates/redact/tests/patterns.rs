//! Patterns that a user adds.

use redact::{Filter, PatternError};

#[test]
fn a_users_pattern_is_taken_out_beside_the_built_in_kinds() {
    let filter = Filter::with_patterns(["CORP-[0-9]{6}"]).unwrap();
    let redacted = filter.redact("ticket CORP-123456, DB_PASSWORD=hunter2secret");
    assert_eq!(redacted.as_str(), "ticket [REDACTED], DB_PASSWORD=[REDACTED]");
}

#[test]
fn a_pattern_that_covers_everything_leaves_the_replacement_alone() {
    let filter = Filter::with_patterns(["[A-Z]+", ".+"]).unwrap();
    let once = filter.redact("Ärger mit ABC");
    assert_eq!(once.as_str(), "[REDACTED]");
    assert_eq!(filter.redact(once.as_str()), once);
}

#[test]
fn a_pattern_that_cuts_a_character_takes_all_of_it() {
    let filter = Filter::with_patterns(["a."]).unwrap();
    assert_eq!(filter.redact("xaéy").as_str(), "x[REDACTED]y");
}

#[test]
fn a_bad_pattern_is_named_with_the_reason() {
    let error = Filter::with_patterns(["ok", "(open"]).unwrap_err();
    assert_eq!(error.to_string(), "secret pattern `(open` is not valid: unclosed group");
}

#[test]
fn a_pattern_with_look_around_is_refused() {
    assert!(matches!(Filter::with_patterns(["(?<=x)y"]), Err(PatternError::Invalid { .. })));
}

#[test]
fn a_pattern_that_matches_the_empty_string_is_refused() {
    for pattern in ["", "x*", r"\b", "(?m)^", "a|"] {
        let expected = PatternError::MatchesNothing { pattern: pattern.to_owned() };
        assert_eq!(Filter::with_patterns([pattern]).unwrap_err(), expected);
    }
}
