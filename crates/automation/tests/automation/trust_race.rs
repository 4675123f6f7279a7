//! Files of automations that are replaced while they are loaded.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use automation::{Action, TrustedAutomations};
use redact::Filter;
use store::{AutomationFiles, Timestamp, Trust};

use crate::sample::place;

fn declaring(program: &str) -> String {
    let command = format!(r#"{{"type": "command", "command": ["{program}"]}}"#);
    format!(
        r#"{{"schemaVersion": 1, "hooks": [{{"id": "a", "trigger": "deploy", "prompt": "{program}", "runner": {command}}}]}}"#
    )
}

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// A thread renames the trusted and another file into place in turn. Every load that counts as trusted
/// must have the trusted file's program.
#[test]
fn a_file_swapped_while_it_is_loaded_is_never_run_as_trusted() {
    let place = place();
    let root = place.workspace.root().clone();
    let hooks = place.workspace.akira_file().as_path().to_path_buf();
    write(&hooks, &declaring("good"));
    let user_state = root.join("state-of-user");
    let mut trust = Trust::default();
    let files = AutomationFiles::read(&place.workspace);
    trust
        .grant_automations(&user_state, &root, &files, &Filter::default(), Timestamp::from_millis(1))
        .unwrap();

    let is_over = AtomicBool::new(false);
    let (mut n_trusted, mut n_refused) = (0, 0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0_u32.. {
                let next = hooks.with_extension("next");
                fs::write(&next, declaring(if n % 2 == 0 { "evil" } else { "good" })).unwrap();
                fs::rename(&next, &hooks).unwrap();
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        while n_trusted + n_refused < 20_000 && (n_trusted < 500 || n_refused < 500) {
            let files = AutomationFiles::read(&place.workspace);
            let Ok(verified) = trust.verify(&root, &files) else {
                n_refused += 1;
                continue;
            };
            n_trusted += 1;
            let mut trusted = TrustedAutomations::default();
            trusted.take(&verified, &root);
            let prompts: Vec<String> = trusted
                .automations()
                .map(|it| match &it.action {
                    Action::Prompt { prompt } => prompt.as_str().to_owned(),
                    other => other.word().to_owned(),
                })
                .collect();
            assert_eq!(prompts, ["good"]);
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert!(n_trusted > 0, "the trusted file was never loaded");
}

/// A valid file without trust must not become active when a broken file in its place is trusted.
#[test]
fn what_was_never_trusted_does_not_stand_in_for_a_broken_file_that_is() {
    let place = place();
    let root = place.workspace.root().clone();
    let user_state = root.join("state-of-user");
    let mut trust = Trust::default();
    let hooks = place.workspace.akira_file().as_path().to_path_buf();
    write(&hooks, &declaring("evil"));
    let mut trusted = TrustedAutomations::default();
    assert!(trust.verify(&root, &AutomationFiles::read(&place.workspace)).is_err());
    write(&hooks, "{ broken");
    let files = AutomationFiles::read(&place.workspace);
    trust
        .grant_automations(&user_state, &root, &files, &Filter::default(), Timestamp::from_millis(1))
        .unwrap();
    trusted.take(&trust.verify(&root, &files).unwrap(), &root);
    assert_eq!(trusted.automations().count(), 0);
}
