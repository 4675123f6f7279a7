//! Dispatch answers any input with exactly one JSON object.
//!
//! `PROPTEST_CASES` says how often; a hundred thousand take minutes.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a helper that fails has to fail its test")]

mod any_json;
mod mutated;

use std::path::Path;

use dispatch::{Alarm, LaunchContext, ShellCalls, run};
use event::AbsPath;
use host::{Hints, Host};
use proptest::prelude::*;
use serde_json::Value;
use testkit::{Sandbox, schema};

/// Runs as many cases as asked for in one workspace, since what earlier ones left behind is
/// input too, and checks at the end that all of it is valid.
fn prove<S: Strategy>(strategy: impl FnOnce(&Sandbox) -> S, case: impl Fn(&Sandbox, S::Value)) {
    let sandbox = Sandbox::new("");
    let strategy = strategy(&sandbox);
    testkit::prove(256, &strategy, |value| {
        case(&sandbox, value);
        Ok(())
    });
    sandbox.check_everything();
}

fn launch(host: Option<Host>, event: Option<String>, root: &Path) -> LaunchContext {
    let root = AbsPath::new(root).unwrap();
    LaunchContext {
        event,
        host,
        workspace: Some(root.clone()),
        registration: None,
        timeout: None,
        notify: |_| {},
        run_check: |_| unreachable!("no workspace here has a done gate"),
        check_coverage: |_, _| {},
        shell: ShellCalls::Judged,
        folder: root,
        project: None,
        user_state: None,
        user_configs: Vec::new(),
        home: None,
        moved_settings: Vec::new(),
        running_agent: None,
        hints: Hints::default(),
        shell_entry: |_| false,
        program_folders: Vec::new,
        automations: Vec::new(),
        records: None,
    }
}

/// Answers these bytes and checks the answer against the invariants of all hosts.
fn answer(sandbox: &Sandbox, host: Option<Host>, event: Option<String>, stdin: &[u8]) {
    let mut stdout = Vec::new();
    let launch = launch(host, event, &sandbox.root());
    run(&launch, modules::ALL, stdin, &mut stdout, Alarm::Unarmed);
    let text = String::from_utf8(stdout).unwrap();
    assert_eq!(text.matches('\n').count(), 1, "one line: {text:?}");
    let answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
    assert!(answer.is_object(), "{answer}");
    if host == Some(Host::Raw) {
        schema::check("hook-output", &answer);
    }
}

/// Which host is named on the command line, if any, and which event.
mod named {
    use super::Host;
    use event::EventName;
    use proptest::prelude::*;

    pub(crate) fn host() -> impl Strategy<Value = Option<Host>> {
        proptest::option::of(proptest::sample::select(Host::ALL.to_vec()))
    }

    pub(crate) fn event() -> impl Strategy<Value = Option<String>> {
        let known = EventName::ALL.map(|name| name.as_str().to_owned()).to_vec();
        proptest::option::of(prop_oneof![9 => proptest::sample::select(known), 1 => ".{0,12}"])
    }
}
