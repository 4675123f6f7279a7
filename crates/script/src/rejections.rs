//! Rejected promises without a handler.
//!
//! A module that forgets an `await` would otherwise fail without a trace.

use std::rc::Rc;

use rquickjs::runtime::RejectionTracker;
use rquickjs::{Ctx, Persistent, Value};

use crate::engine_error;
use crate::log_buffer::{Level, LogLine};
use crate::realm::Realm;

/// The most rejections recorded at once.
const MAX_REJECTIONS: usize = 16;

/// A promise and its rejection reason.
pub(crate) type Rejection = (Persistent<Value<'static>>, Persistent<Value<'static>>);

/// Returns the engine's callback for rejected promises and for late handlers.
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

/// Logs the rejections without a handler.
pub(crate) fn report(ctx: &Ctx<'_>, realm: &Realm) {
    for (_, reason) in realm.rejections.take() {
        if let Ok(reason) = reason.restore(ctx) {
            let msg = format!(
                "a promise was rejected without a handler: {}",
                engine_error::of_thrown(realm, &reason)
            );
            realm.log_buffer.borrow_mut().push(LogLine { level: Level::Warn, msg, data: None }, 0);
        }
    }
}
