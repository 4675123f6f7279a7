//! How one attempt of a run ended.

/// How one attempt ended. All text in it has passed the automation's filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The action succeeded.
    Success {
        /// The exit code of the program, if the action ran one.
        exit_code: Option<i32>,
        /// The redacted output.
        logs: String,
    },
    /// The action failed.
    Failure {
        /// A constant for programs.
        code: &'static str,
        /// A sentence for people.
        message: String,
        /// The exit code of the program, if the action ran one.
        exit_code: Option<i32>,
        /// The redacted output.
        logs: String,
    },
    /// The engine stopped the attempt at its timeout.
    Timeout {
        /// The redacted output until then.
        logs: String,
    },
    /// The run must not start.
    Skipped {
        /// A constant for programs.
        code: &'static str,
        /// A sentence for people.
        message: String,
        /// Nothing, as the run printed nothing.
        logs: String,
    },
    /// A user or the engine stopped the attempt.
    Stopped {
        /// The redacted output until then.
        logs: String,
    },
}

impl Ending {
    /// Codes of failures that a retry would meet again.
    const PERMANENT: [&str; 11] = [
        crate::confinement::CANNOT_CONFINE,
        "FILE_DELETED",
        "EXTENSION_UNINSTALLED",
        "CLI_NOT_INSTALLED",
        "INVALID_SCHEMA",
        "UNKNOWN",
        "NO_RUNNER",
        "TEMPLATE_ERROR",
        "NO_SUCH_SERVER",
        "SECRET_PATTERN",
        "NO_VARIABLE",
    ];

    /// Makes a failure without output.
    pub(crate) fn failure(code: &'static str, message: impl Into<String>) -> Self {
        Self::Failure { code, message: message.into(), exit_code: None, logs: String::new() }
    }

    /// Makes the end of a run that must not start.
    pub(crate) fn skipped(code: &'static str, message: impl Into<String>) -> Self {
        Self::Skipped { code, message: message.into(), logs: String::new() }
    }

    /// Appends text to the output.
    #[must_use]
    pub(crate) fn with(mut self, addition: &str) -> Self {
        let (Self::Success { logs, .. }
        | Self::Failure { logs, .. }
        | Self::Skipped { logs, .. }
        | Self::Timeout { logs }
        | Self::Stopped { logs }) = &mut self;
        if !addition.is_empty() && !logs.is_empty() && !logs.ends_with('\n') {
            logs.push('\n');
        }
        logs.push_str(addition);
        self
    }

    /// Returns whether a retry may succeed.
    pub(crate) fn is_retryable(&self) -> bool {
        matches!(self, Self::Failure { code, .. } if !Self::PERMANENT.contains(code))
    }
}
