//! Checks the syntax of a module without running it, so that the user need not trust it first.

use std::path::PathBuf;
use std::rc::Rc;

use event::Deadline;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Context, Ctx, Module, Result, Runtime};
use store::TrustedScripts;

use crate::realm::Realm;
use crate::{Limits, Sandbox, ScriptError, engine_error};

/// Compiles source text as the module `name` and discards it.
///
/// It executes none of the text and reads no file: every import is an empty module.
pub fn check_syntax(name: &str, source: &str, deadline: Deadline) -> std::result::Result<(), ScriptError> {
    let failed = |error: rquickjs::Error| ScriptError::Engine { message: error.to_string() };
    let realm = Realm::new(Sandbox {
        imports: PathBuf::new(),
        scripts: Rc::new(TrustedScripts::default()),
        workspace: PathBuf::new(),
        deadline,
        limits: Limits::default(),
    });
    let runtime = Runtime::new().map_err(failed)?;
    runtime.set_memory_limit(realm.limits.memory);
    runtime.set_max_stack_size(realm.limits.stack);
    runtime.set_loader(AnyImport, AnyImport);
    let context = Context::full(&runtime).map_err(failed)?;
    let source = source.trim_start_matches('\u{feff}');
    context.with(|ctx| {
        Module::declare(ctx.clone(), name, source)
            .map(drop)
            .map_err(|error| engine_error::explain_syntax(&ctx, &realm, &error, name))
    })
}

/// Resolves every import to an empty module.
struct AnyImport;

impl Resolver for AnyImport {
    fn resolve<'js>(
        &mut self,
        _: &Ctx<'js>,
        _: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        Ok(name.to_owned())
    }
}

impl Loader for AnyImport {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        Module::declare(ctx.clone(), name, "")
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn check(source: &str) -> String {
        let deadline = Deadline::after(Instant::now(), Duration::from_mins(1));
        check_syntax("a.mjs", source, deadline).map_or_else(|error| error.to_string(), |()| "fine".to_owned())
    }

    #[test]
    fn syntax_is_checked_without_running_or_reading_anything() {
        assert_eq!(check(crate::TEMPLATE), "fine");
        assert_eq!(check("import { x } from './missing.mjs'; throw new Error(x);"), "fine");
        assert_eq!(check("while (true) {}"), "fine");
        assert!(check("export default {\n  handle( { }\n};").starts_with("a.mjs:"), "{}", check("("));
    }
}
