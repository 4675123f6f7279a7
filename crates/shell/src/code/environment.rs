//! Uses of the environment in code: the whole of it, or one variable.

use crate::secrets::is_secret_name;

/// The environment in each language.
const ENVIRONMENTS: [&str; 8] =
    ["os.environ", "process.env", "ENV", "%ENV", "getenv", "$_ENV", "Deno.env", "Sys.getenv"];

/// Returns whether code uses the whole environment, or a variable with a secret name.
pub(super) fn prints_secrets(code: &str) -> bool {
    // A condition on the names leaves the secrets out, unless it asks for them.
    let is_filtered = [" if ", "filter(", "startswith", "startsWith", "select {", "grep"]
        .iter()
        .any(|sign| code.contains(sign));
    let words = || code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    if is_filtered && !words().any(is_secret_name) {
        return false;
    }
    ENVIRONMENTS.iter().any(|environment| {
        code.match_indices(environment).any(|(at, _)| {
            let is_part = at > 0 && {
                let before = code.as_bytes()[at - 1];
                before.is_ascii_alphanumeric()
                    || before == b'_'
                    || before == b'.' && !environment.contains('.')
            };
            let behind = &code[at + environment.len()..];
            !is_part && uses_secret(behind, environment)
        })
    })
}

/// Returns whether a variable with a secret name is glued to an address: `"http://x/" + os.environ["TOKEN"]`.
pub(super) fn is_in_address(code: &str) -> bool {
    let glued = [
        "+os.environ",
        "+ os.environ",
        "+process.env",
        "+ process.env",
        "{os.environ",
        "${process.env",
        "#{ENV",
    ];
    glued.iter().any(|glue| {
        code.match_indices(glue).any(|(at, _)| {
            let before = &code[..at];
            let line = before.rsplit(['(', ';', '\n']).next().unwrap_or(before);
            line.contains("://") && prints_secrets(&code[at + 1..])
        })
    })
}

/// Returns whether the text behind the name of the environment means all of it, or a secret.
fn uses_secret(behind: &str, environment: &str) -> bool {
    let is_function = environment.ends_with("getenv");
    let rest = behind.trim_start_matches('b');
    let rest = rest.strip_prefix(".get").or_else(|| rest.strip_prefix(".fetch")).unwrap_or(rest);
    let rest = rest.trim_start();
    if let Some(inner) = rest.strip_prefix(['[', '(', '{', '.']) {
        let inner = inner.trim_start().trim_start_matches(['"', '\'', '`']);
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let name = &inner[..end];
        return match name {
            // `getenv()` and `environ.items()` are all of it.
            "" => is_function && inner.starts_with(')') || inner.starts_with('$'),
            "items" | "copy" | "values" | "to_h" | "each" | "inspect" | "toObject" | "sort" | "map"
            | "to_a" => true,
            name => is_secret_name(name),
        };
    }
    // The name alone, as a value.
    !is_function
        && !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && !rest.trim_start().starts_with('=')
}
