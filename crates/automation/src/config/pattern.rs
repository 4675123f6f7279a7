//! Checks a project's own secret patterns when their file is loaded.
//!
//! WHY not compiled here: reading the syntax takes microseconds, compiling a hundred times
//! that, and the patterns are needed only when the automation runs.

use std::collections::HashSet;

use regex_syntax::ParserBuilder;

use crate::limits::MAX_PATTERN_LENGTH;

/// The valid patterns of one file, checked once each.
///
/// WHY: a project has few patterns and repeats them in many automations; checking them took a third of
/// the load time of a thousand automations.
#[derive(Default)]
pub(super) struct ValidPatterns(HashSet<String>);

impl ValidPatterns {
    /// Returns the fault of a pattern and a hint. Returns `None` if it is valid.
    pub(super) fn fault(&mut self, pattern: &str) -> Option<(String, Option<&'static str>)> {
        if self.0.contains(pattern) {
            return None;
        }
        let fault = fault(pattern);
        if fault.is_none() {
            self.0.insert(pattern.to_owned());
        }
        fault
    }
}

/// Returns the expression in a JavaScript literal such as `/key-[0-9]+/i`, with its flags at the start. Returns
/// any other text unchanged.
///
/// WHY: read as they are, the slashes belong to the pattern, which then matches no secret.
pub(super) fn without_slashes(pattern: &str) -> Result<String, String> {
    let Some((expression, flags)) = pattern.strip_prefix('/').and_then(|it| it.rsplit_once('/')) else {
        return Ok(pattern.to_owned());
    };
    if expression.is_empty() || !flags.bytes().all(|it| it.is_ascii_lowercase()) {
        return Ok(pattern.to_owned());
    }
    let mut ours = String::new();
    for flag in flags.chars() {
        match flag {
            'i' | 'm' | 's' => ours.push(flag),
            // All matches are redacted anyway, and the expression is read as Unicode or bytes alike.
            'g' | 'u' | 'd' => {}
            other => return Err(format!("has the unknown flag `{other}`")),
        }
    }
    let expression = expression.replace("\\/", "/");
    Ok(if ours.is_empty() { expression } else { format!("(?{ours}){expression}") })
}

fn fault(pattern: &str) -> Option<(String, Option<&'static str>)> {
    if pattern.len() > MAX_PATTERN_LENGTH {
        let fault = format!("must not be longer than {MAX_PATTERN_LENGTH} bytes (MAX_PATTERN_LENGTH)");
        return Some((fault, None));
    }
    // As the redaction filter compiles them.
    let parsed = ParserBuilder::new().unicode(false).utf8(false).nest_limit(64).build().parse(pattern);
    let hir = match parsed {
        Ok(hir) => hir,
        Err(error) => {
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let hint = reason
                .contains("not supported")
                .then_some("patterns run in linear time: no look-around, no back-references");
            return Some((format!("is not a regular expression: {reason}"), hint));
        }
    };
    if hir.properties().minimum_len().unwrap_or(0) == 0 {
        return Some(("matches the empty string".to_owned(), Some("use `+` instead of `*`")));
    }
    // Only counted repetition makes a short pattern compile to a large automaton.
    let is_too_big = pattern.contains('{') && redact::Filter::with_patterns([pattern]).is_err();
    is_too_big.then(|| ("repeats too often".to_owned(), Some("use smaller counts in `{…}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_javascript_literal_is_its_expression() {
        for (written, plain) in [
            ("/key-[0-9]+/", "key-[0-9]+"),
            ("/key-[0-9]+/gi", "(?i)key-[0-9]+"),
            (r"/a\/b/s", "(?s)a/b"),
            ("key/x", "key/x"),
            ("/etc", "/etc"),
            ("/etc/Passwd", "/etc/Passwd"),
            ("//", "//"),
        ] {
            assert_eq!(without_slashes(written).as_deref(), Ok(plain), "{written}");
        }
        assert_eq!(without_slashes("/x/y"), Err("has the unknown flag `y`".to_owned()));
    }

    #[test]
    fn what_the_filter_takes_passes_and_nothing_else() {
        for pattern in
            ["sk-[a-z0-9]{20}", r"\bkey-\w+", "(?i)internal", "", "a*", r"\b", "(", r"(a)\1", "(?=x)", "x|"]
        {
            let fits = redact::Filter::with_patterns([pattern]).is_ok();
            assert_eq!(fault(pattern).is_none(), fits, "{pattern}: {:?}", fault(pattern));
        }
        assert!(fault("((a{1000}){1000}){1000}").is_some());
    }
}
