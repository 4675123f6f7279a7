//! JavaScript that only computes and prints.

use super::{is_attribute, is_in, is_mark, name_at};
use crate::code::Language;
use crate::code::token::{Token, tokens};

const KEYWORDS: &str = "const let var if else for while do return function of in new typeof instanceof true false null undefined \
    NaN Infinity switch case default break continue try catch finally throw await async void delete";

const GLOBALS: &str = "console process JSON Math Object Array Number String Boolean Date Map Set WeakMap Symbol parseInt parseFloat \
    isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI RegExp Intl BigInt Buffer URL URLSearchParams Error \
    TypeError Promise btoa atob structuredClone TextEncoder TextDecoder __dirname __filename";

/// Modules of which only listed members are used.
const MODULES: &str = "fs os path util crypto url querystring assert v8 perf_hooks";

const MEMBERS: &str = "log error warn info dir table version versions platform arch cwd argv pid ppid uptime memoryUsage hrtime exit \
    env execPath release title features parse stringify keys values entries fromEntries assign isArray from of length map filter \
    reduce reduceRight forEach some every find findIndex findLast indexOf lastIndexOf includes join split slice splice concat sort \
    toSorted reverse push pop shift unshift flat flatMap fill at toString toFixed toPrecision toUpperCase toLowerCase trim trimStart \
    trimEnd padStart padEnd startsWith endsWith repeat replace replaceAll match matchAll test charCodeAt charAt codePointAt \
    localeCompare normalize substring substr now getTime toISOString toJSON toLocaleString toLocaleDateString toLocaleTimeString \
    toUTCString getFullYear getMonth getDate getDay getHours getMinutes getSeconds getTimezoneOffset UTC floor ceil round max min \
    abs sqrt cbrt pow random PI E trunc sign log2 log10 exp hypot has get set add size delete readFileSync existsSync readdirSync \
    statSync lstatSync realpathSync isDirectory isFile isSymbolicLink mtime mtimeMs birthtime resolve basename dirname extname \
    relative isAbsolute sep delimiter hostname type totalmem freemem cpus homedir tmpdir userInfo networkInterfaces loadavg \
    endianness EOL availableParallelism inspect format createHash update digest randomUUID randomBytes randomInt getHashes \
    getCiphers searchParams pathname protocol port href origin host hash search name v8 node modules openssl MAX_SAFE_INTEGER \
    EPSILON isInteger isSafeInteger group index input stdout isTTY columns DateTimeFormat NumberFormat resolvedOptions timeZone \
    getHeapStatistics heapTotal heapUsed rss config variables message stack rows model speed encode decode byteLength alloc \
    isBuffer bigint performance";

/// Names that lead to any code.
const FORBIDDEN: &str = "eval Function import class this globalThis global module exports constructor prototype __proto__ with \
    fetch WebSocket XMLHttpRequest setTimeout setInterval setImmediate Reflect Proxy arguments";

pub(super) fn is_pure(code: &[Token]) -> bool {
    let mut names = Vec::new();
    let mut functions = Vec::new();
    for at in 0..code.len() {
        match name_at(code, at) {
            Some("const" | "let" | "var") => {
                bind(code, at + 1, |name| matches!(name, "of" | "in"), '=', &mut names);
            }
            Some("function") => {
                functions.extend(name_at(code, at + 1));
                bind(code, at + 1, |_| false, ')', &mut names);
            }
            Some("catch") => names.extend(name_at(code, at + 2)),
            _ => {}
        }
        if is_mark(code, at, '=') && is_mark(code, at + 1, '>') {
            parameters(code, at, &mut names);
        }
    }
    permits(code, &names, &functions)
}

fn bind<'c>(
    code: &'c [Token],
    from: usize,
    is_end: impl Fn(&str) -> bool,
    end: char,
    names: &mut Vec<&'c str>,
) {
    for at in from..code.len() {
        match name_at(code, at) {
            Some(name) if is_end(name) => return,
            Some(name) => names.push(name),
            None if is_mark(code, at, end) || is_mark(code, at, ';') => return,
            None => {}
        }
    }
}

/// `x => …` and `(x, y) => …`.
fn parameters<'c>(code: &'c [Token], arrow: usize, names: &mut Vec<&'c str>) {
    let Some(before) = arrow.checked_sub(1) else { return };
    if !is_mark(code, before, ')') {
        names.extend(name_at(code, before));
        return;
    }
    for at in (0..before).rev() {
        match &code[at] {
            Token::Name(name) => names.push(name),
            Token::Mark('(') => return,
            _ => {}
        }
    }
}

/// Returns whether modules and `process` are only used for a member at once, so that every variable holds plain data or
/// a listed function: of such a value any property may be read, though not called.
fn holds_only_data(code: &[Token]) -> bool {
    (0..code.len()).all(|at| match name_at(code, at) {
        Some("require") => {
            let is_data =
                matches!(code.get(at + 2), Some(Token::Text { text, .. }) if text.ends_with(".json"));
            is_data || is_mark(code, at + 4, '.')
        }
        Some("process") if !is_attribute(code, at) => is_mark(code, at + 1, '.'),
        _ => true,
    })
}

fn permits(code: &[Token], names: &[&str], functions: &[&str]) -> bool {
    let is_closed = holds_only_data(code);
    // Whether the tokens read so far end in data of a file: `require("./package.json").a`.
    let mut is_data = false;
    let mut at = 0;
    while at < code.len() {
        let is_called = is_mark(code, at + 1, '(');
        match &code[at] {
            Token::Name(name) if is_in(FORBIDDEN, name) => return false,
            Token::Name(name) if is_attribute(code, at) => {
                if !(is_in(MEMBERS, name) || is_data && !is_called) {
                    return false;
                }
            }
            Token::Name(name) if name == "require" => {
                let Some([Token::Mark('('), Token::Text { text, .. }, Token::Mark(')')]) =
                    code.get(at + 1..at + 4)
                else {
                    return false;
                };
                let module = text.strip_prefix("node:").unwrap_or(text);
                is_data = text.starts_with('.') && text.ends_with(".json");
                if !is_data && !is_in(MODULES, module) {
                    return false;
                }
                at += 4;
                // What a pattern takes out of a module must be a listed member of it; that of data may be anything.
                if !is_data
                    && at >= 6
                    && is_mark(code, at - 5, '=')
                    && is_mark(code, at - 6, '}')
                    && !takes_members(code, at - 6)
                {
                    return false;
                }
                continue;
            }
            Token::Name(name) => {
                let is_key =
                    is_mark(code, at + 1, ':') && at > 0 && matches!(code[at - 1], Token::Mark('{' | ','));
                let is_local = names.contains(&name.as_str());
                // A value that the code computed could be any function.
                if is_local && is_called && !functions.contains(&name.as_str()) && !is_in(KEYWORDS, name) {
                    return false;
                }
                if !is_key && !is_local && !is_in(KEYWORDS, name) && !is_in(GLOBALS, name) {
                    return false;
                }
                is_data = is_local && is_closed;
            }
            Token::Text { text, code: is_code, expands } => {
                let leads = ["constructor", "__proto__", "prototype"].iter().any(|word| text.contains(word));
                if *is_code || leads || *expands && !permits_text(text, names, functions) {
                    return false;
                }
                is_data = false;
            }
            // `d[key]`, `d["a"].b` of plain data.
            Token::Mark('[')
                if is_data
                    && matches!(
                        code.get(at + 1),
                        Some(Token::Name(_) | Token::Text { .. } | Token::Number(_))
                    )
                    && is_mark(code, at + 2, ']')
                    && !is_mark(code, at + 3, '(') =>
            {
                if !permits(&code[at + 1..at + 2], names, functions) {
                    return false;
                }
                at += 3;
                continue;
            }
            // `x["name"](…)` calls by a computed name.
            Token::Mark(']') if is_called => return false,
            // `fs["unlinkSync"]` may be anything, handed to a function that calls it.
            Token::Mark('[')
                if !is_data
                    && at > 0
                    && matches!(code[at - 1], Token::Name(_) | Token::Mark(')' | ']'))
                    && !matches!(code.get(at + 1), Some(Token::Number(_))) =>
            {
                return false;
            }
            Token::Mark('.') => {}
            Token::Mark(_) | Token::Number(_) => is_data = false,
        }
        at += 1;
    }
    true
}

/// `{ a, b: c }` in front of an equals sign; `close` is its closing brace.
fn takes_members(code: &[Token], close: usize) -> bool {
    (0..close)
        .rev()
        .take_while(|at| !is_mark(code, *at, '{'))
        .all(|at| name_at(code, at).is_none_or(|name| is_in(MEMBERS, name)))
}

/// The expressions of a template.
fn permits_text(text: &str, names: &[&str], functions: &[&str]) -> bool {
    let mut rest = text;
    while let Some(open) = rest.find("${") {
        rest = &rest[open + 2..];
        let Some(close) = rest.find('}') else { return false };
        let expression = &rest[..close];
        if expression.contains('{') || !permits(&tokens(Language::Node, expression), names, functions) {
            return false;
        }
        rest = &rest[close + 1..];
    }
    true
}
