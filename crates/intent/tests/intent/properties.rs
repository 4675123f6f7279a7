//! Property tests: no path outside the workspace passes, for any path and pattern.

use event::{AbsPath, Access};
use intent::{IgnoreFile, Pattern, Protected, Reach, Scope, Target};
use proptest::prelude::*;

use crate::sandbox::{Sandbox, intent};

fn segment() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("..".to_owned()),
        Just(".".to_owned()),
        Just(String::new()),
        Just("src".to_owned()),
        Just("link".to_owned()),
        Just("out".to_owned()),
        Just(".ai".to_owned()),
        Just("work".to_owned()),
        "[a-cA-C.~ é]{1,4}",
    ]
}

#[test]
fn what_passes_really_lies_in_the_workspace() {
    let sandbox = Sandbox::with(&[("src/a", ""), ("../out/b", "")]);
    #[cfg(unix)]
    sandbox.link("link", "../out");
    let scope = Scope::new(&sandbox.root, IgnoreFile::default(), Protected::with([]));
    let everything = intent(&["**"]);
    let strategy = (proptest::collection::vec(segment(), 0..7), any::<bool>());
    testkit::prove(512, &strategy, |(parts, absolute)| {
        let text = parts.join("/");
        let text = if absolute { format!("{}/{text}", sandbox.root) } else { text };
        let target = Target::new(&text, &sandbox.root, Access::Write, Reach::Itself);
        if let Ok(located) = scope.check(&target, &everything) {
            prop_assert!(located.file.below(&sandbox.root).is_ok(), "{text}");
            prop_assert!(!located.real.as_str().starts_with(".ai"), "{text}");
            // The system would write to the path that was judged.
            let place = sandbox.root.as_path().join(&text);
            let is_new = !place.exists();
            if std::fs::write(&place, "probe").is_ok() {
                let real = std::fs::canonicalize(&place).unwrap();
                prop_assert_eq!(AbsPath::new(real).unwrap(), located.file);
                if is_new {
                    std::fs::remove_file(&place).unwrap();
                }
            }
        }
        Ok(())
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_accepted_pattern_matches_a_path_that_climbs(pattern in "[a./*?{},!\\[\\]\\\\]{0,12}", path in "[a./]{0,10}") {
        if let Ok(pattern) = Pattern::parse(&pattern) {
            prop_assert!(!pattern.as_str().starts_with(['/', '!']));
            prop_assert!(pattern.as_str().split('/').all(|part| part != ".."));
        }
        let sandbox = AbsPath::new("/nowhere/work").unwrap();
        let scope = Scope::new(&sandbox, IgnoreFile::default(), Protected::nothing());
        if Pattern::parse(&pattern).is_ok() {
            let target = Target::new(&path, &sandbox, Access::Write, Reach::Itself);
            if let Ok(located) = scope.check(&target, &intent(&[&pattern])) {
                prop_assert!(located.file.below(&sandbox).is_ok());
            }
        }
    }

    #[test]
    fn reading_any_text_as_a_file_of_intents_never_panics(text in "(intents|id|: |- |\\n|  |\\[|\\]|INT-1|\"|'|\\*|&a|#|[a-z]){0,60}") {
        let _ = intent::IntentsFile::parse(text.as_bytes());
    }

    #[test]
    fn everything_covered_below_a_folder_is_matched(pattern in "(a|b|\\*|\\*\\*|/|\\[!a\\]|\\?){1,8}", folder in "[ab](/[ab]){0,2}", rest in "[abc](/[abc]){0,2}") {
        let sandbox = AbsPath::new("/nowhere/work").unwrap();
        let scope = Scope::new(&sandbox, IgnoreFile::default(), Protected::nothing());
        if Pattern::parse(&pattern).is_ok() {
            let intent = intent(&[&pattern]);
            let below = Target::new(&folder, &sandbox, Access::Write, Reach::Below);
            let file = Target::new(&format!("{folder}/{rest}"), &sandbox, Access::Write, Reach::Itself);
            if scope.check(&below, &intent).is_ok() {
                prop_assert!(scope.check(&file, &intent).is_ok(), "{pattern} {folder} {rest}");
            }
        }
    }
}
