//! Tests of hooks and the MCP server in one file.

use host::Host;
use host::install::{Form, Removed, SettingsFile};

use crate::{left, programs};

#[test]
fn every_file_is_listed_once_whoever_reads_it() {
    let files = SettingsFile::of(&Host::ALL);
    let mut names: Vec<&str> = files.iter().map(|settings| settings.file).collect();
    assert_eq!(
        names,
        [
            ".github/hooks/steersman.json",
            ".claude/settings.json",
            ".codex/hooks.json",
            ".gemini/settings.json",
            ".cursor/hooks.json",
            ".qwen/settings.json",
            ".mcp.json",
            ".vscode/mcp.json",
            ".codex/config.toml",
            ".cursor/mcp.json",
        ]
    );
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), files.len());
    let both: Vec<&str> =
        files.iter().filter(|it| it.hooks.is_some() && it.server.is_some()).map(|it| it.file).collect();
    assert_eq!(both, [".gemini/settings.json", ".qwen/settings.json"]);
    let of_cursor: Vec<&str> = SettingsFile::of(&[Host::Cursor]).iter().map(|it| it.file).collect();
    assert_eq!(of_cursor, [".cursor/hooks.json", ".cursor/mcp.json"]);
}

#[test]
fn both_parts_go_in_and_out_together() {
    let [program, _] = programs();
    for settings in SettingsFile::of(&Host::ALL) {
        let is_toml = settings.server.is_some_and(|plan| plan.form == Form::Toml);
        let befores = if is_toml {
            ["model = 'x'\n", "# c\r\n", "a = 1"]
        } else {
            ["{\n  \"theme\": 1 // c\n}\n", "{}", "{\"hooks\": {}, \"mcpServers\": {}}"]
        };
        for before in befores {
            let after = settings.register(Some(before), &program).unwrap();
            assert_eq!(settings.register(Some(&after), &program).unwrap(), after);
            let found = settings.found_in(&after).unwrap();
            assert_eq!(found.hooks.is_some(), settings.hooks.is_some(), "{}", settings.file);
            assert_eq!(found.server.is_some(), settings.server.is_some(), "{}", settings.file);
            assert_eq!(settings.program_in(&after), Some(program.clone()));
            assert_eq!(left(settings.unregister(&after).unwrap(), &after), before, "{}", settings.file);
        }
        let new = settings.register(None, &program).unwrap();
        let removed = settings.unregister(&new).unwrap();
        assert!(matches!(removed, Removed::OnlyOurs { .. }), "{}: {removed:?}", settings.file);
        assert!(settings.found_in("").unwrap().is_empty());
        assert_eq!(settings.unregister("").unwrap(), Removed::Nothing);
    }
}

#[test]
fn one_part_can_be_taken_out_alone() {
    let [program, _] = programs();
    for settings in SettingsFile::of(&[Host::Gemini, Host::Qwen]) {
        let both = settings.register(Some("{\"theme\": 1}"), &program).unwrap();
        let hooks_only = SettingsFile { server: None, ..settings };
        let without_server = left(SettingsFile { hooks: None, ..settings }.unregister(&both).unwrap(), &both);
        assert_eq!(without_server, hooks_only.register(Some("{\"theme\": 1}"), &program).unwrap());
    }
}
