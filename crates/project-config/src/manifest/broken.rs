//! Reads `onFault` from a manifest that does not parse.
//!
//! WHY: with `"onFault": "deny"` no call may pass unjudged, and a surplus comma elsewhere in the file must not change
//! that. So this searches the text for the key.

use store::{Workspace, read_text};

use super::OnFault;

impl OnFault {
    /// Searches the text of a broken manifest for the key.
    pub fn of_broken(workspace: &Workspace) -> Self {
        match read_text(&workspace.manifest_file()) {
            Ok(Some(text)) => Self::in_broken(&String::from_utf8_lossy(&text)),
            _ => Self::default(),
        }
    }

    /// A misspelled `denny` counts: it may be the mistake that broke the file.
    fn in_broken(text: &str) -> Self {
        let says_deny = |after_key: &str| {
            let value = after_key.trim_start().strip_prefix(':')?.trim_start();
            value.strip_prefix(['"', '\'']).is_some_and(|word| word.starts_with("den")).then_some(())
        };
        let mut places = text.split("onFault").skip(1);
        let denies = places.any(|after| says_deny(after.trim_start_matches(['"', '\''])).is_some());
        if denies { Self::Deny } else { Self::Abstain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_found_whatever_is_broken_around_it() {
        for text in [
            r#"{"onFault": "deny", "modules": {"#,
            "{\n  \"modules\": [,],\n  \"onFault\" : \n\"deny\"",
            r#"{"onFault":"denny"}"#,
            "{'onFault': 'deny'}",
            "{onFault: \"deny\", // why not\n}",
        ] {
            assert_eq!(OnFault::in_broken(text), OnFault::Deny, "{text}");
        }
    }

    #[test]
    fn without_a_clear_word_nothing_is_denied() {
        for text in
            ["", "{", r#"{"onFault": "abstain","#, r#"{"onFault": ["deny"#, r#"{"x": "deny", "onFault""#]
        {
            assert_eq!(OnFault::in_broken(text), OnFault::Abstain, "{text}");
        }
    }
}
