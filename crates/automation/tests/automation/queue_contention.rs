//! Many processes on one queue, some of them killed in the middle.
//!
//! The other processes are this test program itself, with their task in an environment variable.

use std::collections::HashSet;
use std::env;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use automation::State;
use automation::queue::{Entry, Queue, append, read};
use event::AbsPath;
use store::{Workspace, now};

use crate::sample::{place, queued, run, started};

const ROOT: &str = "QUEUE_CONTENTION_ROOT";
const WORK: &str = "QUEUE_CONTENTION_WORK";

fn child(place: &crate::sample::Place, work: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "queue_contention::one_of_many_processes", "--quiet"])
        .env(ROOT, place.workspace.root().as_path())
        .env(WORK, work)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// The task of the other processes; without the variable this test does nothing.
#[test]
fn one_of_many_processes() {
    let Some(root) = env::var_os(ROOT) else { return };
    let workspace = Workspace::at(AbsPath::new(root).unwrap());
    match env::var(WORK).unwrap().as_str() {
        "emit" => {
            for n in 0..50 {
                append(&workspace, now(), [queued(&run("hook", &format!("file{n}")))]).unwrap();
            }
        }
        "emit for ever" => loop {
            append(&workspace, now(), [queued(&run("hook", "file"))]).unwrap();
        },
        "take out" => take_out(&workspace),
        "rotate for ever" => rotate_for_ever(&workspace),
        other => unreachable!("{other}"),
    }
}

/// Takes one run after the other until forty have ended, and rotates the journal at times.
fn take_out(workspace: &Workspace) {
    let mut queue = Queue::open(workspace).unwrap();
    for n in 0..40 {
        let mut mine = None;
        queue
            .change(now(), |queue_state| {
                mine = queue_state.ready(now()).next().cloned();
                mine.iter().map(|run| started(&run.queued, run.attempts + 1)).collect()
            })
            .unwrap();
        if let Some(run) = mine {
            let record = Box::new(run.record(State::Success));
            queue.change(now(), |_| vec![Entry::Finished { record }]).unwrap();
        }
        if n % 10 == 0 {
            queue.rotate_beyond(now(), 4096).unwrap();
        }
    }
}

/// Takes a run, rotates the journal while it is running, and ends it.
fn rotate_for_ever(workspace: &Workspace) {
    let mut queue = Queue::open(workspace).unwrap();
    loop {
        let mut ours = None;
        queue
            .change(now(), |queue_state| {
                // A run whose process was killed is retried.
                ours = queue_state.open().next().cloned();
                ours.iter().map(|run| started(&run.queued, run.attempts + 1)).collect()
            })
            .unwrap();
        queue.rotate_beyond(now(), 0).unwrap();
        if let Some(run) = ours {
            let record = Box::new(run.record(State::Success));
            queue.change(now(), |_| vec![Entry::Finished { record }]).unwrap();
        }
    }
}

/// Returns every line of every journal of the queue, each journal once.
fn all_entries(queue: &Queue, workspace: &Workspace) -> Vec<Entry> {
    let journals = queue.archives().unwrap().into_iter().chain([workspace.automation_queue()]);
    let text: String = journals.map(|journal| store::read_lines(&journal, 0).unwrap()).collect();
    let entry = |line| automation::queue::Line::parse(line).unwrap().entry;
    text.lines().map(entry).collect()
}

#[test]
fn a_kill_while_the_journal_begins_anew_loses_and_doubles_nothing() {
    let place = place();
    let mut asked_for = HashSet::new();
    for round in 0..8_u64 {
        let mut worker = child(&place, "rotate for ever");
        for n in 0..10 {
            let run = run("hook", &format!("file{n}"));
            append(&place.workspace, now(), [queued(&run)]).unwrap();
            asked_for.insert(run.id);
        }
        let rotation = read(&place.workspace).unwrap().rotation();
        let until = Instant::now() + Duration::from_mins(1);
        while read(&place.workspace).unwrap().rotation() == rotation {
            assert!(Instant::now() < until, "it never rotated");
        }
        std::thread::sleep(Duration::from_millis(round * 3));
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
    let queue = Queue::open(&place.workspace).unwrap();
    let (mut n_queued, mut ended) = (0, Vec::new());
    for entry in all_entries(&queue, &place.workspace) {
        match entry {
            Entry::Queued { .. } => n_queued += 1,
            Entry::Finished { record } => ended.push(record.id),
            _ => {}
        }
    }
    let distinct: HashSet<_> = ended.iter().cloned().collect();
    let open: HashSet<_> = queue.state().open().map(|run| run.queued.id.clone()).collect();
    assert_eq!(n_queued, asked_for.len(), "every line is in one journal");
    assert_eq!(distinct.len(), ended.len(), "a run ended twice");
    assert!(open.is_disjoint(&distinct));
    assert_eq!(open.union(&distinct).cloned().collect::<HashSet<_>>(), asked_for);
}

#[test]
fn a_crowd_loses_nothing_and_takes_nothing_twice() {
    let place = place();
    let mut crowd: Vec<_> = (0..4).map(|_| child(&place, "emit")).collect();
    crowd.extend((0..3).map(|_| child(&place, "take out")));
    for mut child in crowd {
        assert!(child.wait().unwrap().success());
    }
    let queue = Queue::open(&place.workspace).unwrap();
    let (mut asked_for, mut began, mut ended) = (HashSet::new(), Vec::new(), Vec::new());
    for entry in all_entries(&queue, &place.workspace) {
        match entry {
            Entry::Queued { run } => assert!(asked_for.insert(run.id)),
            Entry::Started { run, .. } => began.push(run),
            Entry::Finished { record } => ended.push(record.id),
            _ => {}
        }
    }
    assert_eq!(asked_for.len(), 200);
    let distinct: HashSet<_> = began.iter().collect();
    assert_eq!(distinct.len(), began.len(), "a run was taken twice");
    let distinct: HashSet<_> = ended.iter().collect();
    assert_eq!(distinct.len(), ended.len());
    assert!(!ended.is_empty());
    assert_eq!(queue.state().n_open(), 200 - ended.len());
}

#[test]
fn processes_that_are_killed_leave_whole_lines_behind() {
    let place = place();
    for round in 0..8_u64 {
        let mut crowd: Vec<_> = (0..3).map(|_| child(&place, "emit for ever")).collect();
        std::thread::sleep(Duration::from_millis(40 + round * 7));
        for child in &mut crowd {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // The next writer repairs the journal.
        append(&place.workspace, now(), [queued(&run("last", "word"))]).unwrap();
        let queue_state = read(&place.workspace).unwrap();
        assert_eq!(queue_state.n_unreadable(), 0, "round {round}");
        let n_last = queue_state.open().filter(|run| run.queued.hook.as_str() == "last").count() as u64;
        assert_eq!(n_last, round + 1);
    }
}
