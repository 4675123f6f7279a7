//! What `handle` may return and what becomes of it.

use serde_json::json;

use crate::project::{Project, check, check_error};

#[test]
fn nothing_is_an_empty_action() {
    check("", json!({}));
    check("return undefined;", json!({}));
    check("return null;", json!({}));
    check("return {};", json!({}));
}

#[test]
fn an_action_arrives_whole_and_in_its_order() {
    check(
        "return { decision: 'deny', denyReason: 'näin 🙂', metrics: { ms: 1.5, n: 3, big: 2 ** 53, neg: -0 }, \
         emitEvents: [{ type: 'A', ok: true, none: null }], warnings: ['a', 'b'] };",
        json!({
            "decision": "deny", "denyReason": "näin 🙂",
            "metrics": {"ms": 1.5, "n": 3, "big": 9_007_199_254_740_992.0, "neg": 0},
            "emitEvents": [{"type": "A", "ok": true, "none": null}], "warnings": ["a", "b"],
        }),
    );
}

#[test]
fn what_json_has_no_word_for_is_left_out() {
    check(
        "return { a: undefined, f() {}, s: Symbol('x'), [Symbol('k')]: 1, list: [undefined, () => 1, 2] };",
        json!({"list": [null, null, 2]}),
    );
    check("return { nan: NaN, inf: -Infinity };", json!({"nan": null, "inf": null}));
}

#[test]
fn sets_maps_dates_and_errors_become_plain() {
    check(
        "return { set: new Set(['a', 1]), map: new Map([['k', 'v']]), date: new Date(0), bad: new Date(NaN), \
         empty: new Set() };",
        json!({"set": ["a", 1], "map": {"k": "v"}, "date": "1970-01-01T00:00:00.000Z", "bad": null, "empty": []}),
    );
    let action = Project::handling("return { error: new TypeError('no') };").outcome().unwrap();
    assert_eq!(action["error"]["name"], "TypeError");
    assert_eq!(action["error"]["message"], "no");
}

#[test]
fn half_a_surrogate_pair_is_replaced() {
    check(r"return { text: 'a\ud800b', ['\udc00']: 1 };", json!({"text": "a\u{fffd}b", "\u{fffd}": 1}));
}

#[test]
fn a_nul_in_a_key_or_text_is_kept() {
    check(r"return { ['a\0b']: 'c\0d' };", json!({"a\u{0}b": "c\u{0}d"}));
}

#[test]
fn only_an_object_is_an_action() {
    for (body, found) in [
        ("return 'deny';", "string"),
        ("return 1;", "int"),
        ("return true;", "bool"),
        ("return [];", "array"),
        ("return () => 1;", "function"),
        ("return new Error('x');", "exception"),
        ("return new Date(0);", "object"),
    ] {
        check_error(body, &format!("module returned no usable action: expected an object, found: {found}"));
    }
}

#[test]
fn what_cannot_be_json_is_named_with_its_place() {
    check_error("return { a: [1, { b: 10n }] };", "module returned no usable action: a BigInt at `.a[1].b`");
    check_error(
        "return { later: Promise.resolve(1) };",
        "module returned no usable action: a promise, which was not awaited, at `.later`",
    );
    check_error(
        "const a = {}; a.a = a; return a;",
        "module returned no usable action: a cycle, or something nested more than 127 levels deep",
    );
}

#[test]
fn handle_may_be_plain_or_async_or_return_anything_awaitable() {
    for method in [
        "handle() { return { ok: true }; }",
        "async handle() { return { ok: true }; }",
        "handle: () => new Promise((resolve) => queueMicrotask(() => resolve({ ok: true })))",
        "handle: () => ({ then(resolve) { resolve({ ok: true }); } })",
        "async handle() { await null; await (async () => {})(); return { ok: true }; }",
    ] {
        let source = format!("export default {{ name: 'p', supports: [], {method} }};");
        assert_eq!(Project::new(&source).outcome(), Ok(json!({"ok": true})), "{method}");
    }
}

#[test]
fn handle_is_called_as_a_method_with_event_and_context() {
    let source = "export default { name: 'p', supports: [], \
                  handle(eventName, ctx) { return { me: this.name, eventName, ids: ctx.ids, n: arguments.length }; } };";
    let handled = Project::new(source).ask(&json!({"ids": {"sessionId": "a3f0c812"}})).unwrap();
    assert_eq!(
        handled.action,
        json!({"me": "p", "eventName": "PreToolUse", "ids": {"sessionId": "a3f0c812"}, "n": 2})
    );
}

#[test]
fn a_module_keeps_its_state_between_two_events() {
    let source = "let n = 0; export default { name: 'p', supports: [], handle: () => ({ n: ++n }) };";
    let mut script = Project::new(source).load().unwrap();
    assert_eq!(script.handle("Stop", &json!({})).unwrap().action, json!({"n": 1}));
    assert_eq!(script.handle("Stop", &json!({})).unwrap().action, json!({"n": 2}));
}

#[test]
fn the_language_is_a_modern_one() {
    check(
        "class P { #x = 1; static s = 2; get x() { return this.#x; } }
         const { a = 5, ...rest } = { b: 2, c: 3 };
         const list = [3, 1, 2].toSorted();
         let out = `${new P().x}${P.s}${a}`; out ??= 'no';
         for await (const item of [Promise.resolve('z')]) out += item;
         return { out, rest, list, group: Object.groupBy(list, (n) => (n > 1 ? 'hi' : 'lo')), opt: ctx.no?.thing ?? 'none',
                  match: 'ab12'.match(/(?<n>\\d+)/).groups.n, at: list.at(-1), has: Object.hasOwn(rest, 'b'),
                  big: String(2n ** 64n), iso: new Date(0).toISOString(), typed: new Uint8Array([1, 2]).length };",
        json!({
            "out": "125z", "rest": {"b": 2, "c": 3}, "list": [1, 2, 3], "group": {"lo": [1], "hi": [2, 3]},
            "opt": "none", "match": "12", "at": 3, "has": true, "big": "18446744073709551616",
            "iso": "1970-01-01T00:00:00.000Z", "typed": 2,
        }),
    );
}
