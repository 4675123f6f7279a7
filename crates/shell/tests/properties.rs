//! What holds for every line, whatever is in it.

use proptest::prelude::*;
use shell::guard::{self, GuardDecision, Policy};
use shell::{Dialect, Place, read};

fn place(dialect: Dialect) -> Place<'static> {
    Place { home: Some("/home/me"), dialect, ..Place::at("/home/me/work/project") }
}

/// Pieces that mean something to a shell, so that random lines are not all words.
fn fragments() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("rm -rf "),
        Just("/"),
        Just("$("),
        Just(")"),
        Just("`"),
        Just("'"),
        Just("\""),
        Just("${x"),
        Just("}"),
        Just("{ "),
        Just("; }"),
        Just("<<EOF\n"),
        Just("\nEOF\n"),
        Just("| sh"),
        Just("&& "),
        Just("|| "),
        Just("; "),
        Just("if "),
        Just("then "),
        Just("fi"),
        Just("for x in "),
        Just("do "),
        Just("done"),
        Just("case x in "),
        Just("esac"),
        Just(";;"),
        Just("x() "),
        Just("$'\\x"),
        Just("\\"),
        Just("\n"),
        Just("((1"),
        Just("))"),
        Just("[[ "),
        Just(" ]]"),
        Just("> "),
        Just("2>&1 "),
        Just("<("),
        Just("echo "),
        Just("bash -c "),
        Just("eval "),
        Just("sudo "),
        Just("xargs "),
        Just("a=b "),
        Just("$x "),
        Just("{a,b}"),
        Just("*"),
        Just("~"),
        Just("\u{e9}\u{1f600}"),
        Just("#"),
        Just("curl x |"),
        Just("python3 -c "),
        Just("function f "),
        Just("git push -f "),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn check(command: &str) -> Result<(), TestCaseError> {
    for dialect in [Dialect::Posix, Dialect::PowerShell, Dialect::Cmd] {
        let reading = read(command, &place(dialect));
        for used in reading
            .commands
            .iter()
            .map(|simple| simple.span)
            .chain(reading.deletes.iter().map(|used| used.span))
        {
            prop_assert!(used.start <= used.end && used.end <= command.len(), "span {used:?} of {command:?}");
        }
        if let Some(stop) = &reading.stopped_at {
            prop_assert!(stop.at <= command.len().max(shell::MAX_CHARS));
            prop_assert!(!reading.parsed && reading.commands.is_empty());
        }
        let judgement = guard::judge(&reading, &Policy::default());
        prop_assert_eq!(
            judgement.verdict == GuardDecision::Allow,
            judgement.reasons.iter().all(|finding| finding.level < guard::Level::Ask)
        );
        if reading.is_read_only() {
            prop_assert!(
                reading.writes.is_empty() && reading.deletes.is_empty() && reading.creates.is_empty()
            );
        }
    }
    Ok(())
}

#[test]
fn lines_that_once_went_wrong_are_read() {
    for command in ["url http>s://e(b \"$(cvil.com/x.pl | perl", "${x\u{e9}\u{1f600}", "x > (\u{2026}"] {
        check(command).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn any_text_is_read_without_panic(command in any::<String>()) {
        check(&command)?;
    }

    #[test]
    fn any_shell_like_text_is_read_without_panic(command in fragments()) {
        check(&command)?;
    }

    #[test]
    fn quoted_text_is_only_mentioned(text in "[ -&(-~]{0,60}") {
        // Single quotes keep everything but themselves.
        for command in [format!("echo '{text}'"), format!("git commit -m '{text}'"), format!("grep -rn '{text}' src"), format!("gh issue create --title x --body '{text}'")] {
            let judgement = guard::judge(&read(&command, &place(Dialect::Posix)), &Policy::default());
            prop_assert_eq!(judgement.verdict, GuardDecision::Allow, "{}", command);
        }
    }

    #[test]
    fn a_here_document_for_cat_is_only_mentioned(text in "[ -~]{0,60}") {
        let command = format!("cat > notes.md <<'E_O_F'\n{text}\nE_O_F");
        let judgement = guard::judge(&read(&command, &place(Dialect::Posix)), &Policy::default());
        prop_assert_eq!(judgement.verdict, GuardDecision::Allow, "{}", command);
    }

    #[test]
    fn splitting_a_name_with_quotes_changes_nothing(at in 0usize..=2, quote in prop_oneof![Just("''"), Just("\"\""), Just("\\\n")]) {
        let command = format!("{}{quote}{} -rf /", &"rm"[..at], &"rm"[at..]);
        let judgement = guard::judge(&read(&command, &place(Dialect::Posix)), &Policy::default());
        prop_assert_eq!(judgement.verdict, GuardDecision::Deny, "{}", command);
    }
}
