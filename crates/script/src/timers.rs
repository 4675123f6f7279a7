//! `setTimeout` and related functions, and the queue of their timers.

use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::function::{Opt, Rest};
use rquickjs::{Ctx, Function, Object, Persistent, Result, Value};

use crate::realm::Realm;

/// The most pending timers.
const MAX_TIMERS: usize = 1000;

/// The pending timers of one module.
#[derive(Default)]
pub(crate) struct Timers {
    last_id: u32,
    waiting: Vec<Timer>,
}

pub(crate) struct Timer {
    id: u32,
    pub(crate) due: Instant,
    every: Option<Duration>,
    callback: Persistent<Function<'static>>,
    arguments: Vec<Persistent<Value<'static>>>,
}

impl Timers {
    /// Returns when the next timer is due.
    pub(crate) fn next_due(&self) -> Option<Instant> {
        self.waiting.iter().map(|timer| timer.due).min()
    }

    /// Removes the timer that is due first; among equals, the one that was set first.
    pub(crate) fn take_next(&mut self) -> Option<Timer> {
        let index = (0..self.waiting.len()).min_by_key(|index| self.waiting[*index].due)?;
        let timer = self.waiting.remove(index);
        if let Some(every) = timer.every {
            self.waiting.push(Timer {
                due: timer.due + every,
                callback: timer.callback.clone(),
                arguments: timer.arguments.clone(),
                ..timer
            });
        }
        Some(timer)
    }
}

impl Timer {
    /// Calls the timer's function.
    pub(crate) fn run(self, ctx: &Ctx<'_>) -> Result<()> {
        let mut arguments = Vec::with_capacity(self.arguments.len());
        for argument in self.arguments {
            arguments.push(argument.restore(ctx)?);
        }
        self.callback.restore(ctx)?.call::<_, Value<'_>>((Rest(arguments),))?;
        Ok(())
    }
}

/// Defines the functions that set and clear timers.
pub(crate) fn install<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>, globals: &Object<'js>) -> Result<()> {
    for (name, repeats) in [("setTimeout", false), ("setInterval", true)] {
        let realm = Rc::clone(realm);
        let set = move |ctx: Ctx<'js>, callback: Function<'js>, delay: Opt<f64>, rest: Rest<Value<'js>>| {
            // As in browsers and Node: not a number, negative or huge means "at once".
            let delay = delay.0.filter(|ms| (1.0..2_147_483_648.0).contains(ms)).unwrap_or(1.0);
            add(&ctx, &realm, callback, Duration::from_secs_f64(delay / 1000.0), repeats, rest.0)
        };
        globals.set(name, Function::new(ctx.clone(), set)?.with_name(name)?)?;
    }
    let immediate = Rc::clone(realm);
    let set = move |ctx: Ctx<'js>, callback: Function<'js>, rest: Rest<Value<'js>>| {
        add(&ctx, &immediate, callback, Duration::ZERO, false, rest.0)
    };
    globals.set("setImmediate", Function::new(ctx.clone(), set)?.with_name("setImmediate")?)?;
    for name in ["clearTimeout", "clearInterval", "clearImmediate"] {
        let realm = Rc::clone(realm);
        let clear = move |id: Opt<Value<'js>>| {
            let id = id.0.and_then(|id| id.as_number());
            realm.timers.borrow_mut().waiting.retain(|timer| Some(f64::from(timer.id)) != id);
        };
        globals.set(name, Function::new(ctx.clone(), clear)?.with_name(name)?)?;
    }
    Ok(())
}

fn add<'js>(
    ctx: &Ctx<'js>,
    realm: &Realm,
    callback: Function<'js>,
    delay: Duration,
    repeats: bool,
    arguments: Vec<Value<'js>>,
) -> Result<u32> {
    let mut timers = realm.timers.borrow_mut();
    if timers.waiting.len() >= MAX_TIMERS {
        return Err(rquickjs::Exception::throw_range(ctx, "too many timers"));
    }
    timers.last_id += 1;
    let id = timers.last_id;
    timers.waiting.push(Timer {
        id,
        due: Instant::now() + delay,
        every: repeats.then_some(delay),
        callback: Persistent::save(ctx, callback),
        arguments: arguments.into_iter().map(|argument| Persistent::save(ctx, argument)).collect(),
    });
    Ok(id)
}
