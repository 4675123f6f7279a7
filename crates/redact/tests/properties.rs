//! What holds for any text.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use redact::{Filter, Redacted, Stream};

const HARMLESS: [&str; 14] = [
    "an ordinary line of text\n",
    "fn main() { run(); }\n",
    "INFO server started on port 8080\n",
    "id=550e8400-e29b-41d4 ",
    "Grüße aus Köln ",
    "日本語のテキスト ",
    "path/to/some/file.rs:12 ",
    "{\"name\": \"value\"} ",
    "\t- item one\n",
    "9fceb02d0ae598e95dc970b74767f19372d61af8 ",
    "x = y + z; ",
    "// a comment\r\n",
    "🙂 ",
    "token: string\n",
];

/// Pieces that readers react to, to be put together in every wrong way.
const PIECES: [&str; 44] = [
    "ghp_",
    "sk-",
    "sk-ant-",
    "AKIA",
    "eyJ",
    "://",
    "user:",
    "@",
    "host",
    "/",
    "password",
    "=",
    ": ",
    "\"",
    "'",
    "\\",
    "\n",
    "\\n",
    " ",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END RSA PRIVATE KEY-----",
    "Authorization",
    "Bearer ",
    "Basic ",
    "k3Jx9QzLm2Tb7RwY5sVdH8nGc4PfA6eU1tXo",
    "0123456789abcdef0123456789abcdef",
    "dXNlcjpwYXNzd29yZDE=",
    "é",
    "🙂",
    ".",
    "-us1",
    ":AA",
    "Cookie: ",
    "session=",
    ";",
    "curl ",
    "-u ",
    "mysql ",
    "-p",
    "--token",
    "<secret>",
    "[REDACTED]",
    "$",
    "%",
];

fn harmless() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&HARMLESS[..]), 0..20).prop_map(|lines| lines.concat())
}

fn puzzle() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..40).prop_map(|pieces| pieces.concat())
}

fn random_token() -> impl Strategy<Value = String> {
    "[A-Za-z0-9]{36}".prop_filter("spells a stand-in", |token| !token.to_lowercase().contains("xxxx"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    #[test]
    fn text_without_secrets_comes_back_as_it_was(text in harmless()) {
        let redacted = Redacted::from_text(&text);
        prop_assert_eq!(redacted.as_str(), text);
    }

    #[test]
    fn a_planted_token_is_gone(before in harmless(), token in random_token(), after in harmless()) {
        let text = format!("{before} ghp_{token} {after}");
        let redacted = Redacted::from_text(&text);
        prop_assert_eq!(redacted.as_str(), format!("{before} [REDACTED] {after}"));
    }

    #[test]
    fn redacting_twice_changes_nothing(text in puzzle()) {
        let once = Redacted::from_text(&text);
        let twice = Redacted::from_text(once.as_str());
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn nothing_panics_on_any_text(text in any::<String>(), puzzle in puzzle()) {
        let _ = Redacted::from_text(&text);
        let _ = Redacted::from_text(&(text + &puzzle));
    }

    #[test]
    fn a_stream_gives_the_same_as_the_whole(text in puzzle(), n_piece in 1_usize..50) {
        let filter = Filter::default();
        let mut stream = Stream::new(&filter);
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(n_piece) {
            stream.push(piece, &mut out);
        }
        stream.finish(&mut out);
        let whole = filter.redact(&text);
        prop_assert_eq!(String::from_utf8(out).unwrap(), whole.as_str());
    }
}
