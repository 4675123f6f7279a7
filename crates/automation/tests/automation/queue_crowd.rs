//! Many processes at one queue, some of them killed in the middle.
//!
//! The other processes are this test program itself, told by a variable what to do.

use std::collections::HashSet;
use std::env;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use automation::State;
use automation::queue::{Entry, Queue, append, read};
use event::AbsPath;
use store::{Workspace, now};

use crate::sample::{place, queued, run, started};

const ROOT: &str = "QUEUE_CROWD_ROOT";
const WORK: &str = "QUEUE_CROWD_WORK";

fn child(place: &crate::sample::Place, work: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "queue_crowd::one_of_the_crowd", "--quiet"])
        .env(ROOT, place.workspace.root().as_path())
        .env(WORK, work)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// What each of the other processes does; by itself, with nobody to tell it, nothing.
#[test]
fn one_of_the_crowd() {
    let Some(root) = env::var_os(ROOT) else { return };
    let workspace = Workspace::at(AbsPath::new(root).unwrap());
    match env::var(WORK).unwrap().as_str() {
        "hand in" => {
            for n in 0..50 {
                append(&workspace, now(), [queued(&run("hook", &format!("file{n}")))]).unwrap();
            }
        }
        "hand in for ever" => loop {
            append(&workspace, now(), [queued(&run("hook", "file"))]).unwrap();
        },
        "take out" => take_out(&workspace),
        other => unreachable!("{other}"),
    }
}

/// Takes one run after the other until forty are done, beginning the journal anew at times.
fn take_out(workspace: &Workspace) {
    let mut queue = Queue::open(workspace).unwrap();
    for n in 0..40 {
        let mut mine = None;
        queue
            .change(now(), |folded| {
                mine = folded.ready(now()).next().cloned();
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

#[test]
fn a_crowd_loses_nothing_and_takes_nothing_twice() {
    let place = place();
    let mut crowd: Vec<_> = (0..4).map(|_| child(&place, "hand in")).collect();
    crowd.extend((0..3).map(|_| child(&place, "take out")));
    for mut child in crowd {
        assert!(child.wait().unwrap().success());
    }
    let queue = Queue::open(&place.workspace).unwrap();
    let mut journals = queue.archives().unwrap();
    journals.push(place.workspace.automation_queue());
    let (mut asked_for, mut began, mut ended) = (HashSet::new(), Vec::new(), Vec::new());
    for journal in journals {
        for line in store::read_lines(&journal, 0).unwrap().lines() {
            match automation::queue::Line::parse(line).expect("every line is whole").entry {
                Entry::Queued { run } => assert!(asked_for.insert(run.id)),
                Entry::Started { run, .. } => began.push(run),
                Entry::Finished { record } => ended.push(record.id),
                _ => {}
            }
        }
    }
    assert_eq!(asked_for.len(), 200);
    let distinct: HashSet<_> = began.iter().collect();
    assert_eq!(distinct.len(), began.len(), "a run was taken twice");
    let distinct: HashSet<_> = ended.iter().collect();
    assert_eq!(distinct.len(), ended.len());
    assert!(!ended.is_empty());
    assert_eq!(queue.folded().n_open(), 200 - ended.len());
}

#[test]
fn processes_that_are_killed_leave_whole_lines_behind() {
    let place = place();
    for round in 0..8_u64 {
        let mut crowd: Vec<_> = (0..3).map(|_| child(&place, "hand in for ever")).collect();
        std::thread::sleep(Duration::from_millis(40 + round * 7));
        for child in &mut crowd {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        // The next writer puts right what they left.
        append(&place.workspace, now(), [queued(&run("last", "word"))]).unwrap();
        let folded = read(&place.workspace).unwrap();
        assert_eq!(folded.n_unreadable(), 0, "round {round}");
        let n_last = folded.open().filter(|run| run.queued.hook.as_str() == "last").count() as u64;
        assert_eq!(n_last, round + 1);
    }
}
