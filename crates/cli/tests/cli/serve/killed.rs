//! A server that is killed at any moment.

use std::thread;
use std::time::Duration;

use serde_json::json;

use super::stage::{Project, hook, until};

/// The long test run repeats this a hundred times.
#[test]
fn a_server_that_is_killed_at_any_moment_loses_no_run_and_repeats_none_unmarked() {
    let n_kills = testkit::in_the_long_run(100, 4);
    let mut counted = hook("count", "tick", "echo \"$STEERSMAN_RUN\" >> ran; sleep 0.05");
    counted["retry"] = json!({"count": 9, "backoffMs": 1});
    let project = Project::new(&json!([counted]));
    let mut n_emitted = 0;
    for kill in 0..n_kills {
        let server = project.serve();
        for _ in 0..3 {
            assert_eq!(project.run(&["emit", "tick"]).0, 0);
            n_emitted += 1;
        }
        // Different moments.
        thread::sleep(Duration::from_millis(u64::try_from(kill).unwrap() * 37 % 150));
        server.kill();
    }
    let _server = project.serve();
    until("every run has ended", || project.runs(&[]).len() == n_emitted);
    let ran = project.read("ran");
    for record in project.runs(&[]) {
        let id = record["id"].as_str().unwrap();
        assert_eq!(record["status"], "success", "{record}");
        let n_runs = ran.lines().filter(|line| *line == id).count() as u64;
        let n_marked = record["interruptions"].as_u64().unwrap_or(0);
        assert!((1..=n_marked + 1).contains(&n_runs), "{id} ran {n_runs} times, {n_marked} interruptions");
    }
}
