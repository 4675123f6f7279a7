//! Why a module could not be loaded or did not answer.

use std::io;

/// Why a module could not be loaded or did not answer.
///
/// File names are relative to the imports folder, as they are in stack traces.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file does not exist.
    #[error("module `{file}` does not exist{}", imported_by(importer.as_deref()))]
    NotFound {
        /// The missing file.
        file: String,
        /// The importing file; `None` for the module itself.
        importer: Option<String>,
    },
    /// The file exists but is not readable source text.
    #[error("cannot read module `{file}`")]
    Unreadable {
        /// The file.
        file: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file was not there when the scripts were judged, or was left out of what a person trusts.
    #[error("module `{file}` is not a trusted script; hint: run `steersman trust`")]
    NotTrusted {
        /// The file.
        file: String,
    },
    /// A path, once its links are followed, is not below the imports folder.
    #[error("cannot import `{specifier}`: it is outside the hooks folder{}", imported_by(importer.as_deref()))]
    OutsideRoot {
        /// The path as written in the source.
        specifier: String,
        /// The importing file; `None` for the module itself.
        importer: Option<String>,
    },
    /// The import is neither a relative path nor a built-in module.
    #[error("module `{specifier}` is not available here{}; {hint}", imported_by(Some(importer)))]
    UnknownImport {
        /// The specifier as written in the source.
        specifier: String,
        /// The importing file.
        importer: String,
        /// The available modules.
        hint: String,
    },
    /// The source text is not valid JavaScript.
    #[error("{file}:{line}:{column}: {message}")]
    Syntax {
        /// The file with the error.
        file: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
        /// The parser's message.
        message: String,
    },
    /// The module threw an exception it did not catch.
    #[error("{message}")]
    Threw {
        /// The error's name and message, or a description of another thrown value.
        message: String,
        /// One `at function (file:line:column)` per line; empty if the value is not an `Error`.
        stack: String,
    },
    /// The deadline passed.
    #[error("module did not answer in time")]
    TimedOut,
    /// The engine's memory limit was reached.
    #[error("module needs more than {limit} bytes of memory")]
    OutOfMemory {
        /// The limit.
        limit: usize,
    },
    /// The engine's stack limit was reached.
    #[error("module exceeds the call stack limit")]
    StackOverflow,
    /// The file is not a hook module.
    #[error("`{file}` is not a hook module: {missing}")]
    NotAModule {
        /// The file.
        file: String,
        /// The missing export.
        missing: &'static str,
    },
    /// A property of the default export has the wrong type.
    #[error("property `{property}` of the module must be {expected}")]
    BadMeta {
        /// The property.
        property: &'static str,
        /// The expected type.
        expected: &'static str,
    },
    /// `handle` returned something that cannot be an action.
    #[error("module returned no usable action: {found}")]
    NotAnAction {
        /// The value found instead, and its path.
        found: String,
    },
    /// `handle` awaits a promise that no job or timer can settle any more.
    #[error("module waits for a promise that never settles")]
    NeverSettled,
    /// A size exceeds its limit.
    #[error("{what} exceeds {limit}")]
    TooLarge {
        /// The oversized thing.
        what: String,
        /// The limit with its unit.
        limit: String,
    },
    /// The engine itself failed.
    #[error("JavaScript engine failed: {message}")]
    Engine {
        /// The engine's message.
        message: String,
    },
}

fn imported_by(importer: Option<&str>) -> String {
    importer.map(|file| format!(" (imported by `{file}`)")).unwrap_or_default()
}
