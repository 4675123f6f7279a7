//! The index returns the runs of the journals, even after its file was damaged.

use std::fs;

use automation::queue::{Entry, QueuedRun, append};
use automation::{AutomationId, ExecutionFault, Occurrence, OccurrenceKind, State};
use event::AbsPath;
use proptest::prelude::*;

use super::*;

fn workspace() -> (tempfile::TempDir, Workspace) {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
    (dir, workspace)
}

fn ended(workspace: &Workspace, hook: &str, millis: u64, state: State, logs: &str) {
    let at = Timestamp::from_millis(millis);
    let what = OccurrenceKind::FileSaved { path: format!("src/{hook}.rs") };
    let run = QueuedRun::new(at, AutomationId::new(hook).unwrap(), Occurrence::new(at, what));
    let record = ExecutionRecord {
        id: run.id.clone(),
        hook_id: run.hook.clone(),
        queued_ts: at.to_string(),
        start_ts: at.to_string(),
        end_ts: Some(at.to_string()),
        status: state.status(),
        state,
        exit_code: None,
        attempts: 1,
        interruptions: 0,
        trigger: run.occurrence.kind.to_string(),
        file: run.occurrence.file().map(str::to_owned),
        chain_depth: 0,
        error: (state == State::Failure)
            .then(|| ExecutionFault { code: "EXIT_CODE".into(), message: "it broke".into() }),
        logs: Some(logs.to_owned()),
    };
    append(workspace, at, [Entry::Queued { run }, Entry::Finished { record: Box::new(record) }]).unwrap();
}

fn hooks(history: &mut History, query: &Query) -> String {
    let found = history.find(&Query { limit: 100, ..query.clone() }).unwrap();
    found.iter().map(|record| record.hook_id.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn runs_are_found_by_text_hook_status_and_time_the_latest_first() {
    let (_dir, workspace) = workspace();
    ended(&workspace, "format", 1_000_000, State::Success, "two files FORMATTED");
    ended(&workspace, "review", 2_000_000, State::Failure, "50% of \"it\"");
    ended(&workspace, "format", 3_000_000, State::Success, "nothing");
    let mut history = History::open(&workspace).unwrap();
    let text = |text: &str| Query { grep: Some(text.into()), ..Query::default() };
    assert_eq!(hooks(&mut history, &Query::default()), "format review format");
    assert_eq!(hooks(&mut history, &text("formatted")), "format");
    assert_eq!(hooks(&mut history, &text("50% of \"it\"")), "review");
    assert_eq!(hooks(&mut history, &text("EXIT_CODE")), "review");
    assert_eq!(hooks(&mut history, &text("src/format")), "format format");
    assert_eq!(hooks(&mut history, &text("%")), "review", "even one character is found");
    assert_eq!(hooks(&mut history, &text("absent")), "");
    assert_eq!(hooks(&mut history, &Query { hook: Some("review".into()), ..Query::default() }), "review");
    assert_eq!(
        hooks(&mut history, &Query { status: Some("success".into()), ..Query::default() }),
        "format format"
    );
    let since = Some(Timestamp::from_millis(2_000_000));
    assert_eq!(hooks(&mut history, &Query { since, ..text("format") }), "format");
    ended(&workspace, "late", 4_000_000, State::Success, "");
    history.catch_up().unwrap();
    assert_eq!(hooks(&mut history, &Query::default()), "late format review format");
}

#[test]
fn an_index_that_is_gone_broken_or_foreign_is_made_anew_from_the_journals() {
    let (_dir, workspace) = workspace();
    ended(&workspace, "a", 1_000, State::Success, "x");
    drop(History::open(&workspace).unwrap());
    let file = workspace.automation_history();
    for ruin in [&b"no database at all, only some text that fills a page"[..], b""] {
        fs::write(file.as_path(), ruin).unwrap();
        assert_eq!(History::open(&workspace).unwrap().n_runs().unwrap(), 1);
    }
    Connection::open(file.as_path()).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    assert_eq!(History::open(&workspace).unwrap().n_runs().unwrap(), 1);
}

#[test]
fn a_journal_that_began_anew_is_read_once_under_both_names() {
    let (_dir, workspace) = workspace();
    ended(&workspace, "a", 1_000, State::Success, "x");
    let mut queue = automation::queue::Queue::open(&workspace).unwrap();
    let mut history = History::open(&workspace).unwrap();
    queue.rotate_beyond(Timestamp::from_millis(2_000), 1).unwrap().unwrap();
    ended(&workspace, "b", 3_000, State::Success, "x");
    history.catch_up().unwrap();
    assert_eq!(hooks(&mut history, &Query::default()), "b a");
}

#[test]
fn an_index_with_a_ruined_page_is_made_anew_when_that_page_is_met() {
    let (_dir, workspace) = workspace();
    for n in 0..200 {
        ended(&workspace, "a", n, State::Success, &format!("output {n} {}", "x".repeat(500)));
    }
    let mut history = History::open(&workspace).unwrap();
    history.database.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    drop(history);
    let file = workspace.automation_history();
    let mut bytes = fs::read(file.as_path()).unwrap();
    // Everything but the page that lists the tables.
    bytes[4096..].fill(0xA5);
    fs::write(file.as_path(), bytes).unwrap();
    history = History::open(&workspace).unwrap();
    let query = Query { grep: Some("output 7 ".into()), limit: 9, ..Query::default() };
    assert_eq!(history.find(&query).unwrap().len(), 1);
    assert_eq!(history.n_runs().unwrap(), 200);
}

#[test]
fn where_no_index_can_be_kept_the_journals_are_looked_through() {
    let (_dir, workspace) = workspace();
    ended(&workspace, "a", 1_000, State::Success, "x");
    // A folder in its place: not even root can write a file there.
    fs::create_dir(workspace.automation_history().as_path()).unwrap();
    let found = find_runs(&workspace, &Query { limit: 9, ..Query::default() }).unwrap();
    assert_eq!(found.runs.len(), 1);
    assert!(found.without_index.is_some());
}

#[test]
fn the_latest_run_is_the_one_that_ended_last_whatever_the_clock_said() {
    let (_dir, workspace) = workspace();
    for (hook, millis) in [("a", 9_000_000), ("b", 5_000_000), ("c", 7_000_000)] {
        ended(&workspace, hook, millis, State::Success, "x");
    }
    let mut history = History::open(&workspace).unwrap();
    assert_eq!(hooks(&mut history, &Query::default()), "c b a");
    let since = Some(Timestamp::from_millis(6_000_000));
    assert_eq!(hooks(&mut history, &Query { since, ..Query::default() }), "c a");
    assert_eq!(hooks(&mut history, &Query { since, grep: Some("src/".into()), ..Query::default() }), "c a");
}

#[test]
fn two_that_make_the_index_at_once_end_with_each_run_once() {
    let (_dir, workspace) = workspace();
    for n in 0..300 {
        ended(&workspace, "a", n, State::Success, "x");
    }
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(History::open(&workspace).unwrap().n_runs().unwrap(), 300));
        }
    });
}

#[test]
fn an_automation_and_a_status_have_signs_of_their_own() {
    let hooks: std::collections::HashSet<String> = (1..10_000).map(index::marker_of_hook).collect();
    assert_eq!(hooks.len(), 9_999);
    let statuses = ["queued", "running", "success", "failed", "timeout", "canceled"];
    let signs: std::collections::HashSet<String> = statuses.map(index::marker_of_status).into();
    assert_eq!(signs.len(), statuses.len());
    assert!(hooks.union(&signs).all(|sign| sign.chars().count() == 3));
}

/// A string of few distinct letters, so that most searches find something.
fn text(length: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    let letter = prop::sample::select(vec!['a', 'b', 'A', 'é', 'É', '"', ' ', '*', '\n', '漢', '1']);
    prop::collection::vec(letter, length).prop_map(|letters| letters.into_iter().collect())
}

fn query() -> impl Strategy<Value = Query> {
    let hook = prop::option::of(prop::sample::select(vec!["a", "b", "absent"]));
    let status = prop::option::of(prop::sample::select(vec!["success", "failed", "timeout"]));
    (prop::option::of(text(0..6)), hook, status, prop::option::of(0_u64..12), 0_usize..9).prop_map(
        |(grep, hook, status, since, limit)| Query {
            grep,
            hook: hook.map(str::to_owned),
            status: status.map(str::to_owned),
            since: since.map(Timestamp::from_millis),
            limit,
        },
    )
}

#[test]
fn the_index_finds_what_a_look_through_the_journals_finds() {
    let hook = prop::sample::select(vec!["a", "b"]);
    let runs = prop::collection::vec((hook, 0_u64..12, any::<bool>(), text(0..30)), 0..20);
    let strategy = (runs, prop::collection::vec(query(), 60), 0_usize..20);
    testkit::prove_slowly(12, &strategy, |(runs, queries, rotated)| {
        let (_dir, workspace) = workspace();
        for (n, (hook, millis, is_success, logs)) in runs.iter().enumerate() {
            let state = if *is_success { State::Success } else { State::Failure };
            ended(&workspace, hook, *millis, state, logs);
            if n == rotated {
                let mut queue = automation::queue::Queue::open(&workspace).unwrap();
                queue.rotate_beyond(Timestamp::from_millis(99), 1).unwrap().unwrap();
            }
        }
        append(&workspace, Timestamp::from_millis(1), []).unwrap();
        let mut history = History::open(&workspace).unwrap();
        for query in queries {
            let scanned = scan::find(&workspace, &query).unwrap();
            prop_assert_eq!(history.find(&query).unwrap(), scanned, "{:?}", query);
        }
        Ok(())
    });
}
