//! The queue on disk: emitted, lost and newer entries, and rotation.

use std::fs;

use automation::queue::{Entry, Line, Queue, QueueError, Tail, append, read};
use automation::{Occurrence, OccurrenceKind, State};
use serde_json::json;

use crate::sample::{at, place, queued, run, saved, started};

#[test]
fn what_is_handed_in_without_a_server_is_there_for_the_next_one() {
    let place = place();
    let occurrence = saved("src/a.rs");
    append(&place.workspace, at(0), [Entry::Occurred { occurrence: occurrence.clone() }]).unwrap();
    let queue = Queue::open(&place.workspace).unwrap();
    assert_eq!(queue.state().unmatched().collect::<Vec<_>>(), [&occurrence]);
}

#[test]
fn the_folder_of_the_queue_is_hidden_from_git() {
    let place = place();
    append(&place.workspace, at(0), [queued(&run("a", "b"))]).unwrap();
    assert_eq!(fs::read(place.workspace.tmp_dir().child(".gitignore").as_path()).unwrap(), b"*\n");
}

#[test]
fn a_run_is_taken_once_although_two_saw_it_waiting() {
    let place = place();
    let run = run("format", "src/a.rs");
    append(&place.workspace, at(0), [queued(&run)]).unwrap();
    let (mut one, mut other) =
        (Queue::open(&place.workspace).unwrap(), Queue::open(&place.workspace).unwrap());
    let mut taken = 0;
    for queue in [&mut one, &mut other] {
        let take = |queue_state: &automation::queue::QueueState| {
            let ready: Vec<_> = queue_state.ready(at(1)).map(|run| started(&run.queued, 1)).collect();
            taken += ready.len();
            ready
        };
        queue.change(at(1), take).unwrap();
    }
    assert_eq!(taken, 1);
}

#[test]
fn secrets_in_what_was_handed_in_do_not_reach_the_disk() {
    let place = place();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let data = json!({"note": format!("use {token}"), "password": "hunter2-hunter2"});
    let kind =
        OccurrenceKind::Custom { name: "deploy".into(), path: None, data: data.as_object().unwrap().clone() };
    let occurrence = Occurrence::new(at(0), kind);
    append(&place.workspace, at(0), [Entry::Occurred { occurrence }]).unwrap();
    let text = fs::read_to_string(place.workspace.automation_queue().as_path()).unwrap();
    assert!(!text.contains(&token) && !text.contains("hunter2"), "{text}");
    assert_eq!(read(&place.workspace).unwrap().unmatched().count(), 1);
}

#[test]
fn a_journal_of_a_newer_build_is_refused() {
    let place = place();
    append(&place.workspace, at(0), [queued(&run("a", "b"))]).unwrap();
    let path = place.workspace.automation_queue();
    let mut text = fs::read_to_string(path.as_path()).unwrap();
    text.push_str("{\"v\":2,\"ts\":1,\"type\":\"tomorrow\"}\n");
    fs::write(path.as_path(), text).unwrap();
    assert!(matches!(Queue::open(&place.workspace), Err(QueueError::Newer(newer)) if newer.found == 2));
    assert!(matches!(read(&place.workspace), Err(QueueError::Newer(newer)) if newer.found == 2));
}

#[test]
fn a_journal_that_begins_anew_keeps_what_is_open_and_leaves_the_rest_beside_it() {
    let place = place();
    let mut queue = Queue::open(&place.workspace).unwrap();
    let (done, at_work, waiting) = (run("a", "1"), run("a", "2"), run("a", "3"));
    let entries = [&done, &at_work, &waiting].map(queued);
    queue.change(at(0), |_| entries.to_vec()).unwrap();
    queue
        .change(at(1), |queue_state| {
            let record = queue_state.run(&done.id).unwrap().record(State::Success);
            vec![started(&at_work, 1), Entry::Finished { record: Box::new(record) }]
        })
        .unwrap();
    let before: Vec<_> = queue.state().open().cloned().collect();
    assert_eq!(queue.rotate_beyond(at(2), 1 << 20).unwrap(), None);
    let archive = queue.rotate_beyond(at(2), 10).unwrap().unwrap();
    assert!(fs::read_to_string(archive.as_path()).unwrap().contains(done.id.as_str()));
    assert_eq!(queue.archives().unwrap(), [archive]);
    assert_eq!(queue.state().open().cloned().collect::<Vec<_>>(), before);
    assert_eq!(read(&place.workspace).unwrap().open().cloned().collect::<Vec<_>>(), before);

    append(&place.workspace, at(3), [queued(&run("b", "4"))]).unwrap();
    assert_eq!(queue.refresh().unwrap().n_open(), 3);
    queue.rotate_beyond(at(4), 10).unwrap().unwrap();
    assert_eq!(queue.archives().unwrap().len(), 2);
}

#[test]
fn a_kill_between_the_steps_of_beginning_anew_loses_nothing_and_keeps_nothing_twice() {
    let place = place();
    let (path, next) =
        (place.workspace.automation_queue(), place.workspace.automation_dir().child("queue.next.jsonl"));
    let (at_work, waiting) = (run("a", "1"), run("a", "2"));
    let mut queue = Queue::open(&place.workspace).unwrap();
    queue.change(at(0), |_| vec![queued(&at_work), started(&at_work, 1), queued(&waiting)]).unwrap();
    let before: Vec<_> = queue.state().open().cloned().collect();
    drop(queue);

    // The new journal was created.
    fs::write(next.as_path(), "{\"v\":1,\"ts\":0,\"type\":\"rotat").unwrap();
    let mut queue = Queue::open(&place.workspace).unwrap();
    assert_eq!(queue.state().open().cloned().collect::<Vec<_>>(), before);
    let first = queue.rotate_beyond(at(1), 0).unwrap().unwrap();
    assert!(!next.as_path().exists());
    assert_eq!(read(&place.workspace).unwrap().open().cloned().collect::<Vec<_>>(), before);

    // The old journal has its number and is still in its place.
    let second = place.workspace.automation_archive(2);
    fs::hard_link(path.as_path(), second.as_path()).unwrap();
    drop(queue);
    let mut queue = Queue::open(&place.workspace).unwrap();
    assert_eq!(queue.state().open().cloned().collect::<Vec<_>>(), before);
    assert_eq!(queue.archives().unwrap(), std::slice::from_ref(&first), "the journal is not an archive");
    append(&place.workspace, at(2), [queued(&run("a", "3"))]).unwrap();
    assert_eq!(queue.rotate_beyond(at(3), 0).unwrap(), Some(second.clone()), "it keeps its number");
    assert_eq!(queue.archives().unwrap(), [first, second]);
    assert_eq!(queue.state().n_open(), 3);
    assert_eq!(queue.state().rotation(), 2);
}

#[test]
fn a_server_that_had_the_old_journal_open_goes_on_with_the_new_one() {
    let place = place();
    let (mut one, mut other) =
        (Queue::open(&place.workspace).unwrap(), Queue::open(&place.workspace).unwrap());
    let run = run("a", "1");
    one.change(at(0), |_| vec![queued(&run)]).unwrap();
    one.rotate_beyond(at(1), 10).unwrap().unwrap();
    other.change(at(2), |_| vec![started(&run, 1)]).unwrap();
    assert_eq!(one.refresh().unwrap().running().count(), 1);
    assert_eq!(one.state().n_open(), 1);
}

#[test]
fn what_was_open_survives_the_removal_of_the_journal() {
    let place = place();
    let mut queue = Queue::open(&place.workspace).unwrap();
    let occurrence = saved("c");
    let (one, other) = (run("a", "1"), run("a", "2"));
    let entries = vec![queued(&one), queued(&other), Entry::Occurred { occurrence: occurrence.clone() }];
    queue.change(at(0), |_| entries).unwrap();
    fs::remove_dir_all(place.workspace.tmp_dir().as_path()).unwrap();
    // Another process may recreate it first.
    append(&place.workspace, at(1), [queued(&run("b", "3"))]).unwrap();
    assert_eq!(queue.refresh().unwrap().n_open(), 3);
    let on_disk = read(&place.workspace).unwrap();
    assert_eq!(on_disk.n_open(), 3);
    assert_eq!(on_disk.unmatched().collect::<Vec<_>>(), [&occurrence]);
}

#[test]
fn whoever_follows_the_journal_misses_nothing_when_it_begins_anew_or_is_removed() {
    let place = place();
    let files = |news: &str| -> Vec<String> {
        let entries = news.lines().map(|line| Line::parse(line).unwrap().entry);
        let queued = entries.filter_map(|entry| match entry {
            Entry::Queued { run } => run.occurrence.file().map(str::to_owned),
            _ => None,
        });
        queued.collect()
    };
    let queue_up = |file: &str| append(&place.workspace, at(0), [queued(&run("hook", file))]).unwrap();
    let mut tail = Tail::from_the_beginning(&place.workspace);
    assert_eq!(tail.new_lines().unwrap(), "");
    assert!(!place.workspace.automation_queue().as_path().exists(), "reading creates no file");
    queue_up("a");
    let mut later = Tail::from_now_on(&place.workspace).unwrap();
    assert_eq!(files(&tail.new_lines().unwrap()), ["a"]);
    queue_up("b");
    let mut queue = Queue::open(&place.workspace).unwrap();
    assert!(queue.rotate_beyond(at(1), 0).unwrap().is_some());
    queue_up("c");
    assert_eq!(files(&tail.new_lines().unwrap()), ["b", "c"]);
    queue_up("d");
    fs::remove_file(place.workspace.automation_queue().as_path()).unwrap();
    queue_up("e");
    assert_eq!(files(&tail.new_lines().unwrap()), ["d", "e"]);
    // It held the first journal and never read the second, so it has only the runs that were open in it.
    assert_eq!(files(&later.new_lines().unwrap()), ["b", "e"]);
    assert_eq!(later.new_lines().unwrap(), "");
}
