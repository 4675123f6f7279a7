//! `console` and `ctx.log`: both write to the module's log, never to stdout.

use std::rc::Rc;

use rquickjs::function::{Opt, Rest};
use rquickjs::{Ctx, Function, Object, Result, Value};
use serde_json::Value as Json;

use crate::json;
use crate::log_buffer::{Level, LogLine};
use crate::realm::Realm;

/// Returns the object with `console`'s methods.
pub(super) fn object<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>) -> Result<Object<'js>> {
    let console = Object::new(ctx.clone())?;
    for (name, level) in [
        ("log", Level::Info),
        ("info", Level::Info),
        ("debug", Level::Debug),
        ("trace", Level::Debug),
        ("warn", Level::Warn),
        ("error", Level::Error),
    ] {
        let realm = Rc::clone(realm);
        let write = move |values: Rest<Value<'js>>| {
            let Some(mut room) = room(&realm) else { return };
            let mut msg = String::new();
            for value in &values.0 {
                if !msg.is_empty() {
                    msg.push(' ');
                }
                let text = text(value, room);
                room = room.saturating_sub(text.len());
                msg.push_str(&text);
            }
            realm.log_buffer.borrow_mut().push(LogLine { level, msg, data: None }, 0);
        };
        console.set(name, Function::new(ctx.clone(), write)?.with_name(name)?)?;
    }
    Ok(console)
}

/// Returns the function behind `ctx.log(level, msg, data?)`.
pub(crate) fn log_function<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>) -> Result<Function<'js>> {
    let realm = Rc::clone(realm);
    Function::new(ctx.clone(), move |level: Opt<Value<'js>>, msg: Opt<Value<'js>>, data: Opt<Value<'js>>| {
        let Some(room) = room(&realm) else { return };
        let level = level.0.map_or(Level::Info, |level| Level::parse(&text(&level, 16)));
        let msg = msg.0.map_or_else(String::new, |msg| text(&msg, room));
        let (data, size) = data.0.map_or((None, 0), |data| fitting(&data, room));
        realm.log_buffer.borrow_mut().push(LogLine { level, msg, data }, size);
    })
}

/// Returns how much a line may hold; if nothing, counts the line as dropped.
fn room(realm: &Realm) -> Option<usize> {
    let mut log_buffer = realm.log_buffer.borrow_mut();
    let room = log_buffer.room();
    if room == 0 {
        log_buffer.drop_line();
        return None;
    }
    Some(room)
}

/// Returns `value` as JSON, or a note on why that is impossible.
fn fitting(value: &Value<'_>, room: usize) -> (Option<Json>, usize) {
    json::from_js(value, room).unwrap_or_else(|error| {
        value.ctx().catch();
        (Some(Json::String(format!("[not logged: {error}]"))), 0)
    })
}

/// Returns `value` as a person would read it in a log.
fn text(value: &Value<'_>, room: usize) -> String {
    if let Some(Ok(text)) = value.as_string().map(json::text) {
        return text;
    }
    match fitting(value, room).0 {
        Some(Json::String(text)) => text,
        Some(Json::Object(map)) if value.is_error() => {
            let part = |key: &str| map.get(key).and_then(Json::as_str).unwrap_or_default();
            format!("{}: {}\n{}", part("name"), part("message"), part("stack")).trim_end().to_owned()
        }
        Some(json) => json.to_string(),
        None => value.type_name().to_owned(),
    }
}
