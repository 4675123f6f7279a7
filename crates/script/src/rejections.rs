//! Rejected promises that nobody has looked at.
//!
//! A module that forgets an `await` would otherwise fail without a trace.

use std::rc::Rc;

use rquickjs::runtime::RejectionTracker;
use rquickjs::{Ctx, Persistent, Value};

use crate::fault;
use crate::logbook::{Level, LogLine};
use crate::realm::Realm;

/// How many are remembered at once.
const MAX_REJECTIONS: usize = 16;

/// A promise and what it was rejected with.
pub(crate) type Rejection = (Persistent<Value<'static>>, Persistent<Value<'static>>);

/// Returns what the engine calls when a promise is rejected, or caught after all.
pub(crate) fn tracker(realm: &Rc<Realm>) -> RejectionTracker {
    let realm = Rc::clone(realm);
    Box::new(move |ctx: Ctx<'_>, promise: Value<'_>, reason: Value<'_>, is_handled: bool| {
        let promise = Persistent::save(&ctx, promise);
        let mut rejections = realm.rejections.borrow_mut();
        if is_handled {
            rejections.retain(|(rejected, _)| *rejected != promise);
        } else if rejections.len() < MAX_REJECTIONS {
            rejections.push((promise, Persistent::save(&ctx, reason)));
        }
    })
}

/// Logs those that are left.
pub(crate) fn report(ctx: &Ctx<'_>, realm: &Realm) {
    for (_, reason) in realm.rejections.take() {
        if let Ok(reason) = reason.restore(ctx) {
            let msg =
                format!("a promise was rejected and nobody awaits it: {}", fault::of_thrown(realm, &reason));
            realm.logbook.borrow_mut().push(LogLine { level: Level::Warn, msg, data: None }, 0);
        }
    }
}
