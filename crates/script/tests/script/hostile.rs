//! Modules that throw strange things or change the ground they stand on.

use script::ScriptError;
use serde_json::json;

use crate::project::{Project, check, check_error};

#[test]
fn an_error_comes_with_its_place() {
    let project = Project::handling("const inner = () => { throw new TypeError('no good'); };\ninner();");
    match project.ask(&json!({})) {
        Err(ScriptError::Threw { message, stack }) => {
            assert_eq!(message, "TypeError: no good");
            assert_eq!(
                stack,
                "at inner (features/probe/hook.mjs:3:33)\nat handle (features/probe/hook.mjs:4:1)"
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn whatever_is_thrown_is_described_without_calling_it() {
    for (body, expected) in [
        ("throw 'plain text';", "plain text"),
        ("throw 42;", "threw 42, which is not an Error"),
        ("throw undefined;", "threw an undefined"),
        ("throw Symbol('x');", "threw a symbol"),
        ("throw 1n;", "threw something that is not an Error: a BigInt"),
        ("throw { code: 'E1' };", r#"threw {"code":"E1"}, which is not an Error"#),
        ("throw { toString() { throw 1; }, valueOf() { throw 2; } };", "threw {}, which is not an Error"),
        ("throw { get message() { throw 1; } };", "threw something that is not an Error: reading it threw"),
        ("throw new Proxy(new Error('x'), { get() { throw 1; } });", "threw {}, which is not an Error"),
        ("throw class A {};", "threw a constructor"),
        ("throw () => 1;", "threw a function"),
        ("throw Object.assign(new Error('m'), { message: { toString() { throw 1; } } });", "Error"),
        ("throw Object.defineProperty(new Error('m'), 'message', { get() { throw 1; } });", "Error"),
        ("throw Object.assign(new Error('m'), { name: 7 });", "Error: m"),
        ("throw new Error();", "Error"),
        ("return Promise.reject('later');", "later"),
        ("await Promise.any([]);", "AggregateError"),
        ("null.x;", "TypeError: cannot read property 'x' of null"),
        ("nope();", "ReferenceError: nope is not defined"),
        (
            "JSON.parse('{');",
            "SyntaxError: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
        ),
    ] {
        match Project::handling(body).ask(&json!({})) {
            Err(ScriptError::Threw { message, .. }) => assert_eq!(message, expected, "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
}

#[test]
fn a_long_message_is_cut() {
    match Project::handling("throw new Error('é'.repeat(1e6));").ask(&json!({})) {
        Err(ScriptError::Threw { message, .. }) => assert!(message.len() < 2100, "{}", message.len()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_action_with_getters_and_proxies_is_read_once() {
    check(
        "let n = 0; return { get a() { return ++n; }, p: new Proxy({ x: 1 }, {}), [Symbol.toPrimitive]: 1 };",
        json!({"a": 1, "p": {"x": 1}}),
    );
    check_error("return { get a() { throw new Error('in getter'); } };", "Error: in getter");
    check_error("return new Proxy({}, { ownKeys() { throw new Error('in trap'); } });", "Error: in trap");
    let revoked = "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return { proxy };";
    let error = Project::handling(revoked).outcome().unwrap_err();
    assert!(error.starts_with("TypeError"), "{error}");
}

#[test]
fn changed_prototypes_do_not_change_the_conversion() {
    for pollution in [
        "Object.prototype.toJSON = () => 'gone';",
        "Object.prototype.evil = 1;",
        "Object.prototype.decision = 'allow';",
        "Object.defineProperty(Object.prototype, 'log', { set() { throw 1; }, configurable: true });",
        "Object.defineProperty(Object.prototype, 'elapsed', { set() { throw 1; }, configurable: true });",
        "Object.prototype.then = undefined;",
        "Array.prototype.toJSON = () => 'gone'; String.prototype.toJSON = () => 'gone';",
        "Array.prototype[Symbol.iterator] = () => { throw 1; };",
        "JSON.parse = JSON.stringify = () => 'gone';",
        "Promise.prototype.then = () => { throw 1; };",
        "globalThis.Promise = globalThis.JSON = globalThis.Array = undefined;",
    ] {
        let source = format!(
            "{pollution}\nexport default {{ name: 'p', supports: ['Stop'], handle: (e, ctx) => ({{ list: [1, {{ a: 'b' }}], at: ctx.event.x }}) }};"
        );
        let handled = Project::new(&source).ask(&json!({"event": {"x": [{"y": 1}]}}));
        assert_eq!(
            handled.unwrap().action,
            json!({"list": [1, {"a": "b"}], "at": [{"y": 1}]}),
            "{pollution}"
        );
    }
}

#[test]
fn a_context_that_cannot_be_frozen_is_an_error_not_a_crash() {
    let source =
        "globalThis.Object = undefined; export default { name: 'p', supports: [], handle: () => ({}) };";
    assert!(Project::new(source).outcome().is_err());
}

#[test]
fn there_is_no_way_out() {
    check(
        "return { require: typeof require, fetch: typeof fetch, std: typeof std, os: typeof os, deno: typeof Deno,
                  worker: typeof Worker, load: typeof loadScript, print: typeof print, exit: typeof process.exit,
                  kill: typeof process.kill, env: Object.keys(process.env), argv: process.argv, frozen: Object.isFrozen(process) };",
        json!({
            "require": "undefined", "fetch": "undefined", "std": "undefined", "os": "undefined", "deno": "undefined",
            "worker": "undefined", "load": "undefined", "print": "undefined", "exit": "undefined",
            "kill": "undefined", "env": [], "argv": [], "frozen": true,
        }),
    );
    let wait = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);";
    let error = Project::handling(wait).outcome().unwrap_err();
    assert!(error.starts_with("TypeError"), "{error}");
}

#[test]
fn a_module_that_failed_can_be_dropped_and_asked_again() {
    let mut script =
        Project::handling("globalThis.keep ??= []; keep.push(keep); throw new Error(eventName);")
            .load()
            .unwrap();
    for _ in 0..3 {
        assert!(matches!(script.handle("Stop", &json!({})), Err(ScriptError::Threw { .. })));
    }
    drop(script);
}
