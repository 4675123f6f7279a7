//! Converts the engine's errors into a [`ScriptError`].

use rquickjs::{Ctx, Error, Object, Value};

use crate::ScriptError;
use crate::json;
use crate::realm::Realm;

/// The most bytes of a message or of the description of a thrown value.
const MAX_MESSAGE: usize = 2000;

/// Returns the cause of a failed call into the engine, and clears its pending exception.
pub(crate) fn explain(ctx: &Ctx<'_>, realm: &Realm, error: &Error) -> ScriptError {
    let thrown = ctx.catch();
    if realm.interrupted.get() {
        return ScriptError::TimedOut;
    }
    let explained = match error {
        Error::Exception => of_thrown(realm, &thrown),
        Error::Allocation => out_of_memory(realm),
        Error::WouldBlock => ScriptError::NeverSettled,
        _ if memory_is_short(ctx) => out_of_memory(realm),
        other => ScriptError::Engine { message: other.to_string() },
    };
    // Reading the thrown value may have run the module's getters.
    if realm.interrupted.get() { ScriptError::TimedOut } else { explained }
}

/// Returns the syntax error in `file`, and clears the pending exception.
pub(crate) fn explain_syntax(ctx: &Ctx<'_>, realm: &Realm, error: &Error, file: &str) -> ScriptError {
    let thrown = ctx.catch();
    if let Some(object) = thrown.as_object()
        && string_of(object, "name").as_deref() == Some("SyntaxError")
    {
        let message = string_of(object, "message").unwrap_or_default();
        let stack = string_of(object, "stack").unwrap_or_default();
        let (line, column) = position(&stack, file).unwrap_or((1, 1));
        return ScriptError::Syntax { file: file.to_owned(), line, column, message };
    }
    ctx.throw(thrown);
    explain(ctx, realm, error)
}

/// Describes a thrown value without calling any of its methods.
pub(crate) fn of_thrown(realm: &Realm, thrown: &Value<'_>) -> ScriptError {
    let ctx = thrown.ctx();
    if thrown.is_null() {
        // WHY: the engine throws `null` when it has no room for an error object. By
        // now there may be room again, so a module's own `throw null` looks the same; that is
        // much rarer.
        return out_of_memory(realm);
    }
    if !thrown.is_error() {
        return ScriptError::Threw { message: describe(thrown), stack: String::new() };
    }
    let Some(object) = thrown.as_object() else {
        return ScriptError::Threw { message: describe(thrown), stack: String::new() };
    };
    let name = string_of(object, "name").unwrap_or_else(|| "Error".to_owned());
    let Some(mut message) = string_of(object, "message") else {
        if memory_is_short(ctx) {
            return out_of_memory(realm);
        }
        return ScriptError::Threw { message: name, stack: stack_of(object) };
    };
    if let Some(error) = realm.refused_import(&message) {
        return error;
    }
    match (name.as_str(), message.as_str()) {
        ("InternalError", text) if text.starts_with("out of memory") => out_of_memory(realm),
        ("RangeError", "Maximum call stack size exceeded") => ScriptError::StackOverflow,
        _ => {
            message.truncate(message.floor_char_boundary(MAX_MESSAGE));
            let message = if message.is_empty() { name } else { format!("{name}: {message}") };
            ScriptError::Threw { message, stack: stack_of(object) }
        }
    }
}

fn describe(thrown: &Value<'_>) -> String {
    match json::from_js(thrown, MAX_MESSAGE) {
        Ok((Some(serde_json::Value::String(text)), _)) => text,
        Ok((Some(json), _)) => format!("threw {json}, which is not an Error"),
        Ok((None, _)) => format!("threw {} {}", article(thrown.type_name()), thrown.type_name()),
        Err(error) => {
            thrown.ctx().catch();
            format!("threw something that is not an Error: {error}")
        }
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn stack_of(error: &Object<'_>) -> String {
    let mut stack = string_of(error, "stack").unwrap_or_default();
    stack.truncate(stack.floor_char_boundary(MAX_MESSAGE));
    stack.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}

/// Returns a property if it is a string; `None` if its getter throws.
fn string_of(object: &Object<'_>, key: &str) -> Option<String> {
    let read =
        object.get::<_, Value<'_>>(key).and_then(|value| value.as_string().map(json::text).transpose());
    read.unwrap_or_else(|_| {
        object.ctx().catch();
        None
    })
}

/// Returns line and column of a stack's first `at file:line:column`.
fn position(stack: &str, file: &str) -> Option<(u32, u32)> {
    let (_, rest) = stack.split_once(file)?;
    let mut numbers = rest.strip_prefix(':')?.split(|character: char| !character.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn out_of_memory(realm: &Realm) -> ScriptError {
    ScriptError::OutOfMemory { limit: realm.limits.memory }
}

/// Returns whether the engine cannot allocate another string of 64 KiB.
fn memory_is_short(ctx: &Ctx<'_>) -> bool {
    let probe = rquickjs::String::from_str(ctx.clone(), &" ".repeat(64 << 10));
    if probe.is_err() {
        ctx.catch();
    }
    probe.is_err()
}
