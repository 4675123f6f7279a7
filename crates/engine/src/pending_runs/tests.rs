//! Updating the pending runs gives the same result as a scan of the whole queue.

use std::collections::BTreeMap;

use automation::queue::{Entry, Line, QueuedRun, Run};
use automation::{ExecutionFault, Occurrence, OccurrenceKind, State};
use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const N_RUNS: usize = 8;
const N_HOOKS: usize = 3;
const NOON: u64 = 1_800_000_000_000;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(NOON + millis)
}

/// The model: computes everything from the whole queue at every scan.
#[derive(Debug, Default)]
struct FullScan {
    moments: HashMap<ExecutionId, (Timestamp, Instant)>,
    ready: BTreeMap<AutomationId, Vec<ExecutionId>>,
    next: Option<Instant>,
}

impl FullScan {
    fn scan(&mut self, queue_state: &QueueState, only: Option<&ExecutionId>, wall: Timestamp, now: Instant) {
        let mut moments = HashMap::new();
        let pending = |run: &&Run| run.is_pending();
        for run in queue_state.open().filter(pending) {
            let Stage::Pending { not_before } = run.stage else { continue };
            let known = self.moments.get(&run.queued.id).filter(|(then, _)| *then == not_before);
            let left = Duration::from_millis(not_before.millis_since(wall)).min(MAX_BACKOFF);
            moments.insert(run.queued.id.clone(), *known.unwrap_or(&(not_before, now + left)));
        }
        (self.moments, self.ready, self.next) = (moments, BTreeMap::new(), None);
        for run in queue_state.open().filter(pending) {
            let id = &run.queued.id;
            let follows = run.queued.after.as_ref().is_some_and(|before| queue_state.run(before).is_some());
            if follows || run.cancel_asked || only.is_some_and(|only| only != id) {
                continue;
            }
            let (_, moment) = self.moments[id];
            if moment <= now {
                self.ready.entry(run.queued.hook.clone()).or_default().push(id.clone());
            } else {
                self.next = Some(self.next.map_or(moment, |next| next.min(moment)));
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Queue(usize),
    Start(usize),
    Fail(usize, u64),
    Interrupt(usize),
    Cancel(usize),
    Replace(usize),
    Finish(usize),
    /// Time passes; the wall clock may jump.
    Pass(u64, i64),
    /// The journal rotates and carries the open runs over.
    Rotate,
    Check,
}

fn step() -> impl Strategy<Value = Step> {
    let run = 0..N_RUNS;
    prop_oneof![
        4 => run.clone().prop_map(Step::Queue),
        3 => run.clone().prop_map(Step::Start),
        2 => (run.clone(), 0..3000_u64).prop_map(|(run, pause)| Step::Fail(run, pause)),
        1 => run.clone().prop_map(Step::Interrupt),
        1 => run.clone().prop_map(Step::Cancel),
        1 => run.clone().prop_map(Step::Replace),
        2 => run.prop_map(Step::Finish),
        2 => (0..2000_u64, -5000..5000_i64).prop_map(|(passed, jump)| Step::Pass(passed, jump)),
        1 => Just(Step::Rotate),
        4 => Just(Step::Check),
    ]
}

fn runs(afters: &[Option<usize>]) -> Vec<QueuedRun> {
    let mut runs: Vec<QueuedRun> = Vec::new();
    for (n, after) in afters.iter().enumerate() {
        let hook = AutomationId::new(&format!("hook{}", n % N_HOOKS)).unwrap();
        let occurrence = Occurrence::new(at(0), OccurrenceKind::FileSaved { path: format!("file{n}") });
        let mut run = QueuedRun::new(at(0), hook, occurrence);
        run.after = after.and_then(|before| runs.get(before)).map(|before| before.id.clone());
        runs.push(run);
    }
    runs
}

fn entry(step: Step, runs: &[QueuedRun], wall: u64) -> Option<Entry> {
    let id = |n: usize| runs[n].id.clone();
    let error = || ExecutionFault { code: "X".into(), message: "x".into() };
    Some(match step {
        Step::Queue(n) => Entry::Queued { run: runs[n].clone() },
        Step::Start(n) => Entry::Started { run: id(n), attempt: 1, process: 1 },
        Step::Fail(n, pause) => Entry::Failed { run: id(n), error: error(), retry_at: at(wall + pause) },
        Step::Interrupt(n) => Entry::Interrupted { run: id(n) },
        Step::Cancel(n) => Entry::CancelAsked { run: id(n), by: None },
        Step::Replace(n) => Entry::Replaced { run: id(n), by: id(0) },
        Step::Finish(n) => finished(&runs[n]),
        Step::Pass(..) | Step::Rotate | Step::Check => return None,
    })
}

fn finished(run: &QueuedRun) -> Entry {
    let mut alone = QueueState::default();
    alone.add(Line::new(at(0), Entry::Queued { run: run.clone() }));
    Entry::Finished { record: Box::new(alone.run(&run.id).unwrap().record(State::Success)) }
}

/// Returns the same open runs in a fold without the history before them.
fn rotated(queue_state: &QueueState) -> QueueState {
    let mut rotated = QueueState::default();
    for run in queue_state.open() {
        rotated.add(Line::new(at(0), Entry::Carried { run: Box::new(run.clone()) }));
    }
    rotated
}

fn ready(pending: &PendingRuns) -> BTreeMap<AutomationId, Vec<ExecutionId>> {
    pending.hooks().map(|(hook, _)| (hook.clone(), pending.ready(hook).cloned().collect())).collect()
}

proptest! {
    #[test]
    fn what_is_kept_is_what_a_look_through_everything_finds(
        steps in vec(step(), 0..80),
        afters in vec(proptest::option::weighted(0.3, 0..N_RUNS), N_RUNS),
        only in proptest::option::weighted(0.1, 0..N_RUNS),
    ) {
        let runs = runs(&afters);
        let only = only.map(|n| runs[n].id.clone());
        let (mut queue_state, mut pending) = (QueueState::default(), PendingRuns { only: only.clone(), ..PendingRuns::default() });
        let mut plain = FullScan::default();
        let (mut now, mut wall) = (Instant::now(), 10_000_u64);
        for step in steps.into_iter().chain([Step::Check]) {
            match step {
                Step::Pass(passed, jump) => {
                    now += Duration::from_millis(passed);
                    wall = (wall + passed).saturating_add_signed(jump);
                }
                Step::Rotate => queue_state = rotated(&queue_state),
                Step::Check => {
                    let changes = queue_state.take_changes();
                    pending.update(changes, &queue_state, at(wall), now);
                    plain.scan(&queue_state, only.as_ref(), at(wall), now);
                    prop_assert_eq!(ready(&pending), plain.ready.clone());
                    prop_assert_eq!(pending.next(), plain.next);
                    prop_assert_eq!(pending.len(), plain.moments.len());
                    for (hook, place) in pending.hooks() {
                        prop_assert_eq!(queue_state.place(&plain.ready[hook][0]), Some(place));
                    }
                }
                _ => if let Some(entry) = entry(step, &runs, wall) {
                    queue_state.add(Line::new(at(wall), entry));
                }
            }
        }
        for run in &runs {
            queue_state.add(Line::new(at(wall), finished(run)));
        }
        let changes = queue_state.take_changes();
        pending.update(changes, &queue_state, at(wall), now);
        prop_assert!(pending.runs.is_empty() && pending.ready.is_empty() && pending.delayed.is_empty());
        prop_assert!(pending.followers.is_empty(), "ended runs take no memory");
    }
}

#[test]
fn a_clock_that_is_set_back_does_not_hold_a_run_up() {
    let runs = runs(&[None]);
    let (id, hook) = (&runs[0].id, &runs[0].hook);
    let mut queue_state = QueueState::default();
    for step in [Step::Queue(0), Step::Start(0), Step::Fail(0, 1000)] {
        queue_state.add(Line::new(at(0), entry(step, &runs, 0).unwrap()));
    }
    let (mut pending, now) = (PendingRuns::default(), Instant::now());
    let then = now + Duration::from_secs(1);
    pending.update(queue_state.take_changes(), &queue_state, at(0), now);
    assert_eq!((pending.ready(hook).count(), pending.next()), (0, Some(then)));
    let day_before = Timestamp::from_millis(NOON - 86_400_000);
    pending.update(queue_state.take_changes(), &queue_state, day_before, then);
    assert_eq!(pending.ready(hook).collect::<Vec<_>>(), [id]);
}
