//! A stream gives the same answer as the whole text at once, wherever its borders fall.

use super::template::{Dice, fill};
use crate::kinds::FAMILIES;
use crate::{Filter, Stream};

#[test]
fn borders_between_pieces_change_nothing() {
    let templates: Vec<_> = FAMILIES.iter().copied().flatten().flat_map(|kind| kind.matches).collect();
    let filter = Filter::default();
    for seed in 0..20 {
        let mut dice = Dice(seed);
        let mut text = String::new();
        for index in 0..120 {
            text.push_str("an ordinary line of a log, number ");
            text.push_str(&index.to_string());
            text.push('\n');
            text.push_str(&fill(templates[dice.roll(templates.len())], &mut dice).text);
            text.push('\n');
        }
        let mut stream = Stream::with_sizes(&filter, 2048, 512);
        let mut out = Vec::new();
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(rest.len().min(1 + dice.roll(700)));
            stream.push(piece, &mut out);
            rest = more;
        }
        stream.finish(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), filter.redact(&text).as_str());
    }
}

#[test]
fn whole_lines_are_shown_as_they_come_and_those_that_may_be_half_a_secret_wait() {
    let filter = Filter::default();
    let mut stream = Stream::new(&filter);
    let mut show = |piece: &str| {
        let mut out = Vec::new();
        stream.push(piece.as_bytes(), &mut out);
        stream.settle_lines(&mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(show("thinking\nand "), "thinking\n");
    assert_eq!(show("more\n"), "and more\n");
    let token = concat!("ghp_", "0123456789abcdefghijABCDEFGHIJ456789");
    let told = show(&format!("token {token} was used\n"));
    assert!(told.ends_with(" was used\n") && !told.contains("0123456789"), "{told}");
    assert_eq!(show("password:\n"), "", "its value may follow");
    assert_eq!(show("none yet\n"), "password:\nnone yet\n");
    let begin = concat!("-----BEGIN RSA PRI", "VATE KEY-----\n");
    let line = "MIIEpAIBAAKCAQEA7bq3Z1u5yQ0k2mB8vX4nJ6hT9sLwEcRfVgYaUdOiPqKzSxCo\n";
    assert_eq!(show(&format!("before\n{begin}{line}")), "before\n");
    assert_eq!(show(line), "");
    let told = show(concat!("-----END RSA PRI", "VATE KEY-----\nafter\n"));
    assert!(told.ends_with("after\n") && !told.contains("MIIE"), "{told}");
}

#[test]
fn a_secret_of_several_lines_that_only_a_pattern_knows_is_not_shown_line_by_line() {
    let filter = Filter::with_patterns([r"correct horse\x0Abattery\x0Astaple", r"pin:\s*[0-9]+"]).unwrap();
    let mut stream = Stream::new(&filter);
    let mut show = |piece: &str| {
        let mut out = Vec::new();
        stream.push(piece.as_bytes(), &mut out);
        stream.settle_lines(&mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(show("begin\nthe correct horse\n"), "begin\n");
    assert_eq!(show("battery\n"), "");
    assert_eq!(show("staple\nend\n"), "the [REDACTED]\nend\n");
    assert_eq!(show("a correct horse\n"), "");
    assert_eq!(show("and cart\n"), "a correct horse\nand cart\n");
    assert_eq!(show("pin:\n"), "");
    assert_eq!(show("  4711\n"), "[REDACTED]\n");
}
