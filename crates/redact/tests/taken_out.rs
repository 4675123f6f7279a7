//! Secrets go, and what stands around them stays.

use redact::Redacted;

fn check(text: &str, expected: &str) {
    assert_eq!(Redacted::from_text(text).as_str(), expected);
}

/// Made-up characters, joined at run time so that no line of this file looks like a leak.
const RANDOM: &str = "k3Jx9QzLm2Tb7RwY5sVdH8nGc4PfA6eU1tXo";

fn filled(text: &str) -> String {
    text.replace("{}", RANDOM)
}

#[test]
fn only_the_value_of_an_assignment_goes() {
    for (text, expected) in [
        ("API_KEY={}", "API_KEY=[REDACTED]"),
        ("export API_KEY='{}' # mine", "export API_KEY='[REDACTED]' # mine"),
        ("{\"apiKey\": \"{}\", \"n\": 1}", "{\"apiKey\": \"[REDACTED]\", \"n\": 1}"),
        ("Authorization: Bearer {}", "Authorization: Bearer [REDACTED]"),
        ("postgres://user:{}@host/db", "postgres://user:[REDACTED]@host/db"),
        ("Server=db;Password={};Encrypt=true", "Server=db;Password=[REDACTED];Encrypt=true"),
        ("deploy --token {} --force", "deploy --token [REDACTED] --force"),
        ("?access_token={}&page=2", "?access_token=[REDACTED]&page=2"),
        ("password: hunter2", "password: [REDACTED]"),
        ("{\"password\":\"three-plain-words\"}", "{\"password\":\"[REDACTED]\"}"),
        ("db_password: sunny-river-stone", "db_password: [REDACTED]"),
        ("curl -u me:hunter2x https://host", "curl -u me:[REDACTED] https://host"),
    ] {
        check(&filled(text), expected);
    }
}

#[test]
fn a_token_goes_whole_wherever_it_stands() {
    for (text, expected) in [
        ("see ghp_{}.", "see [REDACTED]."),
        ("(ghp_{})", "([REDACTED])"),
        ("a\\nghp_{}\\nb", "a\\n[REDACTED]\\nb"),
        ("\u{1b}[32mghp_{}\u{1b}[0m", "\u{1b}[32m[REDACTED]\u{1b}[0m"),
        ("q%3Dghp_{}", "q%3D[REDACTED]"),
    ] {
        check(&filled(text), expected);
    }
}

#[test]
fn a_token_cut_by_a_line_break_is_found() {
    let (head, tail) = RANDOM.split_at(17);
    for (joint, rest) in [
        ("\n", "\n"),
        ("\r\n", "\r\n"),
        ("\n    ", "\n    "),
        ("\\\n", "\\\n"),
        ("\\n", "\\n"),
        ("\" +\n  \"", "\" +\n  \""),
        ("\"\n  \"", "\"\n  \""),
        ("\n  | ", "\n  | "),
    ] {
        check(
            &format!("x = \"ghp_{head}{joint}{tail}\" end"),
            &format!("x = \"[REDACTED]{rest}[REDACTED]\" end"),
        );
    }
}

#[test]
fn a_token_cut_by_the_next_line_of_a_log_is_found() {
    let (head, tail) = RANDOM.split_at(20);
    for prefix in [
        "2024-05-01T12:00:00.123Z INFO  app: ",
        "web_1  | ",
        "[worker 7] ",
        "May  1 12:00:00 host app[312]: ",
    ] {
        check(
            &format!("{prefix}token ghp_{head}\n{prefix}{tail} more\n{prefix}next"),
            &format!("{prefix}token [REDACTED]\n{prefix}[REDACTED] more\n{prefix}next"),
        );
        check(
            &format!("{prefix}api_key={head}\n{prefix}{tail}\n{prefix}next"),
            &format!("{prefix}api_key=[REDACTED]\n{prefix}[REDACTED]\n{prefix}next"),
        );
    }
}

#[test]
fn the_line_after_a_whole_token_stays() {
    check(&filled("ghp_{}\nanother ordinary line"), "[REDACTED]\nanother ordinary line");
    check(&filled("API_KEY={}\nDEBUG=true\n"), "API_KEY=[REDACTED]\nDEBUG=true\n");
    check(&filled("key sk-ant-{}\nend"), "key [REDACTED]\nend");
}

#[test]
fn a_private_key_goes_from_begin_to_end() {
    let line = RANDOM.repeat(2);
    check(
        &format!("a\n-----BEGIN RSA PRIVATE KEY-----\n{line}\n{line}\n-----END RSA PRIVATE KEY-----\nb"),
        "a\n[REDACTED]\nb",
    );
    check(&format!("a\n-----BEGIN PRIVATE KEY-----\n{line}\n{line}\n\nb c"), "a\n[REDACTED]\n\nb c");
    check(&format!("-----BEGIN PRIVATE KEY-----\n{line}"), "[REDACTED]");
    check(
        &format!("\"-----BEGIN PRIVATE KEY-----\\n{line}\\n-----END PRIVATE KEY-----\\n\", \"x\": 1"),
        "\"[REDACTED]\\n\", \"x\": 1",
    );
}
