//! Tests of the registrations that `doctor` reads from a settings file.

use std::path::Path;

use event::EventName;
use host::Host;
use host::install::{Registration, codex_trust, registrations};

#[test]
fn every_entry_of_ours_is_listed_whatever_its_shape() {
    let text = r#"{
  // all of the shapes in one file
  "hooks": {
    "disabled": ["x"],
    "PreToolUse": [
      { "command": "./mine.sh" },
      { "type": "command", "bash": "steersman dispatch PreToolUse", "powershell": "x" },
      { "matcher": "Bash", "hooks": [
        { "command": "'/a b/steersman' dispatch PreToolUse --host cursor --skip-shell" },
      ] },
    ],
    "Tomorrow": [{ "command": "/x/steersman", "args": ["dispatch", "Tomorrow"] }],
  },
}"#;
    let entry = |key: &str, event, host, program: &str, command: &str, line| Registration {
        key: key.into(),
        event,
        host,
        waits: None,
        timeout: None,
        unknown_event: (key == "Tomorrow").then(|| key.into()),
        unknown_host: None,
        program: program.into(),
        command: command.into(),
        line,
    };
    let pre = Some(EventName::PreToolUse);
    assert_eq!(
        registrations(text).unwrap(),
        [
            entry("PreToolUse", pre, None, "steersman", "steersman dispatch PreToolUse", 7),
            entry(
                "PreToolUse",
                pre,
                Some(Host::Cursor),
                "/a b/steersman",
                "'/a b/steersman' dispatch PreToolUse --host cursor --skip-shell",
                9
            ),
            entry("Tomorrow", None, None, "/x/steersman", "/x/steersman", 12),
        ],
    );
    assert_eq!(registrations("").unwrap(), []);
    assert_eq!(registrations("\u{feff}{}").unwrap(), []);
}

#[test]
fn the_hash_of_a_trusted_hook_is_the_one_that_codex_records() {
    let hooks = r#"{"hooks": {"Stop": [{"hooks": [
        {"type": "command", "command": "steersman dispatch Stop --host codex", "timeout": 15}]}]}}"#;
    // Printed by `hooks/list` of the app server of Codex 0.166.0.
    let hash = "sha256:006f2255206b74fd7f7482481be957f896273fbb05097a1dfba5a69a4d422501";
    let config = format!("[hooks.state.\"/w/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"{hash}\"\n");
    let trust = codex_trust(&config, Path::new("/w"), Path::new("/w/.codex/hooks.json"), hooks);
    assert_eq!(trust.trusted, ["Stop"]);
}
