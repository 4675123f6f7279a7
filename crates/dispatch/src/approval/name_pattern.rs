//! Patterns of file names whose matches are known: `*.rs`, `src/**/*.ts`, `*.{ts,tsx}`.

use modules::Context;

use super::call_paths::is_secret;

/// Returns the endings that a pattern selects. Returns `None` for any other form, which may match any name.
pub(super) fn extension(context: &Context<'_>, pattern: &str) -> Option<Vec<String>> {
    let (folders, name) = pattern.rsplit_once('/').unwrap_or(("", pattern));
    let is_plain = |part: &str| {
        part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter))
            && !part.is_empty()
    };
    let mut folders = folders.split('/').filter(|folder| !folder.is_empty());
    if pattern.starts_with('/')
        || !folders.all(|folder| folder == "**" || is_plain(folder) && !folder.starts_with('.'))
    {
        return None;
    }
    let endings = name.strip_prefix("*.")?;
    let endings: Vec<&str> = match endings.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        Some(list) => list.split(',').collect(),
        None => vec![endings],
    };
    let root = context.workspace.root();
    let is_harmless = |ending: &str| {
        let names = [format!(".{ending}"), format!("a.{ending}")];
        is_plain(ending) && !names.iter().any(|name| is_secret(context, &root.join(name)))
    };
    let all = endings.iter().all(|ending| is_harmless(ending));
    all.then(|| endings.into_iter().map(str::to_owned).collect())
}

/// The endings of the files of a kind, by the names that ripgrep has for kinds. WHY so few: others contain settings.
const KINDS: [(&str, &[&str]); 24] = [
    ("c", &["c", "h"]),
    ("cpp", &["cpp", "cc", "cxx", "h", "hpp", "hxx", "hh", "inl"]),
    ("cs", &["cs"]),
    ("csharp", &["cs"]),
    ("css", &["css", "scss"]),
    ("go", &["go"]),
    ("html", &["htm", "html"]),
    ("java", &["java", "jsp", "jspx"]),
    ("js", &["js", "jsx", "vue", "cjs", "mjs"]),
    ("kotlin", &["kt", "kts"]),
    ("lua", &["lua"]),
    ("markdown", &["md", "markdown", "mdown", "mdwn", "mdx", "mkd", "mkdn"]),
    ("md", &["md", "markdown", "mdown", "mdwn", "mdx", "mkd", "mkdn"]),
    ("php", &["php", "php3", "php4", "php5", "php7", "php8", "pht", "phtml"]),
    ("py", &["py", "pyi"]),
    ("python", &["py", "pyi"]),
    ("rust", &["rs"]),
    ("scala", &["scala", "sbt"]),
    ("sql", &["sql", "psql"]),
    ("svelte", &["svelte"]),
    ("swift", &["swift"]),
    ("ts", &["ts", "tsx", "cts", "mts"]),
    ("typescript", &["ts", "tsx", "cts", "mts"]),
    ("vue", &["vue"]),
];

/// Returns the endings of the files of a kind; `None` for a kind of which they are not known.
pub(super) fn of_kind(kind: &str) -> Option<Vec<String>> {
    let (_, endings) = KINDS.iter().find(|(name, _)| *name == kind)?;
    Some(endings.iter().map(|ending| (*ending).to_owned()).collect())
}
