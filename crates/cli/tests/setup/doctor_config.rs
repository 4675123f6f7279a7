//! `steersman doctor`: every mistake in a configuration file is located.

use expect_test::{Expect, expect};

use crate::project::Project;

/// Returns what the doctor says about one file in `.ai/hooks/`.
fn check(file: &str, text: &str, expected: &Expect) {
    let project = Project::new();
    project.write(&format!(".ai/hooks/{file}"), text);
    let said = project.run(&["doctor"]).stdout;
    let config = &said[said.find("Configuration").unwrap()..];
    let (config, _) = config.split_once("\n  · not there").unwrap();
    expected.assert_eq(config);
}

#[test]
fn a_comma_that_is_missing() {
    check(
        "dispatch.manifest.json",
        "{\n  \"version\": 1\n  \"modules\": {}\n}\n",
        &expect![[r#"
            Configuration
              ✗ expected a comma here
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
              ✗ comments are not allowed
                --> .ai/hooks/dispatch.manifest.json:2:3
                 |
               2 |   // no
                 |   ^
                hint: this file is plain JSON, without comments and trailing commas"#]],
    );
}

#[test]
fn a_key_that_nobody_reads() {
    check(
        "dispatch.manifest.json",
        "{ \"modules\": { \"session\": { \"prioirty\": 3 } }, \"colour\": 1 }",
        &expect![[r#"
            Configuration
              ! nobody reads the key `prioirty`
                --> .ai/hooks/dispatch.manifest.json:1:29
                 |
               1 | { "modules": { "session": { "prioirty": 3 } }, "colour": 1 }
                 |                             ^^^^^^^^^^
                hint: did you mean `priority`?
              ! nobody reads the key `colour`
                --> .ai/hooks/dispatch.manifest.json:1:48
                 |
               1 | { "modules": { "session": { "prioirty": 3 } }, "colour": 1 }
                 |                                                ^^^^^^^^
                hint: known here: version, $schema, modules, budgets, rewriteOwner, explicitAllow, askFallback, onFault, stampInput, blockAfterDenies, enforcePhases, phasePolicy"#]],
    );
}

#[test]
fn values_of_the_wrong_type() {
    check(
        "dispatch.manifest.json",
        "{\n  \"modules\": [],\n  \"explicitAllow\": \"yes\",\n  \"askFallback\": \"abstian\",\n  \"budgets\": { \"Stop\": -1 }\n}\n",
        &expect![[r#"
            Configuration
              ✗ `modules` is a list, expected an object
                --> .ai/hooks/dispatch.manifest.json:2:14
                 |
               2 |   "modules": [],
                 |              ^^
              ✗ `explicitAllow` is a string, expected true or false
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
              ✗ `budgets.Stop` has to be 0 or more
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
              ! nobody reads the key `PLANING`
                --> .ai/hooks/dispatch.manifest.json:1:20
                 |
               1 | { "phasePolicy": { "PLANING": { "allowTools": "*" } } }
                 |                    ^^^^^^^^^
                hint: did you mean `PLANNING`?"#]],
    );
}

#[test]
fn a_key_that_is_there_twice() {
    check(
        "dispatch.manifest.json",
        "{ \"version\": 1, \"version\": 1 }",
        &expect![[r#"
            Configuration
              ✗ `version` is there twice
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
              ! nobody reads the key `sesion`
                --> .ai/hooks/config.json:1:17
                 |
               1 | { "version": 2, "sesion": {} }
                 |                 ^^^^^^^^
                hint: did you mean `session`?
              ✗ format 2 is newer than the 1 this build knows
                --> .ai/hooks/config.json:1:14
                 |
               1 | { "version": 2, "sesion": {} }
                 |              ^
                hint: update steersman; until then the defaults serve"#]],
    );
}

#[test]
fn settings_of_a_built_in_module() {
    check(
        "config.json",
        "{ \"session\": { \"promptAudit\": \"full\" } }",
        &expect![[r#"
            Configuration
              ✗ `session.promptAudit` is `full`, expected `hash` or `raw`
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
              ! nobody reads the key `sudo`
                --> .ai/hooks/config.json:2:3
                 |
               2 |   "sudo": "of",
                 |   ^^^^^^
                hint: `steersman shell rules` lists what is known
              ✗ `shell-guard.rules.sudo` is `of`, expected `deny` or `ask` or `warn` or `off`
                --> .ai/hooks/config.json:2:11
                 |
               2 |   "sudo": "of",
                 |           ^^^^
                hint: did you mean `off`?
              ! nobody reads the key `force-psuh`
                --> .ai/hooks/config.json:3:3
                 |
               3 |   "force-psuh": "off",
                 |   ^^^^^^^^^^^^
                hint: `steersman shell rules` lists what is known
              ! nobody reads the key `force-push`
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
              ! nobody reads the key `alow`
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
              ✗ `workRoot` has to be a folder below `.ai/` other than `.ai/hooks`, without `..`
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
              ✗ `rules[0]` has no `id`
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
              ✗ `rules[0].action.type` is `warm`, expected `inject_context` or `warn` or `ask` or `enqueue_automation`
                --> .ai/hooks/followup-rules.json:2:48
                 |
               2 |   { "id": "a", "when": [], "action": { "type": "warm" } },
                 |                                                ^^^^^^
                hint: did you mean `warn`?
              ✗ `rules[1].when[0]` has no `field`
                --> .ai/hooks/followup-rules.json:3:25
                 |
               3 |   { "id": "b", "when": [{}], "action": { "type": "ask", "test": "?" } }
                 |                         ^
              ✗ `rules[1].when[0]` has no `op`
                --> .ai/hooks/followup-rules.json:3:25
                 |
               3 |   { "id": "b", "when": [{}], "action": { "type": "ask", "test": "?" } }
                 |                         ^
              ! nobody reads the key `test`
                --> .ai/hooks/followup-rules.json:3:57
                 |
               3 |   { "id": "b", "when": [{}], "action": { "type": "ask", "test": "?" } }
                 |                                                         ^^^^^^
                hint: did you mean `text`?
              ✗ `rules[1].action` has no `text`
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
                hint: write `{}`, or delete it: the defaults serve then"#]],
    );
    check(
        "config.json",
        "\u{feff}{}",
        &expect![[r#"
            Configuration
              ✗ .ai/hooks/config.json begins with a byte order mark
                hint: save it as UTF-8 without one"#]],
    );
}
