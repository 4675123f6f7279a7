//! Whatever JSON goes in comes out as it was.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::project::Project;

/// Any JSON a host may send whose numbers JavaScript can hold.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-(1_i64 << 53) + 1..(1 << 53)).prop_map(Value::from),
        any::<f64>().prop_filter("a fraction", |n| n.is_finite() && n.fract() != 0.0).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[a-z\\\\\"/\u{0}\u{7f}\u{2028}é🙂]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 8, |inner| {
        let key = prop_oneof![any::<String>(), "[a-z]{1,6}", "[0-9]{1,12}", Just("__proto__".to_owned())];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..8)
                .prop_map(|entries| Value::from(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

#[test]
fn json_survives_the_engine() {
    let project = Project::handling("return { event: ctx.event };");
    testkit::prove(300, &any_json(), |value| {
        let handled = project.ask(&json!({"event": value}));
        prop_assert_eq!(&handled.unwrap().action["event"], &value);
        Ok(())
    });
}
