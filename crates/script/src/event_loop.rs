//! Runs jobs and timers until a promise is settled or none is left.

use std::time::Instant;

use rquickjs::promise::PromiseState;
use rquickjs::{Ctx, Error, Promise, Result, Value};

use crate::realm::Realm;

/// Returns `value`, or the value it is settled with if it is a promise.
///
/// `Err(WouldBlock)` means that no job or timer can settle it any more. After the deadline the
/// realm reports the interruption, whatever the error is.
pub(crate) fn settle<'js>(ctx: &Ctx<'js>, realm: &Realm, value: Value<'js>) -> Result<Value<'js>> {
    match to_promise(ctx, value)? {
        Ok(promise) => finish(ctx, realm, &promise),
        Err(plain) => Ok(plain),
    }
}

/// Runs jobs and timers until `promise` is settled.
pub(crate) fn finish<'js>(ctx: &Ctx<'js>, realm: &Realm, promise: &Promise<'js>) -> Result<Value<'js>> {
    loop {
        if promise.state() != PromiseState::Pending {
            return promise.result().unwrap_or(Err(Error::WouldBlock));
        }
        // WHY: checked for each job, because a chain of short jobs may never run long enough
        // for the engine to check; and because the engine swallows the interruption of a job.
        if realm.time_is_up() {
            return Err(Error::WouldBlock);
        }
        if !ctx.execute_pending_job() {
            run_next_timer(ctx, realm)?;
        }
    }
}

fn run_next_timer(ctx: &Ctx<'_>, realm: &Realm) -> Result<()> {
    let due = realm.timers.borrow().next_due().ok_or(Error::WouldBlock)?;
    let now = Instant::now();
    let wait = due.saturating_duration_since(now);
    if wait >= realm.deadline.get().left(now) {
        // Nothing else can happen before the deadline, so report it now.
        realm.interrupted.set(true);
        return Err(Error::WouldBlock);
    }
    std::thread::sleep(wait);
    let next = realm.timers.borrow_mut().take_next();
    next.map_or(Ok(()), |timer| timer.run(ctx))
}

/// Returns a promise for anything that `await` would wait for; else the value itself.
fn to_promise<'js>(
    ctx: &Ctx<'js>,
    value: Value<'js>,
) -> Result<std::result::Result<Promise<'js>, Value<'js>>> {
    if let Some(promise) = value.as_promise() {
        return Ok(Ok(promise.clone()));
    }
    let Some(object) = value.as_object() else { return Ok(Err(value)) };
    if !object.get::<_, Value<'js>>("then")?.is_function() {
        return Ok(Err(value));
    }
    let (promise, resolve, _) = ctx.promise()?;
    resolve.call::<_, Value<'js>>((value,))?;
    Ok(Ok(promise))
}
