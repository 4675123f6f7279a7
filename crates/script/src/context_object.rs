//! Builds the contract's `ctx` for a module: the event's data, frozen, with its functions.

use std::rc::Rc;
use std::time::Instant;

use rquickjs::object::Property;
use rquickjs::{Ctx, Exception, Function, Object, Result, Value};
use serde_json::Value as Json;

use crate::realm::Realm;
use crate::{globals, posix_path};

/// Returns `data`, whose JSON is `text`, as the frozen object passed to a module's `handle`.
///
/// Adds `paths` and `timers` if they are missing, so that their functions always
/// exist.
pub(crate) fn build<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>, data: &Json, text: String) -> Result<Value<'js>> {
    let value = ctx.json_parse(text)?;
    if let Some(object) = value.as_object().filter(|object| !object.is_array()) {
        define(object, "log", globals::log_function(ctx, realm)?.with_name("log")?)?;
        add_paths(ctx, object)?;
        add_timers(ctx, realm, object)?;
    }
    let freeze: Function<'js> = ctx.globals().get::<_, Object<'js>>("Object")?.get("freeze")?;
    freeze_all(&freeze, data, &value)?;
    Ok(value)
}

/// Freezes every object and array of `value`, which was created from `data`.
fn freeze_all<'js>(freeze: &Function<'js>, data: &Json, value: &Value<'js>) -> Result<()> {
    let Some(object) = value.as_object() else { return Ok(()) };
    match data {
        Json::Object(map) => {
            for (key, child) in map.iter().filter(|(_, child)| child.is_object() || child.is_array()) {
                freeze_all(freeze, child, &object.get(key)?)?;
            }
        }
        Json::Array(items) => {
            for (index, child) in
                items.iter().enumerate().filter(|(_, child)| child.is_object() || child.is_array())
            {
                freeze_all(freeze, child, &object.get(index.to_string())?)?;
            }
        }
        _ => {}
    }
    freeze.call((object.clone(),))
}

fn add_paths<'js>(ctx: &Ctx<'js>, object: &Object<'js>) -> Result<()> {
    let paths = section(ctx, object, "paths")?;
    let text = |key: &str| -> Result<Rc<str>> {
        Ok(paths.get::<_, Option<String>>(key).unwrap_or_default().unwrap_or_default().into())
    };
    let (repo, session) = (text("repoRoot")?, text("sessionRoot")?);

    for (name, folder) in [("featureRoot", ""), ("featureLogs", "logs"), ("featureOutput", "output")] {
        let session = Rc::clone(&session);
        let function = move |ctx: Ctx<'js>, slug: String| {
            if slug.is_empty() || slug == "." || slug == ".." || slug.contains(['/', '\\', '\0']) {
                return Err(Exception::throw_type(&ctx, &format!("{name}: invalid feature name: '{slug}'")));
            }
            Ok(posix_path::join(&[&*session, &slug, folder]).trim_end_matches('/').to_owned())
        };
        define(&paths, name, Function::new(ctx.clone(), function)?.with_name(name)?)?;
    }
    for (name, base) in [("relRef", session), ("repoRelative", repo)] {
        let function = move |path: String| {
            if !posix_path::is_absolute(&path) || base.is_empty() {
                return path;
            }
            posix_path::below(&base, &path).unwrap_or(path)
        };
        define(&paths, name, Function::new(ctx.clone(), function)?.with_name(name)?)?;
    }
    Ok(())
}

fn add_timers<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>, object: &Object<'js>) -> Result<()> {
    let timers = section(ctx, object, "timers")?;
    let realm = Rc::clone(realm);
    let elapsed = move || {
        let started = realm.deadline.get().started();
        (Instant::now().saturating_duration_since(started).as_secs_f64() * 1e6).round() / 1e3
    };
    define(&timers, "elapsed", Function::new(ctx.clone(), elapsed)?.with_name("elapsed")?)
}

/// Returns the object under `key`, creating it if it does not exist.
fn section<'js>(ctx: &Ctx<'js>, object: &Object<'js>, key: &str) -> Result<Object<'js>> {
    let found: Value<'js> = object.get(key)?;
    if let Some(section) = found.into_object() {
        return Ok(section);
    }
    let section = Object::new(ctx.clone())?;
    define(object, key, section.clone())?;
    Ok(section)
}

/// Defines an own property, bypassing setters of a prototype.
fn define<'js, V: rquickjs::IntoJs<'js>>(object: &Object<'js>, key: &str, value: V) -> Result<()> {
    object.prop(key, Property::from(value).enumerable().configurable().writable())
}
