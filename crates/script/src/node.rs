//! The built-in Node modules.
//!
//! Each module is a few lines of JavaScript around Rust functions in its
//! `import.meta.native`, which no other module can access. It is compiled on its
//! first import.

pub(crate) mod bytes;
mod crypto;
mod fs;
mod path;

use std::fmt::Write as _;
use std::rc::Rc;

use rquickjs::module::Declared;
use rquickjs::{Ctx, Module, Object, Result};

use crate::globals::{Group, install};
use crate::realm::Realm;

type Natives = for<'js> fn(&Ctx<'js>, &Rc<Realm>) -> Result<Object<'js>>;

struct Builtin {
    name: &'static str,
    source: &'static str,
    needs: &'static [Group],
    natives: Natives,
}

const BUILTINS: [Builtin; 8] = [
    Builtin {
        name: "node:buffer",
        source: include_str!("node/buffer.js"),
        needs: &[Group::Bytes],
        natives: none,
    },
    Builtin {
        name: "node:crypto",
        source: include_str!("node/crypto.js"),
        needs: &[Group::Bytes],
        natives: crypto::natives,
    },
    Builtin {
        name: "node:fs",
        source: include_str!("node/fs.js"),
        needs: &[Group::Bytes],
        natives: fs::natives,
    },
    Builtin {
        name: "node:fs/promises",
        source: include_str!("node/fs_promises.js"),
        needs: &[],
        natives: none,
    },
    Builtin { name: "node:path", source: include_str!("node/path.js"), needs: &[], natives: path::natives },
    Builtin {
        name: "node:process",
        source: include_str!("node/process.js"),
        needs: &[Group::Process],
        natives: none,
    },
    Builtin {
        name: "node:timers/promises",
        source: include_str!("node/timers_promises.js"),
        needs: &[Group::Timers],
        natives: none,
    },
    Builtin { name: "node:url", source: include_str!("node/url.js"), needs: &[], natives: none },
];

/// Aliases of the modules, besides the name without `node:`.
const ALIASES: [(&str, &str); 2] = [("node:path/posix", "node:path"), ("path/posix", "node:path")];

/// Returns the full name of a built-in module, given with or without `node:`.
pub(crate) fn canonical_name(name: &str) -> Option<&'static str> {
    if let Some((_, meant)) = ALIASES.iter().find(|(alias, _)| *alias == name) {
        return Some(meant);
    }
    let bare = name.strip_prefix("node:").unwrap_or(name);
    BUILTINS.iter().map(|builtin| builtin.name).find(|full| full.strip_prefix("node:") == Some(bare))
}

/// Returns the list of available modules.
pub(crate) fn hint() -> String {
    let names: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.name).collect();
    format!("import a relative path or one of {}", names.join(", "))
}

/// Compiles the module with this full name.
pub(crate) fn declare<'js>(ctx: &Ctx<'js>, realm: &Rc<Realm>, name: &str) -> Result<Module<'js, Declared>> {
    let builtin = BUILTINS
        .iter()
        .find(|builtin| builtin.name == name)
        .ok_or_else(|| rquickjs::Error::new_loading(name))?;
    for group in builtin.needs {
        install(ctx, realm, *group)?;
    }
    let module = Module::declare(ctx.clone(), name, builtin.source)?;
    module.meta()?.set("native", (builtin.natives)(ctx, realm)?)?;
    Ok(module)
}

/// Returns an absolute path as a `file:` URL.
pub(crate) fn file_url(path: &str) -> String {
    let mut url = String::from("file://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
    url
}

fn none<'js>(ctx: &Ctx<'js>, _: &Rc<Realm>) -> Result<Object<'js>> {
    Object::new(ctx.clone())
}
