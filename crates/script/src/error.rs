//! Why a module could not be loaded or did not answer.

use std::io;

/// Why a module could not be loaded or did not answer.
///
/// File names are relative to the imports folder, as they are in stack traces.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// There is no such file.
    #[error("module `{file}` does not exist{}", imported_by(importer.as_deref()))]
    NotFound {
        /// The file that is missing.
        file: String,
        /// Who asked for it, unless it is the module itself.
        importer: Option<String>,
    },
    /// The file is there but is not readable source text.
    #[error("cannot read module `{file}`")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file was not there when the scripts were judged, or was left out of what a person trusts.
    #[error("module `{file}` is not among the scripts that were trusted; hint: `steersman trust`")]
    NotTrusted {
        /// The file.
        file: String,
    },
    /// A path, once its links are followed, is not below the imports folder.
    #[error("`{specifier}` leads out of the hooks folder{}", imported_by(importer.as_deref()))]
    OutsideRoot {
        /// The path as it was written.
        specifier: String,
        /// Who asked for it, unless it is the module itself.
        importer: Option<String>,
    },
    /// An import that is neither a relative path nor one of the modules we offer.
    #[error("module `{specifier}` is not available here{}; {hint}", imported_by(Some(importer)))]
    UnknownImport {
        /// The name as it was written.
        specifier: String,
        /// Who asked for it.
        importer: String,
        /// What is available instead.
        hint: String,
    },
    /// The source text is not JavaScript.
    #[error("{file}:{line}:{column}: {message}")]
    Syntax {
        /// The file with the fault in it.
        file: String,
        /// Its line, from 1.
        line: u32,
        /// Its column, from 1.
        column: u32,
        /// What the parser expected.
        message: String,
    },
    /// The module threw something it did not catch.
    #[error("{message}")]
    Threw {
        /// The error's name and message, or a description of what else was thrown.
        message: String,
        /// One `at function (file:line:column)` per line; empty if not an `Error`.
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
    #[error("module calls itself too deeply")]
    StackOverflow,
    /// The file is not a hook module.
    #[error("`{file}` is not a hook module: {missing}")]
    NotAModule {
        /// The file.
        file: String,
        /// What it lacks.
        missing: &'static str,
    },
    /// A property of the default export has the wrong type.
    #[error("property `{property}` of the module must be {expected}")]
    BadMeta {
        /// The property.
        property: &'static str,
        /// What it should have been.
        expected: &'static str,
    },
    /// `handle` returned something that cannot be an action.
    #[error("module returned no usable action: {found}")]
    NotAnAction {
        /// What was found instead, and where.
        found: String,
    },
    /// `handle` awaits something that nothing can fulfil any more.
    #[error("module waits for a promise that nothing will ever settle")]
    NeverSettled,
    /// Something exceeds its limit.
    #[error("{what} exceeds {limit}")]
    TooLarge {
        /// What is too large.
        what: String,
        /// The limit with its unit.
        limit: String,
    },
    /// The engine itself failed.
    #[error("JavaScript engine failed: {message}")]
    Engine {
        /// What it said.
        message: String,
    },
}

fn imported_by(importer: Option<&str>) -> String {
    importer.map(|file| format!(" (imported by `{file}`)")).unwrap_or_default()
}
