//! How runs end, and that no process is left.

use std::fs;
use std::thread;
use std::time::Duration;

use runner::{Cancel, End, StartError};

use crate::stage::{Stage, is_alive};

#[test]
fn a_program_that_ends_by_itself_tells_its_code() {
    assert_eq!(Stage::new("code").run("exit 7", "").end, End::Exited(7));
    assert_eq!(Stage::new("signal").run("kill -9 $$", "").end, End::Signaled(9));
}

#[test]
fn a_program_whose_time_is_up_is_stopped() {
    let mut stage = Stage::new("time");
    stage.limits.timeout = Duration::from_secs(2);
    let outcome = stage.run("echo begun; sleep 600", "");
    assert_eq!(outcome.end, End::TimedOut);
    assert_eq!(outcome.stdout.text, "begun\n", "what it printed before is kept");
}

#[test]
fn a_program_that_was_asked_to_stop_may_say_goodbye() {
    let mut stage = Stage::new("goodbye");
    stage.limits.timeout = Duration::from_secs(2);
    stage.limits.grace = Duration::from_secs(20);
    let outcome = stage.run("trap 'echo bye; exit 0' TERM; while :; do sleep 0.05; done", "");
    assert_eq!((outcome.end, outcome.stdout.text.as_str()), (End::TimedOut, "bye\n"));
}

/// Runs a script and cancels it once the script has written this file.
fn run_until_written(stage: &Stage, name: &str, script: &str) {
    run_and_stop(stage, name, script, Cancel::cancel);
}

fn run_and_stop(stage: &Stage, name: &str, script: &str, stop: fn(&Cancel)) {
    let (handle, file) = (stage.cancel.clone(), stage.path(name));
    let caller = thread::spawn(move || {
        while fs::read_to_string(&file).unwrap_or_default().trim().is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        stop(&handle);
    });
    assert_eq!(stage.run(script, "").end, End::Cancelled);
    caller.join().unwrap();
}

#[test]
fn a_program_that_ignores_being_asked_is_killed_with_its_children() {
    let stage = Stage::new("deaf");
    let script = "trap '' TERM; echo $$ > root; (trap '' TERM; sh -c 'trap \"\" TERM; echo $$ > grandchild; while :; do sleep 0.1; done') & while :; do sleep 0.1; done";
    run_until_written(&stage, "grandchild", script);
    for name in ["root", "grandchild"] {
        assert!(!is_alive(stage.pid(name)), "{name}");
    }
}

/// The caller ends sooner than the run's own grace period, also of a run that was cancelled before.
#[test]
fn a_caller_that_ends_soon_shortens_the_grace_period() {
    let deaf = "trap '' TERM; echo $$ > root; while :; do sleep 0.1; done";
    for stop in [
        |cancel: &Cancel| cancel.cancel_within(Duration::from_millis(200)),
        |cancel: &Cancel| {
            cancel.cancel();
            thread::sleep(Duration::from_millis(300));
            cancel.cancel_within(Duration::from_millis(200));
        },
    ] {
        let mut stage = Stage::new("soon");
        stage.limits.grace = Duration::from_hours(1);
        run_and_stop(&stage, "root", deaf, stop);
        assert!(!is_alive(stage.pid("root")));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_grandchild_that_has_left_the_session_dies_too() {
    for orphan in [false, true] {
        let stage = Stage::new(&format!("setsid-{orphan}"));
        let stay = if orphan { "" } else { "wait" };
        let script = format!(
            "(setsid sh -c 'trap \"\" TERM; echo $$ > escaped; while :; do sleep 0.1; done' & {stay}) & while :; do sleep 0.1; done"
        );
        run_until_written(&stage, "escaped", &script);
        assert!(!is_alive(stage.pid("escaped")), "orphan: {orphan}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_program_leaves_behind_when_it_ends_does_not_outlive_the_run() {
    let stage = Stage::new("left");
    let script = "setsid sh -c 'echo $$ > daemon; exec sleep 600' & while [ ! -s daemon ]; do sleep 0.01; done; echo done";
    let outcome = stage.run(script, "");
    assert_eq!((outcome.end, outcome.stdout.text.as_str()), (End::Exited(0), "done\n"));
    assert!(!is_alive(stage.pid("daemon")));
}

/// A program that was started a moment ago looks like an orphan to a run that ends.
#[test]
fn runs_that_start_and_end_at_once_do_not_end_each_other() {
    thread::scope(|scope| {
        for n in 0..8 {
            scope.spawn(move || {
                let stage = Stage::new(&format!("beside-{n}"));
                for _ in 0..12 {
                    let outcome = stage.run("sleep 0.01; echo done", "");
                    assert_eq!((outcome.end, outcome.stdout.text.as_str()), (End::Exited(0), "done\n"));
                }
            });
        }
    });
}

#[cfg(target_os = "linux")]
#[test]
fn processes_of_a_run_whose_keeper_was_killed_are_found_by_their_mark() {
    let stage = Stage::new("orphaned");
    let orphan = std::process::Command::new("sleep").arg("600").env(runner::MARK, &stage.mark).spawn();
    let mut orphan = orphan.unwrap();
    assert_eq!(runner::end_leftovers("another mark"), 0);
    assert_eq!(runner::end_leftovers(&stage.mark), 1);
    // It was our child here, so it may have been reaped already.
    let _ = orphan.wait();
    assert!(!is_alive(orphan.id()));
}

#[test]
fn a_run_can_be_called_off_from_another_thread() {
    let stage = Stage::new("cancel");
    run_until_written(&stage, "root", "echo $$ > root; sleep 600");
    assert!(!is_alive(stage.pid("root")));
    assert_eq!(stage.run("sleep 600", "").end, End::Cancelled, "a used handle ends the next run at once");
}

#[test]
fn a_program_or_folder_that_is_not_there_is_an_error_that_names_it() {
    let stage = Stage::new("missing");
    let gone = stage.dir.path().to_path_buf();
    fs::remove_dir_all(&gone).unwrap();
    let invocation = runner::Invocation { program: "/bin/sh".into(), args: Vec::new(), stdin: Vec::new() };
    let mut started = runner::Run {
        invocation: &invocation,
        folder: &gone,
        environment: &stage.environment,
        mark: &stage.mark,
        limits: stage.limits,
        filter: &stage.filter,
        cancel: &stage.cancel,
        pipe: None,
    };
    let error = runner::run(&started, &mut |_, _| {}).unwrap_err();
    assert!(matches!(error, StartError::NoFolder { .. }), "{error}");
    let nothing =
        runner::Invocation { program: "/no/such/program".into(), args: Vec::new(), stdin: Vec::new() };
    started.invocation = &nothing;
    started.folder = std::path::Path::new("/");
    let error = runner::run(&started, &mut |_, _| {}).unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/no/such/program`");
}
