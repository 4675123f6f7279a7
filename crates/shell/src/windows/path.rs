//! Windows paths, written the POSIX way.

/// `C:\Users\Me` to `/c/users/me`; other paths only get their slashes turned.
pub(crate) fn to_posix(path: &str) -> String {
    let turned = path.replace('\\', "/");
    let bytes = turned.as_bytes();
    if bytes.len() >= 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' {
        let rest = turned[2..].trim_start_matches('/');
        return format!("/{}/{rest}", char::from(bytes[0])).to_ascii_lowercase();
    }
    if turned.contains("//") && turned.starts_with("//") {
        return turned;
    }
    if path.contains('\\') { turned.to_ascii_lowercase() } else { turned }
}
