//! The queue's state, folded from its lines.

use automation::queue::{Entry, Line, QueueState, Run, Stage};
use automation::{ExecutionId, State};

use crate::sample::{at, fault, queued, run, saved, started};

fn fold(entries: impl IntoIterator<Item = Entry>) -> QueueState {
    let mut queue_state = QueueState::default();
    for (index, entry) in entries.into_iter().enumerate() {
        queue_state.add(Line::new(at(index as u64), entry));
    }
    queue_state
}

fn ids<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<&'a ExecutionId> {
    runs.map(|run| &run.queued.id).collect()
}

#[test]
fn a_run_waits_works_and_is_forgotten_when_it_ends() {
    let run = run("format", "src/a.rs");
    let mut queue_state = fold([queued(&run)]);
    assert_eq!(ids(queue_state.ready(at(0))), [&run.id]);

    queue_state.add(Line::new(at(10), started(&run, 1)));
    queue_state.add(Line::new(at(20), Entry::Entered { run: run.id.clone(), state: State::Executing }));
    assert_eq!(queue_state.ready(at(1000)).count(), 0);
    let open = queue_state.run(&run.id).unwrap();
    assert_eq!(open.stage, Stage::Running { since: at(10), process: 1, state: State::Executing });
    assert_eq!((open.attempts, open.first_started), (1, Some(at(10))));

    let record = open.record(State::Success);
    queue_state.add(Line::new(at(30), Entry::Finished { record: Box::new(record) }));
    assert_eq!((queue_state.n_open(), queue_state.n_finished()), (0, 1));
}

#[test]
fn a_failed_try_waits_for_its_time_and_keeps_its_count() {
    let run = run("format", "src/a.rs");
    let failed = Entry::Failed { run: run.id.clone(), error: fault(), retry_at: at(500) };
    let queue_state = fold([queued(&run), started(&run, 1), failed]);
    assert_eq!(queue_state.ready(at(499)).count(), 0);
    assert_eq!(ids(queue_state.ready(at(500))), [&run.id]);
    assert_eq!(queue_state.run(&run.id).unwrap().attempts, 1);
}

#[test]
fn a_run_whose_process_died_waits_again_and_says_so() {
    let run = run("format", "src/a.rs");
    let queue_state = fold([queued(&run), started(&run, 1), Entry::Interrupted { run: run.id.clone() }]);
    assert_eq!(ids(queue_state.ready(at(2))), [&run.id]);
    let open = queue_state.run(&run.id).unwrap();
    assert_eq!((open.attempts, open.interruptions), (1, 1));
    assert_eq!(open.record(State::Pending).interruptions, 1);
}

#[test]
fn only_a_waiting_run_can_be_replaced() {
    let (first, second) = (run("format", "src/a.rs"), run("format", "src/a.rs"));
    let replaced = Entry::Replaced { run: first.id.clone(), by: second.id.clone() };
    let waiting = fold([queued(&first), queued(&second), replaced.clone()]);
    assert_eq!(ids(waiting.open()), [&second.id]);
    assert_eq!(waiting.n_replaced(), 1);
    let at_work = fold([queued(&first), started(&first, 1), queued(&second), replaced]);
    assert_eq!(ids(at_work.open()), [&first.id, &second.id]);
}

#[test]
fn the_waiting_run_about_the_same_file_is_found() {
    let (first, other) = (run("format", "src/a.rs"), run("format", "src/b.rs"));
    let queue_state = fold([queued(&first), queued(&other)]);
    let again = run("format", "src/a.rs");
    assert_eq!(queue_state.pending_about(&again).unwrap().queued.id, first.id);
    assert_eq!(queue_state.pending_about(&run("lint", "src/a.rs")), None);
}

#[test]
fn runs_that_follow_one_another_begin_one_after_the_other() {
    let first = run("review", "src/a.rs");
    let mut second = run("commit", "src/a.rs");
    second.after = Some(first.id.clone());
    let mut queue_state = fold([queued(&first), queued(&second), started(&first, 1)]);
    assert_eq!(queue_state.ready(at(1000)).count(), 0);
    let record = Box::new(queue_state.run(&first.id).unwrap().record(State::Failure));
    queue_state.add(Line::new(at(9), Entry::Finished { record }));
    assert_eq!(ids(queue_state.ready(at(1000))), [&second.id]);
}

#[test]
fn what_happened_stays_until_it_is_matched() {
    let (one, other) = (saved("a"), saved("b"));
    let mut queue_state = fold([
        Entry::Occurred { occurrence: one.clone() },
        Entry::Occurred { occurrence: other.clone() },
        Entry::Matched { occurrence: one.id, runs: 0 },
    ]);
    assert_eq!(queue_state.unmatched().collect::<Vec<_>>(), [&other]);
    queue_state.add(Line::new(at(9), Entry::Matched { occurrence: other.id, runs: 1 }));
    assert_eq!(queue_state.unmatched().count(), 0);
}

#[test]
fn a_line_that_cannot_be_read_is_counted_and_does_no_harm() {
    let run = run("format", "src/a.rs");
    let good = serde_json::to_string(&Line::new(at(0), queued(&run))).unwrap();
    let queue_state = QueueState::of(&format!("{{\"half\":\n{good}\nnonsense\n\n"));
    assert_eq!((queue_state.n_open(), queue_state.n_unreadable()), (1, 2));
}
