//! Times for users: in UTC, and the output says so, or local with their offset.

use chrono::{DateTime, Local, Utc};
use store::Timestamp;

/// Returns date, time and offset on the user's clock: `2026-11-17 11:42:29 +01:00`.
pub(crate) fn local(at: Timestamp) -> String {
    local_as(at, "%Y-%m-%d %H:%M:%S %:z")
}

/// Returns the time of day and offset on the user's clock: `11:42:29+01:00`.
pub(crate) fn local_second(at: Timestamp) -> String {
    local_as(at, "%H:%M:%S%:z")
}

/// Returns a time in a record, in ISO 8601, on the user's clock. Returns any other text unchanged.
pub(crate) fn local_of_record(iso: &str) -> String {
    parse(iso).map_or_else(|| iso.to_owned(), local)
}

/// Returns a time in a record on the user's clock, with its offset, as short as it is clear: the time of day if it was
/// today, else the day and the minute, else only the day. Returns any other text unchanged.
pub(crate) fn short_local_of_record(iso: &str, now: Timestamp) -> String {
    let Some(at) = parse(iso) else { return iso.to_owned() };
    let is_same = |format: &str| local_as(at, format) == local_as(now, format);
    let format = match () {
        () if is_same("%Y-%m-%d") => "%H:%M:%S %:z",
        () if is_same("%Y") => "%m-%d %H:%M %:z",
        () => "%Y-%m-%d %:z",
    };
    local_as(at, format)
}

/// Returns the time since a time in a record, in words. Returns any other text unchanged.
pub(crate) fn ago_of_record(iso: &str, now: Timestamp) -> String {
    parse(iso).map_or_else(|| iso.to_owned(), |at| ago(at, now))
}

/// Parses a time of a record.
pub(crate) fn parse(iso: &str) -> Option<Timestamp> {
    let at: DateTime<Utc> = iso.parse().ok()?;
    u64::try_from(at.timestamp_millis()).ok().map(Timestamp::from_millis)
}

fn local_as(at: Timestamp, format: &str) -> String {
    let millis = i64::try_from(at.as_millis()).unwrap_or(i64::MAX);
    match DateTime::<Utc>::from_timestamp_millis(millis) {
        Some(at) => at.with_timezone(&Local).format(format).to_string(),
        None => at.to_string(),
    }
}

/// Returns a duration of milliseconds with its unit: `350 ms`, `2.5 s`, `3 min 20 s`.
pub(crate) fn duration(millis: u64) -> String {
    let seconds = millis / 1000;
    match seconds {
        0 => format!("{millis} ms"),
        1..=59 => format!("{seconds}.{} s", millis % 1000 / 100),
        60..=3599 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Returns day and minute, or the whole date if the year is not this year.
pub(crate) fn day(at: Timestamp, now: Timestamp) -> String {
    let (text, today) = (at.to_string(), now.to_string());
    if part(&text, 0, 4) == part(&today, 0, 4) {
        format!("{} {}", part(&text, 5, 10), part(&text, 11, 16))
    } else {
        part(&text, 0, 10).to_owned()
    }
}

/// Returns date and time to the second.
pub(crate) fn day_and_second(at: Timestamp) -> String {
    let text = at.to_string();
    format!("{} {}", part(&text, 0, 10), part(&text, 11, 19))
}

/// Returns the time of day to the second.
pub(crate) fn second(at: Timestamp) -> String {
    part(&at.to_string(), 11, 19).to_owned()
}

/// Returns the time since a moment, in words.
pub(crate) fn ago(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.millis_since(at) / 1000;
    match seconds {
        0..=4 => "just now".into(),
        5..=59 => format!("{seconds} s ago"),
        60..=3599 => format!("{} min ago", seconds / 60),
        3600..=172_799 => format!("{} h ago", seconds / 3600),
        _ => format!("{} days ago", seconds / 86_400),
    }
}

/// Returns a duration with its unit.
pub(crate) fn micros(us: u64) -> String {
    match us {
        0..=9_999 => format!("{us} µs"),
        10_000..=9_999_999 => format!("{} ms", us / 1000),
        _ => format!("{} s", us / 1_000_000),
    }
}

fn part(text: &str, from: usize, to: usize) -> &str {
    text.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_like_times() {
        let at = Timestamp::from_millis(1_740_700_000_123);
        assert_eq!(day_and_second(at), "2025-02-27 23:46:40");
        assert_eq!(day(at, at), "02-27 23:46");
        assert_eq!(day(at, Timestamp::from_millis(1_790_000_000_000)), "2025-02-27");
        assert_eq!(second(at), "23:46:40");
        let after = |seconds: u64| ago(at, Timestamp::from_millis(at.as_millis() + seconds * 1000));
        assert_eq!(
            [after(1), after(59), after(90), after(7200), after(300_000)],
            ["just now", "59 s ago", "1 min ago", "2 h ago", "3 days ago"]
        );
        let durations = [350, 2_540, 200_000, 7_500_000].map(duration);
        assert_eq!(durations, ["350 ms", "2.5 s", "3 min 20 s", "2 h 5 min"]);
        assert_eq!(parse("2025-02-27T23:46:40.123Z"), Some(at));
        assert_eq!(local_of_record("no time"), "no time");
        let iso = at.to_string();
        let widths = [0, 25, 400].map(|hours: u64| {
            let now = Timestamp::from_millis(at.as_millis() + hours * 3_600_000);
            short_local_of_record(&iso, now).len()
        });
        assert_eq!(widths, ["23:46:40 +00:00", "02-27 23:46 +00:00", "02-27 23:46 +00:00"].map(str::len));
        assert_eq!(short_local_of_record(&iso, Timestamp::from_millis(1_790_000_000_000)).len(), 17);
        assert_eq!(ago_of_record(&iso, at), "just now");
        assert_eq!([micros(12), micros(12_345), micros(12_345_678)], ["12 µs", "12 ms", "12 s"]);
    }
}
