//! One loaded module.

use std::io;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::rc::Rc;

use event::Deadline;
use rquickjs::function::This;
use rquickjs::{Context, Ctx, Function, Object, Persistent, Runtime, Value};
use serde_json::Value as Json;

use crate::confined_folder::ConfineError;
use crate::imports::{self, ImportLoader, ImportResolver};
use crate::json::{self, JsonError};
use crate::realm::Realm;
use crate::{
    LogLine, Meta, Sandbox, ScriptError, context_object, engine_error, event_loop, intrinsics, rejections,
};

/// Garbage collection starts when this part of the memory limit is used.
const GC_AT: usize = 4;

/// The minimum memory: the engine cannot start with less.
const LEAST_MEMORY: usize = 1 << 20;

/// How many bytes of memory each byte of an event's JSON adds to the limit.
const EVENT_SHARE: usize = 3;

/// One module, compiled and evaluated.
///
/// WHY: it is never freed. After an interruption the engine may find values still in use
/// when it shuts down, and then it aborts the process; and in a process that lives for a
/// millisecond a shutdown is wasted time. A long-lived process should keep its loaded
/// modules.
pub struct Script {
    engine: ManuallyDrop<Engine>,
    realm: Rc<Realm>,
    meta: Meta,
}

/// The result of one event.
#[derive(Debug, Clone, PartialEq)]
pub struct Handled {
    /// The action, always an object; empty if the module returned nothing.
    pub action: Json,
    /// The lines that the module logged while it was loaded and while it ran.
    pub logs: Vec<LogLine>,
}

struct Engine {
    context: Context,
    export: Option<Persistent<Object<'static>>>,
    handle: Option<Persistent<Function<'static>>>,
}

impl Script {
    /// Compiles and evaluates the module in `source`, a path below the imports folder.
    pub fn load(source: &Path, sandbox: Sandbox) -> Result<Self, ScriptError> {
        let shown = source.to_string_lossy();
        let realm = Rc::new(Realm::new(sandbox));
        if realm.time_is_up() {
            return Err(ScriptError::TimedOut);
        }
        let found = realm.imports.admit(source).map_err(|error| match error {
            ConfineError::Outside => {
                ScriptError::OutsideRoot { specifier: shown.to_string(), importer: None }
            }
            ConfineError::Io(error) => unreadable(&shown, error),
        })?;
        let name = imports::name_of(&found);
        let text = imports::read_source(&realm, &name, &found)?;

        let mut engine = ManuallyDrop::new(Engine::start(&realm, &text)?);
        let meta = engine.context.clone().with(|ctx| {
            let export = evaluate(&ctx, &realm, &name, text)?;
            let meta = Meta::read(&ctx, &realm, &export)?;
            let handle: Value<'_> =
                export.get("handle").map_err(|error| engine_error::explain(&ctx, &realm, &error))?;
            let handle = handle.into_function().ok_or_else(|| ScriptError::NotAModule {
                file: name.clone(),
                missing: "its default export has no function `handle`",
            })?;
            engine.handle = Some(Persistent::save(&ctx, handle));
            engine.export = Some(Persistent::save(&ctx, export));
            Ok(meta)
        })?;
        Ok(Self { engine, realm, meta })
    }

    /// Returns the module's metadata.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Sets a new deadline, for a process that runs the module more than once.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.realm.deadline.set(deadline);
        self.realm.interrupted.set(false);
    }

    /// Runs the module for one event; `data` is the contract's `ctx` without its functions.
    pub fn handle(&mut self, event_name: &str, data: &Json) -> Result<Handled, ScriptError> {
        if self.realm.time_is_up() {
            return Err(ScriptError::TimedOut);
        }
        let text = serde_json::to_string(data)
            .map_err(|error| ScriptError::Engine { message: error.to_string() })?;
        // A large event must not use up what the module is allowed: its text, once more as
        // a string of two bytes per character, is granted on top.
        let memory =
            self.realm.limits.memory.max(LEAST_MEMORY).saturating_add(text.len().saturating_mul(EVENT_SHARE));
        self.engine.context.runtime().set_memory_limit(memory);
        let action = self.engine.context.with(|ctx| {
            let failed = |error: rquickjs::Error| engine_error::explain(&ctx, &self.realm, &error);
            let (Some(handle), Some(export)) = (self.engine.handle.clone(), self.engine.export.clone())
            else {
                return Err(ScriptError::Engine { message: "the module is gone".to_owned() });
            };
            let handle = handle.restore(&ctx).map_err(failed)?;
            let export = export.restore(&ctx).map_err(failed)?;
            let argument = context_object::build(&ctx, &self.realm, data, text).map_err(failed)?;
            let returned: Value<'_> = handle.call((This(export), event_name, argument)).map_err(failed)?;
            let settled = event_loop::settle(&ctx, &self.realm, returned).map_err(failed)?;
            let action = read_action(&ctx, &self.realm, &settled)?;
            rejections::report(&ctx, &self.realm);
            // A module that was interrupted in a getter did not answer in time.
            if self.realm.interrupted.get() { Err(ScriptError::TimedOut) } else { Ok(action) }
        })?;
        Ok(Handled { action, logs: self.realm.take_logs() })
    }

    /// Returns the log lines that were not returned yet, such as those of a failed event.
    pub fn take_logs(&mut self) -> Vec<LogLine> {
        self.realm.take_logs()
    }
}

impl Engine {
    fn start(realm: &Rc<Realm>, source: &str) -> Result<Self, ScriptError> {
        let failed = |error: rquickjs::Error| ScriptError::Engine { message: error.to_string() };
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(realm.limits.memory.max(LEAST_MEMORY));
        runtime.set_max_stack_size(realm.limits.stack);
        runtime.set_gc_threshold(realm.limits.memory / GC_AT);
        let watch = Rc::clone(realm);
        runtime.set_interrupt_handler(Some(Box::new(move || watch.time_is_up())));
        runtime.set_host_promise_rejection_tracker(Some(rejections::tracker(realm)));
        runtime.set_loader(ImportResolver(Rc::clone(realm)), ImportLoader(Rc::clone(realm)));
        let context = intrinsics::context(&runtime, source).map_err(failed)?;
        Ok(Self { context, export: None, handle: None })
    }
}

/// Runs the module's top level and returns its default export.
fn evaluate<'js>(
    ctx: &Ctx<'js>,
    realm: &Rc<Realm>,
    name: &str,
    source: String,
) -> Result<Object<'js>, ScriptError> {
    let failed = |error: rquickjs::Error| engine_error::explain(ctx, realm, &error);
    let module = imports::declare(ctx, realm, name, source)?;
    let (module, promise) = module.eval().map_err(failed)?;
    event_loop::finish(ctx, realm, &promise).map_err(failed)?;
    let export: Value<'js> = module.get("default").map_err(failed)?;
    export.into_object().ok_or_else(|| ScriptError::NotAModule {
        file: name.to_owned(),
        missing: "it has no default export that is an object",
    })
}

fn read_action(ctx: &Ctx<'_>, realm: &Realm, value: &Value<'_>) -> Result<Json, ScriptError> {
    let limit = realm.limits.action;
    match json::from_js(value, limit) {
        Ok((Some(action @ Json::Object(_)), _)) if !value.is_error() => Ok(action),
        Ok((Some(Json::Null), _)) => Ok(Json::Object(serde_json::Map::new())),
        Ok((None, _)) if value.is_undefined() => Ok(Json::Object(serde_json::Map::new())),
        Ok(_) => Err(ScriptError::NotAnAction {
            found: format!("expected an object, found: {}", value.type_name()),
        }),
        Err(JsonError::TooLarge) => {
            Err(ScriptError::TooLarge { what: "the action".to_owned(), limit: format!("{limit} bytes") })
        }
        Err(JsonError::Threw(error)) => Err(engine_error::explain(ctx, realm, &error)),
        Err(error @ JsonError::Holds { .. }) => Err(ScriptError::NotAnAction { found: error.to_string() }),
    }
}

fn unreadable(file: &str, source: io::Error) -> ScriptError {
    if source.kind() == io::ErrorKind::NotFound {
        return ScriptError::NotFound { file: file.to_owned(), importer: None };
    }
    ScriptError::Unreadable { file: file.to_owned(), source }
}
