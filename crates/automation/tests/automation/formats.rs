//! Files of every past format and of future ones: `tests/formats/`.

use std::fs;
use std::path::PathBuf;

use automation::{Automation, Configuration, SourceFile};
use expect_test::{Expect, expect};

use crate::sample::{Place, id, place};

fn copy(place: &Place, file: &str) {
    let source = if file.starts_with("akira") { SourceFile::Akira } else { SourceFile::Gatomia };
    let path = source.path(&place.workspace);
    fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
    let golden = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(file);
    fs::copy(golden, path.as_path()).unwrap();
}

/// Loads a file and lists its automations, then its problems.
fn told(file: &str) -> String {
    let place = place();
    copy(&place, file);
    let (configuration, loaded) = Configuration::load(&place.workspace);
    let automation = |it: &Automation| format!("{} on {}: {}", it.id, it.trigger, it.action.word());
    let problems = loaded.problems.iter().map(config_file::Problem::log_line);
    configuration.automations().map(automation).chain(problems).collect::<Vec<_>>().join("\n") + "\n"
}

fn check(file: &str, expected: &Expect) {
    expected.assert_eq(&told(file));
}

#[test]
fn files_from_before_there_were_numbers_are_read_as_the_first_format() {
    let first = expect![[r#"
        format on onDidSaveTextDocument: prompt
    "#]];
    check("akira-1.json", &first);
    check("akira-unnumbered.json", &first);
    check(
        "akira-0.json",
        &expect![[r#"
            format on onDidSaveTextDocument: prompt
            .akira/hooks.json:2:20: warning: format 0 is older than 1; reading it as format 1 (hint: write `"schemaVersion": 1`)
        "#]],
    );
    let first = expect![[r#"
        review on speckit.clarify: custom
    "#]];
    check("gatomia-1.json", &first);
    check("gatomia-list.json", &first);
    check(
        "gatomia-0.json",
        &expect![[r#"
            review on speckit.clarify: custom
            .vscode/gatomia/hooks.json:2:14: warning: format 0 is older than 1; reading it as format 1 (hint: write `"version": 1`)
        "#]],
    );
}

#[test]
fn a_file_of_a_newer_format_is_refused_with_its_place_and_nothing_else_of_it_is_judged() {
    check(
        "akira-2.json",
        &expect![[r#"
            .akira/hooks.json:4:20: error: format 2 is newer than this build's format 1 (hint: update steersman)
        "#]],
    );
    check(
        "gatomia-3.json",
        &expect![[r#"
            .vscode/gatomia/hooks.json:2:14: error: format 3 is newer than this build's format 1 (hint: update steersman)
        "#]],
    );
}

#[test]
fn what_was_valid_stays_when_the_file_becomes_one_of_a_newer_format() {
    for (known, newer, hook) in
        [("akira-1.json", "akira-2.json", "format"), ("gatomia-list.json", "gatomia-3.json", "review")]
    {
        let place = place();
        copy(&place, known);
        let (mut configuration, _) = Configuration::load(&place.workspace);
        copy(&place, newer);
        let loaded = configuration.reload(&place.workspace);
        assert!(!loaded.is_valid() && loaded.kept.len() == 1);
        assert!(configuration.get(&id(hook)).is_some());
        copy(&place, known);
        assert!(configuration.reload(&place.workspace).is_valid());
    }
}
