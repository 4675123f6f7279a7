//! Shell patterns: `*`, `?`, `[…]`.

/// Returns whether the whole of `text` matches `pattern`; linear in practice, no backtracking over `*` but the last.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    // Without a pattern's characters, or up to the first of them, both are the same; that decides most questions.
    let n_plain = pattern.bytes().position(|byte| matches!(byte, b'*' | b'?' | b'[' | b'\\'));
    let Some(n_plain) = n_plain else { return pattern == text };
    if !text.as_bytes().starts_with(&pattern.as_bytes()[..n_plain]) {
        return false;
    }
    // The end of a pattern behind its only `*`.
    if let Some(end) = pattern[n_plain..].strip_prefix('*')
        && !end.contains(['*', '?', '[', '\\'])
    {
        return text.len() >= n_plain + end.len() && text.ends_with(end);
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p + 1, t));
                p += 1;
                continue;
            }
            Some('[') => {
                if let Some((end, hit)) = class(&pattern, p, text[t])
                    && hit
                {
                    p = end;
                    t += 1;
                    continue;
                }
            }
            Some('?') => {
                p += 1;
                t += 1;
                continue;
            }
            Some('\\') if pattern.get(p + 1) == Some(&text[t]) => {
                p += 2;
                t += 1;
                continue;
            }
            Some(character) if *character == text[t] => {
                p += 1;
                t += 1;
                continue;
            }
            _ => {}
        }
        match star {
            Some((after, from)) => {
                p = after;
                t = from + 1;
                star = Some((after, from + 1));
            }
            None => return false,
        }
    }
    pattern[p..].iter().all(|character| *character == '*')
}

/// Matches `[…]` at `start`; returns where it ends and whether it matched.
fn class(pattern: &[char], start: usize, character: char) -> Option<(usize, bool)> {
    let mut at = start + 1;
    let negated = matches!(pattern.get(at), Some('!' | '^'));
    if negated {
        at += 1;
    }
    let first = at;
    let mut hit = false;
    loop {
        let low = *pattern.get(at)?;
        if low == ']' && at > first {
            return Some((at + 1, hit != negated));
        }
        if pattern.get(at + 1) == Some(&'-') && pattern.get(at + 2).is_some_and(|high| *high != ']') {
            let high = *pattern.get(at + 2)?;
            hit |= (low..=high).contains(&character);
            at += 3;
        } else {
            hit |= low == character;
            at += 1;
        }
    }
}

/// Removes a prefix that matches: the shortest, or the longest.
pub(super) fn strip_prefix<'v>(value: &'v str, pattern: &str, longest: bool) -> &'v str {
    let mut cuts: Vec<usize> = cuts(value);
    if longest {
        cuts.reverse();
    }
    cuts.into_iter().find(|cut| matches(pattern, &value[..*cut])).map_or(value, |cut| &value[cut..])
}

/// Removes a suffix that matches: the shortest, or the longest.
pub(super) fn strip_suffix<'v>(value: &'v str, pattern: &str, longest: bool) -> &'v str {
    let mut cuts: Vec<usize> = cuts(value);
    if !longest {
        cuts.reverse();
    }
    cuts.into_iter().find(|cut| matches(pattern, &value[*cut..])).map_or(value, |cut| &value[..cut])
}

/// Every place between two characters; long values are not cut at all, to stay linear.
fn cuts(value: &str) -> Vec<usize> {
    if value.len() > 512 {
        return Vec::new();
    }
    (0..=value.len()).filter(|at| value.is_char_boundary(*at)).collect()
}
