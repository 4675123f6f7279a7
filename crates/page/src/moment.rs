//! Times and durations as people read them; the zone of the machine applies.

use chrono::{DateTime, Local, TimeZone};
use maud::{Markup, html};

/// Renders a moment relative to `now`, with the local time as its tooltip.
pub(crate) fn ago(ts: u64, now: u64) -> Markup {
    let text = match now.saturating_sub(ts) {
        0..5_000 => "now".to_owned(),
        since => format!("{} ago", span(since)),
    };
    html! { time datetime=(iso(ts)) title=(full(ts)) { (text) } }
}

/// Renders the time of a day, with the whole local time as its tooltip.
pub(crate) fn clock(ts: u64) -> Markup {
    let text = local(ts).map(|at| at.format("%H:%M:%S").to_string()).unwrap_or_default();
    html! { time datetime=(iso(ts)) title=(full(ts)) { (text) } }
}

/// Returns the hour and the minute.
pub(crate) fn minute(ts: u64) -> String {
    local(ts).map(|at| at.format("%H:%M").to_string()).unwrap_or_default()
}

/// Returns a length of time in its largest unit: `3 min`, `2 h`, `5 d`.
pub(crate) fn span(millis: u64) -> String {
    match millis / 1000 {
        0 => format!("{millis} ms"),
        seconds @ 1..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds / 60),
        seconds @ 3600..172_800 => format!("{} h", seconds / 3600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

/// Returns a short length of time.
#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
pub(crate) fn micros(us: u64) -> String {
    match us {
        0..1000 => format!("{us} µs"),
        1000..10_000 => format!("{:.1} ms", us as f64 / 1000.0),
        10_000..1_000_000 => format!("{} ms", us / 1000),
        _ => format!("{:.1} s", us as f64 / 1_000_000.0),
    }
}

/// Returns how long a run took.
pub(crate) fn duration(millis: u64) -> String {
    match millis {
        0..1000 => format!("{millis} ms"),
        1000..120_000 => micros(millis.saturating_mul(1000)),
        _ => format!("{} min {} s", millis / 60_000, millis / 1000 % 60),
    }
}

/// Parses the time of a record, in ISO 8601.
pub(crate) fn parse(iso: &str) -> Option<u64> {
    DateTime::parse_from_rfc3339(iso).ok().and_then(|at| u64::try_from(at.timestamp_millis()).ok())
}

fn local(ts: u64) -> Option<DateTime<Local>> {
    Local.timestamp_millis_opt(i64::try_from(ts).ok()?).single()
}

fn iso(ts: u64) -> String {
    local(ts).map(|at| at.to_rfc3339()).unwrap_or_default()
}

fn full(ts: u64) -> String {
    local(ts).map(|at| at.format("%Y-%m-%d %H:%M:%S %:z").to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_one_unit() {
        let spans = [999, 1000, 59_999, 60_000, 3_599_999, 3_600_000, 172_800_000].map(span);
        assert_eq!(spans, ["999 ms", "1 s", "59 s", "1 min", "59 min", "1 h", "2 d"]);
    }

    #[test]
    fn short_times_have_two_or_three_digits() {
        assert_eq!([900, 1500, 15_000, 1_500_000].map(micros), ["900 µs", "1.5 ms", "15 ms", "1.5 s"]);
    }

    #[test]
    fn long_runs_have_minutes() {
        assert_eq!(
            [999, 1500, 119_900, 1_156_400].map(duration),
            ["999 ms", "1.5 s", "119.9 s", "19 min 16 s"]
        );
    }

    #[test]
    fn a_time_of_a_record_is_read_back() {
        assert_eq!(parse("1970-01-01T00:00:01.500Z"), Some(1500));
        assert_eq!(parse("yesterday"), None);
    }
}
