//! Appends automations to their file and keeps comments, order and layout.

use config_file::NewerFormat;
use config_file::jsonc::{self, CstInputValue, ParseError};
use serde_json::{Value, json};

use super::version::FORMAT;
use crate::SourceFile;

/// Why automations cannot be appended.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// The file is not JSON.
    #[error("the file is not JSON")]
    Syntax(#[source] ParseError),
    /// The file has another structure.
    #[error("the file has no array `hooks`")]
    NoHooks,
    /// A newer build wrote the file.
    #[error("{0}")]
    Newer(NewerFormat),
}

/// Returns the text of the file with these automations at its end; `None` is a file that does not exist.
pub fn append(text: Option<&str>, file: SourceFile, hooks: &[Value]) -> Result<String, AppendError> {
    let Some(text) = text.filter(|it| !it.trim_start_matches('\u{feff}').trim().is_empty()) else {
        let whole = match file {
            SourceFile::Akira => json!({ "schemaVersion": FORMAT, "hooks": hooks }),
            SourceFile::Gatomia => json!({ "version": FORMAT, "hooks": hooks }),
        };
        return Ok(format!("{whole:#}\n"));
    };
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mark = &text[..text.len() - body.len()];
    if let Some(format) = NewerFormat::of_json(body, FORMAT) {
        return Err(AppendError::Newer(format));
    }
    let root = jsonc::parse_editable(body).map_err(AppendError::Syntax)?;
    let framed = || root.object_value().and_then(|it| it.array_value("hooks"));
    let list = match file {
        SourceFile::Akira => framed(),
        SourceFile::Gatomia => root.array_value().or_else(framed),
    };
    let list = list.ok_or(AppendError::NoHooks)?;
    for hook in hooks {
        list.append(input(hook));
    }
    Ok(format!("{mark}{root}"))
}

/// Converts a value for the tree.
pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(it) => CstInputValue::Bool(*it),
        Value::Number(it) => CstInputValue::Number(it.to_string()),
        Value::String(it) => CstInputValue::String(it.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(entries) => {
            CstInputValue::Object(entries.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use config_file::JsonDialect;

    use super::*;

    #[test]
    fn automations_are_added_behind_the_others_and_comments_stay() {
        let hook = json!({"id": "b", "pattern": ["*.rs", "!x"], "batch": true});
        let text = "{\n  // ours\n  \"hooks\": [\n    {\"id\": \"a\"} // first\n  ]\n}\n";
        let appended = append(Some(text), SourceFile::Akira, std::slice::from_ref(&hook)).unwrap();
        assert!(appended.contains("// ours") && appended.contains("// first"), "{appended}");
        let read = config_file::parse_json(&appended, JsonDialect::WithComments).unwrap().unwrap().to_json();
        assert_eq!(read, json!({"hooks": [{"id": "a"}, hook]}));
        let fresh: Value =
            serde_json::from_str(&append(None, SourceFile::Akira, std::slice::from_ref(&hook)).unwrap())
                .unwrap();
        assert_eq!(fresh, json!({"schemaVersion": 1, "hooks": [hook]}));
        assert!(matches!(append(Some("[]"), SourceFile::Akira, &[]), Err(AppendError::NoHooks)));
        let bare = append(Some("[]"), SourceFile::Gatomia, std::slice::from_ref(&hook)).unwrap();
        let read = config_file::parse_json(&bare, JsonDialect::WithComments).unwrap().unwrap().to_json();
        assert_eq!(read, json!([hook]));
    }
}
