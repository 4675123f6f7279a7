//! `node:path`.

use std::rc::Rc;

use rquickjs::function::{Opt, Rest};
use rquickjs::{Ctx, Function, Object, Result};

use crate::posix_path;
use crate::realm::Realm;

pub(super) fn natives<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>) -> Result<Object<'js>> {
    let path = Object::new(ctx.clone())?;
    let cwd: Rc<str> = realm.workspace.root().to_string_lossy().into();
    let here = Rc::clone(&cwd);
    let function = |name: &str, function: Function<'js>| path.set(name, function.with_name(name)?);

    function("join", Function::new(ctx.clone(), |parts: Rest<String>| posix_path::join(&parts.0))?)?;
    function(
        "resolve",
        Function::new(ctx.clone(), move |parts: Rest<String>| posix_path::resolve(&here, &parts.0))?,
    )?;
    function(
        "relative",
        Function::new(ctx.clone(), move |from: String, to: String| posix_path::relative(&cwd, &from, &to))?,
    )?;
    function("normalize", Function::new(ctx.clone(), |path: String| posix_path::normalize(&path))?)?;
    function("isAbsolute", Function::new(ctx.clone(), |path: String| posix_path::is_absolute(&path))?)?;
    function("dirname", Function::new(ctx.clone(), |path: String| posix_path::dirname(&path).to_owned())?)?;
    function("extname", Function::new(ctx.clone(), |path: String| posix_path::extname(&path).to_owned())?)?;
    function(
        "basename",
        Function::new(ctx.clone(), |path: String, suffix: Opt<String>| {
            posix_path::basename(&path, &suffix.0.unwrap_or_default()).to_owned()
        })?,
    )?;
    function("parse", Function::new(ctx.clone(), |ctx: Ctx<'js>, path: String| parse(ctx, &path))?)?;
    Ok(path)
}

fn parse<'js>(ctx: Ctx<'js>, path: &str) -> Result<Object<'js>> {
    let parts = posix_path::parse(path);
    let object = Object::new(ctx)?;
    object.set("root", parts.root)?;
    object.set("dir", parts.dir)?;
    object.set("base", parts.base)?;
    object.set("ext", parts.ext)?;
    object.set("name", parts.name)?;
    Ok(object)
}
