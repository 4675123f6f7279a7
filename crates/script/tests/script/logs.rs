//! What a module logs, and how much of it is kept.

use script::{Level, LogLine};
use serde_json::json;

use crate::project::Project;

fn lines(body: &str) -> Vec<LogLine> {
    Project::handling(body).ask(&json!({})).expect(body).logs
}

fn line(level: Level, msg: &str) -> LogLine {
    LogLine { level, msg: msg.to_owned(), data: None }
}

#[test]
fn ctx_log_takes_level_message_and_data() {
    assert_eq!(
        lines(
            "ctx.log('warn', 'careful', { n: [1] }); ctx.log('debug', 'x'); ctx.log('loud', 'y'); ctx.log(); ctx.log(1, { a: 1 }, () => 1);"
        ),
        [
            LogLine { level: Level::Warn, msg: "careful".to_owned(), data: Some(json!({"n": [1]})) },
            line(Level::Debug, "x"),
            line(Level::Info, "y"),
            line(Level::Info, ""),
            line(Level::Info, r#"{"a":1}"#),
        ]
    );
}

#[test]
fn console_is_a_log_too() {
    assert_eq!(
        lines(
            "console.log('a', 1, { b: [2] }, undefined, null); console.warn('w'); console.error('e'); console.debug(); console.info('i');"
        ),
        [
            line(Level::Info, r#"a 1 {"b":[2]} undefined null"#),
            line(Level::Warn, "w"),
            line(Level::Error, "e"),
            line(Level::Debug, ""),
            line(Level::Info, "i"),
        ]
    );
    let logged = lines("console.error(new RangeError('far'));");
    assert!(logged[0].msg.starts_with("RangeError: far\n"), "{logged:?}");
}

#[test]
fn what_cannot_be_logged_does_not_stop_the_module() {
    assert_eq!(
        lines("const a = {}; a.a = a; ctx.log('info', 'x', a); console.log(1n, { get x() { throw 1; } });"),
        [
            LogLine {
                level: Level::Info,
                msg: "x".to_owned(),
                data: Some(json!("[not logged: a cycle, or something nested more than 127 levels deep]")),
            },
            line(Level::Info, "[not logged: a BigInt] [not logged: reading it threw]"),
        ]
    );
}

#[test]
fn a_log_has_a_number_of_lines() {
    let lines = lines("for (let i = 0; i < 1000; i++) console.log(i);");
    assert_eq!(lines.len(), 201);
    assert_eq!(lines[200], line(Level::Warn, "800 more lines were dropped: the log is full"));
}

#[test]
fn a_log_has_a_size() {
    let lines =
        lines("for (let i = 0; i < 100; i++) ctx.log('info', 'x'.repeat(1e5), { y: 'z'.repeat(1e6) });");
    let size: usize = lines.iter().map(|line| line.msg.len()).sum();
    assert!(size < 70_000, "{size}");
    assert!(lines.last().unwrap().msg.ends_with("more lines were dropped: the log is full"));
}

#[test]
fn lines_of_a_failed_event_are_not_lost() {
    let mut script = Project::handling("ctx.log('info', 'before'); throw 1;").load().unwrap();
    assert!(script.handle("Stop", &json!({})).is_err());
    assert_eq!(script.take_logs(), [line(Level::Info, "before")]);
    assert_eq!(script.take_logs(), []);
}

#[test]
fn each_event_has_its_own_log() {
    let source =
        "console.log('top'); export default { name: 'p', supports: [], handle: (e) => console.log(e) };";
    let mut script = Project::new(source).load().unwrap();
    assert_eq!(
        script.handle("Stop", &json!({})).unwrap().logs,
        [line(Level::Info, "top"), line(Level::Info, "Stop")]
    );
    assert_eq!(script.handle("Stop", &json!({})).unwrap().logs, [line(Level::Info, "Stop")]);
}

#[test]
fn a_rejection_nobody_awaits_is_logged() {
    assert_eq!(
        lines(
            "const late = Promise.reject(new Error('caught later')); const fail = async () => { throw new TypeError('lost'); };
             fail(); Promise.reject('text'); fail().catch(() => {}); await null; try { await late; } catch {}"
        ),
        [
            line(Level::Warn, "a promise was rejected without a handler: TypeError: lost"),
            line(Level::Warn, "a promise was rejected without a handler: text"),
        ]
    );
}
