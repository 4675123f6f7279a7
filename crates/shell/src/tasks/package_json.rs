//! `package.json`: the command behind a script's name.

/// Returns the text of the script `name`.
///
/// WHY no JSON parser: only one string of one object is wanted, the crate has no
/// dependencies, and a file that is no JSON simply has no script.
pub(crate) fn script(content: &str, name: &str) -> Option<String> {
    let start = content.find("\"scripts\"")? + "\"scripts\"".len();
    let mut rest = content[start..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('{')?;
    loop {
        rest = rest.trim_start().trim_start_matches(',').trim_start();
        let (key, after) = string(rest)?;
        let (value, after) = string(after.trim_start().strip_prefix(':')?.trim_start())?;
        if key == name {
            return Some(value);
        }
        rest = after;
    }
}

/// Reads a JSON string; returns it and the rest.
fn string(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('"')?;
    let mut out = String::new();
    let mut characters = body.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((out, &body[at + 1..])),
            '\\' => match characters.next()?.1 {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                'u' => {
                    let digits: String = characters.by_ref().take(4).map(|(_, digit)| digit).collect();
                    out.push(u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('?'));
                }
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
    None
}
