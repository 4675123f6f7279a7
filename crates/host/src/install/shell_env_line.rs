//! A variable in a file of lines `NAME=value`.

/// Returns the value of the last line that sets the variable.
pub(super) fn value(body: &str, name: &str) -> Option<String> {
    let set = |line: &str| {
        let line = line.trim().strip_prefix("export ").unwrap_or(line.trim());
        let (key, value) = line.split_once('=')?;
        (key.trim() == name).then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    };
    body.lines().filter_map(set).next_back()
}

/// Returns the text with our line at the end. It ends with a line break only if the text did, which records it.
pub(super) fn with(body: &str, name: &str, path: &str) -> String {
    let line = format!("{name}={path}");
    if body.is_empty() || body.ends_with('\n') {
        format!("{body}{line}\n")
    } else {
        format!("{body}\n{line}")
    }
}

/// Returns the text without our line.
pub(super) fn without(body: &str, name: &str, path: &str) -> String {
    let line = format!("{name}={path}");
    if let Some(before) = body.strip_suffix(&format!("\n{line}")) {
        return before.to_owned();
    }
    body.split_inclusive('\n').filter(|it| it.trim() != line).collect()
}
