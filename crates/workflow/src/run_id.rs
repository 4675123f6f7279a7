//! The id of one workflow run.

use std::fmt;

use store::Timestamp;

/// Start time and four hex digits: `20261116-012000-3f2a`. Ids sort by time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

impl RunId {
    /// Creates the id of a run that starts now; `salt` distinguishes runs of the same second.
    pub fn new(now: Timestamp, salt: &str) -> Self {
        let text = now.to_string();
        let digits: String = text.chars().take(19).filter(char::is_ascii_digit).collect();
        let hash = store::fingerprint([text.as_bytes(), salt.as_bytes()]).to_string();
        let (day, time) = digits.split_at(8);
        Self(format!("{day}-{time}-{}", &hash[..4]))
    }

    /// Parses an id. Returns `None` for anything malformed: ids become part of a path.
    pub fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let [day, time, salt] = parts.as_slice() else { return None };
        let digits = |part: &str, n: usize| part.len() == n && part.bytes().all(|it| it.is_ascii_digit());
        let hex = salt.len() == 4 && salt.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        (digits(day, 8) && digits(time, 6) && hex).then(|| Self(text.to_owned()))
    }

    /// Returns the id as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_and_nothing_else_is() {
        let id = RunId::new(Timestamp::from_millis(1_740_700_000_123), "x");
        assert!(id.as_str().starts_with("20250227-234640-"), "{id}");
        assert_eq!(RunId::parse(id.as_str()), Some(id));
        for text in ["", "..", "20250227-234640-zzzz", "20250227-234640-../", "20250227/234640-0000", "é-1-2"]
        {
            assert_eq!(RunId::parse(text), None, "{text}");
        }
    }
}
