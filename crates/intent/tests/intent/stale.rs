//! Tests that an agent does not overwrite a change it has not seen.

use std::fs;

use intent::StaleFiles;

use crate::sandbox::Sandbox;

fn memory(sandbox: &Sandbox, session: &str) -> StaleFiles {
    StaleFiles::in_folder(sandbox.at(&format!(".ai/tmp/{session}/intent/seen")))
}

#[test]
fn two_agents_in_one_workspace_do_not_write_over_each_other() {
    let sandbox = Sandbox::with(&[("src/a.ts", "one")]);
    let file = sandbox.at("src/a.ts");
    let (alice, bob) = (memory(&sandbox, "a"), memory(&sandbox, "b"));
    alice.remember(&file).unwrap();
    bob.remember(&file).unwrap();
    assert_eq!(bob.check(&file, "src/a.ts"), Ok(()));
    fs::write(file.as_path(), "two").unwrap();
    bob.remember(&file).unwrap();
    assert_eq!(bob.check(&file, "src/a.ts"), Ok(()));
    let stale = alice.check(&file, "src/a.ts").unwrap_err();
    assert_eq!(
        stale.to_string(),
        "Stale File: File was modified by another process. Please re-read and retry.\n\
         hint: `src/a.ts` changed since this session last saw it; read it again, then repeat the change"
    );
    alice.remember(&file).unwrap();
    assert_eq!(alice.check(&file, "src/a.ts"), Ok(()));
}

#[test]
fn what_was_never_seen_is_gone_or_was_put_back_is_not_stale() {
    let sandbox = Sandbox::with(&[("a", "one"), ("b", "one")]);
    let (a, b) = (sandbox.at("a"), sandbox.at("b"));
    let memory = memory(&sandbox, "a");
    assert_eq!(memory.check(&a, "a"), Ok(()));
    memory.remember(&a).unwrap();
    fs::write(b.as_path(), "other").unwrap();
    assert_eq!(memory.check(&b, "b"), Ok(()));
    // Same size, perhaps the same time: only the content differs.
    fs::write(a.as_path(), "two").unwrap();
    assert!(memory.check(&a, "a").is_err());
    fs::write(a.as_path(), "one").unwrap();
    assert_eq!(memory.check(&a, "a"), Ok(()));
    fs::remove_file(a.as_path()).unwrap();
    assert_eq!(memory.check(&a, "a"), Ok(()));
    memory.forget(&a).unwrap();
    fs::write(a.as_path(), "new").unwrap();
    assert_eq!(memory.check(&a, "a"), Ok(()));
}

#[test]
fn however_often_a_file_is_looked_at_it_takes_one_small_file_that_does_not_name_it() {
    let sandbox = Sandbox::with(&[("a", "one")]);
    let memory = memory(&sandbox, "a");
    for content in ["one", "two and a half", ""] {
        sandbox.write("a", content);
        memory.remember(&sandbox.at("a")).unwrap();
        memory.remember(&sandbox.at("missing")).unwrap();
        assert_eq!(memory.check(&sandbox.at("a"), "a"), Ok(()));
    }
    let entries = fs::read_dir(sandbox.at(".ai/tmp/a/intent/seen").as_path()).unwrap();
    let files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].file_name().unwrap().len(), 16);
    assert_eq!(fs::metadata(&files[0]).unwrap().len(), 192);
}

#[test]
fn what_was_meant_to_be_there_and_is_not_is_stale() {
    let sandbox = Sandbox::with(&[("a", "theirs")]);
    let memory = memory(&sandbox, "a");
    memory.remember_as(&sandbox.at("a"), intent::ContentHash::of(b"mine")).unwrap();
    assert!(memory.check(&sandbox.at("a"), "a").is_err());
    memory.remember(&sandbox.at("a")).unwrap();
    assert_eq!(memory.check(&sandbox.at("a"), "a"), Ok(()));
}

#[test]
fn a_large_file_is_told_by_size_and_time() {
    let sandbox = Sandbox::with(&[("big", "")]);
    let file = sandbox.at("big");
    let grow =
        |bytes: u64| fs::File::options().write(true).open(file.as_path()).unwrap().set_len(bytes).unwrap();
    grow(65 * 1024 * 1024);
    let memory = memory(&sandbox, "a");
    memory.remember(&file).unwrap();
    assert_eq!(memory.check(&file, "big"), Ok(()));
    grow(65 * 1024 * 1024 + 1);
    assert!(memory.check(&file, "big").is_err());
}
