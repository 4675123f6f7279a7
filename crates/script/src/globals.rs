//! The globals of a module beyond those of the language.
//!
//! WHY: each group is defined only when a source text mentions one of its names
//! (or `globalThis`, through which any name can be reached). Defining all of them
//! for every event would cost more than a typical module takes to run.

mod console;
mod process;

use std::rc::Rc;

use rquickjs::{Ctx, Function, Object, Result};

use crate::node::bytes;
use crate::realm::Realm;
use crate::timers;

pub(crate) use console::log_function;

/// The groups that are already defined, one bit each.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Installed(u8);

/// Names that are defined together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Console,
    Process,
    Timers,
    Bytes,
    Clone,
}

/// The names of each group.
const NAMES: [(Group, &[&str]); 5] = [
    (Group::Console, &["console"]),
    (Group::Process, &["process"]),
    (Group::Timers, &["Timeout", "Interval", "Immediate"]),
    (Group::Bytes, &["Buffer", "TextEncoder", "TextDecoder", "atob", "btoa"]),
    (Group::Clone, &["structuredClone"]),
];

/// Defines every global that `source` mentions.
pub(crate) fn install_mentioned(ctx: &Ctx<'_>, realm: &Rc<Realm>, source: &str) -> Result<()> {
    let any = source.contains("globalThis");
    for (group, names) in NAMES {
        if any || names.iter().any(|name| source.contains(name)) {
            install(ctx, realm, group)?;
        }
    }
    Ok(())
}

/// Defines the globals of one group, unless they are already defined.
pub(crate) fn install(ctx: &Ctx<'_>, realm: &Rc<Realm>, group: Group) -> Result<()> {
    let Installed(done) = realm.installed.get();
    let bit = 1 << group as u8;
    if done & bit != 0 {
        return Ok(());
    }
    realm.installed.set(Installed(done | bit));
    let globals = ctx.globals();
    match group {
        Group::Console => globals.set("console", console::object(ctx, realm)?),
        Group::Process => globals.set("process", process::object(ctx, realm)?),
        Group::Timers => timers::install(ctx, realm, &globals),
        Group::Bytes => {
            let define: Function<'_> = ctx.eval(include_str!("node/bytes.js"))?;
            define.call((globals, bytes::natives(ctx)?))
        }
        Group::Clone => {
            let clone: Function<'_> = ctx.eval(include_str!("globals/structured_clone.js"))?;
            globals.set("structuredClone", clone)
        }
    }
}

/// Freezes an object, as `Object.freeze` does.
pub(crate) fn freeze<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<()> {
    let freeze: Function<'js> = ctx.globals().get::<_, Object<'js>>("Object")?.get("freeze")?;
    freeze.call((object.clone(),))
}
