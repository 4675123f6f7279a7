//! Constructed runs and changes, and the decisions about them.

use automation::limits::{MAX_ROUNDS, MAX_ROUNDS_IN_ALL};

use super::*;
use automation::Occurrence;
use store::{Timestamp, fingerprint};

fn id(text: &str) -> AutomationId {
    AutomationId::new(text).unwrap()
}

fn saved(path: &str) -> OccurrenceKind {
    OccurrenceKind::FileSaved { path: path.into() }
}

/// Makes runs of `chains` about the file `f` that start together and end after `took`; returns their start.
fn after(authorship: &mut Authorship, chains: &[&[&str]], round: u32, took: Duration) -> SystemTime {
    let (moment, wall) = (Instant::now(), store::system_time());
    let mut cause = Occurrence::new(Timestamp::from_millis(1), saved("f"));
    cause.round = round;
    let run = |chain: &&[&str]| ActiveRun {
        id: ExecutionId::fresh(Timestamp::from_millis(1)),
        chain: Chain::of(&chain.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()),
        cause: Some(cause.clone()),
        since: moment,
        is_agent: false,
    };
    authorship.update(chains.iter().map(run), (moment, wall));
    authorship.update(std::iter::empty(), (moment + took, wall + took));
    wall
}

const LONG: Duration = Duration::from_secs(3);
const SHORT: Duration = Duration::from_millis(100);

/// Files that all have this content, and the times of those that were just written.
#[derive(Debug, Default)]
struct Files {
    content: Option<Fingerprint>,
    written: Vec<SystemTime>,
}

impl FilesNow for Files {
    fn content(&self, _: &OccurrenceKind) -> Option<Fingerprint> {
        self.content
    }

    fn unsettled(&mut self, _: &AutomationId) -> Vec<SystemTime> {
        self.written.clone()
    }
}

fn content(now: Fingerprint) -> Files {
    Files { content: Some(now), written: Vec::new() }
}

/// Returns a moment after every pause.
fn late() -> Instant {
    Instant::now() + Duration::from_mins(1)
}

#[test]
fn what_happens_while_runs_are_at_work_is_theirs_and_nothing_before_or_after() {
    let mut authorship = Authorship::default();
    let began = after(&mut authorship, &[&["a"], &["x", "b"]], 0, LONG);
    let causes = authorship.of(began + LONG / 2);
    let mut led = causes.may_have_caused.clone();
    led.sort();
    assert_eq!((causes.runs.len(), led), (2, vec![id("a"), id("b"), id("x")]));
    assert_eq!(causes.chain.ids(), [id("x"), id("b")], "the longest chain is carried on");
    for at in [began - LONG, began + LONG + Duration::from_millis(1)] {
        assert_eq!(authorship.of(at), Causes::default());
    }
}

#[test]
fn a_file_that_changed_during_a_run_is_ruled_on_once_the_run_has_ended() {
    let (now, before) = (fingerprint([b"now".as_slice()]), fingerprint([b"before".as_slice()]));
    // The duration of the run, its round, the file, its content at the end, the content last handled.
    for (took, round, file, left, answered, expected) in [
        (SHORT, 0, "f", now, before, "run 1"),
        (SHORT, 1, "f", now, before, "run 2"),
        (SHORT, 1, "other", now, before, "run 0"),
        (LONG, 0, "f", now, before, "run 1"),
        (LONG, 4, "f", now, before, "run 5"),
        (LONG, 0, "f", now, now, ""),
        (LONG, 0, "f", before, before, ""),
    ] {
        let mut authorship = Authorship::default();
        let began = after(&mut authorship, &[&["a"]], round, took);
        authorship.answered(&[id("a")], &saved(file), Some(&answered));
        let causes = authorship.of(began + took / 2);
        authorship.hold(vec![id("a")], (&saved(file), began + took / 2), Some(&left), &causes);
        let soon = Instant::now() + took + Duration::from_millis(300);
        assert_eq!(authorship.rule(soon, &mut content(now)), [], "a person may save in the pause");
        assert_eq!(told(&authorship.rule(late(), &mut content(now))), expected, "{took:?} {round} {file}");
        assert_eq!(authorship.rule(late(), &mut content(now)), [], "each change is decided once");
    }
}

fn told(rulings: &[Ruling]) -> String {
    let told = rulings.iter().map(|ruling| match ruling {
        Ruling::Refuse { .. } => "refuse".to_owned(),
        Ruling::RunOnce { round, .. } => format!("run {round}"),
        Ruling::Pause { .. } => "pause".to_owned(),
    });
    told.collect()
}

#[test]
fn five_rounds_in_a_row_are_the_most_unless_a_person_saves_in_between() {
    let mut authorship = Authorship::default();
    let rulings = |authorship: &mut Authorship, path: &str| {
        let began = after(authorship, &[&["a"]], 0, LONG);
        let causes = authorship.of(began + LONG / 2);
        authorship.hold(vec![id("a")], (&saved(path), began + LONG / 2), None, &causes);
        told(&authorship.rule(late(), &mut Files::default()))
    };
    for n in 0..MAX_ROUNDS {
        assert_eq!(rulings(&mut authorship, "f"), "run 1", "{n}");
    }
    authorship.by_person(&[id("a")], &saved("f"));
    for n in 0..MAX_ROUNDS {
        assert_eq!(rulings(&mut authorship, "f"), "run 1", "{n}");
    }
    assert_eq!(rulings(&mut authorship, "f"), "pause");
    for n in 0..MAX_ROUNDS_IN_ALL {
        assert_eq!(rulings(&mut authorship, &n.to_string()), "run 0", "{n}");
    }
    assert_eq!(rulings(&mut authorship, "new"), "pause", "a new file each time is a loop, too");
}

#[test]
fn a_person_who_keeps_saving_between_many_short_runs_is_no_loop() {
    // A file written while no run was running, one written during the last run, none.
    for (after_end, expected) in [(Some(10), "run 0"), (Some(-10), "pause"), (None, "pause")] {
        let mut authorship = Authorship::default();
        let mut last = store::system_time();
        for n in 0..=MAX_ROUNDS_IN_ALL {
            last = after(&mut authorship, &[&["a"]], 0, SHORT);
            let causes = authorship.of(last + SHORT / 2);
            authorship.hold(vec![id("a")], (&saved(&n.to_string()), last + SHORT / 2), None, &causes);
            if n < MAX_ROUNDS_IN_ALL {
                assert_eq!(told(&authorship.rule(late(), &mut Files::default())), "run 0", "{n}");
            }
        }
        let soon = Instant::now() + SHORT + Duration::from_millis(600);
        assert_eq!(authorship.rule(soon, &mut Files::default()), [], "the files are observed first");
        let end = last + SHORT;
        let written = after_end.map(|millis: i64| {
            let by = Duration::from_millis(millis.unsigned_abs());
            if millis < 0 { end - by } else { end + by }
        });
        let mut files = Files { content: None, written: written.into_iter().collect() };
        let first = told(&authorship.rule(late(), &mut files));
        assert_eq!(first + &told(&authorship.rule(late(), &mut files)), expected, "{after_end:?}");
    }
}

#[test]
fn a_change_during_the_second_attempt_of_a_run_is_the_run_s() {
    let mut authorship = Authorship::default();
    let (moment, wall) = (Instant::now(), store::system_time());
    let run = ActiveRun {
        id: ExecutionId::fresh(Timestamp::from_millis(1)),
        chain: Chain::default().then(&id("a")),
        cause: None,
        since: moment,
        is_agent: false,
    };
    for seconds in [0, 10] {
        let at = |more: u64| Duration::from_secs(seconds + more);
        authorship.update([run.clone()].into_iter(), (moment + at(0), wall + at(0)));
        authorship.update(std::iter::empty(), (moment + at(2), wall + at(2)));
        assert_eq!(authorship.of(wall + at(1)).runs, std::slice::from_ref(&run.id), "{seconds}");
    }
}

#[test]
fn a_server_that_stops_queues_what_a_person_may_have_saved() {
    let mut authorship = Authorship::default();
    let began = after(&mut authorship, &[&["a"]], 0, LONG);
    let causes = authorship.of(began + LONG / 2);
    authorship.hold(vec![id("a")], (&saved("f"), began + LONG / 2), None, &causes);
    assert_eq!(told(&authorship.release()), "run 0");
    assert_eq!(authorship.rule(late(), &mut Files::default()), []);
}

/// A run of an agent program about the file `f` that starts now and takes [`LONG`].
struct AgentRun {
    authorship: Authorship,
    run: ActiveRun,
    began: (Instant, SystemTime),
}

impl AgentRun {
    fn new(round: u32) -> Self {
        let began = (Instant::now(), store::system_time());
        let mut cause = Occurrence::new(Timestamp::from_millis(1), saved("f"));
        cause.round = round;
        let run = ActiveRun {
            id: ExecutionId::fresh(Timestamp::from_millis(1)),
            chain: Chain::default().then(&id("a")),
            cause: Some(cause),
            since: began.0,
            is_agent: true,
        };
        let mut authorship = Authorship::default();
        authorship.update([run.clone()].into_iter(), began);
        Self { authorship, run, began }
    }

    fn hook(&mut self, after: Duration, step: Step) {
        let chain = self.run.chain.clone();
        self.authorship.note_hook(&HookMark { chain, at: self.began.1 + after, call: None, step });
    }

    /// Returns the decision about a file that was saved halfway through the run.
    fn decision_about(mut self, file: &str) -> String {
        let at = self.began.1 + LONG / 2;
        let causes = self.authorship.of(at);
        self.authorship.hold(vec![id("a")], (&saved(file), at), None, &causes);
        assert_eq!(
            self.authorship.rule(late(), &mut Files::default()),
            [],
            "nothing is decided before the run has ended"
        );
        self.authorship.update(std::iter::empty(), (self.began.0 + LONG, self.began.1 + LONG));
        let rulings = self.authorship.rule(late(), &mut Files::default());
        if let [Ruling::Refuse { chain, .. }] = rulings.as_slice() {
            assert_eq!(*chain, self.run.chain);
        }
        told(&rulings)
    }
}

#[test]
fn a_change_between_two_tool_calls_of_an_agent_is_a_person_s() {
    let (before, after) = (LONG / 3, LONG * 2 / 3);
    let tool = |began, ended| vec![(began, Step::Before), (ended, Step::After)];
    let earlier = [tool(Duration::ZERO, before), tool(after, LONG)].concat();
    for (marks, round, file, expected) in [
        (earlier.clone(), 0, "f", "run 0"),
        (earlier, 3, "other", "run 0"),
        (tool(before, after), 0, "f", "refuse"),
        (tool(before, after), 0, "other", "refuse"),
        (vec![(before, Step::Other)], 0, "other", "run 0"),
        // No hook recorded anything: its user may have written, but not again and again.
        (vec![], 0, "f", "run 1"),
        (vec![], 1, "f", "refuse"),
        (vec![], 0, "other", "run 1"),
        (vec![], 1, "other", "run 2"),
        (vec![], 4, "other", "refuse"),
    ] {
        let mut run = AgentRun::new(round);
        for (after, step) in &marks {
            run.hook(*after, *step);
        }
        assert_eq!(run.decision_about(file), expected, "{marks:?} {round} {file}");
    }
}

/// A second automation that is running all the time must not hide that the first repeats itself.
#[test]
fn a_rename_loop_beside_another_loop_is_found_as_fast_as_alone() {
    let mut authorship = Authorship::default();
    let mut rounds = 0;
    loop {
        let renamed =
            |from: &str, to: &str| OccurrenceKind::FileRenamed { path: to.into(), old_path: from.into() };
        let (moment, wall) = (Instant::now(), store::system_time());
        let kind = if rounds % 2 == 0 { renamed("a", "b") } else { renamed("b", "a") };
        let run = |hook: &str, kind: OccurrenceKind, since: Instant| ActiveRun {
            id: ExecutionId::fresh(Timestamp::from_millis(1)),
            chain: Chain::default().then(&id(hook)),
            cause: Some(Occurrence::new(Timestamp::from_millis(1), kind)),
            since,
            is_agent: false,
        };
        // The other runs began at another time in every round.
        let others =
            (1..9).map(|n| run("other", saved("x"), moment.checked_sub(SHORT * (n * (rounds + 1))).unwrap()));
        authorship.update([run("turn", kind, moment)].into_iter().chain(others), (moment, wall));
        let back = if rounds % 2 == 0 { renamed("b", "a") } else { renamed("a", "b") };
        let causes = authorship.of(wall + LONG / 2);
        authorship.hold(vec![id("turn")], (&back, wall + LONG / 2), None, &causes);
        authorship.update(std::iter::empty(), (moment + LONG, wall + LONG));
        match told(&authorship.rule(late(), &mut Files::default())).as_str() {
            "run 1" => rounds += 1,
            told => {
                assert_eq!((told, rounds), ("pause", MAX_ROUNDS));
                return;
            }
        }
    }
}
