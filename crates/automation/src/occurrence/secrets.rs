//! Removes the secrets of a project from an occurrence before it is stored.

use redact::Filter;
use serde_json::Value;

use super::{Occurrence, OccurrenceKind};

impl Occurrence {
    /// Returns the occurrence without the secrets that a filter finds in file names, data and values.
    #[must_use]
    pub fn without_secrets(mut self, filter: &Filter) -> Self {
        let hide = |text: &mut String| {
            let hidden = filter.redact(text).into_string();
            if hidden != *text {
                *text = hidden;
            }
        };
        for value in self.values.values_mut() {
            hide(value);
        }
        if self.files.iter().any(|file| filter.redact(file).as_str() != file) {
            self.files = self.files.iter().map(|file| filter.redact(file).into_string()).collect();
        }
        match &mut self.kind {
            OccurrenceKind::FileSaved { path }
            | OccurrenceKind::FileWillBeSaved { path }
            | OccurrenceKind::FileCreated { path }
            | OccurrenceKind::FileDeleted { path } => hide(path),
            OccurrenceKind::FileRenamed { path, old_path } => [path, old_path].into_iter().for_each(hide),
            OccurrenceKind::SpecStatus { spec_id, path, old_status, new_status, change_author } => {
                for text in
                    [Some(spec_id), Some(path), old_status.as_mut(), Some(new_status), change_author.as_mut()]
                {
                    text.into_iter().for_each(hide);
                }
            }
            OccurrenceKind::Custom { path, data, .. } => {
                path.iter_mut().for_each(hide);
                data.values_mut().for_each(|value| hide_in(value, &hide));
            }
            OccurrenceKind::Commit { branch, .. } => branch.iter_mut().for_each(hide),
            OccurrenceKind::Operation { .. }
            | OccurrenceKind::Host { .. }
            | OccurrenceKind::Scheduled { .. } => {}
        }
        self
    }
}

fn hide_in(value: &mut Value, hide: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => hide(text),
        Value::Array(items) => items.iter_mut().for_each(|it| hide_in(it, hide)),
        Value::Object(object) => object.values_mut().for_each(|it| hide_in(it, hide)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
