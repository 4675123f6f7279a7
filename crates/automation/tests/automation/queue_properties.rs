//! The fold keeps its invariants for arbitrary and torn lines.

use automation::queue::{Entry, Line, QueueState, QueuedRun};
use automation::{OutputStream, State};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::sample::{at, fault, place, queued, run, saved, started};

const N_RUNS: usize = 6;

/// A step of a made-up history, about one of a few runs.
#[derive(Debug, Clone, Copy)]
enum Step {
    Queue(usize),
    Start(usize, u32),
    Enter(usize),
    Print(usize),
    Fail(usize),
    Interrupt(usize),
    Cancel(usize),
    Replace(usize, usize),
    Finish(usize),
    Occur,
}

fn step() -> impl Strategy<Value = Step> {
    let any_run = 0..N_RUNS;
    prop_oneof![
        3 => any_run.clone().prop_map(Step::Queue),
        3 => (any_run.clone(), 1..4_u32).prop_map(|(run, attempt)| Step::Start(run, attempt)),
        1 => any_run.clone().prop_map(Step::Enter),
        1 => any_run.clone().prop_map(Step::Print),
        1 => any_run.clone().prop_map(Step::Fail),
        1 => any_run.clone().prop_map(Step::Interrupt),
        1 => any_run.clone().prop_map(Step::Cancel),
        1 => (any_run.clone(), any_run.clone()).prop_map(|(run, by)| Step::Replace(run, by)),
        2 => any_run.prop_map(Step::Finish),
        1 => Just(Step::Occur),
    ]
}

fn entry(step: Step, runs: &[QueuedRun]) -> Entry {
    let id = |index: usize| runs[index].id.clone();
    match step {
        Step::Queue(index) => queued(&runs[index]),
        Step::Start(index, attempt) => started(&runs[index], attempt),
        Step::Enter(index) => Entry::Entered { run: id(index), state: State::Executing },
        Step::Print(index) => {
            Entry::Printed { run: id(index), output: OutputStream::Stderr, text: "a line\n".into() }
        }
        Step::Fail(index) => Entry::Failed { run: id(index), error: fault(), retry_at: at(5) },
        Step::Interrupt(index) => Entry::Interrupted { run: id(index) },
        Step::Cancel(index) => Entry::CancelAsked { run: id(index), by: None },
        Step::Replace(index, by) => Entry::Replaced { run: id(index), by: id(by) },
        Step::Finish(index) => Entry::Finished { record: Box::new(record_of(&runs[index])) },
        Step::Occur => Entry::Occurred { occurrence: saved("x") },
    }
}

fn record_of(run: &QueuedRun) -> automation::ExecutionRecord {
    let mut queue_state = QueueState::default();
    queue_state.add(Line::new(at(0), queued(run)));
    queue_state.run(&run.id).unwrap().record(State::Success)
}

fn lines(steps: &[Step]) -> Vec<Line> {
    let runs: Vec<_> = (0..N_RUNS).map(|n| run("hook", &format!("file{}", n % 3))).collect();
    steps.iter().enumerate().map(|(n, step)| Line::new(at(n as u64), entry(*step, &runs))).collect()
}

fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| serde_json::to_string(line).unwrap() + "\n").collect()
}

proptest! {
    #[test]
    fn a_line_reads_back_as_it_was_written(steps in vec(step(), 1..20)) {
        for line in lines(&steps) {
            prop_assert_eq!(Line::parse(&serde_json::to_string(&line).unwrap()), Some(line));
        }
    }

    #[test]
    fn folding_in_parts_is_folding_the_whole(steps in vec(step(), 0..40), cut in 0..40_usize) {
        let lines = lines(&steps);
        let (first, rest) = lines.split_at(cut.min(lines.len()));
        let mut in_parts = QueueState::of(&text(first));
        in_parts.add_lines(&text(rest));
        prop_assert_eq!(in_parts, QueueState::of(&text(&lines)));
    }

    #[test]
    fn every_run_that_was_queued_is_open_finished_or_replaced(steps in vec(step(), 0..60)) {
        // A run is queued once in a real journal.
        let mut seen = [false; N_RUNS];
        let steps: Vec<_> = steps.into_iter().filter(|step| match step {
            Step::Queue(index) => !std::mem::replace(&mut seen[*index], true),
            Step::Finish(index) => seen[*index],
            _ => true,
        }).collect();
        let mut finished = [false; N_RUNS];
        let steps: Vec<_> = steps.into_iter().filter(|step| match step {
            Step::Finish(index) => !std::mem::replace(&mut finished[*index], true),
            _ => true,
        }).collect();
        let queue_state = QueueState::of(&text(&lines(&steps)));
        let n_queued = seen.iter().filter(|it| **it).count() as u64;
        let accounted = queue_state.n_open() as u64 + queue_state.n_finished() + queue_state.n_replaced();
        // A late process may still write that a replaced run finished.
        prop_assert!(accounted >= n_queued, "{accounted} of {n_queued}");
        prop_assert!(queue_state.n_open() as u64 <= n_queued);
        for run in queue_state.ready(at(1_000_000)) {
            prop_assert!(run.is_pending());
        }
    }

    #[test]
    fn half_a_line_at_the_end_changes_nothing(steps in vec(step(), 1..20), keep in 1..200_usize) {
        let whole = text(&lines(&steps));
        let first = whole.lines().next().unwrap();
        let torn: String = first.chars().take(keep.min(first.chars().count() - 1)).collect();
        prop_assert_eq!(Line::parse(&torn), None);
        let with_torn = QueueState::of(&format!("{whole}{torn}"));
        let without = QueueState::of(&whole);
        prop_assert_eq!(with_torn.open().collect::<Vec<_>>(), without.open().collect::<Vec<_>>());
    }
}

#[test]
fn beginning_anew_keeps_every_open_run() {
    testkit::prove_slowly(64, &vec(step(), 0..40), |steps| {
        let place = place();
        let mut queue = automation::queue::Queue::open(&place.workspace).unwrap();
        let entries: Vec<_> = lines(&steps).into_iter().map(|line| line.entry).collect();
        queue.change(at(0), |_| entries).unwrap();
        let before: Vec<_> = queue.state().open().cloned().collect();
        let n_unmatched = queue.state().unmatched().count();
        queue.rotate_beyond(at(1), 0).unwrap();
        let after = automation::queue::read(&place.workspace).unwrap();
        prop_assert_eq!(after.open().cloned().collect::<Vec<_>>(), before);
        prop_assert_eq!(after.unmatched().count(), n_unmatched);
        Ok(())
    });
}
