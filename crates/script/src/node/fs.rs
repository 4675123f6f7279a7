//! `node:fs`, reading only and only below the workspace.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::rc::Rc;
use std::time::UNIX_EPOCH;

use rquickjs::{Ctx, Error, Exception, Function, Object, Result, TypedArray};

use crate::confined_folder::{self, ConfineError, Inside, ReadError};
use crate::realm::Realm;

/// The most entries of a listed folder.
const MAX_ENTRIES: usize = 10_000;

pub(super) fn natives<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>) -> Result<Object<'js>> {
    let natives = Object::new(ctx.clone())?;
    let function = |name: &str, function: Function<'js>| natives.set(name, function.with_name(name)?);

    let here = Rc::clone(realm);
    let read_text = move |ctx: Ctx<'js>, path: String| {
        read(&ctx, &here, &path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    function("readText", Function::new(ctx.clone(), read_text)?)?;

    let here = Rc::clone(realm);
    let read_bytes = move |ctx: Ctx<'js>, path: String| {
        let bytes = read(&ctx, &here, &path)?;
        TypedArray::<u8>::new_copy(ctx, bytes)
    };
    function("readBytes", Function::new(ctx.clone(), read_bytes)?)?;

    let here = Rc::clone(realm);
    let stat = move |ctx: Ctx<'js>, path: String, follow: bool| stat(&ctx, &here, &path, follow);
    function("stat", Function::new(ctx.clone(), stat)?)?;

    let here = Rc::clone(realm);
    let list = move |ctx: Ctx<'js>, path: String| list(&ctx, &here, &path);
    function("list", Function::new(ctx.clone(), list)?)?;

    let here = Rc::clone(realm);
    let real = move |ctx: Ctx<'js>, path: String| {
        admit(&ctx, &here, "realpath", &path).map(|found| found.path.to_string_lossy().into_owned())
    };
    function("real", Function::new(ctx.clone(), real)?)?;
    Ok(natives)
}

fn read(ctx: &Ctx<'_>, realm: &Realm, path: &str) -> Result<Vec<u8>> {
    let found = admit(ctx, realm, "open", path)?;
    confined_folder::read(&found.path, &found.metadata, realm.limits.file).map_err(|error| match error {
        ReadError::TooLarge => {
            let text = format!("file is larger than {} bytes", realm.limits.file);
            throw(ctx, "EFBIG", &text, "read", path)
        }
        ReadError::Folder => throw(ctx, "EISDIR", "illegal operation on a directory", "read", path),
        ReadError::Io(error) => throw_io(ctx, &error, "open", path),
    })
}

fn stat<'js>(ctx: &Ctx<'js>, realm: &Realm, path: &str, follow: bool) -> Result<Object<'js>> {
    let call = if follow { "stat" } else { "lstat" };
    let failed = |error: io::Error| throw_io(ctx, &error, call, path);
    let metadata = if follow {
        admit(ctx, realm, call, path)?.metadata
    } else {
        // The call is about the link itself, so only its parent folder must be inside.
        let wanted = realm.workspace.root().join(path);
        let (Some(folder), Some(name)) = (wanted.parent(), wanted.file_name()) else {
            return Err(throw(ctx, "EACCES", "outside the workspace", call, path));
        };
        let folder = admit(ctx, realm, call, &folder.to_string_lossy())?;
        fs::symlink_metadata(folder.path.join(name)).map_err(failed)?
    };
    let object = Object::new(ctx.clone())?;
    #[expect(clippy::cast_precision_loss, reason = "JavaScript has no other number, and Node does the same")]
    object.set("size", metadata.len() as f64)?;
    object.set("kind", kind(&metadata))?;
    for (name, time) in [
        ("mtimeMs", metadata.modified()),
        ("atimeMs", metadata.accessed()),
        ("birthtimeMs", metadata.created()),
    ] {
        let since = time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        object.set(name, since.as_secs_f64() * 1000.0)?;
    }
    Ok(object)
}

/// Returns alternating name and kind of each entry.
fn list(ctx: &Ctx<'_>, realm: &Realm, path: &str) -> Result<Vec<String>> {
    let failed = |error: io::Error| throw_io(ctx, &error, "scandir", path);
    let mut entries = Vec::new();
    for entry in fs::read_dir(admit(ctx, realm, "scandir", path)?.path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if entries.len() == MAX_ENTRIES {
            return Err(throw(ctx, "EFBIG", "too many entries", "scandir", path));
        }
        let kind = entry.metadata().map_or("other", |metadata| kind(&metadata));
        entries.push((entry.file_name().to_string_lossy().into_owned(), kind));
    }
    entries.sort();
    Ok(entries.into_iter().flat_map(|(name, kind)| [name, kind.to_owned()]).collect())
}

fn kind(metadata: &Metadata) -> &'static str {
    let kind = metadata.file_type();
    if kind.is_file() {
        "file"
    } else if kind.is_dir() {
        "directory"
    } else if kind.is_symlink() {
        "link"
    } else {
        "other"
    }
}

/// Returns the file at `path`, or throws Node's error; a path outside is not permitted.
fn admit(ctx: &Ctx<'_>, realm: &Realm, call: &str, path: &str) -> Result<Inside> {
    realm.workspace.admit(Path::new(path)).map_err(|error| match error {
        ConfineError::Outside => throw(ctx, "EACCES", "outside the workspace", call, path),
        ConfineError::Io(error) => throw_io(ctx, &error, call, path),
    })
}

fn throw_io(ctx: &Ctx<'_>, error: &io::Error, call: &str, path: &str) -> Error {
    let (code, text) = match error.kind() {
        io::ErrorKind::NotFound => ("ENOENT", "no such file or directory"),
        io::ErrorKind::PermissionDenied => ("EACCES", "permission denied"),
        io::ErrorKind::NotADirectory => ("ENOTDIR", "not a directory"),
        io::ErrorKind::IsADirectory => ("EISDIR", "illegal operation on a directory"),
        io::ErrorKind::InvalidInput => ("EINVAL", "invalid argument"),
        _ => return throw(ctx, "EIO", &error.to_string(), call, path),
    };
    throw(ctx, code, text, call, path)
}

/// Throws an error with Node's properties.
fn throw(ctx: &Ctx<'_>, code: &str, text: &str, call: &str, path: &str) -> Error {
    let thrown = Exception::from_message(ctx.clone(), &format!("{code}: {text}, {call} '{path}'"));
    let described = thrown.and_then(|error| {
        error.as_object().set("code", code)?;
        error.as_object().set("syscall", call)?;
        error.as_object().set("path", path)?;
        Ok(error)
    });
    match described {
        Ok(error) => error.throw(),
        Err(error) => error,
    }
}
