//! Resolves and reads a module's imports.
//!
//! INVARIANT: source text comes from the scripts that the user trusts, as they were when they were
//! judged. The disk only resolves a path to one of them: a file that was swapped since is not read.
//!
//! INVARIANT: a file is compiled only if its real path, with links followed, is
//! below the imports folder. Its name in the engine, and so in every stack trace, is
//! the path relative to that folder.

use std::path::Path;
use std::rc::Rc;

use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Error, Exception, Module, Result};

use crate::confined_folder::{self, ConfineError, Inside, ReadError};
use crate::realm::Realm;
use crate::{ScriptError, engine_error, globals, node, posix_path};

/// Resolves modules.
pub(crate) struct ImportResolver(pub(crate) Rc<Realm>);

/// Reads and compiles modules.
pub(crate) struct ImportLoader(pub(crate) Rc<Realm>);

impl Resolver for ImportResolver {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        if let Some(builtin) = node::canonical_name(name) {
            return Ok(builtin.to_owned());
        }
        locate(&self.0, base, name).map_err(|error| refuse(ctx, &self.0, error))
    }
}

impl Loader for ImportLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        if node::canonical_name(name).is_some() {
            return node::declare(ctx, &self.0, name);
        }
        let n_imports = self.0.n_imports.get() + 1;
        self.0.n_imports.set(n_imports);
        let limit = self.0.limits.imports;
        let loaded = if n_imports > limit {
            Err(ScriptError::TooLarge {
                what: "the number of imported files".to_owned(),
                limit: limit.to_string(),
            })
        } else {
            find(&self.0, name, name, None)
                .and_then(|found| read_source(&self.0, name, &found))
                .and_then(|source| declare(ctx, &self.0, name, source))
        };
        loaded.map_err(|error| refuse(ctx, &self.0, error))
    }
}

/// Returns the engine's name for a file below the imports folder.
pub(crate) fn name_of(found: &Inside) -> String {
    found.relative.to_string_lossy().into_owned()
}

/// Returns the source text of a resolved file.
pub(crate) fn read_source(
    realm: &Realm,
    name: &str,
    found: &Inside,
) -> std::result::Result<String, ScriptError> {
    let file = name.to_owned();
    let limit = realm.limits.source;
    let too_large =
        || ScriptError::TooLarge { what: format!("module `{name}`"), limit: format!("{limit} bytes") };
    let bytes = match realm.scripts.get(&found.relative) {
        Some(bytes) if bytes.len() > limit => return Err(too_large()),
        Some(bytes) => bytes.to_vec(),
        None if is_setting(&found.relative) => confined_folder::read(&found.path, &found.metadata, limit)
            .map_err(|error| match error {
                ReadError::TooLarge => too_large(),
                ReadError::Folder => ScriptError::NotFound { file: file.clone(), importer: None },
                ReadError::Io(source) => ScriptError::Unreadable { file: file.clone(), source },
            })?,
        None if found.metadata.is_file() => return Err(ScriptError::NotTrusted { file }),
        None if found.metadata.is_dir() => return Err(ScriptError::NotFound { file, importer: None }),
        None => {
            let source = std::io::Error::other("not a regular file");
            return Err(ScriptError::Unreadable { file, source });
        }
    };
    let mut text = String::from_utf8(bytes).map_err(|error| ScriptError::Unreadable {
        file,
        source: std::io::Error::new(std::io::ErrorKind::InvalidData, error.utf8_error()),
    })?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// Returns whether this is a settings file directly in `.ai/hooks`: untrusted data that
/// `node:fs` reads, too.
fn is_setting(relative: &Path) -> bool {
    relative.components().count() == 1 && relative.extension().is_some_and(|extension| extension == "json")
}

/// Compiles source text as the module `name`, after defining the globals it mentions.
pub(crate) fn declare<'js>(
    ctx: &Ctx<'js>,
    realm: &Rc<Realm>,
    name: &str,
    source: String,
) -> std::result::Result<Module<'js, Declared>, ScriptError> {
    let failed = |error: Error| engine_error::explain(ctx, realm, &error);
    let is_json = Path::new(name).extension().is_some_and(|extension| extension == "json");
    if is_json {
        let data = ctx
            .json_parse(source)
            .map_err(|error| engine_error::explain_syntax(ctx, realm, &error, "<input>"))
            .map_err(|error| in_file(error, name))?;
        let module = Module::declare(ctx.clone(), name, "export default import.meta.data").map_err(failed)?;
        module.meta().and_then(|meta| meta.set("data", data)).map_err(failed)?;
        return Ok(module);
    }
    globals::install_mentioned(ctx, realm, &source).map_err(failed)?;
    let wants_meta = source.contains("import.meta");
    let module = Module::declare(ctx.clone(), name, source)
        .map_err(|error| engine_error::explain_syntax(ctx, realm, &error, name))?;
    if wants_meta {
        describe(realm, name, &module).map_err(failed)?;
    }
    Ok(module)
}

/// Sets the properties of `import.meta`.
fn describe(realm: &Realm, name: &str, module: &Module<'_, Declared>) -> Result<()> {
    let path = realm.imports.root().join(name);
    let path = path.to_string_lossy();
    let meta = module.meta()?;
    meta.set("url", node::file_url(&path))?;
    meta.set("dirname", posix_path::dirname(&path))?;
    meta.set("filename", &*path)
}

/// Resolves `specifier` in the module `importer`.
fn locate(realm: &Realm, importer: &str, specifier: &str) -> std::result::Result<String, ScriptError> {
    let path = specifier.strip_prefix("file://").unwrap_or(specifier);
    let relative = path.starts_with("./") || path.starts_with("../");
    if !relative && !posix_path::is_absolute(path) {
        return Err(ScriptError::UnknownImport {
            specifier: specifier.to_owned(),
            importer: importer.to_owned(),
            hint: node::hint(),
        });
    }
    let folder = if relative { posix_path::dirname(importer) } else { "/" };
    let path = posix_path::join(&[folder, path]);
    find(realm, &path, specifier, Some(importer)).map(|found| name_of(&found))
}

/// Returns the file at `path`, written as `specifier` in the module `importer`.
fn find(
    realm: &Realm,
    path: &str,
    specifier: &str,
    importer: Option<&str>,
) -> std::result::Result<Inside, ScriptError> {
    let importer = importer.map(str::to_owned);
    realm.imports.admit(Path::new(path)).map_err(|error| match error {
        ConfineError::Outside => ScriptError::OutsideRoot { specifier: specifier.to_owned(), importer },
        ConfineError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            ScriptError::NotFound { file: path.to_owned(), importer }
        }
        ConfineError::Io(source) => ScriptError::Unreadable { file: path.to_owned(), source },
    })
}

fn refuse(ctx: &Ctx<'_>, realm: &Realm, error: ScriptError) -> Error {
    Exception::throw_message(ctx, &realm.refuse(error))
}

fn in_file(error: ScriptError, name: &str) -> ScriptError {
    match error {
        ScriptError::Syntax { line, column, message, .. } => {
            ScriptError::Syntax { file: name.to_owned(), line, column, message }
        }
        other => other,
    }
}
