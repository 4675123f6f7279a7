//! The input and output of a program.

use runner::End;

use crate::stage::Stage;

const TOKEN: &str = concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789");

#[test]
fn a_prompt_arrives_whole_and_is_never_run() {
    let prompt = "first `touch hacked` $(touch hacked)\n\"second\" \u{1F600}".repeat(20_000);
    let stage = Stage::new("prompt");
    let outcome = stage.run("cat > got; wc -c < got", &prompt);
    assert_eq!(std::fs::read_to_string(stage.path("got")).unwrap(), prompt);
    assert!(!stage.path("hacked").exists());
    assert_eq!(outcome.stdout.text.trim(), prompt.len().to_string());
}

#[test]
fn a_program_that_does_not_read_its_prompt_is_no_trouble() {
    let outcome = Stage::new("unread").run("echo fine", &"word ".repeat(100_000));
    assert_eq!((outcome.end, outcome.stdout.text.as_str()), (End::Exited(0), "fine\n"));
}

#[test]
fn secrets_are_gone_from_prompts_from_both_outputs_and_from_what_is_shown_meanwhile() {
    let stage = Stage::new("secrets");
    let mut seen = Vec::new();
    let script = format!("cat; echo; echo out {TOKEN}; echo err {TOKEN} >&2");
    let prompt = format!("use {TOKEN}");
    let outcome = stage.try_run(&script, &prompt, &mut |bytes| seen.extend_from_slice(bytes)).unwrap();
    assert_eq!(outcome.stdout.text, "use [REDACTED]\nout [REDACTED]\n");
    assert_eq!(outcome.stderr.text, "err [REDACTED]\n");
    let seen = String::from_utf8(seen).unwrap();
    assert!(!seen.contains("ghp_") && seen.contains("err [REDACTED]"), "{seen}");
}

#[test]
fn the_value_of_a_secret_variable_is_taken_out_wherever_it_turns_up() {
    let mut stage = Stage::new("variable");
    stage.environment.set("DEPLOY_PASSWORD", "correct horse battery");
    stage.filter = redact::Filter::with_patterns(stage.environment.secret_patterns()).unwrap();
    let outcome = stage.run("echo \"<$DEPLOY_PASSWORD>\"", "");
    assert_eq!(outcome.stdout.text, "<[REDACTED]>\n");
}

#[test]
fn only_the_chosen_environment_is_seen() {
    let mut stage = Stage::new("chosen");
    stage.environment.set("CHOSEN", "yes");
    let outcome = stage.run("env | cut -d= -f1 | sort", "");
    let names: Vec<&str> =
        outcome.stdout.text.lines().filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name)).collect();
    assert_eq!(names, ["CHOSEN", "PATH", "STEERSMAN_RUN"]);
}

#[test]
fn more_output_than_may_be_kept_is_counted_and_the_program_goes_on() {
    let mut stage = Stage::new("much");
    stage.limits.output = 1000;
    let outcome = stage.run("head -c 3000000 /dev/zero | tr '\\0' 'x'; echo last", "");
    assert_eq!(outcome.end, End::Exited(0));
    assert_eq!(outcome.stdout.n_left_out, 3_000_005 - 1000);
    assert!(outcome.stdout.text.ends_with("xlast\n"), "{}", &outcome.stdout.text[1000..]);
}
