//! A module that uses too much of anything is stopped, and the process goes on.

use std::time::{Duration, Instant};

use script::ScriptError;
use serde_json::json;

use crate::project::{Project, check};

/// Runs a `handle` with little time and returns why it stopped and how long that took.
fn stop(body: &str) -> (ScriptError, Duration) {
    let mut project = Project::handling(body);
    project.budget = Duration::from_millis(100);
    let started = Instant::now();
    let error = project.ask(&json!({})).expect_err(body);
    (error, started.elapsed())
}

#[test]
fn loops_of_every_kind_are_interrupted() {
    for body in [
        "while (true) {}",
        "while (true) { try { while (true) {} } catch {} finally { continue; } }",
        "for (;;) { try { throw 1; } catch { } }",
        "for (;;) await null;",
        "for (;;) await new Promise((resolve) => setTimeout(resolve, 1));",
        "const spin = () => Promise.resolve().then(spin); await spin();",
        "/^(a+)+$/.test('a'.repeat(40) + 'b');",
        "[1, 2].sort(() => { for (;;); });",
        "return { get decision() { for (;;); } };",
        "return new Proxy({}, { ownKeys() { for (;;); } });",
        "throw { get message() { for (;;); }, toString() { for (;;); } };",
        "const e = new Error('x'); Object.defineProperty(e, 'message', { get() { for (;;); } }); throw e;",
        "JSON.stringify({ toJSON() { for (;;); } });",
        "function* g() { for (;;) yield 1; } return { l: [...g()] };",
        "ctx.log('info', 'x', { get a() { for (;;); } }); for (;;);",
        "eval('for(;;);')",
        "new Function('for(;;);')()",
        "return { then() { for (;;); } };",
        "await new Promise(() => setInterval(() => {}, 1));",
        "await new Promise((resolve) => setTimeout(resolve, 1e6));",
    ] {
        let (error, took) = stop(body);
        assert!(
            matches!(error, ScriptError::TimedOut | ScriptError::OutOfMemory { .. }),
            "{body}: {error} {error:?}"
        );
        assert!(took < Duration::from_secs(5), "{body}: {took:?}");
    }
}

#[test]
fn a_loop_at_the_top_level_is_interrupted_too() {
    for source in [
        "for (;;);",
        "await new Promise((r) => setTimeout(r, 1e6));",
        "export default { get name() { for (;;); } };",
    ] {
        let mut project = Project::new(source);
        project.budget = Duration::from_millis(100);
        assert!(matches!(project.load().map(|_| ()), Err(ScriptError::TimedOut)), "{source}");
    }
}

#[test]
fn an_interruption_cannot_be_caught() {
    let (error, _) = stop(
        "try { for (;;); } catch (e) { return { caught: true }; } finally { return { finally: true }; }",
    );
    assert!(matches!(error, ScriptError::TimedOut), "{error:?}");
}

#[test]
fn no_time_means_no_call() {
    let mut project = Project::handling("return {};");
    let mut script = project.load().unwrap();
    script.set_deadline(event::Deadline::after(Instant::now(), Duration::ZERO));
    assert!(matches!(script.handle("Stop", &json!({})), Err(ScriptError::TimedOut)));
    script.set_deadline(event::Deadline::after(Instant::now(), Duration::from_secs(20)));
    assert_eq!(script.handle("Stop", &json!({})).unwrap().action, json!({}));
    project.budget = Duration::ZERO;
    assert!(matches!(
        project.load().and_then(|mut script| script.handle("Stop", &json!({}))),
        Err(ScriptError::TimedOut)
    ));
}

#[test]
fn memory_is_bounded() {
    for body in [
        "const l = []; for (;;) l.push(new Array(1000).fill(l.length));",
        "let s = 'x'; for (;;) { s += s + 'y'.repeat(3); s.charCodeAt(0); }",
        "return { text: 'x'.repeat(2 ** 28) };",
        "new Uint8Array(1e9);",
        "globalThis.l = []; for (;;) l.push({});",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, 'x'.repeat(1000) + i);",
        "'x'.padEnd(2 ** 29);",
        "JSON.parse('[' + '1,'.repeat(5e6) + '1]');",
        "let s = Symbol.iterator; const o = {}; for (let i = 0; ; i++) o['k' + i] = i;",
    ] {
        match Project::handling(body).ask(&json!({})) {
            Err(ScriptError::OutOfMemory { limit }) => assert_eq!(limit, 32 << 20),
            other => panic!("{body}: {other:?}"),
        }
    }
}

#[test]
fn a_module_may_go_on_after_it_ran_out_of_memory() {
    check(
        "try { 'x'.repeat(2 ** 28); } catch (e) { return { name: e.name }; }",
        json!({"name": "InternalError"}),
    );
}

#[test]
fn recursion_is_bounded() {
    for body in [
        "const f = () => f(); f();",
        "const f = (n) => [f(n + 1)]; f(0);",
        "const o = { get a() { return this.a; } }; o.a;",
        "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return { s: JSON.stringify(a).length };",
        "const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x;",
    ] {
        let error = Project::handling(body).ask(&json!({})).expect_err(body);
        assert!(matches!(error, ScriptError::StackOverflow), "{body}: {error:?}");
    }
}

#[test]
fn what_nothing_can_settle_is_found_at_once() {
    for body in ["await new Promise(() => {});", "return new Promise(() => {});", "return { then() {} };"] {
        let (error, took) = stop(body);
        assert!(matches!(error, ScriptError::NeverSettled), "{body}: {error:?}");
        assert!(took < Duration::from_secs(5), "{body}: {took:?}");
    }
    let top = Project::new("await new Promise(() => {}); export default {};").load().map(|_| ());
    assert!(matches!(top, Err(ScriptError::NeverSettled)));
}

#[test]
fn an_action_has_a_size() {
    let fits = "return { text: 'x'.repeat(1e6) };";
    assert!(Project::handling(fits).outcome().is_ok());
    for body in [
        "return { text: 'x'.repeat(2 ** 21) };",
        "const list = []; list.length = 2 ** 32 - 1; return { list };",
        "const list = []; list.length = 2 ** 31; return { list };",
        "return { list: new Array(2 ** 20) };",
    ] {
        assert_eq!(
            Project::handling(body).outcome(),
            Err("the action exceeds 1048576 bytes".to_owned()),
            "{body}"
        );
    }
}

#[test]
fn a_source_file_has_a_size() {
    let error = Project::new(&"// \n".repeat(300_000)).load().map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "module `features/probe/hook.mjs` exceeds 1048576 bytes");
}

#[test]
fn sleeping_is_possible_within_the_budget() {
    check(
        "const order = []; setTimeout((x) => order.push(x), 5, 'b'); setTimeout(() => order.push('a'), 1);
         const gone = setTimeout(() => order.push('never'), 2); clearTimeout(gone); setImmediate(() => order.push('now'));
         let n = 0; await new Promise((done) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); done(); } }, 1); });
         await new Promise((resolve) => setTimeout(resolve, 8));
         return { order, n };",
        json!({"order": ["now", "a", "b"], "n": 3}),
    );
}

#[test]
fn at_the_edge_of_memory_every_step_fails_softly() {
    // Fills the memory up to a little less than the limit, then does a bit of everything.
    let source = "import fs from 'node:fs'; import path from 'node:path'; import { createHash } from 'node:crypto';
        const steps = [
          () => new Error('x').stack, () => /a(b+)c/g.exec('xabbbc'), () => 'é'.repeat(5000).split(''), () => ({ ...{ a: 1 } }),
          () => new Map([[1, 2]]), () => JSON.parse('{\"a\":[1,2,3]}'), () => JSON.stringify({ a: [1] }), () => new Date().toISOString(),
          () => fs.readFileSync('README', 'utf8'), () => fs.readFileSync('README').toString('base64'), () => fs.readFileSync('nope'),
          () => createHash('sha256').update('x').digest('hex'), () => path.resolve('a', 'b'), () => console.log({ a: 'b' }),
          () => structuredClone({ a: [new Set([1])] }), () => setTimeout(() => {}, 1), () => Symbol('x').description, () => eval('1+1'),
          async () => { await null; throw new Error('later'); }, () => import('./nope.mjs'), () => new Proxy({}, {}), () => 2n ** 100n,
          () => { const f = () => f(); f(); }, () => null.x, () => Array.from({ length: 500 }, (_, i) => i).sort((a, b) => b - a),
        ];
        export default { name: 'p', supports: [], async handle(e, ctx) {
          globalThis.hoard = [];
          let size = 1 << 16;
          while (size > ctx.event.leave) { try { hoard.push('x'.repeat(size).toUpperCase()); } catch { size >>= 1; } }
          let n = 0;
          for (const step of steps) { try { await step(); n++; } catch (error) { ctx.log('info', 'failed', error); } }
          if (ctx.event.last === 'throw') throw new Error('at the end');
          if (ctx.event.last === 'large') return { text: 'x'.repeat(100000) };
          return { n, error: new Error('x'), list: [new Set([1]), new Date()] };
        } };";
    let mut project = Project::new(source);
    project.write("README", "read me");
    project.limits.memory = 2 << 20;
    for leave in (4..=2048).step_by(139) {
        for last in ["throw", "large", "return"] {
            match project.ask(&json!({"event": {"leave": leave, "last": last}})) {
                Ok(_) | Err(ScriptError::OutOfMemory { .. } | ScriptError::Threw { .. }) => {}
                Err(other) => panic!("{leave} {last}: {other:?}"),
            }
        }
    }
}

#[test]
fn with_hardly_any_memory_a_module_still_ends_in_order() {
    for memory in [0, 1, 1 << 20, (1 << 20) + 4096] {
        let mut project = Project::handling("const l = []; for (;;) l.push([l]);");
        project.limits.memory = memory;
        assert!(matches!(project.ask(&json!({})), Err(ScriptError::OutOfMemory { .. })), "{memory}");
    }
}
