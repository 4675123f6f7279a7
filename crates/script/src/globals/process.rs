//! A minimal `process`, so that modules that read it do not fail.

use std::rc::Rc;

use rquickjs::{Array, Ctx, Function, Object, Result};

use crate::realm::Realm;

/// Returns a frozen `process` without environment, arguments or side effects.
pub(super) fn object<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>) -> Result<Object<'js>> {
    let process = Object::new(ctx.clone())?;
    process.set("platform", platform())?;
    process.set("arch", std::env::consts::ARCH)?;
    process.set("argv", Array::new(ctx.clone())?)?;
    let environment = Object::new(ctx.clone())?;
    super::freeze(ctx, &environment)?;
    process.set("env", environment)?;
    let cwd = realm.workspace.root().to_string_lossy().into_owned();
    process.set("cwd", Function::new(ctx.clone(), move || cwd.clone())?.with_name("cwd")?)?;
    super::freeze(ctx, &process)?;
    Ok(process)
}

/// Returns Node's name of the operating system.
fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        other => other,
    }
}
