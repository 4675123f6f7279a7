//! Selects records of the trace.

use intent::IntentId;
use intent::trace::TraceRecord;
use store::Timestamp;

use crate::commands::Place;

/// The options that select records.
#[derive(Debug, clap::Args)]
pub(super) struct FilterArgs {
    /// Only writes under this intent
    #[arg(long, value_name = "ID", value_parser = crate::commands::intent::id)]
    intent: Option<IntentId>,
    /// Only this file, or the files below this folder
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Only writes since this time: UTC such as 2026-02-16 or 2026-02-16T10:30, or 90m, 2h, 3d, 1w ago
    #[arg(long, value_name = "TIME", value_parser = time)]
    since: Option<String>,
    /// Only writes before this time
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<String>,
}

/// The selected intent, files and times.
#[derive(Debug, Default)]
pub(super) struct Filter {
    intent: Option<IntentId>,
    /// Relative to the workspace.
    file: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

impl FilterArgs {
    /// Takes the options; a path is relative to the current folder.
    pub(super) fn filter(&self, place: &Place) -> Filter {
        Filter {
            intent: self.intent.clone(),
            file: self.file.as_ref().map(|file| repo_path(file, place)),
            since: self.since.clone(),
            until: self.until.clone(),
        }
    }
}

impl Filter {
    /// Returns whether all records match.
    pub(super) fn is_open(&self) -> bool {
        self.intent.is_none() && self.file.is_none() && self.since.is_none() && self.until.is_none()
    }

    /// Returns whether a line may match, without parsing it.
    pub(super) fn may_match(&self, line: &str) -> bool {
        self.intent.as_ref().is_none_or(|id| line.contains(id.as_str()))
    }

    /// Returns whether a record matches.
    pub(super) fn matches(&self, record: &TraceRecord) -> bool {
        let below = |file: &String| {
            record.file_path == *file
                || file.is_empty()
                || record.file_path.strip_prefix(file.as_str()).is_some_and(|rest| rest.starts_with('/'))
        };
        self.intent.as_ref().is_none_or(|id| record.intent_id == *id)
            && self.file.as_ref().is_none_or(below)
            && self.since.as_ref().is_none_or(|since| record.timestamp >= *since)
            && self.until.as_ref().is_none_or(|until| record.timestamp < *until)
    }
}

/// Returns a path of the command line in the form of the trace.
pub(super) fn repo_path(path: &str, place: &Place) -> String {
    let root = place.workspace.root();
    let from = if place.folder.below(root).is_ok() { &place.folder } else { root };
    from.join(path).below(root).map_or_else(|_| path.to_owned(), |path| path.to_string())
}

/// Parses a time, or a duration before now.
fn time(text: &str) -> Result<String, String> {
    let number = text.get(..text.len().saturating_sub(1)).and_then(|digits| digits.parse::<u64>().ok());
    let unit = match text.chars().last() {
        Some('m') => Some(60),
        Some('h') => Some(3600),
        Some('d') => Some(86_400),
        Some('w') => Some(7 * 86_400),
        _ => None,
    };
    if let (Some(number), Some(seconds)) = (number, unit) {
        let ago = number.saturating_mul(seconds).saturating_mul(1000);
        return Ok(Timestamp::from_millis(store::now().as_millis().saturating_sub(ago)).to_string());
    }
    let shape = "dddd-dd-ddTdd:dd:dd.dddZ";
    let fits = |(c, shape): (char, char)| if shape == 'd' { c.is_ascii_digit() } else { c == shape };
    let complete = [10, 16, 19, 20, 24].contains(&text.len());
    let plain = text.replacen(' ', "T", 1);
    let without_z = plain.strip_suffix('Z').unwrap_or(&plain);
    if complete && without_z.chars().zip(shape.chars()).all(fits) {
        Ok(without_z.to_owned())
    } else {
        Err("expected a time in UTC such as 2026-02-16 or 2026-02-16T10:30, or a duration such as 90m, 2h, 3d, 1w"
            .to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_date_or_a_duration_before_now() {
        for (text, expected) in [
            ("2026-02-16", "2026-02-16"),
            ("2026-02-16T10:30", "2026-02-16T10:30"),
            ("2026-02-16 10:30:00", "2026-02-16T10:30:00"),
            ("2026-02-16T10:30:00Z", "2026-02-16T10:30:00"),
        ] {
            assert_eq!(time(text).as_deref(), Ok(expected));
        }
        assert!(time("2h").unwrap() < store::now().to_string());
        for wrong in ["", "yesterday", "2026", "16.02.2026", "h", "-1h", "2026-02-16T", "é", "2026-02-1é"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
