//! Selects the language features that a module gets.
//!
//! WHY: setting up dates and byte arrays is a fifth of the cost of a small module, and
//! few modules use them. So they are defined only if the source text mentions them, or
//! anything that gives access to them.

use rquickjs::context::intrinsic;
use rquickjs::{Context, Result, Runtime};

/// The features of every module. Never defined: weak references and `DOMException`.
type Lean = (
    intrinsic::Eval,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::Promise,
    intrinsic::Performance,
);

type Full = (Lean, intrinsic::Date, intrinsic::TypedArrays);

/// Words that denote, or give access to, features of the full language.
const FULL_WORDS: [&str; 16] = [
    "import",
    "Date",
    "8Array",
    "16Array",
    "32Array",
    "64Array",
    "ClampedArray",
    "Buffer",
    "DataView",
    "Atomics",
    "TextEncoder",
    "TextDecoder",
    "structuredClone",
    "globalThis",
    "eval",
    "Function(",
];

/// Creates the context for a module with this source text.
pub(crate) fn context(runtime: &Runtime, source: &str) -> Result<Context> {
    let full = FULL_WORDS.iter().any(|word| source.contains(word) && code_mentions(source, word))
        || source.contains("atob")
        || source.contains("btoa");
    if full { Context::custom::<Full>(runtime) } else { Context::custom::<Lean>(runtime) }
}

/// Returns whether `word` occurs outside comments; true when in doubt.
///
/// Comments are skipped because the line that declares a module's type contains `import`.
fn code_mentions(source: &str, word: &str) -> bool {
    source.lines().filter(|line| line.contains(word)).any(|line| {
        let line = line.trim_start();
        let comment = ["//", "/*", "* "].iter().any(|start| line.starts_with(start));
        // Within a template literal, such a line may still hold code.
        !comment || line.contains("${") || line.split_once("*/").is_some_and(|(_, code)| code.contains(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_do_not_count_and_code_does() {
        for (source, expected) in [
            ("/** @type {import('./steersman.d.ts').HookModule} */\nexport default {}", false),
            (" * @param {import('./x').Y} y\n// import later", false),
            ("import a from './a.mjs'", true),
            ("/* a */ import a from './a.mjs'", true),
            ("const a = await import('./a.mjs') // why", true),
            ("  *import() {}", true),
            ("`\n// ${await import('./a.mjs')}`", true),
            ("x", false),
        ] {
            assert_eq!(code_mentions(source, "import"), expected, "{source}");
        }
    }
}
