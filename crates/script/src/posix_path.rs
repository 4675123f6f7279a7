//! String operations on paths, as in Node's `path.posix`.
//!
//! None of them accesses the disk.

/// The parts of a path, as `path.parse` returns them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parsed<'a> {
    pub(crate) root: &'a str,
    pub(crate) dir: &'a str,
    pub(crate) base: &'a str,
    pub(crate) ext: &'a str,
    pub(crate) name: &'a str,
}

pub(crate) fn is_absolute(path: &str) -> bool {
    path.starts_with('/')
}

/// Resolves `.`, `..` and repeated slashes; keeps a trailing slash.
pub(crate) fn normalize(path: &str) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    let absolute = is_absolute(path);
    let body = collapse(path, !absolute);
    let trailing = path.ends_with('/');
    match (absolute, body.is_empty()) {
        (true, true) => "/".to_owned(),
        (false, true) => if trailing { "./" } else { "." }.to_owned(),
        (true, false) => format!("/{body}{}", if trailing { "/" } else { "" }),
        (false, false) => format!("{body}{}", if trailing { "/" } else { "" }),
    }
}

/// Joins the parts that are not empty with slashes, then normalizes.
pub(crate) fn join<S: AsRef<str>>(parts: &[S]) -> String {
    let given: Vec<&str> = parts.iter().map(AsRef::as_ref).filter(|part| !part.is_empty()).collect();
    normalize(&given.join("/"))
}

/// Resolves the parts from right to left until the path is absolute, at last against `cwd`.
pub(crate) fn resolve<S: AsRef<str>>(cwd: &str, parts: &[S]) -> String {
    let mut path = String::new();
    for part in parts.iter().map(AsRef::as_ref).rev().chain([cwd]) {
        if part.is_empty() {
            continue;
        }
        path = if path.is_empty() { part.to_owned() } else { format!("{part}/{path}") };
        if is_absolute(part) {
            break;
        }
    }
    format!("/{}", collapse(&path, false))
}

/// Returns the relative path from `from` to `to`, both resolved against `cwd`.
pub(crate) fn relative(cwd: &str, from: &str, to: &str) -> String {
    let from = resolve(cwd, &[from]);
    let to = resolve(cwd, &[to]);
    let from: Vec<&str> = segments(&from).collect();
    let to: Vec<&str> = segments(&to).collect();
    let n_common = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
    let ups = std::iter::repeat_n("..", from.len() - n_common);
    ups.chain(to[n_common..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Returns the path of `path` below `base`, or `None` if it is not below it. Both absolute.
pub(crate) fn below(base: &str, path: &str) -> Option<String> {
    let way = relative("/", base, path);
    (way != ".." && !way.starts_with("../")).then_some(way)
}

pub(crate) fn dirname(path: &str) -> &str {
    let absolute = is_absolute(path);
    let body = path.trim_end_matches('/');
    match body.rfind('/') {
        None | Some(0) => {
            if absolute {
                "/"
            } else {
                "."
            }
        }
        Some(1) if absolute && path.starts_with("//") => "//",
        // Node keeps all but one of repeated slashes.
        Some(end) => &path[..end],
    }
}

pub(crate) fn basename<'a>(path: &'a str, suffix: &str) -> &'a str {
    let body = path.trim_end_matches('/');
    let base = &body[body.rfind('/').map_or(0, |slash| slash + 1)..];
    match base.strip_suffix(suffix) {
        Some(stem) if !stem.is_empty() => stem,
        _ => base,
    }
}

pub(crate) fn extname(path: &str) -> &str {
    let base = basename(path, "");
    match base.rfind('.') {
        None | Some(0) => "",
        Some(_) if base == ".." => "",
        Some(dot) => &base[dot..],
    }
}

pub(crate) fn parse(path: &str) -> Parsed<'_> {
    let root = &path[..usize::from(is_absolute(path))];
    let base = basename(path, "");
    let ext = extname(path);
    let dir = match path.trim_end_matches('/').rfind('/') {
        None | Some(0) => root,
        Some(end) => &path[..end],
    };
    Parsed { root, dir, base, ext, name: &base[..base.len() - ext.len()] }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// Resolves `.` and `..`; `climb` keeps those that lead above the start.
fn collapse(path: &str, climb: bool) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for segment in segments(path).filter(|segment| *segment != ".") {
        if segment != ".." {
            kept.push(segment);
        } else if kept.last().is_some_and(|last| *last != "..") {
            kept.pop();
        } else if climb {
            kept.push(segment);
        }
    }
    kept.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_as_node_does() {
        for (path, expected) in [
            ("", "."),
            (".", "."),
            ("./", "./"),
            ("/", "/"),
            ("//", "/"),
            ("/..", "/"),
            ("..", ".."),
            ("../", "../"),
            ("a/..", "."),
            ("a/../", "./"),
            ("a/../..", ".."),
            ("/a/../../b", "/b"),
            ("./a//b/", "a/b/"),
            ("../../a/../b", "../../b"),
        ] {
            assert_eq!(normalize(path), expected, "{path}");
        }
    }

    #[test]
    fn joins_and_resolves_as_node_does() {
        assert_eq!(join::<&str>(&[]), ".");
        assert_eq!(join(&["", ""]), ".");
        assert_eq!(join(&["a", "", "../b", "/c"]), "b/c");
        assert_eq!(join(&["/a", "..", ".."]), "/");
        assert_eq!(resolve::<&str>("/w", &[]), "/w");
        assert_eq!(resolve("/w", &["a", "./b", ""]), "/w/a/b");
        assert_eq!(resolve("/w", &["a", "/b", "../c/"]), "/c");
    }

    #[test]
    fn finds_the_way_as_node_does() {
        for (from, to, expected) in [
            ("/a/b", "/a/b", ""),
            ("/a/b", "/a/c/d", "../c/d"),
            ("/a/b", "/a", ".."),
            ("/", "/a", "a"),
            ("/a", "/", ".."),
            ("/ab", "/a", "../a"),
            ("x", "y", "../y"),
        ] {
            assert_eq!(relative("/w", from, to), expected, "{from} {to}");
        }
        assert_eq!(below("/a", "/a/b"), Some("b".to_owned()));
        assert_eq!(below("/a", "/a/../b"), None);
        assert_eq!(below("/a", "/a/..b"), Some("..b".to_owned()));
    }

    #[test]
    fn splits_as_node_does() {
        for (path, dir, base, ext) in [
            ("", ".", "", ""),
            ("/", "/", "", ""),
            ("a", ".", "a", ""),
            ("/a", "/", "a", ""),
            ("//a", "//", "a", ""),
            ("a/b/", "a", "b", ""),
            ("a//b", "a/", "b", ""),
            ("a/b.tar.gz", "a", "b.tar.gz", ".gz"),
            (".bashrc", ".", ".bashrc", ""),
            ("a.", ".", "a.", "."),
            ("..", ".", "..", ""),
            ("...", ".", "...", "."),
        ] {
            assert_eq!(dirname(path), dir, "dirname {path}");
            assert_eq!(basename(path, ""), base, "basename {path}");
            assert_eq!(extname(path), ext, "extname {path}");
        }
        assert_eq!(basename("a/b.js", ".js"), "b");
        assert_eq!(basename("a/.js", ".js"), ".js");
        let parsed = parse("/home/u/file.txt");
        assert_eq!(parsed, Parsed { root: "/", dir: "/home/u", base: "file.txt", ext: ".txt", name: "file" });
        assert_eq!(parse("./a").dir, ".");
        assert_eq!(parse("a").dir, "");
    }
}
