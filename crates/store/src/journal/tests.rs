//! Tests of writing and reading a journal.

use std::fs::OpenOptions;

use super::*;

struct Sandbox {
    _dir: tempfile::TempDir,
    path: AbsPath,
}

fn sandbox() -> Sandbox {
    let dir = tempfile::tempdir().unwrap();
    let path = AbsPath::new(dir.path().join("deep/er/events.jsonl")).unwrap();
    Sandbox { _dir: dir, path }
}

fn batch(lines: &[&str]) -> Batch {
    let mut batch = Batch::default();
    for line in lines {
        batch.push(&redact::value(&serde_json::Value::from(*line)));
    }
    batch
}

fn append(path: &AbsPath, lines: &[&str]) -> u64 {
    let journal = Journal::create(path).unwrap();
    let held = journal.lock(Duration::from_secs(1)).unwrap();
    held.append(&batch(lines)).unwrap()
}

#[test]
fn lines_stand_in_the_order_they_were_appended() {
    let sandbox = sandbox();
    append(&sandbox.path, &["1", "2"]);
    let end = append(&sandbox.path, &["3"]);
    assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"1\"\n\"2\"\n\"3\"\n");
    assert_eq!(end, 12);
    assert_eq!(read_lines(&sandbox.path, 8).unwrap(), "\"3\"\n");
}

#[test]
fn a_torn_line_is_gone_after_the_next_write() {
    for torn in ["{\"half\":", "x", &"y".repeat(200_000)] {
        let sandbox = sandbox();
        append(&sandbox.path, &["whole"]);
        let mut file = OpenOptions::new().append(true).open(sandbox.path.as_path()).unwrap();
        file.write_all(torn.as_bytes()).unwrap();
        append(&sandbox.path, &["next"]);
        assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"whole\"\n\"next\"\n");
    }
}

#[test]
fn a_torn_line_is_gone_to_the_byte_wherever_its_blocks_fall_within_characters() {
    for n_more in 0..3 {
        let sandbox = sandbox();
        let whole = "é".repeat(20_000) + &"x".repeat(n_more);
        append(&sandbox.path, &[&whole]);
        let mut file = OpenOptions::new().append(true).open(sandbox.path.as_path()).unwrap();
        file.write_all("漢".repeat(20_000).as_bytes()).unwrap();
        append(&sandbox.path, &["next"]);
        assert_eq!(read_lines(&sandbox.path, 0).unwrap(), format!("\"{whole}\"\n\"next\"\n"));
    }
}

#[test]
fn a_journal_that_is_only_a_torn_line_begins_anew() {
    let sandbox = sandbox();
    fs::create_dir_all(sandbox.path.as_path().parent().unwrap()).unwrap();
    fs::write(sandbox.path.as_path(), "torn").unwrap();
    append(&sandbox.path, &["first"]);
    assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"first\"\n");
}

#[test]
fn without_the_lock_a_torn_line_is_closed_so_that_ours_is_whole() {
    let sandbox = sandbox();
    append(&sandbox.path, &["whole"]);
    let mut file = OpenOptions::new().append(true).open(sandbox.path.as_path()).unwrap();
    file.write_all(b"torn").unwrap();
    Journal::open(&sandbox.path).unwrap().append_unlocked(&batch(&["mine"])).unwrap();
    assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "\"whole\"\ntorn\n\"mine\"\n");
}

#[test]
fn the_lock_keeps_others_out_until_it_is_dropped() {
    let sandbox = sandbox();
    let one = Journal::create(&sandbox.path).unwrap();
    let other = Journal::open(&sandbox.path).unwrap();
    let held = one.lock(Duration::ZERO).unwrap();
    assert!(other.lock(Duration::from_millis(1)).is_none());
    drop(held);
    assert!(other.lock(Duration::ZERO).is_some());
}

#[test]
fn whole_lines_end_where_their_bytes_end() {
    let sandbox = sandbox();
    append(&sandbox.path, &["one"]);
    let mut file = OpenOptions::new().append(true).open(sandbox.path.as_path()).unwrap();
    file.write_all(b"\xff\xfe\n\"two\"\nhalf").unwrap();
    let journal = Journal::open(&sandbox.path).unwrap();
    let (lines, end) = journal.whole_lines(0).unwrap();
    assert_eq!((lines.as_str(), end), ("\"one\"\n\u{fffd}\u{fffd}\n\"two\"\n", 15));
    assert_eq!(journal.whole_lines(end).unwrap(), (String::new(), end));
}

#[cfg(unix)]
#[test]
fn a_journal_that_was_removed_or_replaced_is_not_in_place() {
    let sandbox = sandbox();
    append(&sandbox.path, &["one"]);
    let journal = Journal::open(&sandbox.path).unwrap();
    assert!(journal.is_in_place());
    fs::remove_file(sandbox.path.as_path()).unwrap();
    assert!(!journal.is_in_place());
    append(&sandbox.path, &["another"]);
    assert!(!journal.is_in_place());
}

#[test]
fn a_tail_begins_with_a_whole_line() {
    let sandbox = sandbox();
    append(&sandbox.path, &["aaaa", "bbbb", "cccc"]);
    let journal = Journal::open(&sandbox.path).unwrap();
    assert_eq!(journal.tail(9).unwrap(), "\"cccc\"\n");
    assert_eq!(journal.tail(1000).unwrap(), "\"aaaa\"\n\"bbbb\"\n\"cccc\"\n");
}

#[test]
fn an_absent_journal_has_no_lines() {
    let sandbox = sandbox();
    assert_eq!(read_lines(&sandbox.path, 0).unwrap(), "");
}
