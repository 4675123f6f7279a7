//! The times at which a scheduled automation runs.

use std::fmt;
use std::time::Duration;

use croner::Cron;

use crate::limits::MIN_INTERVAL;

/// The times of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Schedule {
    /// Again and again after this time.
    Every(Duration),
    /// At the times of a cron expression, on the clock of the machine.
    Cron(String),
}

impl Schedule {
    /// Parses an interval: a number and one of `s`, `m`, `h`, `d`.
    pub fn every(text: &str) -> Result<Self, String> {
        let unit = text.chars().next_back().unwrap_or_default();
        let digits = text.strip_suffix(unit).unwrap_or_default();
        let seconds = match unit {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            _ => 0,
        };
        let number: u64 = digits.trim().parse().unwrap_or(0);
        let interval = Duration::from_secs(number.saturating_mul(seconds));
        // Beyond a century no clock is reliable.
        if interval < MIN_INTERVAL || interval > Duration::from_hours(24 * 366 * 100) {
            return Err(format!("is not an interval: `{text}`"));
        }
        Ok(Self::Every(interval))
    }

    /// Parses a cron expression.
    pub fn cron(text: &str) -> Result<Self, String> {
        match parse_cron(text) {
            Ok(_) => Ok(Self::Cron(text.to_owned())),
            Err(why) => Err(format!("is not a cron expression: {why}")),
        }
    }
}

/// Parses a cron expression: minute, hour, day of the month, month and day of the week, or a name such as `@daily`.
pub fn parse_cron(text: &str) -> Result<Cron, String> {
    text.parse::<Cron>().map_err(|error| error.to_string())
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every(interval) => {
                let seconds = interval.as_secs();
                let unit = [(86_400, 'd'), (3600, 'h'), (60, 'm'), (1, 's')]
                    .into_iter()
                    .find(|(it, _)| seconds % it == 0);
                let (length, unit) = unit.unwrap_or((1, 's'));
                write!(f, "every {}{unit}", seconds / length)
            }
            Self::Cron(expression) => write!(f, "cron {expression}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_a_number_with_its_unit() {
        for (text, shown) in
            [("15m", "every 15m"), ("90s", "every 90s"), ("24h", "every 1d"), ("2 h", "every 2h")]
        {
            assert_eq!(Schedule::every(text).map(|it| it.to_string()).as_deref(), Ok(shown), "{text}");
        }
        for bad in ["", "15", "0m", "-1h", "m", "1.5h", "9999999999d", "18446744073709551615d", "1w", "5é"] {
            assert!(Schedule::every(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_cron_expression_is_checked() {
        for good in ["0 9 * * 1-5", "*/15 * * * *", "@daily", "0 0 1 jan *"] {
            assert!(Schedule::cron(good).is_ok(), "{good}");
        }
        for bad in ["", "* * *", "61 * * * *", "x y z a b", "* * * * * * * *"] {
            assert!(Schedule::cron(bad).is_err(), "{bad}");
        }
    }
}
