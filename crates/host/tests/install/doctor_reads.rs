//! What `doctor` learns from a settings file.

use event::EventName;
use host::Host;
use host::install::{Registration, registrations};

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
