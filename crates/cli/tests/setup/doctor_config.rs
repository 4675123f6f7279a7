//! `steersman doctor`: reports every mistake in a configuration file with its place.

use expect_test::{Expect, expect};

use crate::project::Project;

/// Checks the doctor's findings about one file in `.ai/hooks/`.
fn check(file: &str, text: &str, expected: &Expect) {
    let project = Project::new();
    project.write(&format!(".ai/hooks/{file}"), text);
    let said = project.run(&["doctor"]).stdout;
    let config = &said[said.find("Configuration").unwrap()..];
    let (config, _) = config.split_once("\n  · using defaults").unwrap();
    expected.assert_eq(config);
}

#[test]
fn a_comma_that_is_missing() {
    check(
        "dispatch.manifest.json",
        "{\n  \"version\": 1\n  \"modules\": {}\n}\n",
        &expect![[r#"
            Configuration
              ✗ cannot parse JSON: expected a comma here
                --> .ai/hooks/dispatch.manifest.json:2:15
                 |
               2 |   "version": 1
                 |               ^"#]],
    );
}

#[test]
fn a_comment_where_none_is_read() {
    check(
        "dispatch.manifest.json",
        "{\n  // no\n  \"version\": 1\n}\n",
        &expect![[r#"
            Configuration
              ✗ cannot parse JSON: comments are not allowed
                --> .ai/hooks/dispatch.manifest.json:2:3
                 |
               2 |   // no
                 |   ^^^^^
                hint: remove comments and trailing commas: this file is plain JSON"#]],
    );
}

#[test]
fn an_unknown_key() {
    check(
        "dispatch.manifest.json",
        "{ \"modules\": { \"session\": { \"prioirty\": 3 } }, \"colour\": 1 }",
        &expect![[r#"
            Configuration
              ! unknown key `prioirty`
                --> .ai/hooks/dispatch.manifest.json:1:29
                 |
               1 | { "modules": { "session": { "prioirty": 3 } }, "colour": 1 }
                 |                             ^^^^^^^^^^
                hint: did you mean `priority`?
              ! unknown key `colour`
                --> .ai/hooks/dispatch.manifest.json:1:48
                 |
               1 | { "modules": { "session": { "prioirty": 3 } }, "colour": 1 }
                 |                                                ^^^^^^^^
                hint: valid keys: version, $schema, modules, budgets, rewriteOwner, explicitAllow, askFallback, onFault, stampInput, blockAfterDenies, maxKeptStops, enforcePhases, phasePolicy"#]],
    );
}

#[test]
fn values_of_the_wrong_type() {
    check(
        "dispatch.manifest.json",
        "{\n  \"modules\": [],\n  \"explicitAllow\": \"yes\",\n  \"askFallback\": \"abstian\",\n  \"budgets\": { \"Stop\": -1 }\n}\n",
        &expect![[r#"
            Configuration
              ✗ `modules` is an array, expected an object
                --> .ai/hooks/dispatch.manifest.json:2:14
                 |
               2 |   "modules": [],
                 |              ^^
              ✗ `explicitAllow` is a string, expected a boolean
                --> .ai/hooks/dispatch.manifest.json:3:20
                 |
               3 |   "explicitAllow": "yes",
                 |                    ^^^^^
              ✗ `askFallback` is `abstian`, expected `deny` or `abstain`
                --> .ai/hooks/dispatch.manifest.json:4:18
                 |
               4 |   "askFallback": "abstian",
                 |                  ^^^^^^^^^
                hint: did you mean `abstain`?
              ✗ `budgets.Stop` must be at least 0
                --> .ai/hooks/dispatch.manifest.json:5:24
                 |
               5 |   "budgets": { "Stop": -1 }
                 |                        ^^"#]],
    );
}

#[test]
fn a_phase_that_does_not_exist() {
    check(
        "dispatch.manifest.json",
        "{ \"phasePolicy\": { \"PLANING\": { \"allowTools\": \"*\" } } }",
        &expect![[r#"
            Configuration
              ! unknown key `PLANING`
                --> .ai/hooks/dispatch.manifest.json:1:20
                 |
               1 | { "phasePolicy": { "PLANING": { "allowTools": "*" } } }
                 |                    ^^^^^^^^^
                hint: did you mean `PLANNING`?"#]],
    );
}

#[test]
fn a_duplicate_key() {
    check(
        "dispatch.manifest.json",
        "{ \"version\": 1, \"version\": 1 }",
        &expect![[r#"
            Configuration
              ✗ duplicate key `version`
                --> .ai/hooks/dispatch.manifest.json:1:17
                 |
               1 | { "version": 1, "version": 1 }
                 |                 ^^^^^^^^^"#]],
    );
}

#[test]
fn a_number_too_large_for_the_code_that_reads_it() {
    check(
        "dispatch.manifest.json",
        "{ \"blockAfterDenies\": 99999999999 }",
        &expect![[r#"
            Configuration
              ✗ invalid value: integer `99999999999`, expected u32
                --> .ai/hooks/dispatch.manifest.json:1:33
                 |
               1 | { "blockAfterDenies": 99999999999 }
                 |                                 ^"#]],
    );
}

#[test]
fn a_newer_format_and_a_section_of_no_module() {
    check(
        "config.json",
        "{ \"version\": 2, \"sesion\": {} }",
        &expect![[r#"
            Configuration
              ! unknown key `sesion`
                --> .ai/hooks/config.json:1:17
                 |
               1 | { "version": 2, "sesion": {} }
                 |                 ^^^^^^^^
                hint: did you mean `session`?
              ✗ format 2 is newer than this build's format 1
                --> .ai/hooks/config.json:1:14
                 |
               1 | { "version": 2, "sesion": {} }
                 |              ^
                hint: update steersman; until then it uses defaults"#]],
    );
}

#[test]
fn settings_of_a_built_in_module() {
    check(
        "config.json",
        "{ \"session\": { \"promptAudit\": \"full\" } }",
        &expect![[r#"
            Configuration
              ✗ `session.promptAudit` is `full`, expected `hash` or `firstLine` or `raw`
                --> .ai/hooks/config.json:1:31
                 |
               1 | { "session": { "promptAudit": "full" } }
                 |                               ^^^^^^"#]],
    );
}

#[test]
fn settings_of_the_guard_of_shell_commands() {
    check(
        "config.json",
        "{ \"shell-guard\": { \"rules\": {\n  \"sudo\": \"of\",\n  \"force-psuh\": \"off\",\n  \"force-push\": { \"level\": \"aks\", \"alow\": [] } } } }",
        &expect![[r#"
            Configuration
              ! unknown key `sudo`
                --> .ai/hooks/config.json:2:3
                 |
               2 |   "sudo": "of",
                 |   ^^^^^^
                hint: `steersman shell rules` lists the rules
              ✗ `shell-guard.rules.sudo` is `of`, expected `deny` or `ask` or `warn` or `off`
                --> .ai/hooks/config.json:2:11
                 |
               2 |   "sudo": "of",
                 |           ^^^^
                hint: did you mean `off`?
              ! unknown key `force-psuh`
                --> .ai/hooks/config.json:3:3
                 |
               3 |   "force-psuh": "off",
                 |   ^^^^^^^^^^^^
                hint: `steersman shell rules` lists the rules
              ! unknown key `force-push`
                --> .ai/hooks/config.json:4:3
                 |
               4 |   "force-push": { "level": "aks", "alow": [] } } } }
                 |   ^^^^^^^^^^^^
                hint: did you mean `git-force-push`?
              ✗ `shell-guard.rules.force-push.level` is `aks`, expected `deny` or `ask` or `warn` or `off`
                --> .ai/hooks/config.json:4:28
                 |
               4 |   "force-push": { "level": "aks", "alow": [] } } } }
                 |                            ^^^^^
                hint: did you mean `ask`?
              ! unknown key `alow`
                --> .ai/hooks/config.json:4:35
                 |
               4 |   "force-push": { "level": "aks", "alow": [] } } } }
                 |                                   ^^^^^^
                hint: did you mean `allow`?"#]],
    );
}

#[test]
fn a_layout_that_leads_astray() {
    check(
        "workspace.json",
        "{\n  \"workRoot\": \"../elsewhere\"\n}\n",
        &expect![[r#"
            Configuration
              ✗ `workRoot` must be a folder below `.ai/` other than `.ai/hooks`, without `..`
                --> .ai/hooks/workspace.json:2:15
                 |
               2 |   "workRoot": "../elsewhere"
                 |               ^"#]],
    );
}

#[test]
fn delegation_rules() {
    check(
        "rlm-policy.json",
        "{ \"rules\": [ { \"mode\": \"wran\" } ] }",
        &expect![[r#"
            Configuration
              ✗ `rules[0].mode` is `wran`, expected `warn` or `ask` or `deny`
                --> .ai/hooks/rlm-policy.json:1:24
                 |
               1 | { "rules": [ { "mode": "wran" } ] }
                 |                        ^^^^^^
                hint: did you mean `warn`?
              ✗ `rules[0]` lacks the key `id`
                --> .ai/hooks/rlm-policy.json:1:14
                 |
               1 | { "rules": [ { "mode": "wran" } ] }
                 |              ^"#]],
    );
}

#[test]
fn follow_up_rules() {
    check(
        "followup-rules.json",
        "{ \"rules\": [\n  { \"id\": \"a\", \"when\": [], \"action\": { \"type\": \"warm\" } },\n  { \"id\": \"b\", \"when\": [{}], \"action\": { \"type\": \"ask\", \"test\": \"?\" } }\n] }",
        &expect![[r#"
            Configuration
              ✗ `rules[0].action.type` is `warm`, expected `inject_context` or `warn` or `ask` or `deny` or `rewrite` or `enqueue_automation`
                --> .ai/hooks/followup-rules.json:2:48
                 |
               2 |   { "id": "a", "when": [], "action": { "type": "warm" } },
                 |                                                ^^^^^^
                hint: did you mean `warn`?
              ✗ `rules[1].when[0]` lacks the key `field`
                --> .ai/hooks/followup-rules.json:3:25
                 |
               3 |   { "id": "b", "when": [{}], "action": { "type": "ask", "test": "?" } }
                 |                         ^
              ✗ `rules[1].when[0]` lacks the key `op`
                --> .ai/hooks/followup-rules.json:3:25
                 |
               3 |   { "id": "b", "when": [{}], "action": { "type": "ask", "test": "?" } }
                 |                         ^
              ! unknown key `test`
                --> .ai/hooks/followup-rules.json:3:57
                 |
               3 |   { "id": "b", "when": [{}], "action": { "type": "ask", "test": "?" } }
                 |                                                         ^^^^^^
                hint: did you mean `text`?
              ✗ `rules[1].action` lacks the key `text`
                --> .ai/hooks/followup-rules.json:3:40
                 |
               3 |   { "id": "b", "when": [{}], "action": { "type": "ask", "test": "?" } }
                 |                                        ^"#]],
    );
}

#[test]
fn an_empty_file_and_a_byte_order_mark() {
    check(
        "config.json",
        "",
        &expect![[r#"
            Configuration
              ✗ .ai/hooks/config.json is empty
                hint: write `{}` into it, or delete it to use defaults"#]],
    );
    check(
        "config.json",
        "\u{feff}{}",
        &expect![[r#"
            Configuration
              ✗ .ai/hooks/config.json starts with a byte order mark
                hint: save it as UTF-8 without a byte order mark"#]],
    );
}
