//! Which parts of the language a module gets.
//!
//! WHY: setting up dates and byte arrays is a fifth of what a small module costs, and
//! few modules use them. So they are there only if the source text mentions them, or
//! anything through which they could be reached.

use rquickjs::context::intrinsic;
use rquickjs::{Context, Result, Runtime};

/// What every module has. Never there: weak references and `DOMException`.
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

/// Words that stand for, or lead to, what only the full language has.
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

/// Makes the world for a module with this source text.
pub(crate) fn context(runtime: &Runtime, source: &str) -> Result<Context> {
    let full = FULL_WORDS.iter().any(|word| source.contains(word) && code_mentions(source, word))
        || source.contains("atob")
        || source.contains("btoa");
    if full { Context::custom::<Full>(runtime) } else { Context::custom::<Lean>(runtime) }
}

/// Returns whether `word` stands anywhere but in a comment; when in doubt, it does.
///
/// The line that tells an editor a module's type has an `import` in it, so comments count.
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
